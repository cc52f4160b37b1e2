import { PendingConnections } from "@carillon/server/accounts/PendingConnections"
import { Audit } from "@carillon/server/audit/Audit"
import { ApiKeys } from "@carillon/server/auth/ApiKeys"
import { Grants } from "@carillon/server/auth/Grants"
import { Members } from "@carillon/server/auth/Members"
import { Throttle } from "@carillon/server/http/Throttle"
import { Idempotency } from "@carillon/server/http/Idempotency"
import { MediaLibrary } from "@carillon/server/media/MediaLibrary"
import { AuthorizationServer } from "@carillon/server/oauth/AuthorizationServer"
import { runRecurring } from "@carillon/server/Recurring"
import { sweeps } from "@carillon/server/Sweeps"
import { DeliveryQueue } from "@carillon/server/webhooks/DeliveryQueue"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, References } from "effect"
import { TestClock } from "effect/testing"

it.effect("what has expired is deleted at the start and every hour, whatever fails or takes its time", () =>
  Effect.gen(function* () {
    const swept: Array<string> = []
    const collect = (name: string) => Effect.sync(() => void swept.push(name))
    const all = Layer.mergeAll(
      Layer.mock(Audit, { collect: collect("audit") }),
      Layer.mock(DeliveryQueue, { collect: collect("events") }),
      Layer.mock(ApiKeys, { collect: collect("first keys") }),
      Layer.mock(Grants, { collect: collect("grants") }),
      Layer.mock(Idempotency, {
        recordOf: () => assert.fail("not here"),
        collect: Effect.andThen(collect("keys"), Effect.die("no database"))
      }),
      Layer.mock(MediaLibrary, {
        collect: Effect.andThen(collect("media"), Effect.sleep("90 minutes"))
      }),
      Layer.mock(Throttle, { collect: collect("throttles") }),
      Layer.mock(PendingConnections, { collect: collect("links") }),
      Layer.mock(Members, { collect: collect("members") }),
      Layer.mock(AuthorizationServer, { collect: collect("tokens") })
    )
    yield* runRecurring(yield* Effect.provide(sweeps, all))
    const quick = [
      "audit",
      "events",
      "first keys",
      "grants",
      "keys",
      "links",
      "members",
      "throttles",
      "tokens"
    ]
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual(swept.splice(0).toSorted(), [...quick, "media"].toSorted())
    yield* TestClock.adjust("1 hour")
    assert.deepStrictEqual(swept.splice(0).toSorted(), quick)
    yield* TestClock.adjust("2 hours")
    assert.deepStrictEqual(swept.toSorted(), [...quick, ...quick, "media"].toSorted())
  }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None"))
)
