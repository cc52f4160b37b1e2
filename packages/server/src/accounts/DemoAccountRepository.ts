import type { PlatformId, WorkspaceId } from "@carillon/domain"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AccountEvents } from "./AccountEvents.ts"

const networkIsReal =
  "This is a demo account of the test network, and the network is real here now. Nothing is published to it."

interface Settled {
  readonly id: string
}

/** What becomes of demo accounts when their networks are no longer played. */
export class DemoAccountRepository extends Context.Service<DemoAccountRepository>()(
  "@carillon/server/accounts/DemoAccountRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const events = yield* AccountEvents

      /** The workspace has a real account of the platform, or, null, the instance has an app. */
      const replace = Effect.fnUntraced(function* (
        workspaceId: WorkspaceId | null,
        platforms: ReadonlyArray<PlatformId>
      ) {
        yield* sql`
          update social_accounts set demo = 'replaced'
          where platform = any (${platforms}::text[]) and demo = 'active'
            and (${workspaceId}::uuid is null or workspace_id = ${workspaceId}::uuid)`
      }, Effect.orDie)

      /** Their access is kept: the test network may play the platform again. */
      const stop = (platforms: ReadonlyArray<PlatformId>) => sql<Settled>`
        update social_accounts set demo = 'replaced', status = 'disconnected', status_reason = ${networkIsReal}
        where platform = any (${platforms}::text[]) and demo in ('active', 'replaced') and credentials is not null
          and status <> 'disconnected'
        returning id`

      const resume = (platforms: ReadonlyArray<PlatformId>) => sql<Settled>`
        update social_accounts set demo = 'active', status = 'connected', status_reason = null
        where platform = any (${platforms}::text[]) and demo = 'replaced' and credentials is not null and status = 'disconnected'
        returning id`

      const settle = Effect.fnUntraced(
        function* (platforms: ReadonlyArray<PlatformId>, isPlayed: boolean) {
          const settled = yield* isPlayed ? resume(platforms) : stop(platforms)
          for (const { id } of settled)
            yield* isPlayed ? events.resumed(Number(id)) : events.disconnected(Number(id))
        },
        sql.withTransaction,
        Effect.orDie
      )

      return {
        replace,
        /** Of every workspace. */
        settle
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide(AccountEvents.layer))
}
