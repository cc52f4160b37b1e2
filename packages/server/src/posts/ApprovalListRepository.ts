import type { WorkspaceId } from "@carillon/domain"
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"

/** The posts that the page Approvals shows. */
export class ApprovalListRepository extends Context.Service<ApprovalListRepository>()(
  "@carillon/server/posts/ApprovalListRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient

      /** The ids of those that wait for a person's approval, oldest first. */
      const waiting = Effect.fn("ApprovalListRepository.waiting")(function* (
        workspaceId: WorkspaceId,
        limit: number
      ) {
        const rows = yield* sql<{ id: string }>`
          select p.id from posts p
          where p.workspace_id = ${workspaceId} and p.approval ->> 'status' = 'waiting' and p.status = 'draft'
          order by p.id limit ${limit}`
        return rows.map(({ id }) => id)
      })

      /** The ids of drafts that apps made and do not ask for, newest first, among the workspace's newest drafts. */
      const draftsOfApps = Effect.fn("ApprovalListRepository.draftsOfApps")(function* (
        workspaceId: WorkspaceId,
        limit: number
      ) {
        const rows = yield* sql<{ id: string }>`
          select p.id from (
            select p.id, p.approval, p.created_by from posts p
            where p.workspace_id = ${workspaceId} and p.status = 'draft' order by id desc limit 500
          ) p where p.approval is null and p.created_by ->> 'type' = 'app' order by id desc limit ${limit}`
        return rows.map(({ id }) => id)
      })

      return {
        draftsOfApps: (...args: Parameters<typeof draftsOfApps>) => Effect.orDie(draftsOfApps(...args)),
        waiting: (...args: Parameters<typeof waiting>) => Effect.orDie(waiting(...args))
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
