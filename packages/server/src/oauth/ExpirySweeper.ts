import { Duration, Effect, Layer } from "effect"
import { Audit } from "../audit/Audit.ts"
import { Members } from "../auth/Members.ts"
import { Throttle } from "../auth/Throttle.ts"
import { supervised } from "../Supervised.ts"
import { AuthorizationServer } from "./AuthorizationServer.ts"
import { Grants } from "../auth/Grants.ts"

/** Deletes every hour what has expired, and the audit trail after a year. Several processes may do it at once. */
export const ExpirySweeperLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    const server = yield* AuthorizationServer
    const grants = yield* Grants
    const members = yield* Members
    const throttle = yield* Throttle
    const audit = yield* Audit
    yield* supervised(
      "expiry sweeper",
      Effect.sleep(Duration.hours(1)).pipe(
        Effect.andThen(
          Effect.all([server.collect, grants.collect, members.collect, throttle.collect, audit.collect])
        ),
        Effect.forever
      )
    )
  })
)
