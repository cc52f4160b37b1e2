import { DateTime, Duration, Effect, Option } from "effect"
import { Platforms } from "../platforms/Platforms.ts"
import { TargetQueue } from "../engine/TargetQueue.ts"
import type { Recurring } from "../Recurring.ts"
import { Database } from "../sql/Sql.ts"
import { Wakeup } from "../sql/Wakeup.ts"
import { type RefreshableAccount, CredentialRepository } from "./CredentialRepository.ts"
import { Avatars } from "./Avatars.ts"
import { TokenVault } from "./TokenVault.ts"

const longestSleep = Duration.minutes(1)
const batch = 50

/** Renews tokens before they expire, so that no post waits for that and no connection dies unnoticed. */
export const tokenRefresh = Effect.gen(function* () {
  const repository = yield* CredentialRepository
  const platforms = yield* Platforms
  const vault = yield* TokenVault
  const queue = yield* TargetQueue
  const database = yield* Database
  const avatars = yield* Avatars
  const waiter = yield* (yield* Wakeup).subscribe

  const renew = ({ id, platform, remote_id }: RefreshableAccount) =>
    Effect.fromOption(platforms.get(platform)).pipe(
      Effect.flatMap((adapter) => vault.renew(adapter, { id, remote_id })),
      Effect.andThen(avatars.fetchMissing(id)),
      Effect.catchTags({
        PublishError: (failure) =>
          failure.class === "reconnect"
            ? queue.accountNeedsReconnect(id, failure.message)
            : Effect.logWarning(
                `the ${platform} account ${id} keeps its old tokens for now: ${failure.message}`
              ),
        // Its app was removed meanwhile.
        NoSuchElementError: () => Effect.void
      })
    )

  const offered = Effect.sync(() => platforms.all.map(({ id }) => id))

  const run = Effect.gen(function* () {
    yield* waiter.arm
    while (true) {
      // A platform drops the old tokens first, and then the new ones could not be stored.
      if (yield* database.full) return
      const due = yield* repository.dueForRefresh(yield* offered, yield* DateTime.now, batch)
      yield* Effect.forEach(due, renew, { concurrency: 8, discard: true })
      if (due.length < batch) return
    }
  })

  const untilNext = Effect.gen(function* () {
    const next = yield* repository.nextRefreshAt(yield* offered)
    const now = yield* DateTime.now
    const until = Option.match(next, {
      onNone: () => longestSleep,
      onSome: (at) => DateTime.distance(now, at)
    })
    yield* Effect.timeoutOrElse(waiter.await, {
      // Never again at once: a renewal that could not be put off must not spin.
      duration: Duration.clamp(until, { minimum: Duration.seconds(1), maximum: longestSleep }),
      orElse: () => Effect.void
    })
  })

  const reencrypted = yield* vault.reencrypt
  if (reencrypted > 0) {
    yield* Effect.log(
      `${reencrypted} accounts' credentials were encrypted again under the new CARILLON_SECRET`
    )
  }
  return { name: "token refresh", every: untilNext, run } satisfies Recurring
})
