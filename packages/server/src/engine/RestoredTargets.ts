import { type ResultError, statesBefore, type TargetId } from "@carillon/domain"
import { PgClient } from "@effect/sql-pg"
import { Context, DateTime, Effect, Layer } from "effect"

/** Targets out of a backup, before the engine claims them. */
export class RestoredTargets extends Context.Service<RestoredTargets>()(
  "@carillon/server/engine/RestoredTargets",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient

      /**
       * Makes targets that may have been published since a backup unconfirmed: some posts' at a time, and gives them. A post that was
       * live already is published; `warning` says that its first comment may be missing.
       */
      const unconfirm = Effect.fn("RestoredTargets.unconfirm")(function* (
        at: DateTime.Utc,
        error: ResultError,
        warning: string
      ) {
        const now = DateTime.toDateUtc(at)
        return yield* sql<{ id: TargetId; post_id: string; state: "published" | "unconfirmed" }>`
        with doubtful as materialized (
          select t.id, t.state, t.fence, t.marked_at, t.item_count is null and t.items <> '[]' as live from targets t
          where t.state in ${sql.in(statesBefore("restore"))}
            and (t.state in ('committing', 'unknown') or coalesce(t.due_at <= ${now}, true))
            and t.post_id in (
              select o.post_id from targets o where o.state in ${sql.in(statesBefore("restore"))}
                and (o.state in ('committing', 'unknown') or coalesce(o.due_at <= ${now}, true))
              order by o.post_id limit 500)
        ), attempted as (
          insert into attempts (target_id, fence, started_at, ended_at, outcome, error)
          select id, fence, coalesce(marked_at, ${now}), ${now}, case when live then 'failed' else 'unconfirmed' end,
            ${sql.json(error)}::jsonb
          from doubtful where state = 'committing'
          on conflict (target_id, fence) do nothing
        )
        update targets t set
          fence = t.fence + 1, state = case when live then 'published' else 'unconfirmed' end,
          next_step_at = null, lease_until = null, holder = null,
          error = case when live then null else ${sql.json(error)}::jsonb end,
          platform_data = case when live then t.platform_data || jsonb_build_object('warnings',
            coalesce(t.platform_data -> 'warnings', '[]') || jsonb_build_array(${warning}::text)) else t.platform_data end
        from doubtful d where t.id = d.id returning t.id, t.post_id, t.state`
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
