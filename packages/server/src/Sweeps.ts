import { Effect } from "effect"
import { PendingConnections } from "./accounts/PendingConnections.ts"
import { Audit } from "./audit/Audit.ts"
import { ApiKeys } from "./auth/ApiKeys.ts"
import { Grants } from "./auth/Grants.ts"
import { Members } from "./auth/Members.ts"
import { Throttle } from "./http/Throttle.ts"
import { Idempotency } from "./http/Idempotency.ts"
import { MediaLibrary } from "./media/MediaLibrary.ts"
import { AuthorizationServer } from "./oauth/AuthorizationServer.ts"
import type { Recurring } from "./Recurring.ts"
import { DeliveryQueue } from "./webhooks/DeliveryQueue.ts"

/** Delete what has expired. Several processes may do it at once. */
export const sweeps = Effect.gen(function* () {
  const expired = {
    "audit entries": yield* Audit,
    "events and webhook deliveries": yield* DeliveryQueue,
    grants: yield* Grants,
    "first keys": yield* ApiKeys,
    "idempotency keys": yield* Idempotency,
    "links to connect accounts": yield* PendingConnections,
    media: yield* MediaLibrary,
    "refused sign-ins": yield* Throttle,
    "sessions and links": yield* Members,
    tokens: yield* AuthorizationServer
  }
  return Object.entries(expired).map(([things, { collect }]): Recurring => ({
    name: `deletion of expired ${things}`,
    every: "1 hour",
    run: collect
  }))
})
