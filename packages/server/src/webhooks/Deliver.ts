import type { EventType } from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { RemoteFetch } from "../http/RemoteFetch.ts"
import { RemoteFetchError } from "../http/RemoteFetchError.ts"
import { retryAfter } from "../platforms/RetryAfter.ts"
import { type Attempt, isSuccess } from "./DeliveryPolicy.ts"
import { signatureHeaders } from "./Signature.ts"
import { WebhookSecrets } from "./WebhookSecrets.ts"

/** A message and its address. */
export interface Message {
  readonly webhook_id: string
  readonly url: string
  readonly secrets: Uint8Array
  readonly event_id: string
  readonly type: EventType | "webhook.test"
  readonly timestamp: DateTime.Utc
  /** The stored text, so that every try has the same bytes. */
  readonly data: unknown
}

/** From the lookup of the name to the end of the answer. */
const timeout = "15 seconds"
const excerptLength = 300

/** Makes one try, through the same guard as any other URL from a user. */
export class Deliver extends Context.Service<
  Deliver,
  {
    /** Signs a message and sends it. */
    message(message: Message): Effect.Effect<Attempt>
    /** Sends what is complete, to an address that is a secret: `hide` takes it out of the answer. */
    request(
      request: HttpClientRequest.HttpClientRequest,
      hide: (answer: string) => string
    ): Effect.Effect<Attempt>
  }
>()("@carillon/server/webhooks/Deliver") {
  static readonly layerNoDeps = Layer.effect(
    Deliver,
    Effect.gen(function* () {
      const { client } = yield* RemoteFetch
      const webhookSecrets = yield* WebhookSecrets

      const send = (given: HttpClientRequest.HttpClientRequest, hide = (answer: string) => answer) =>
        client.execute(HttpClientRequest.setHeader(given, "user-agent", "Carillon-Webhooks/1")).pipe(
          Effect.flatMap((response) =>
            Effect.gen(function* () {
              return {
                response_status: response.status,
                response_excerpt: excerpt(hide(yield* response.text)),
                error: isSuccess(response.status) ? null : "bad_status",
                retry_at: Option.getOrNull(yield* retryAfter(response.headers))
              }
            })
          ),
          Effect.catch((error) => Effect.succeed(withoutAnswer(error.cause))),
          Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.succeed(timedOut) })
        )

      const message = Effect.fn("Deliver.message")(function* ({
        webhook_id,
        url,
        secrets,
        event_id,
        type,
        timestamp,
        data
      }: Message) {
        const body = JSON.stringify({ type, timestamp: DateTime.formatIso(timestamp), data })
        const headers = signatureHeaders(yield* webhookSecrets.current(webhook_id, secrets), {
          id: event_id,
          timestamp: Math.floor(DateTime.toEpochMillis(yield* DateTime.now) / 1000),
          body
        })
        return yield* HttpClientRequest.post(url).pipe(
          HttpClientRequest.setHeaders(headers),
          HttpClientRequest.bodyText(body, "application/json"),
          (request) => send(request)
        )
      })

      const request: Deliver["Service"]["request"] = (given, hide) =>
        // A span has the address.
        Effect.provideService(send(given, hide), HttpClient.TracerDisabledWhen, () => true)

      return Deliver.of({ message, request })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([RemoteFetch.layer, WebhookSecrets.layer]))
}

const excerpt = (text: string) =>
  text
    .slice(0, excerptLength)
    .replace(/\p{Cc}/gu, " ")
    .toWellFormed()

const timedOut: Attempt = {
  response_status: null,
  response_excerpt: null,
  error: "timed_out",
  retry_at: null
}

/** An answer with an unreadable body still has its status, and only that decides. */
const withoutAnswer = (cause: unknown): Attempt => {
  const { reason, status = null } = cause instanceof RemoteFetchError ? cause : { reason: "failed" }
  return {
    response_status: status,
    response_excerpt: null,
    error: isSuccess(status) ? null : reason,
    retry_at: null
  }
}
