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

/** A request with its key. Another request has another hash. */
export interface KeyedRequest extends OwnedKey {
  readonly request_hash: Uint8Array
  /** The accounts that the credential is for now; they may be fewer than at the first answer. */
  readonly access: Access
}

/** The key of the HTTP request being answered, for an endpoint whose effect is a `statement`; null: it has none. */
export const RequestKey = Context.Reference<KeyedRequest | null>("@carillon/server/http/RequestKey", {
  defaultValue: () => null
})

type Way = <E, R>(
  request: KeyedRequest,
  httpEffect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) => Effect.Effect<HttpServerResponse.HttpServerResponse, E | Conflict, R>

interface Asked {
  readonly actor: CurrentActor["Service"]
  readonly key: string
  /** All that makes it the same request as another. */
  readonly request: string
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
    /** The answer to an HTTP request, or the first one again if its key was used before. */
    once<E, R>(
      httpEffect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
      options: Options
    ): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest>
    /** The same where no HTTP is spoken, for an effect that writes the record of its key itself. */
    keyed<A, E, R>(
      asked: Asked,
      effect: (request: KeyedRequest) => Effect.Effect<A, E, R>,
      again: (first: Answer) => A
    ): Effect.Effect<A, E | BadRequest | Conflict | Forbidden, R>
    /** The effect and the record of its key in one transaction: none can be there without the other. */
    together<A, E, R>(
      request: KeyedRequest,
      effect: Effect.Effect<A, E, R>,
      answerOf: (result: A) => Answer | undefined
    ): Effect.Effect<A, E | Conflict, R>
    /** The record of a key, to be written in the statement of the effect. */
    recordOf(request: KeyedRequest, answer: Answer, now: DateTime.Utc): KeptAnswer
    readonly collect: Effect.Effect<void>
  }
>()("@carillon/server/http/Idempotency") {
  static readonly layer = Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repository = yield* IdempotencyRepository
      const cipher = yield* CredentialCipher
      const config = yield* AppConfig

      const refusal = Effect.fnUntraced(
        function* (failure: Problem) {
          const response = yield* problemResponse(failure)
          return failure.code === "idempotency_in_progress"
            ? HttpServerResponse.setHeader(response, "retry-after", "1")
            : response
        },
        Effect.provideService(AppConfig, config)
      )

      const refused = <E>(failure: E | Problem) =>
        isProblem(failure) ? refusal(failure) : Effect.fail(failure)

      const encrypt = (id: OwnedKey, answer: Answer) => cipher.seal(boundTo(id), { ...answer })

      /** The first answer to the key; undefined: there is none, and the key is free. */
      const lookUp = Effect.fnUntraced(function* ({ access, ...request }: KeyedRequest) {
        const now = yield* DateTime.now
        const found = yield* repository.find(request, now)
        if (found === undefined) return undefined
        const key = JSON.stringify(request.key)
        if (!Buffer.from(found.request_hash).equals(request.request_hash)) {
          return yield* problem(
            "idempotency_key_reused",
            `The Idempotency-Key ${key} was used for another request in the last 24 hours; use a new key.`
          )
        }
        if (found.answer === null) {
          const running = found.running_until === null || DateTime.isGreaterThan(found.running_until, now)
          return running ? yield* keyTaken(request) : undefined
        }
        const answer = decodeAnswer(cipher.open(boundTo(request), found.answer))
        // The credential may have been narrowed since.
        const foreign = accountsIn(answer.body).filter((account) => !sees(account, access))
        if (foreign.length > 0) {
          return yield* problem(
            "account_not_allowed",
            `The request with the Idempotency-Key ${key} was carried out, and its answer is about the social account ${foreign.join(", ")}, which this credential may no longer use.`
          )
        }
        return answer
      })

      /** If the effect fails, the same request may have been answered in the meantime, and be the reason. */
      const orFirst = <A, E, R>(
        request: KeyedRequest,
        effect: Effect.Effect<A, E, R>,
        again: (first: Answer) => A
      ) =>
        effect.pipe(
          Effect.catch((failure) =>
            Effect.flatMap(lookUp(request), (first) =>
              first === undefined ? Effect.fail(failure) : Effect.succeed(again(first))
            )
          )
        )

      const recordOf = (request: KeyedRequest, answer: Answer, now: DateTime.Utc): KeptAnswer => ({
        ...request,
        answer: encrypt(request, answer),
        expires_at: DateTime.addDuration(now, keptFor)
      })

      const together: Idempotency["Service"]["together"] = (request, effect, answerOf) =>
        Effect.catchIf(
          sql.withTransaction(
            Effect.gen(function* () {
              const result = yield* effect
              const answer = answerOf(result)
              if (answer === undefined) return result
              const now = yield* DateTime.now
              const kept = yield* repository.keep(recordOf(request, answer, now), now)
              return kept ? result : yield* keyTaken(request)
            })
          ),
          SqlError.isSqlError,
          Effect.die
        )

      const inTransaction: Way = (request, httpEffect) => together(request, httpEffect, answerOf)

      /** The handler writes the record. If the key is taken it fails with `keyTaken`, and nothing has happened. */
      const inOneStatement: Way = (request, httpEffect) =>
        Effect.provideService(httpEffect, RequestKey, request)

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
        if (!(yield* repository.begin(run))) return yield* keyTaken(request)
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

      const ways: Record<Exclude<typeof PostEffect.Service, "none">, Way> = {
        database: inTransaction,
        statement: inOneStatement,
        outside: underLease
      }

      const keyed: Idempotency["Service"]["keyed"] = Effect.fnUntraced(function* (asked, effect, again) {
        const request = yield* keyedRequest(asked)
        return yield* orFirst(request, effect(request), again)
      })

      const once: Idempotency["Service"]["once"] = (httpEffect, { actor, endpoint }) => {
        const effect = Context.get(endpoint.annotations, PostEffect)
        if (endpoint.method !== "POST" || effect === "none") return httpEffect
        return Effect.flatMap(HttpServerRequest.HttpServerRequest, (httpRequest) => {
          const key = httpRequest.headers["idempotency-key"]
          if (key === undefined) return httpEffect
          return Effect.gen(function* () {
            const body = yield* Effect.orDie(httpRequest.text)
            // The address without the host: the same service may be reached by several.
            const request = yield* keyedRequest({
              actor,
              key,
              request: `${httpRequest.method} ${httpRequest.url}\n${body}`
            })
            // A statement finds out by itself.
            const first = effect === "statement" ? undefined : yield* lookUp(request)
            if (first !== undefined) return replay(first)
            return yield* orFirst(request, ways[effect](request, httpEffect), replay)
          }).pipe(Effect.catch(refused))
        })
      }

      return Idempotency.of({
        once,
        keyed,
        together,
        recordOf,
        collect: Effect.flatMap(DateTime.now, repository.collect)
      })
    })
  ).pipe(Layer.provide(IdempotencyRepository.layer))
}

const Answer = Schema.Struct({
  status: Schema.Int,
  headers: Schema.Record(Schema.String, Schema.String),
  /** JSON. */
  body: Schema.String
})
/** An answer of success as it is stored, whichever face of the service made it. */
export interface Answer extends Schema.Schema.Type<typeof Answer> {}

const decodeAnswer = Schema.decodeUnknownSync(Answer)

export const answerResponse = ({ status, headers, body }: Answer) =>
  HttpServerResponse.text(body, { status, contentType: "application/json", headers })

const replay = (first: Answer) =>
  HttpServerResponse.setHeader(answerResponse(first), "idempotency-replayed", "true")

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

/** The part of a response that is kept; undefined: it is no success. */
const answerOf = ({ status, headers, body }: HttpServerResponse.HttpServerResponse): Answer | undefined =>
  status >= 200 && status < 300 && body._tag === "Uint8Array"
    ? { status, headers, body: body.text ?? new TextDecoder().decode(body.body) }
    : undefined

/** A ciphertext is bound to its key: moved to another row it does not open. */
const boundTo = ({ workspace_id, owner, key }: OwnedKey) => `idempotency:${workspace_id}:${owner}:${key}`

/** Another request has the key. It is an answer only while that one has none: otherwise its answer is given again. */
export const keyTaken = ({ key }: OwnedKey): Conflict =>
  problem(
    "idempotency_in_progress",
    `The request with the Idempotency-Key ${JSON.stringify(key)} is still running; send it again in a second.`
  )

const keyedRequest = ({ actor, key, request }: Asked): Effect.Effect<KeyedRequest, BadRequest> =>
  idempotencyKeyPattern.test(key)
    ? Effect.succeed({
        workspace_id: actor.workspace_id,
        owner: credentialOf(actor),
        key,
        access: actor.social_accounts,
        request_hash: hash("sha256", request, "buffer")
      })
    : Effect.fail(malformed(key))

const malformed = (key: string) =>
  badRequest([
    {
      path: "Idempotency-Key",
      code: "invalid_value",
      message: `The header Idempotency-Key has ${key.length} characters, or some that are not printable ASCII; use 1 to 255 printable ASCII characters, for example a UUID.`
    }
  ])
