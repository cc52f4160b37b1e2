import {
  type BadRequest,
  badRequest,
  type Conflict,
  credentialOf,
  type CurrentActor,
  type Forbidden,
  idempotencyKeyPattern,
  isProblem,
  PostEffect,
  type Problem,
  problem,
  type Access,
  sees
} from "@carillon/domain"
import { Context, DateTime, Duration, Effect, Exit, Layer, Option, Schedule, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlError } from "effect/sql"
import { hash } from "node:crypto"
import { AppConfig } from "../AppConfig.ts"
import { CredentialCipher } from "../crypto/CredentialCipher.ts"
import { IdempotencyRepository, type KeptAnswer, type OwnedKey } from "./IdempotencyRepository.ts"
import { problemResponse } from "./Problems.ts"

const keptFor = Duration.hours(24)
/** How long a run that nobody renews counts as running. */
const lease = Duration.seconds(30)

interface KeyedRequest extends OwnedKey {
  readonly request_hash: Uint8Array
  readonly access: Access
}

/** The record of the key for the statement that writes the effect, which does nothing when the key is taken. */
export type KeyRecord = (answer: HttpServerResponse.HttpServerResponse, now: DateTime.Utc) => KeptAnswer

/** What an endpoint whose effect is a `statement` has to write with it; null where the request has no key. */
export const CurrentRecord = Context.Reference<KeyRecord | null>("@carillon/server/http/CurrentRecord", {
  defaultValue: () => null
})

/** Another request with the same key was faster. */
export class KeyTaken extends Schema.TaggedError<KeyTaken>()("KeyTaken", {}) {}

/** The answer of a handler that found the key taken; nobody sees it. */
export const keyTaken = HttpServerResponse.empty({ status: 409 })

type Way = <E, R>(
  request: KeyedRequest,
  httpEffect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) => Effect.Effect<HttpServerResponse.HttpServerResponse, E | KeyTaken, R>

/** A request that has a key, from whatever face of the service it came. */
interface Keyed {
  readonly actor: CurrentActor["Service"]
  readonly key: string
  /** All that makes it the same request as another. */
  readonly request: string
  readonly effect: typeof PostEffect.Service
}

interface Options {
  readonly actor: CurrentActor["Service"]
  readonly endpoint: { readonly method: string; readonly annotations: Context.Context<never> }
}

/**
 * `Idempotency-Key` on every POST (docs/decisions/0005-idempotency.md). Only answers of success are kept: a
 * refusal changed nothing, so the corrected request may use the same key.
 */
export class Idempotency extends Context.Service<
  Idempotency,
  {
    /** The request's answer, or the first one again if the key had been used for it. */
    once<E, R>(
      httpEffect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
      options: Options
    ): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest>
    /** The same for a request that brings its key in another way; a problem is why it has no answer. */
    keyed<E, R>(
      keyed: Keyed,
      effect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
    ): Effect.Effect<HttpServerResponse.HttpServerResponse | BadRequest | Conflict | Forbidden, E, R>
  }
>()("@carillon/server/http/Idempotency") {
  static readonly layer = Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repository = yield* IdempotencyRepository
      const cipher = yield* CredentialCipher
      const config = yield* AppConfig

      const refuse = (failure: Problem) => Effect.provideService(problemResponse(failure), AppConfig, config)

      const encrypt = (id: OwnedKey, answer: Answer) => cipher.seal(boundTo(id), { ...answer })

      const replay = ({ access, ...id }: KeyedRequest, answer: Uint8Array) => {
        const { status, headers, content_type, body } = decodeAnswer(cipher.open(boundTo(id), answer))
        // What the credential is for may have been narrowed since.
        const foreign = accountsIn(body).filter((account) => !sees(account, access))
        if (foreign.length > 0) {
          return problem(
            "account_not_allowed",
            `The request with the Idempotency-Key ${JSON.stringify(id.key)} was carried out, and its answer is about the social account ${foreign.join(", ")}, which this credential is no longer for.`
          )
        }
        return HttpServerResponse.text(body, {
          status,
          contentType: content_type,
          headers: { ...headers, "idempotency-replayed": "true" }
        })
      }

      /** What the key has been used for already; undefined: nothing. */
      const lookUp = Effect.fnUntraced(function* (request: KeyedRequest) {
        const now = yield* DateTime.now
        const found = yield* repository.find(request, now)
        if (found === undefined) return undefined
        if (!Buffer.from(found.request_hash).equals(request.request_hash)) {
          return problem(
            "idempotency_key_reused",
            `The Idempotency-Key ${JSON.stringify(request.key)} was used for another request in the last 24 hours; use a new key.`
          )
        }
        if (found.answer !== null) return replay(request, found.answer)
        if (found.running_until !== null && DateTime.isLessThanOrEqualTo(found.running_until, now))
          return undefined
        return inProgress(request.key)
      })

      const recordOf = (request: KeyedRequest, answer: Answer, now: DateTime.Utc) => ({
        ...request,
        answer: encrypt(request, answer),
        expires_at: DateTime.addDuration(now, keptFor)
      })

      /** The effect and the record of its key in one transaction: none can be there without the other. */
      const inTransaction: Way = (request, httpEffect) =>
        Effect.catchIf(
          sql.withTransaction(
            Effect.gen(function* () {
              const response = yield* httpEffect
              const answer = answerOf(response)
              if (answer === undefined) return response
              const now = yield* DateTime.now
              const kept = yield* repository.keep(recordOf(request, answer, now), now)
              return kept ? response : yield* new KeyTaken()
            })
          ),
          SqlError.isSqlError,
          Effect.die
        )

      /** Nothing is looked up before: the statement finds the key taken, and then nothing has happened. */
      const inOneStatement: Way = Effect.fnUntraced(function* (request, httpEffect) {
        const response = yield* Effect.provideService(httpEffect, CurrentRecord, (answer, now) =>
          recordOf(request, answerOf(answer)!, now)
        )
        return response === keyTaken ? yield* new KeyTaken() : response
      })

      /** The key is marked as running before anything happens, and renewed as long as it does. */
      const underLease = Effect.fnUntraced(function* <E, R>(
        request: KeyedRequest,
        httpEffect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
      ) {
        const now = yield* DateTime.now
        const run = {
          ...request,
          run_id: SecureRandom.uuidV4Unsafe(),
          now,
          running_until: DateTime.addDuration(now, lease),
          expires_at: DateTime.addDuration(now, keptFor)
        }
        if (!(yield* repository.begin(run))) return yield* new KeyTaken()
        const renewal = DateTime.now.pipe(
          Effect.flatMap((at) => repository.renew(run, DateTime.addDuration(at, lease))),
          Effect.schedule(Schedule.spaced(Duration.times(lease, 1 / 3))),
          Effect.andThen(Effect.never)
        )
        return yield* Effect.raceFirst(httpEffect, renewal).pipe(
          Effect.onExit((exit) => {
            const answer = Exit.isSuccess(exit) ? answerOf(exit.value) : undefined
            return answer === undefined
              ? repository.release(run)
              : Effect.flatMap(DateTime.now, (at) =>
                  repository.finish(run, encrypt(request, answer), DateTime.addDuration(at, keptFor))
                )
          })
        )
      })

      const ways: Record<typeof PostEffect.Service, Way> = {
        database: inTransaction,
        statement: inOneStatement,
        outside: underLease
      }

      const keyed: Idempotency["Service"]["keyed"] = Effect.fnUntraced(function* (
        { actor, key, request: asked, effect },
        answer
      ) {
        if (!idempotencyKeyPattern.test(key)) return malformed(key)
        const request: KeyedRequest = {
          workspace_id: actor.workspace_id,
          owner: credentialOf(actor),
          key,
          access: actor.social_accounts,
          request_hash: hash("sha256", asked, "buffer")
        }
        const earlier = effect === "statement" ? undefined : yield* lookUp(request)
        if (earlier !== undefined) return earlier
        return yield* ways[effect](request, answer).pipe(
          Effect.catch(
            Effect.fnUntraced(function* (failure) {
              // The same request may have ended in the meantime, and be the reason for this one's failure.
              const meanwhile = yield* lookUp(request)
              if (meanwhile !== undefined) return meanwhile
              return failure instanceof KeyTaken ? inProgress(key) : yield* Effect.fail(failure)
            })
          )
        )
      })

      const once: Idempotency["Service"]["once"] = (httpEffect, { actor, endpoint }) => {
        if (endpoint.method !== "POST") return httpEffect
        return Effect.gen(function* () {
          const httpRequest = yield* HttpServerRequest.HttpServerRequest
          const key = httpRequest.headers["idempotency-key"]
          if (key === undefined) return yield* httpEffect
          const body = yield* Effect.orDie(httpRequest.text)
          // The address without the host: the same service may be reached by several.
          const request = `${httpRequest.method} ${httpRequest.url}\n${body}`
          const effect = Context.get(endpoint.annotations, PostEffect)
          const answer = yield* keyed({ actor, key, request, effect }, httpEffect)
          if (!isProblem(answer)) return answer
          const refusal = yield* refuse(answer)
          return answer.code === "idempotency_in_progress"
            ? HttpServerResponse.setHeader(refusal, "retry-after", "1")
            : refusal
        })
      }

      yield* Effect.flatMap(DateTime.now, repository.collect).pipe(
        Effect.tapCause((cause) => Effect.logError("collecting old idempotency keys failed", cause)),
        Effect.exit,
        Effect.repeat(Schedule.spaced("1 hour")),
        Effect.annotateLogs({ fiber: "idempotency collector" }),
        Effect.forkScoped
      )

      return Idempotency.of({ once, keyed })
    })
  ).pipe(Layer.provide(IdempotencyRepository.layer))
}

const Answer = Schema.Struct({
  status: Schema.Int,
  headers: Schema.Record(Schema.String, Schema.String),
  content_type: Schema.String,
  body: Schema.String
})
interface Answer extends Schema.Schema.Type<typeof Answer> {}

const decodeAnswer = Schema.decodeUnknownSync(Answer)

const About = Schema.Struct({
  social_accounts: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Int))),
  social_account_id: Schema.optionalKey(Schema.Int)
})
const decodeAbout = Schema.decodeUnknownOption(Schema.fromJsonString(About))

/** The accounts that an answer is about: a post, or a result. */
const accountsIn = (body: string): ReadonlyArray<number> =>
  Option.match(decodeAbout(body), {
    onNone: () => [],
    onSome: ({ social_accounts, social_account_id }) => [
      ...(social_accounts ?? []),
      ...(social_account_id === undefined ? [] : [social_account_id])
    ]
  })

/** What is kept of an answer; undefined: it is none of success. */
const answerOf = ({ status, headers, body }: HttpServerResponse.HttpServerResponse): Answer | undefined =>
  status >= 200 && status < 300 && body._tag === "Uint8Array"
    ? {
        status,
        headers,
        content_type: body.contentType,
        body: body.text ?? new TextDecoder().decode(body.body)
      }
    : undefined

/** What the ciphertext is bound to: moved to another key it does not open. */
const boundTo = ({ workspace_id, owner, key }: OwnedKey) => `idempotency:${workspace_id}:${owner}:${key}`

const inProgress = (key: string) =>
  problem(
    "idempotency_in_progress",
    `The request with the Idempotency-Key ${JSON.stringify(key)} is still running; send it again in a second.`
  )

const malformed = (key: string) =>
  badRequest([
    {
      path: "Idempotency-Key",
      code: "invalid_value",
      message: `The header Idempotency-Key has ${key.length} characters, or some that are not printable ASCII; it takes 1 to 255 of those, for example a UUID.`
    }
  ])
