import { Effect, Layer } from "effect"
import { Avatars } from "./accounts/Avatars.ts"
import { ExpiryNotices } from "./accounts/ExpiryNotices.ts"
import { PlatformWarnings } from "./accounts/PlatformWarnings.ts"
import { ServerLimits } from "./accounts/ServerLimits.ts"
import { CredentialRepository } from "./accounts/CredentialRepository.ts"
import { tokenRefresh } from "./accounts/TokenRefresh.ts"
import { TokenVault } from "./accounts/TokenVault.ts"
import { Backups } from "./backup/Backups.ts"
import { scheduledBackups } from "./backup/BackupSchedule.ts"
import { ScheduleRepository } from "./backup/ScheduleRepository.ts"
import { refusalLog } from "./http/RefusalLog.ts"
import { Platforms } from "./platforms/Platforms.ts"
import { Reviews } from "./posts/Reviews.ts"
import { type Recurring, runRecurring } from "./Recurring.ts"
import { Wakeup } from "./sql/Wakeup.ts"
import { sweeps } from "./Sweeps.ts"

const otherProcessesApps = Effect.gen(function* () {
  const { reload } = yield* Platforms
  const waiter = yield* (yield* Wakeup).platformApps.subscribe
  return {
    name: "platform apps",
    // The signal can be lost.
    every: Effect.timeoutOrElse(waiter.await, { duration: "1 minute", orElse: () => Effect.void }),
    run: Effect.andThen(waiter.arm, reload)
  } satisfies Recurring
})

/** Everything that happens again and again, except what claims rows (`engine/Loop`) and what a database needs to stay open. */
export const RecurringLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    yield* runRecurring([
      yield* tokenRefresh,
      yield* otherProcessesApps,
      yield* refusalLog,
      { name: "expiry notices", every: "5 minutes", run: (yield* ExpiryNotices).tell },
      { name: "warnings of platforms", every: "1 minute", run: (yield* PlatformWarnings).tell },
      { name: "limits of servers", every: "10 minutes", run: (yield* ServerLimits).refresh },
      { name: "reviews of platforms", every: "5 seconds", run: (yield* Reviews).ask },
      { name: "decrypted credentials", every: "1 minute", run: (yield* TokenVault).forget },
      // Of accounts that were connected before pictures were kept.
      { name: "missing pictures", every: "1 day", run: (yield* Avatars).fetchMissing(null) },
      ...(yield* scheduledBackups),
      ...(yield* sweeps)
    ])
  })
).pipe(
  Layer.provide([
    ExpiryNotices.layer,
    PlatformWarnings.layer,
    ServerLimits.layer,
    Reviews.layer,
    CredentialRepository.layer,
    Backups.layer,
    ScheduleRepository.layer
  ])
)
