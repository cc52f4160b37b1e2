import type { MediaId, WorkspaceId } from "@carillon/domain"
import { DateTime, Duration, Effect, FiberMap, Latch, Layer, Option, Schedule } from "effect"
import { Database } from "../sql/Sql.ts"
import { supervised } from "../Supervised.ts"
import { Wakeup } from "../sql/Wakeup.ts"
import { FetchMedia } from "./FetchMedia.ts"
import { type ClaimedImport, ImportRepository, lease } from "./ImportRepository.ts"

/** How many fetches one process runs, in all and for one workspace: a slow server must not hold up the others. */
const maximumHeld = 32
const maximumOfWorkspace = 8
/** A wake-up from another process may be lost; nothing waits longer than this for one. */
const longestSleep = Duration.seconds(5)

/**
 * The import loop: it sleeps until a fetch is due, claims it, and runs a fiber for it. Closing its scope gives back
 * unfinished fetches.
 */
export const ImporterLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    const imports = yield* ImportRepository
    const media = yield* FetchMedia
    const waiter = yield* (yield* Wakeup).imports.subscribe
    const freed = yield* Latch.make()
    const held = new Map<MediaId, ClaimedImport>()
    const fibers = yield* FiberMap.make<MediaId>()

    const busy = (): ReadonlyArray<WorkspaceId> =>
      Object.entries(Object.groupBy(held.values(), ({ workspace_id }) => workspace_id)).flatMap(
        ([workspace, all = []]) => (all.length < maximumOfWorkspace ? [] : [workspace as WorkspaceId])
      )

    const start = (claimed: ClaimedImport) => {
      held.set(claimed.media_id, claimed)
      return FiberMap.run(
        fibers,
        claimed.media_id,
        media.fetch(claimed).pipe(
          Effect.onInterrupt(() => imports.release(claimed)),
          // The lease runs out and the fetch is taken up again.
          Effect.catchCause((cause) => Effect.logError("a fetch of a media item failed", cause)),
          Effect.ensuring(
            Effect.sync(() => {
              if (held.get(claimed.media_id) === claimed) held.delete(claimed.media_id)
              freed.openUnsafe()
            })
          )
        )
      )
    }

    const untilNextTry = Effect.gen(function* () {
      const next = held.size < maximumHeld ? yield* imports.nextTryAt(busy()) : null
      return next === null
        ? longestSleep
        : Duration.min(DateTime.distance(yield* DateTime.now, next), longestSleep)
    })

    const loop = Effect.gen(function* () {
      while (true) {
        // Before the read, so that a commit between the two is not lost.
        yield* Effect.andThen(waiter.arm, freed.close)
        const claimed = held.size < maximumHeld ? yield* imports.claim(busy()) : Option.none()
        if (Option.isSome(claimed)) {
          yield* start(claimed.value)
          continue
        }
        yield* Effect.raceFirst(waiter.await, freed.await).pipe(
          Effect.timeoutOrElse({ duration: yield* untilNextTry, orElse: () => Effect.void })
        )
      }
    })

    const heartbeat = Effect.suspend(() =>
      held.size === 0 ? Effect.void : imports.renew([...held.values()])
    ).pipe(Effect.repeat(Schedule.spaced(Duration.times(lease, 1 / 3))))

    // The lock on the directory proves that this is the only process.
    if ((yield* Database).kind === "embedded") yield* imports.recover
    yield* supervised("importer loop", loop)
    yield* supervised("importer heartbeat", heartbeat)
  })
).pipe(Layer.provide([FetchMedia.layer, ImportRepository.layer]))
