import {
  credentialOf,
  CurrentActor,
  problem,
  type TooManyRequests,
  type Unauthorized
} from "@carillon/domain"
import { Clock, Context, Effect, Layer, Option, Semaphore } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { hash } from "node:crypto"
import { isIPv6 } from "node:net"
import { AppConfig } from "../AppConfig.ts"
import { type Taken, TokenBuckets } from "./TokenBucket.ts"

type Actor = CurrentActor["Service"]

const windowSeconds = 60
/** Credentials that worked lately; they go on working while others guess from the same address. */
const mostKnown = 10_000

/**
 * Limits on one credential's requests to this process and on guessing credentials, with the `RateLimit` fields of every
 * answer under such a limit (decision 28). Every limit is requests a minute; 0 switches it off.
 *
 * @effect-expect-leaking HttpServerRequest
 */
export class RateLimit extends Context.Service<
  RateLimit,
  {
    /** Counts a request of a credential that was accepted. */
    count(
      actor: Actor,
      method: string
    ): Effect.Effect<void, TooManyRequests, HttpServerRequest.HttpServerRequest>
    /**
     * Wraps the check of a credential: each refusal counts against the client's address. A good credential is accepted
     * even from an address with nothing left, which may be a proxy's. Credentials that have not worked before queue up
     * there, so that guesses cannot take the database from others.
     */
    guard<A, E, R>(
      token: string,
      authenticate: Effect.Effect<A, E | Unauthorized, R>
    ): Effect.Effect<A, E | Unauthorized | TooManyRequests, R | HttpServerRequest.HttpServerRequest>
  }
>()("@carillon/server/http/RateLimit") {
  static readonly layer = Layer.effect(
    RateLimit,
    Effect.gen(function* () {
      const { reads, writes, failedAuthentications } = (yield* AppConfig).rateLimits
      const policies = {
        reads: makePolicy("reads", reads),
        writes: makePolicy("writes", writes),
        failures: makePolicy("failed-authentications", failedAuthentications)
      }
      const known = new Set<string>()
      const line = yield* Semaphore.make(2)

      const count = Effect.fnUntraced(function* (actor: Actor, method: string) {
        const policy = method === "GET" || method === "HEAD" ? policies.reads : policies.writes
        if (policy === null) return
        const taken = policy.buckets.take(credentialOf(actor), yield* Clock.currentTimeMillis)
        yield* tell(policy, taken)
        if (!taken.allowed) {
          return yield* problem(
            "rate_limited",
            `This credential has used up its ${policy.requests} ${policy.name} a minute; send the next one in ${taken.resetSeconds} s.`
          )
        }
      })

      const guard = <A, E, R>(token: string, authenticate: Effect.Effect<A, E | Unauthorized, R>) =>
        Effect.gen(function* () {
          const policy = policies.failures
          if (policy === null) return yield* authenticate
          const credential = digest(token)
          const trusted = known.has(credential)
          if (!trusted) {
            const address = yield* clientAddress
            const standing = policy.buckets.look(address, yield* Clock.currentTimeMillis)
            if (!standing.allowed) {
              const actor = yield* line
                .withPermits(1)(authenticate)
                .pipe(
                  Effect.tapError(() => tell(policy, standing)),
                  Effect.mapError(() =>
                    problem(
                      "rate_limited",
                      `This credential was refused, because too many from ${address} were refused before it; send the next request in ${standing.resetSeconds} s, with a valid one.`
                    )
                  )
                )
              remember(known, credential)
              return actor
            }
          }
          const actor = yield* Effect.tapError(
            authenticate,
            Effect.fnUntraced(function* () {
              known.delete(credential)
              const address = yield* clientAddress
              yield* tell(policy, policy.buckets.take(address, yield* Clock.currentTimeMillis))
            })
          )
          if (!trusted) remember(known, credential)
          return actor
        })

      return RateLimit.of({ count, guard })
    })
  )
}

interface Policy {
  readonly name: string
  readonly requests: number
  readonly header: string
  readonly buckets: TokenBuckets
}

const makePolicy = (name: string, requests: number): Policy | null =>
  requests === 0
    ? null
    : {
        name,
        requests,
        header: `"${name}";q=${requests};w=${windowSeconds}`,
        buckets: new TokenBuckets({ requests, windowSeconds })
      }

/** The fields of draft-ietf-httpapi-ratelimit-headers: a list of strings with parameters, not the older integers. */
const tell = ({ name, header }: Policy, { allowed, remaining, resetSeconds }: Taken) =>
  HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(
      HttpServerResponse.setHeaders(response, {
        "ratelimit-policy": header,
        ratelimit: `"${name}";r=${remaining};t=${resetSeconds}`,
        ...(allowed ? {} : { "retry-after": String(resetSeconds) })
      })
    )
  )

const digest = (token: string) => hash("sha256", token, "base64")

const remember = (known: Set<string>, credential: string) => {
  if (known.size >= mostKnown) known.clear()
  known.add(credential)
}

/** The first 64 bits of an IPv6 address: whoever has one address of such a network has them all. */
export const clientAddress = Effect.map(HttpServerRequest.HttpServerRequest, ({ remoteAddress }) => {
  const address = Option.getOrElse(remoteAddress, () => "unknown").replace(/^::ffff:(?=\d+\.)/i, "")
  return isIPv6(address) ? network(address) : address
})

const network = (address: string) => {
  const [head = "", tail] = address.split("%")[0]!.split("::")
  const before = head === "" ? [] : head.split(":")
  const after = tail === undefined || tail === "" ? [] : tail.split(":")
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  return `${[...before, ...Array.from({ length: zeros }, () => "0"), ...after].slice(0, 4).join(":")}::/64`
}
