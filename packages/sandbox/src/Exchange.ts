import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Context, Data, Effect, FiberSet, Layer, type Schema, Scope } from "effect"
import {
  HttpEffect,
  type HttpMethod,
  HttpRouter,
  type HttpServerError,
  HttpServerRequest,
  HttpServerResponse
} from "effect/http"
import type { IncomingMessage, ServerResponse } from "node:http"
import { type Fault, Faults } from "./Faults.ts"
import { Journal } from "./Journal.ts"
import { type Arrival, Ledger, type RequestOutcome } from "./Ledger.ts"
import type { Operation, PlatformId } from "./Platforms.ts"

type Request = HttpServerRequest.HttpServerRequest

/** A platform refuses. */
export class Refused extends Data.TaggedError("Refused")<{
  readonly status: number
  readonly code: string
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
  /** The body of a refusal that has a form of its own; undefined: the dialect's body. */
  readonly body?: Schema.Json
}> {}

/** A platform answers otherwise than with 200 and a body, or with a publication. */
export class Granted extends Data.Class<{
  /** 200 by default. */
  readonly status?: number
  /** Undefined: an answer without a body. */
  readonly body?: Schema.Json | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** The publication that was made or repeated. */
  readonly publication?: string
}> {}

/** The facts of a request while it is read; they go into the ledger. */
export interface Seen extends Arrival {
  /** The dialect's; another's where several platforms share an address and the token tells. */
  platform: PlatformId
  account: string | null
  operation: Operation | null
  idempotency_key: string | null
}

/** A request before its caller is known. */
export interface Arrived {
  readonly request: Request
  readonly seen: Seen
  /** The segments of the path that the route names. */
  readonly path: Readonly<Record<string, string | undefined>>
  readonly query: URLSearchParams
}

/** The parameters of a request's address. */
export const queryOf = ({ url }: Pick<Request, "url">) => {
  const start = url.indexOf("?")
  return new URLSearchParams(start === -1 ? "" : url.slice(start + 1))
}

/** Whose call it is. */
export interface Caller {
  /** Expires the token that was used. */
  readonly expireToken?: () => void
}

type Reading<A> = Effect.Effect<A, Refused | HttpServerError.HttpServerError, HttpRouter.Provided>
type Answer = Schema.Json | Granted

/** One endpoint of a platform. */
export interface Endpoint<Who, Content> {
  /** The name by which scripts and the ledger know it; null: it has none, or `caller` or `read` says it. */
  readonly operation: Operation | null
  /** Takes in the rest of the request. What it refuses has not arrived whole, and takes no fault. */
  readonly read?: (call: Arrived & Who) => Reading<Content>
  /** The effect, and the body of a 200; gets the scripted fault, which may be part of the effect. */
  readonly answer: (
    call: Arrived & Who & { readonly fault: Fault | undefined },
    content: Content
  ) => Answer | Effect.Effect<Answer, Refused, HttpRouter.Provided>
}

/** What endpoints of a platform share. */
export interface Frame<Who extends Caller, Needs> {
  readonly dialect: Dialect
  /** Finds the caller, tells `seen` the account, and refuses who lacks what the endpoint needs. Undefined: anybody may call. */
  readonly caller?: (arrived: Arrived, endpoint: Needs) => Reading<Who>
  /** What every answer has besides what its endpoint says. */
  readonly granted?: (granted: Granted, caller: Who) => Granted
}

type Route = HttpRouter.Route<never, never>

/** A request that has arrived whole and can take effect. */
interface Call extends Caller {
  readonly effect: (fault: Fault | undefined) => Effect.Effect<Granted, Refused, HttpRouter.Provided>
}

/** The parts of a platform that an exchange needs. */
export interface Dialect {
  readonly platform: PlatformId
  /** The body of a refusal. */
  readonly errorBody: (code: string, message: string, status: number) => Schema.Json
  /** The body of a refusal that is text and not JSON. */
  readonly errorType?: string
  /** The platform's wording of scripted refusals, where it differs from the sandbox's own. */
  readonly words?: Partial<Record<ScriptedRefusal, { readonly status: number; readonly code: string }>>
  /** The headers that say in how many seconds to come back; `Retry-After` by default. */
  readonly comeBack?: (seconds: number) => Readonly<Record<string, string>>
  /** The body that says the same, where the dialect's own cannot. */
  readonly comeBackBody?: (seconds: number) => Schema.Json
  /** An address as the ledger keeps it, where it has secrets in its path. */
  readonly shownAddress?: (address: string) => string
}

type ScriptedRefusal = "forbidden" | "unauthorized" | "rate_limited" | "server_error"

type Read = (request: Request, seen: Seen) => Reading<Call>

interface Reply {
  readonly status: number
  readonly body: Schema.Json | undefined
  readonly code: string | null
  readonly publication: string | null
  readonly headers?: Readonly<Record<string, string>>
}

interface Outcome {
  readonly outcome: RequestOutcome
  readonly reply: Reply | null
  readonly publication: string | null
  /** Milliseconds between the effect and the answer. */
  readonly delay?: number
  /** Close the connection in the middle of the body. */
  readonly cut?: boolean
  /** How many of them follow the body. */
  readonly blanks?: number
}

/**
 * One request to a platform, from arrival to answer: it is read, takes the next fault of its account's script, has its
 * effect, is written into the ledger, and is answered when all of that is on disk. A complete request has its effect
 * whether or not its sender is still there, so routes of a platform are uninterruptible.
 */
export class Exchange extends Context.Service<
  Exchange,
  {
    /** Makes the routes of a frame: one row each, with what the frame's `caller` needs to know of it. */
    endpoints<Who extends Caller, Needs = object>(
      frame: Frame<Who, Needs>
    ): <Content = undefined>(
      method: HttpMethod.HttpMethod,
      path: HttpRouter.PathInput,
      endpoint: Endpoint<Who, Content> & Needs
    ) => Route
    /** Refuses every path below that has no endpoint. */
    unknown(
      dialect: Dialect,
      path: HttpRouter.PathInput,
      refusal: (method: string, path: string) => Refused
    ): Route
    /** Drops the late effects that have not happened yet. */
    readonly reset: Effect.Effect<void>
  }
>()("@carillon/sandbox/Exchange") {
  static readonly layer = Layer.effect(
    Exchange,
    Effect.gen(function* () {
      const journal = yield* Journal
      const ledger = yield* Ledger
      const faults = yield* Faults
      const lateEffects = yield* FiberSet.make<void>()

      const under = Effect.fnUntraced(function* (
        fault: Fault | undefined,
        call: Call,
        dialect: Dialect
      ): Effect.fn.Return<Outcome, never, HttpRouter.Provided> {
        const no = (status: number, code: string, message: string): Reply => ({
          status,
          code,
          body: dialect.errorBody(code, message, status),
          publication: null,
          ...typed(dialect)
        })
        const worded = (refusal: ScriptedRefusal, status: number, code: string, message: string) => {
          const own = dialect.words?.[refusal]
          return no(own?.status ?? status, own?.code ?? code, message)
        }
        const comeBack = dialect.comeBack ?? ((seconds: number) => ({ "retry-after": String(seconds) }))
        const serverError = worded("server_error", 500, "server_error", "Something went wrong, by script.")
        const settled = call.effect(fault).pipe(
          Effect.map((granted): Reply => ({
            status: 200,
            code: null,
            publication: null,
            body: undefined,
            ...granted
          })),
          Effect.catch((refused) => Effect.succeed(refusal(dialect, refused)))
        )

        switch (fault?.fault) {
          case "refuse":
            return answered(
              no(
                fault.status ?? 422,
                fault.code ?? "refused",
                fault.message ?? "The content was refused, by script."
              )
            )
          case "forbidden":
            return answered(worded("forbidden", 403, "forbidden", "The account may not do this, by script."))
          case "unauthorized":
            call.expireToken?.()
            return answered(
              worded("unauthorized", 401, "token_expired", "The token has expired, by script. Sign in again.")
            )
          case "rate_limited": {
            const reply = worded("rate_limited", 429, "rate_limited", "Too many requests, by script.")
            return answered(
              fault.retry_after === undefined
                ? reply
                : {
                    ...reply,
                    headers: { ...reply.headers, ...comeBack(fault.retry_after) },
                    body: dialect.comeBackBody?.(fault.retry_after) ?? reply.body
                  }
            )
          }
          case "server_error_before":
            return answered(serverError)
          case "effect_then_server_error":
            return answered({ ...serverError, publication: (yield* settled).publication })
          case "effect_then_lost_reply":
            return unanswered("cut", (yield* settled).publication)
          case "reset_before":
            return unanswered("reset")
          case "long_answer":
            return { ...answered(yield* settled), blanks: 8 * 1024 * 1024 }
          case "half_body":
            return { ...answered(yield* settled), outcome: "half_body", cut: fault.cut ?? false }
          case "slow":
            return { ...answered(yield* settled), delay: fault.ms }
          case "late_effect": {
            // The request's scope holds its files: it closes when the effect has kept them.
            const scope = (yield* Effect.scope) as Scope.Closeable
            HttpEffect.scopeDisableClose(scope)
            yield* settled.pipe(
              Effect.andThen(journal.flushed),
              Effect.delay(fault.ms),
              Effect.tapDefect((defect) => Effect.logError("a late effect failed", defect)),
              Effect.onExit((exit) => Scope.close(scope, exit)),
              FiberSet.run(lateEffects)
            )
            return unanswered(fault.connection === "hang" ? "left_hanging" : "cut")
          }
          case "processing":
          case "review":
          case "short_lived":
          case undefined:
            return answered(yield* settled)
        }
      })

      const exchanged = (dialect: Dialect, read: Read) =>
        Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const seen: Seen = {
            ...(yield* ledger.arrive),
            platform: dialect.platform,
            account: null,
            operation: null,
            idempotency_key: null
          }
          let fault: Fault | undefined

          const { outcome, reply, publication, delay, cut, blanks } = yield* read(request, seen).pipe(
            Effect.flatMap((call) => {
              const { account, operation, platform } = seen
              fault =
                account === null || operation === null ? undefined : faults.take(platform, account, operation)
              return under(fault, call, dialect)
            }),
            Effect.catchTags({
              Refused: (refused) => Effect.as(drained(request), answered(refusal(dialect, refused))),
              HttpServerError: ({ reason }) =>
                Effect.succeed(
                  reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
                    ? answered({
                        status: 413,
                        code: "too_large",
                        body: dialect.errorBody("too_large", "The request is larger than 1 MiB.", 413),
                        publication: null
                      })
                    : unanswered("client_gone")
                )
            })
          )

          ledger.record({
            ...seen,
            method: request.method,
            path: dialect.shownAddress?.(request.url) ?? request.url,
            outcome,
            status: reply?.status ?? null,
            code: reply?.code ?? null,
            fault: fault?.fault ?? null,
            publication
          })
          yield* journal.flushed

          // A stop ends the delay, not the answer.
          if (delay !== undefined) yield* Effect.sleep(delay).pipe(Effect.interruptible, Effect.exit)
          return yield* send(request, outcome, reply, cut ?? false, blanks ?? 0)
        })

      const row =
        <Who extends Caller, Needs, Content>(
          { caller, granted = (given) => given }: Frame<Who, Needs>,
          endpoint: Endpoint<Who, Content> & Needs
        ): Read =>
        (request, seen) =>
          Effect.gen(function* () {
            seen.operation = endpoint.operation
            const arrived = { request, seen, path: yield* HttpRouter.params, query: queryOf(request) }
            const who = yield* caller?.(arrived, endpoint) ?? Effect.succeed({} as Who)
            const call = { ...arrived, ...who }
            const content = yield* endpoint.read?.(call) ?? Effect.succeed(undefined as Content)
            return {
              ...who,
              effect: (fault) =>
                Effect.suspend(() => {
                  const answer = endpoint.answer({ ...call, fault }, content)
                  return Effect.isEffect(answer) ? answer : Effect.succeed(answer)
                }).pipe(
                  Effect.map((answer) =>
                    granted(answer instanceof Granted ? answer : new Granted({ body: answer }), who)
                  )
                )
            }
          })

      return Exchange.of({
        reset: FiberSet.clear(lateEffects),
        endpoints: (frame) => (method, path, endpoint) =>
          HttpRouter.route(method, path, exchanged(frame.dialect, row(frame, endpoint)), whole),
        unknown: (dialect, path, refusal) => {
          const refused: Read = ({ method, url }) => Effect.fail(refusal(method, url.split("?", 1)[0]!))
          return HttpRouter.route("*", path, exchanged(dialect, refused), whole)
        }
      })
    })
  )
}

const whole = { uninterruptible: true }

const typed = ({ errorType }: Dialect) =>
  errorType === undefined ? {} : { headers: { "content-type": errorType } }

const refusal = (dialect: Dialect, { status, code, message, headers, body }: Refused): Reply => ({
  status,
  code,
  body: body ?? dialect.errorBody(code, message, status),
  publication: null,
  ...(headers === undefined ? typed(dialect) : { headers })
})

const answered = (reply: Reply): Outcome => ({ outcome: "answered", reply, publication: reply.publication })

const unanswered = (outcome: RequestOutcome, publication: string | null = null): Outcome => ({
  outcome,
  reply: null,
  publication
})

const nodeRequest = (request: Request) => NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage
const nodeResponse = (request: Request) => NodeHttpServerRequest.toServerResponse(request) as ServerResponse

/** Reads the rest of an unwanted body: a client that is still sending may never see an answer. */
const drained = (request: Request) =>
  Effect.callback<void>((resume) => {
    const incoming = nodeRequest(request)
    if (incoming.readableEnded || incoming.destroyed) return resume(Effect.void)
    incoming.once("close", () => resume(Effect.void)).once("end", () => resume(Effect.void))
    // A paused reader would hold it up.
    incoming.unpipe()
    incoming.resume()
  })

/** Decides what becomes of the connection. The server leaves a response alone that was written or destroyed here. */
const send = (
  request: Request,
  outcome: RequestOutcome,
  reply: Reply | null,
  cut: boolean,
  blanks: number
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const response = nodeResponse(request)
  const nothing = HttpServerResponse.empty()
  if (outcome === "left_hanging") {
    return Effect.callback((resume) => {
      if (response.destroyed) return resume(Effect.succeed(nothing))
      response.once("close", () => resume(Effect.succeed(nothing)))
    })
  }
  if (reply === null) {
    return Effect.sync(() => {
      if (outcome === "reset") response.socket?.resetAndDestroy()
      response.destroy()
      return nothing
    })
  }
  const { status, body } = reply
  if (body === undefined) {
    const headers = { "cache-control": "no-store", ...reply.headers }
    return Effect.succeed(HttpServerResponse.empty({ status, headers }))
  }
  const headers = { "content-type": "application/json", "cache-control": "no-store", ...reply.headers }
  const contentType = headers["content-type"]
  const text = contentType !== "application/json" && typeof body === "string" ? body : JSON.stringify(body)
  const sent = outcome === "half_body" ? text.slice(0, text.length / 2) : text + " ".repeat(blanks)
  if (!cut) {
    return Effect.succeed(HttpServerResponse.text(sent, { status, headers, contentType }))
  }
  return Effect.callback((resume) => {
    const end = () => {
      response.destroy()
      resume(Effect.succeed(nothing))
    }
    response.once("close", end)
    response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(text) })
    response.write(sent, end)
  })
}
