import { Effect, Layer, Schedule } from "effect"
import { Audit } from "./audit/Audit.ts"
import { ApiKeys } from "./auth/ApiKeys.ts"
import { Grants } from "./auth/Grants.ts"
import { Members } from "./auth/Members.ts"
import { Throttle } from "./http/Throttle.ts"
import { Idempotency } from "./http/Idempotency.ts"
import { MediaLibrary } from "./media/MediaLibrary.ts"
import { AuthorizationServer } from "./oauth/AuthorizationServer.ts"
import { DeliveryQueue } from "./webhooks/DeliveryQueue.ts"

/** Deletes what has expired, at the start and every hour. Several processes may do it at once. */
export const SweeperLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    const expired = {
      "audit entries": yield* Audit,
      "events and webhook deliveries": yield* DeliveryQueue,
      grants: yield* Grants,
      "first keys": yield* ApiKeys,
      "idempotency keys": yield* Idempotency,
      media: yield* MediaLibrary,
      "refused sign-ins": yield* Throttle,
      "sessions and links": yield* Members,
      tokens: yield* AuthorizationServer
    }
    // Each by itself: a slow or failing one does not keep the others from their turn.
    yield* Effect.forEach(Object.entries(expired), ([things, { collect }]) =>
      collect.pipe(
        Effect.tapCause((cause) => Effect.logError(`expired ${things} could not be deleted`, cause)),
        Effect.exit,
        Effect.repeat(Schedule.spaced("1 hour")),
        Effect.annotateLogs({ fiber: "sweeper" }),
        Effect.forkScoped
      )
    )
  })
)
