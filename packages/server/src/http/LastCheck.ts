import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import type { Dispatcher } from "@effect/platform-node/Undici"
import { Context, Effect, Layer, Stream } from "effect"
import { HttpBody } from "effect/http"

/**
 * Asked when the connection of an irreversible request is open, in the moment before its first byte is written, and
 * again before each part of a body that is streamed: the error that stops it, or undefined. A process that was frozen
 * while it connected learns here, and not from a timer that may come after the socket's event, that it is too late.
 */
export const LastCheck = Context.Reference<() => Error | undefined>("@carillon/server/http/LastCheck", {
  defaultValue: () => () => undefined
})

/** The requests of the effect ask the check, if their client's dispatcher is a `checking` one. */
export const askBeforeSending = (check: () => Error | undefined) =>
  // Undici hands it on as it is; Effect gives it the type null.
  Effect.provideService(NodeHttpClient.UndiciOptions, { opaque: check as unknown as null })

/** The same body; as a stream it ends with the check's error. */
export const checkedBody = (body: HttpBody.HttpBody, check: () => Error | undefined): HttpBody.HttpBody =>
  body._tag === "Stream"
    ? HttpBody.stream(
        body.stream.pipe(
          // A request stalls at an empty part that comes by itself.
          Stream.filter((bytes) => bytes.length > 0),
          Stream.tap(() => {
            const late = check()
            return late === undefined ? Effect.void : Effect.fail(late)
          })
        ),
        body.contentType,
        body.contentLength
      )
    : body

/** A dispatcher that asks what came along with a request. */
export const checking = (dispatcher: Dispatcher): Dispatcher =>
  dispatcher.compose((dispatch) => (options, handler) => {
    const check: unknown = "opaque" in options ? options.opaque : undefined
    if (typeof check !== "function") return dispatch(options, handler)
    const start = handler.onRequestStart?.bind(handler)
    // The handler was made for this one request.
    handler.onRequestStart = (controller, context) => {
      start?.(controller, context)
      const late = check()
      if (late !== undefined) controller.abort(late)
    }
    return dispatch(options, handler)
  })

/** Effect's client for fixed addresses, with such a dispatcher. */
export const layerCheckingClient = Layer.provide(
  NodeHttpClient.layerUndiciNoDispatcher,
  Layer.effect(NodeHttpClient.Dispatcher, Effect.map(NodeHttpClient.makeDispatcher, checking))
)
