import { AppConfig } from "@carillon/server/AppConfig"
import { RateLimit } from "@carillon/server/http/RateLimit"
import { type CurrentActor, problem, type Unauthorized, WorkspaceId } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"

const limits = (reads: string, writes: string, failed: string) =>
  RateLimit.layer.pipe(
    Layer.provide(AppConfig.layer),
    Layer.provide(
      ConfigProvider.layer(
        ConfigProvider.fromUnknown({
          RATE_LIMIT_READS: reads,
          RATE_LIMIT_WRITES: writes,
          RATE_LIMIT_FAILED_AUTHENTICATIONS: failed
        })
      )
    )
  )

const actor = (key: string | null) =>
  ({
    workspace_id: WorkspaceId.make("0191f0a0-0000-7000-8000-000000000001"),
    timezone: "UTC",
    key_id: key as never,
    key_name: null,
    member: null,
    member_id: null,
    instance: true,
    grant: null,
    scopes: ["admin"],
    social_accounts: null
  }) satisfies CurrentActor["Service"]

/** Status and headers of a request that does this and nothing else, from this address. */
const answer = <E extends { readonly status: number; readonly detail: string }, R>(
  effect: Effect.Effect<unknown, E, R>,
  address = "192.0.2.1"
) =>
  Effect.gen(function* () {
    let sent = HttpServerResponse.empty()
    const request = HttpServerRequest.fromWeb(new Request("http://carillon.test/v1/posts")).modify({
      remoteAddress: Option.some(address)
    })
    yield* HttpEffect.toHandled(
      effect.pipe(
        Effect.as(HttpServerResponse.text("done")),
        Effect.catch((failure) =>
          Effect.succeed(HttpServerResponse.text(failure.detail, { status: failure.status }))
        )
      ),
      (_, response) => Effect.sync(() => void (sent = response))
    ).pipe(Effect.provideService(HttpServerRequest.HttpServerRequest, request))
    const { headers, status } = sent
    return {
      status,
      policy: headers["ratelimit-policy"],
      limit: headers["ratelimit"],
      retryAfter: headers["retry-after"]
    }
  })

const read = (key: string | null) => answer(RateLimit.use((limit) => limit.count(actor(key), "GET")))
const write = (key: string | null) => answer(RateLimit.use((limit) => limit.count(actor(key), "POST")))

const authenticate = (token: string): Effect.Effect<string, Unauthorized> =>
  token === "right" ? Effect.succeed("actor") : Effect.fail(problem("unauthorized", "no"))
const present = (token: string, address?: string) =>
  answer(
    RateLimit.use((limit) => limit.guard(token, authenticate(token))),
    address
  )

describe("the rate limit", () => {
  it.effect("tells policy and remainder with every answer, reads and writes and keys apart", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read("a"), {
        status: 200,
        policy: `"reads";q=3;w=60`,
        limit: `"reads";r=2;t=20`,
        retryAfter: undefined
      })
      assert.strictEqual((yield* read("a")).limit, `"reads";r=1;t=40`)
      // Nothing remains: the time is that until the next one.
      assert.strictEqual((yield* read("a")).limit, `"reads";r=0;t=20`)
      assert.strictEqual((yield* read("b")).limit, `"reads";r=2;t=20`)
      assert.strictEqual((yield* write("a")).limit, `"writes";r=1;t=30`)
      assert.strictEqual((yield* read(null)).limit, `"reads";r=2;t=20`)
    }).pipe(Effect.provide(limits("3", "2", "2")))
  )

  it.effect("refuses with Retry-After, and a request after it is allowed", () =>
    Effect.gen(function* () {
      yield* write("a")
      yield* TestClock.adjust("500 millis")
      yield* write("a")
      const refused = yield* write("a")
      assert.deepStrictEqual(refused, {
        status: 429,
        policy: `"writes";q=2;w=60`,
        limit: `"writes";r=0;t=30`,
        retryAfter: "30"
      })
      yield* TestClock.adjust("29 seconds")
      assert.strictEqual((yield* write("a")).retryAfter, "1")
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* write("a")).status, 200)
    }).pipe(Effect.provide(limits("3", "2", "2")))
  )

  it.effect("refuses an address that guesses, and never a good credential for the sake of its address", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* present("wrong-1")).status, 401)
      const last = yield* present("wrong-2")
      assert.strictEqual(last.limit, `"failed-authentications";r=0;t=30`)
      assert.strictEqual((yield* present("wrong-3")).status, 429)
      assert.strictEqual((yield* present("right")).status, 200)
      assert.strictEqual((yield* present("wrong-3", "192.0.2.2")).status, 401)
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual((yield* present("wrong-3")).status, 401)
      assert.strictEqual((yield* present("wrong-3")).retryAfter, "30")
    }).pipe(Effect.provide(limits("3", "2", "2")))
  )

  it.effect(
    "takes all addresses of one IPv6 network for one client, and an IPv4 address in IPv6 for itself",
    () =>
      Effect.gen(function* () {
        yield* present("wrong", "2001:db8:1:2::1")
        yield* present("wrong", "2001:db8:1:2:ffff::2")
        assert.strictEqual((yield* present("wrong", "2001:db8:1:2:3:4:5:6")).status, 429)
        assert.strictEqual((yield* present("wrong", "2001:db8:1:3::1")).status, 401)
        yield* present("wrong", "::ffff:192.0.2.3")
        yield* present("wrong", "192.0.2.3")
        assert.strictEqual((yield* present("wrong", "::ffff:192.0.2.3")).status, 429)
        assert.strictEqual((yield* present("wrong", "::ffff:192.0.2.4")).status, 401)
      }).pipe(Effect.provide(limits("3", "2", "2")))
  )

  it.effect("says nothing where a limit is off", () =>
    Effect.gen(function* () {
      for (const one of [read("a"), write("a"), present("wrong")]) {
        const { policy, limit } = yield* one
        assert.deepStrictEqual([policy, limit], [undefined, undefined])
      }
    }).pipe(Effect.provide(limits("0", "0", "0")))
  )
})
