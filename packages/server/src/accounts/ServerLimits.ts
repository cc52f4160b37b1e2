import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { Platforms } from "../platforms/Platforms.ts"
import type { RefreshableAccount } from "./CredentialRepository.ts"
import { SocialAccountRepository } from "./SocialAccountRepository.ts"
import { TokenVault } from "./TokenVault.ts"

const asksEvery = Duration.hours(24)
const batch = 50

/** What the servers of accounts take, asked again each day, on networks whose servers differ. */
export class ServerLimits extends Context.Service<
  ServerLimits,
  {
    /** Asks for those that are due. Of several processes each account has one that does. */
    readonly refresh: Effect.Effect<void>
  }
>()("@carillon/server/accounts/ServerLimits") {
  static readonly layer = Layer.effect(
    ServerLimits,
    Effect.gen(function* () {
      const repository = yield* SocialAccountRepository
      const platforms = yield* Platforms
      const vault = yield* TokenVault

      const ask = ({ id, platform, remote_id }: RefreshableAccount) =>
        Effect.gen(function* () {
          const adapter = yield* Effect.fromOption(platforms.get(platform))
          const limits = adapter.limits && (yield* vault.use(adapter, { id, remote_id }, adapter.limits))
          if (limits !== undefined) yield* repository.keepLimits(id, limits)
        }).pipe(
          Effect.catchTags({
            PublishError: ({ message }) =>
              Effect.logDebug(`the ${platform} account ${id} keeps its limits for now: ${message}`),
            // Its app was removed meanwhile.
            NoSuchElementError: () => Effect.void
          })
        )

      const refresh = Effect.gen(function* () {
        const asked = platforms.all.filter(({ limits }) => limits !== undefined).map(({ id }) => id)
        while (true) {
          const now = yield* DateTime.now
          const due = yield* repository.takeForLimits(
            asked,
            DateTime.subtractDuration(now, asksEvery),
            now,
            batch
          )
          yield* Effect.forEach(due, ask, { concurrency: 4, discard: true })
          if (due.length < batch) return
        }
      })

      return ServerLimits.of({ refresh })
    })
  ).pipe(Layer.provide(SocialAccountRepository.layer))
}
