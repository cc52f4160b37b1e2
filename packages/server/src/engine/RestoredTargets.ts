import { type ResultError, statesBefore, type TargetId } from "@carillon/domain"
import { PgClient } from "@effect/sql-pg"
import { Context, DateTime, Effect, Layer } from "effect"

/** Targets out of a backup, before the engine claims them. */
export class RestoredTargets extends Context.Service<RestoredTargets>()(
  "@carillon/server/engine/RestoredTargets",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient

      /** Makes targets that may have been published since a backup unconfirmed: some posts' at a time, and gives their ids. */
      const unconfirm = Effect.fn("RestoredTargets.unconfirm")(function* (
        at: DateTime.Utc,
        error: ResultError
      ) {
        const now = DateTime.toDateUtc(at)
        return yield* sql<{ id: TargetId; post_id: string }>`
        with doubtful as materialized (
          select t.id, t.state, t.fence, t.marked_at from targets t
          where t.state in ${sql.in(statesBefore("restore"))}
            and (t.state in ('committing', 'unknown') or coalesce(t.due_at <= ${now}, true))
            and t.post_id in (
              select o.post_id from targets o where o.state in ${sql.in(statesBefore("restore"))}
                and (o.state in ('committing', 'unknown') or coalesce(o.due_at <= ${now}, true))
              order by o.post_id limit 500)
        ), attempted as (
          insert into attempts (target_id, fence, started_at, ended_at, outcome, error)
          select id, fence, coalesce(marked_at, ${now}), ${now}, 'unconfirmed', ${sql.json(error)}::jsonb
          from doubtful where state = 'committing'
          on conflict (target_id, fence) do nothing
        )
        update targets t set
          fence = t.fence + 1, state = 'unconfirmed', next_step_at = null, lease_until = null, holder = null,
          error = ${sql.json(error)}::jsonb
        from doubtful d where t.id = d.id returning t.id, t.post_id`
      })

      /** Frees what processes held that are no more, and commits that they had begun. */
      const letGo = Effect.gen(function* () {
        yield* sql`
        update targets set fence = fence + 1, state = 'waiting', lease_until = null, holder = null where state = 'claimed'`
        yield* sql`delete from commits`
      })

      return {
        unconfirm: (...args: Parameters<typeof unconfirm>) => Effect.orDie(unconfirm(...args)),
        letGo: Effect.orDie(letGo)
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
