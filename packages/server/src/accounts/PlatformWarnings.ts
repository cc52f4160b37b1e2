import type { PlatformId } from "@carillon/domain"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Events } from "../events/Events.ts"
import { Platforms } from "../platforms/Platforms.ts"
import { SocialAccountRepository } from "./SocialAccountRepository.ts"
import { SocialAccountView } from "./SocialAccountView.ts"

/** How exactly it is remembered when a warning was last there. */
const remembered = { minutes: 5 } as const
/** A warning that is gone for more than an hour, and then comes back, is told anew. */
const gone = { minutes: 65 } as const
const batch = 100

/** Events about accounts whose posts will fail unless the operator acts. */
export class PlatformWarnings extends Context.Service<
  PlatformWarnings,
  {
    /** Tells of what is new. Several processes may do it at once. */
    readonly tell: Effect.Effect<void>
  }
>()("@carillon/server/accounts/PlatformWarnings") {
  static readonly layerNoDeps = Layer.effect(
    PlatformWarnings,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const platforms = yield* Platforms
      const repository = yield* SocialAccountRepository
      const events = yield* Events
      const view = yield* SocialAccountView

      const tellSome = Effect.fnUntraced(
        function* (platform: PlatformId, now: DateTime.Utc) {
          const rows = yield* repository.takeForWarning(platform, now, batch)
          const data = yield* view.all(rows)
          yield* events.append(
            rows.map(({ id, workspace_id }, index) => ({
              workspace_id,
              subject: String(id),
              type: "account.warning",
              data: data[index]!
            }))
          )
          return rows.length
        },
        (effect) => sql.withTransaction(effect).pipe(Effect.catchTag("SqlError", Effect.die))
      )

      const tell = Effect.gen(function* () {
        const now = yield* DateTime.now
        for (const { charges, id, warning } of platforms.all) {
          if (warning === undefined) continue
          if (charges !== undefined) yield* charges.look
          const text = yield* warning
          if (text === null) {
            yield* repository.forgetWarning(id, DateTime.subtract(now, gone))
            continue
          }
          yield* repository.remindOfWarning(id, DateTime.subtract(now, remembered), now)
          const told = yield* tellSome(id, now)
          if (told > 0) yield* Effect.logWarning(text)
          for (let more = told; more === batch;) more = yield* tellSome(id, now)
        }
      })

      return PlatformWarnings.of({ tell })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([SocialAccountRepository.layer, Events.layer]))
}
