import { type PostId, Queue, WorkspaceId } from "@carillon/domain"
import { PgClient } from "@effect/sql-pg"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Instant } from "../sql/Rows.ts"
import { putQueues } from "../workspaces/putQueues.ts"

const Held = Schema.Struct({ at: Instant })

export class QueueRepository extends Context.Service<QueueRepository>()(
  "@carillon/server/queue/QueueRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient

      const find = SqlSchema.findOneOption({
        Request: WorkspaceId,
        Result: Queue,
        execute: (workspaceId) =>
          sql`select timezone, slots, jitter_minutes from queues where workspace_id = ${workspaceId}`
      })

      /** Taking a slot needs this lock until the post is stored, so that slots are filled without a gap. */
      const lock = SqlSchema.findOneOption({
        Request: WorkspaceId,
        Result: Queue,
        execute: (workspaceId) => sql`
          select timezone, slots, jitter_minutes from queues where workspace_id = ${workspaceId} for update`
      })

      const put = (workspaceId: WorkspaceId, { timezone, slots, jitter_minutes }: Queue) =>
        putQueues(
          sql,
          sql`(
            select ${workspaceId}::uuid as workspace_id, ${timezone}::text as timezone, ${sql.json(slots)}::jsonb as slots,
              ${jitter_minutes}::int as jitter_minutes) e`
        )

      const decodeHeld = Schema.decodeUnknownEffect(Schema.Array(Held))

      /** The instants at which a slot is held: by a post of the queue, or by one that was put at that very time. */
      const held = Effect.fnUntraced(function* (
        workspaceId: WorkspaceId,
        after: DateTime.Utc,
        until: DateTime.Utc,
        otherThan: PostId | null
      ) {
        const [from, to] = [DateTime.toDateUtc(after), DateTime.toDateUtc(until)]
        const rows = yield* sql`
          select queue_slot as at from posts
          where workspace_id = ${workspaceId} and queue_slot > ${from} and queue_slot <= ${to}
            and id is distinct from ${otherThan}::uuid
          union
          select scheduled_at from posts
          where workspace_id = ${workspaceId} and scheduled_at > ${from} and scheduled_at <= ${to}
            and status = 'scheduled' and queue_slot is null and id is distinct from ${otherThan}::uuid`
        return new Set((yield* decodeHeld(rows)).map(({ at }) => at.epochMilliseconds))
      })

      return {
        find: (workspaceId: WorkspaceId) => Effect.orDie(find(workspaceId)),
        lock: (workspaceId: WorkspaceId) => Effect.orDie(lock(workspaceId)),
        put: (...args: Parameters<typeof put>) => Effect.asVoid(Effect.orDie(put(...args))),
        held: (...args: Parameters<typeof held>) => Effect.orDie(held(...args))
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
