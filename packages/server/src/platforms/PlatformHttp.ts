import { truncate } from "@carillon/domain"
import { type DateTime, Duration, Effect, Option, Schema, Stream } from "effect"
import { type HttpBody, HttpClient, HttpClientError, HttpClientRequest } from "effect/http"
import { deepest, jsonExcess, mostValues } from "../http/JsonBody.ts"
import { askBeforeSending, checkedBody, SendGuard } from "../http/SendGuard.ts"
import { parseJson, storable } from "./LosslessJson.ts"
import { PublishError } from "./Platform.ts"
import { retryAfter } from "./RetryAfter.ts"
import { transportFailure } from "./TransportFailure.ts"

/** One call to a platform. Nothing is repeated and no redirect is followed. */
export interface PlatformCall<S extends Schema.ConstraintDecoder<unknown>> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  readonly url: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly bearer?: string
  readonly body?: HttpBody.HttpBody
  /** Further secrets that must never be quoted from an answer, besides the bearer. */
  readonly secrets?: ReadonlyArray<string>
  /** The answer holds new tokens, which nothing here knows yet: of one that cannot be read, nothing is quoted. */
  readonly has_tokens?: boolean
  /** The irreversible call: a failure that leaves its outcome open is `ambiguous`, and `SendGuard` is asked before it. */
  readonly commit?: boolean
  /** The most bytes of an answer; a longer one counts as unreadable, but its status stands. So does one of too many values. */
  readonly maxAnswerBytes: number
  /** The time for the whole exchange; 30 seconds by default. */
  readonly timeout?: Duration.Input
  /** The input of `answer`: JSON by default, trimmed text, or all of it as a `WholeAnswer`. */
  readonly format?: "json" | "text" | "whole"
  /** Statuses outside of 2xx that are answers here and not refusals. */
  readonly also?: ReadonlyArray<number>
  /** Where an error may come with status 200: the status that its body names. */
  readonly statusIn?: (body: unknown) => number | undefined
  readonly answer: S
  /** The platform's own error table: every status outside 2xx, 429 and 5xx. */
  readonly refuse: (refusal: Refusal) => Refused
}

/** An answer with its status and headers. Names of headers are in lower case; `body` null: no JSON. */
export interface WholeAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: unknown
}

/** An answer outside 2xx. `body` is its JSON with long integers as strings, "" where it has none at all, else null. */
export interface Refusal {
  readonly status: number
  readonly body: unknown
}

export type Refused = Pick<PublishError, "class" | "code" | "message" | "token_expired" | "discard_handle">

/** The size of an answer about one thing: an id, a token, a state. */
export const shortAnswer = 64 * 1024

/** The slowest line that an upload allows for. */
const minimumBytesPerSecond = 64 * 1024

/** The time for a call that sends so many bytes. */
export const uploadTime = (bytes: number): Duration.Duration =>
  Duration.seconds(60 + bytes / minimumBytesPerSecond)

/** Statuses, pins and messages have one value for every 30 bytes and more; numbers alone, which cost most, one for every two. */
const bytesPerValue = 100

/**
 * The HTTP of every adapter. Failures by class:
 * - before the request was written (address, DNS, refused, TLS, connect timeout): `transient`, never sent
 * - reset, timeout, 5xx or an answer that cannot be read after it was written: `ambiguous` on a commit, else `transient`
 * - 429: `rate_limited`, with `retry_at` when the platform names a time, as wherever else it asks to wait
 * - any other status: the adapter's table
 */
export const platformHttp = (httpClient: HttpClient.HttpClient, platform: string) => {
  // With a scope the request ends when its answer is not read to the end.
  const client = HttpClient.withScope(httpClient)

  return Effect.fn("PlatformHttp.call")(function* <S extends Schema.ConstraintDecoder<unknown>>(
    call: PlatformCall<S>
  ) {
    const commit = call.commit ?? false
    const check = commit ? yield* SendGuard : () => undefined
    const timeout = Duration.fromInputUnsafe(call.timeout ?? "30 seconds")
    const unsettled = (code: string, what: string, details?: Details) =>
      new PublishError({
        class: commit ? "ambiguous" : "transient",
        code,
        message: `${what} ${commit ? "The post may or may not be live." : "Carillon will try again."}`,
        ...details
      })

    const { headers, text, tooLong, ...received } = yield* Effect.gen(function* () {
      const response = yield* client.execute(toRequest(call, check))
      return {
        status: response.status,
        headers: response.headers,
        ...(yield* readText(response.stream, call.maxAnswerBytes))
      }
    }).pipe(
      Effect.scoped,
      askBeforeSending(check),
      // A platform does not need the trace ids of this service.
      Effect.provideService(HttpClient.TracerPropagationEnabled, false),
      Effect.mapError((error) => {
        const failure = transportFailure(error)
        switch (failure._tag) {
          case "own":
            return failure.error
          case "never_sent":
            return new PublishError({
              class: "transient",
              code: failure.code,
              message: `${platform} could not be reached (${failure.code}). Nothing was sent.`
            })
          case "broken":
            return unsettled(
              failure.code,
              `${platform} did not finish its answer: the connection was lost (${failure.code}).`
            )
        }
      }),
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () =>
          Effect.fail(unsettled("timeout", `${platform} did not answer within ${Duration.format(timeout)}.`))
      })
    )

    const words = Option.getOrElse(text, () => "")
    const quote = words === "" ? {} : { platform_response: withoutSecrets(words, call) }
    const most = Math.max(mostValues, Math.floor(call.maxAnswerBytes / bytesPerValue))
    const excess = jsonExcess(words, most)
    const json = excess === null ? Option.flatMap(text, parseJson) : Option.none()
    const status = call.statusIn?.(Option.getOrNull(json)) ?? received.status
    const later = Option.match(yield* retryAfter(headers, Option.getOrNull(json)), {
      onNone: () => ({}),
      onSome: (retry_at) => ({ retry_at })
    })

    if ((status >= 200 && status < 300) || call.also?.includes(status) === true) {
      const formats = {
        json,
        text: Option.map(text, (plain) => plain.trim()),
        whole: Option.some<WholeAnswer>({ status, headers, body: Option.getOrNull(json) })
      }
      const parsed = formats[call.format ?? "json"]
      return yield* Effect.fromOption(parsed).pipe(
        Effect.flatMap((value) => Schema.decodeUnknownEffect(call.answer)(value)),
        Effect.mapError(() =>
          tooLong || excess !== null
            ? unsettled(
                "answer_too_long",
                `${platform} answered ${status} with ${
                  excess === "levels"
                    ? `values nested more than ${deepest} levels deep`
                    : `more than ${tooLong ? `${call.maxAnswerBytes} bytes` : `${most} values`}`
                }, the most that Carillon reads.`
              )
            : call.has_tokens === true
              ? new PublishError({
                  class: "transient",
                  code: "unreadable_answer",
                  message: `${platform} answered the sign-in with an unreadable body. Try again.`
                })
              : unsettled(
                  "unreadable_answer",
                  `${platform} answered ${status} with an unreadable body.`,
                  quote
                )
        )
      )
    }
    if (status === 429) {
      return yield* new PublishError({
        class: "rate_limited",
        code: "rate_limited",
        message: `${platform} is rate limiting requests (status 429). Carillon will try again.`,
        ...later,
        ...quote
      })
    }
    if (status >= 500) {
      return yield* unsettled(`http_${status}`, `${platform} failed with status ${status}.`, {
        ...later,
        ...quote
      })
    }
    const refused = call.refuse({ status, body: Option.contains(text, "") ? "" : Option.getOrNull(json) })
    const waits = ["rate_limited", "quota_exhausted", "transient"].includes(refused.class)
    return yield* new PublishError({
      ...(waits ? later : {}),
      ...refused,
      message: withoutSecrets(refused.message, call),
      ...quote
    })
  })
}

export type PlatformHttp = ReturnType<typeof platformHttp>

type Details = { readonly retry_at?: DateTime.Utc; readonly platform_response?: string }
type AnyCall = PlatformCall<Schema.ConstraintDecoder<unknown>>

const toRequest = (call: AnyCall, check: () => Error | undefined): HttpClientRequest.HttpClientRequest =>
  HttpClientRequest.make(call.method)(call.url, {
    headers: {
      accept: call.format === "text" ? "text/plain" : "application/json",
      // A compressed answer would have to be bounded twice.
      "accept-encoding": "identity",
      "user-agent": "Carillon",
      ...(call.bearer === undefined ? {} : { authorization: `Bearer ${call.bearer}` }),
      ...call.headers
    },
    ...(call.query === undefined ? {} : { urlParams: call.query }),
    ...(call.body === undefined
      ? {}
      : { body: call.commit === true ? checkedBody(call.body, check) : call.body })
  })

/** None when the answer is too long or breaks off; its status stands all the same. */
const readText = <E>(
  stream: Stream.Stream<Uint8Array, E>,
  limit: number
): Effect.Effect<{ readonly text: Option.Option<string>; readonly tooLong: boolean }> =>
  Effect.suspend(() => {
    const chunks: Array<Uint8Array> = []
    let size = 0
    return Stream.runForEachWhile(stream, (chunk) =>
      Effect.sync(() => {
        size += chunk.length
        chunks.push(chunk)
        return size <= limit
      })
    ).pipe(
      Effect.map(() =>
        size <= limit
          ? { text: Option.some(storable(Buffer.concat(chunks).toString("utf8"))), tooLong: false }
          : { text: Option.none(), tooLong: true }
      ),
      Effect.catch((error) =>
        Effect.succeed({ text: isEmptyBody(error) ? Option.some("") : Option.none(), tooLong: false })
      )
    )
  })

const isEmptyBody = (error: unknown) =>
  HttpClientError.isHttpClientError(error) && error.reason._tag === "EmptyBodyError"

const maxQuotedCharacters = 500

/** A platform's words, shortened, without secrets that were sent and without anything that looks like a token. */
const withoutSecrets = (text: string, call: AnyCall): string => {
  const clean = [call.bearer ?? "", ...(call.secrets ?? [])]
    .filter((secret) => secret !== "")
    .reduce((rest, secret) => rest.replaceAll(secret, "<redacted>"), text)
    .replaceAll(/\bey[\w-]{6,}\.[\w-]+\.[\w-]*/g, "<redacted>")
  return truncate(clean, maxQuotedCharacters)
}

/** The meaning of a refusal that the adapter's table does not have. `said` are the platform's own words. */
export const refusedByStatus = (
  platform: string,
  status: number,
  said?: { readonly code: string; readonly message: string }
): Refused => {
  const as = (errorClass: Refused["class"], advice: string): Refused => ({
    class: errorClass,
    code: said?.code ?? `http_${status}`,
    message: `${platform} rejected the request with status ${status}${said === undefined ? "" : `: "${said.message}"`}. ${advice}`
  })
  if (status >= 300 && status < 400)
    return as("config", "That is a redirect; use the server's final address.")
  switch (status) {
    case 401:
      return as("reconnect", "Connect the account again.")
    case 403:
      return as("forbidden", `The account is not allowed to do this. Check the account on ${platform}.`)
    case 404:
    case 405:
      return as("config", "The server does not support this call. Check its address.")
    case 408:
    case 425:
      return as("transient", "Carillon will try again.")
    case 413:
    case 415:
      return as("media_rejected", "A file is too large or of an unsupported type.")
    default:
      return as("invalid", "Change the post's content or options.")
  }
}
