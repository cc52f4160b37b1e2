/**
 * Routes for tests and tools, for callers on this machine and without a token. A `platform` query (default `sandbox`)
 * says which platform's account is meant wherever an account is named. A script for a name that is an account of one platform
 * alone is for that one; for a name of several it must say which.
 *
 * `PUT /control/accounts/{username}/faults` `[{ on, fault, times?, ... }]`: replaces the script, 200 `{ faults }`
 * `GET /control/accounts/{username}/faults`: what is left of it, `DELETE`: clears it; both 200 `{ faults }`
 * `POST /control/reset`: forgets publications, requests, media and scripts; accounts and sessions stay. 200 `{ ok }`
 *
 * `GET /ledger?account=`: 200 `{ publications }`, in the order in which they were published
 * `GET /ledger/requests?account=`: 200 `{ requests }`, in the order in which they arrived
 * `GET /ledger/wait?account=&count=1&timeout_ms=30000`: answers like `/ledger?account=` as soon as the account has
 * that many publications; 408 `timeout` if it has fewer when the time is over
 */
import { Data, Duration, Effect, Option, Schema } from "effect"
import { HttpRouter, type HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { errorAnswer } from "./ErrorAnswer.ts"
import { Exchange } from "./Exchange.ts"
import { faultNames, Faults, FaultScript } from "./Faults.ts"
import { Journal } from "./Journal.ts"
import { Ledger } from "./Ledger.ts"
import { MediaStore } from "./MediaStore.ts"
import { PlatformId } from "./Platforms.ts"

const platform = Schema.optionalKey(PlatformId)
const account = Schema.NonEmptyString

const whole = (maximum: number) =>
  Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum }))

const decodeScripted = Schema.decodeUnknownEffect(Schema.Struct({ platform, username: account }), strict())
const decodeWhose = Schema.decodeUnknownEffect(
  Schema.Struct({ platform, account: Schema.optionalKey(account) }),
  strict()
)
const decodeWait = Schema.decodeUnknownEffect(
  Schema.Struct({
    platform,
    account,
    count: Schema.optionalKey(whole(1_000_000)),
    timeout_ms: Schema.optionalKey(whole(600_000))
  }),
  strict()
)
const decodeScript = Schema.decodeUnknownEffect(Schema.fromJsonString(FaultScript), strict())

function strict() {
  return { errors: "all", onExcessProperty: "error" } as const
}

export const ControlHttpLayer = HttpRouter.addAll(
  Effect.gen(function* () {
    const journal = yield* Journal
    const ledger = yield* Ledger
    const faults = yield* Faults
    const exchange = yield* Exchange
    const store = yield* MediaStore

    const scripted = Effect.gen(function* () {
      const query = yield* HttpServerRequest.ParsedSearchParams
      const { username, ...asked } = yield* decodeScripted({ ...query, ...(yield* HttpRouter.params) })
      const known = ledger.platformsOf(username)
      if (asked.platform === undefined && known.length > 1) {
        return yield* new Ambiguous({
          message: `${username} is an account of ${known.join(", ")}. Say whose script it is, such as ?platform=${known[0]}.`
        })
      }
      const { platform = known[0] ?? "sandbox" } = asked
      const left = Effect.sync(() =>
        HttpServerResponse.jsonUnsafe({ faults: faults.pending(platform, username) })
      )
      return { username, platform, left }
    })

    const script = Effect.gen(function* () {
      const { username, platform, left } = yield* scripted
      const { text } = yield* HttpServerRequest.HttpServerRequest
      return yield* Effect.matchEffect(Effect.flatMap(text, decodeScript), {
        onSuccess: (script) =>
          platform !== "sandbox" && script.some(({ fault }) => fault === "review")
            ? Effect.succeed(
                errorAnswer(
                  422,
                  "bad_request",
                  `The fault review is for accounts of sandbox; ${username} is one of ${platform}.`
                )
              )
            : Effect.andThen(
                Effect.sync(() => faults.script(platform, username, script)),
                left
              ),
        onFailure: ({ message }) =>
          Effect.succeed(
            errorAnswer(422, "bad_request", `${message}\nThe faults are ${faultNames.join(", ")}.`)
          )
      })
    })

    const clear = Effect.gen(function* () {
      const { username, platform, left } = yield* scripted
      faults.script(platform, username, [])
      return yield* left
    })

    const reset = Effect.gen(function* () {
      yield* exchange.reset
      yield* journal.reset
      yield* store.clear
      return HttpServerResponse.jsonUnsafe({ ok: true })
    })

    const publications = Effect.gen(function* () {
      const whose = yield* decodeWhose(yield* HttpServerRequest.ParsedSearchParams)
      return HttpServerResponse.jsonUnsafe({ publications: ledger.publications(whose) })
    })

    const requests = Effect.gen(function* () {
      const whose = yield* decodeWhose(yield* HttpServerRequest.ParsedSearchParams)
      return HttpServerResponse.jsonUnsafe({ requests: ledger.requests(whose) })
    })

    const wait = Effect.gen(function* () {
      const query = yield* decodeWait(yield* HttpServerRequest.ParsedSearchParams)
      const { account, platform = "sandbox", count = 1, timeout_ms = 30_000 } = query
      const reached = yield* ledger
        .awaitCount(platform, account, count)
        .pipe(Effect.timeoutOption(Duration.millis(timeout_ms)))
      const publications = ledger.publications({ platform, account })
      return Option.isSome(reached)
        ? HttpServerResponse.jsonUnsafe({ publications })
        : errorAnswer(
            408,
            "timeout",
            `${account} has ${publications.length} of ${count} publications after ${timeout_ms} ms.`
          )
    })

    return [
      HttpRouter.route("PUT", "/control/accounts/:username/faults", local(script)),
      HttpRouter.route(
        "GET",
        "/control/accounts/:username/faults",
        local(Effect.flatMap(scripted, ({ left }) => left))
      ),
      HttpRouter.route("DELETE", "/control/accounts/:username/faults", local(clear)),
      HttpRouter.route("POST", "/control/reset", local(reset)),
      HttpRouter.route("GET", "/ledger", local(publications)),
      HttpRouter.route("GET", "/ledger/requests", local(requests)),
      HttpRouter.route("GET", "/ledger/wait", local(wait))
    ]

    /** For callers on this machine that are not web pages; nothing is answered before it is on disk. */
    function local<R>(
      handler: Effect.Effect<
        HttpServerResponse.HttpServerResponse,
        Schema.SchemaError | Ambiguous | HttpServerError.HttpServerError,
        R
      >
    ) {
      return Effect.gen(function* () {
        const { remoteAddress, headers } = yield* HttpServerRequest.HttpServerRequest
        if (!Option.exists(remoteAddress, isLoopback) || headers.origin !== undefined) {
          return errorAnswer(
            403,
            "local_only",
            "The control of the test network answers programs on its own machine only."
          )
        }
        return yield* handler.pipe(
          Effect.tap(() => journal.flushed),
          Effect.catchTags({
            Ambiguous: ({ message }) => Effect.succeed(errorAnswer(422, "platform_missing", message)),
            SchemaError: ({ message }) => Effect.succeed(errorAnswer(422, "bad_request", message))
          })
        )
      })
    }
  })
)

/** The name is one of several platforms' accounts. */
class Ambiguous extends Data.TaggedError("Ambiguous")<{ readonly message: string }> {}

const isLoopback = (address: string) => /^(::ffff:)?127\.|^::1$/.test(address)
