import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import type { Dispatcher } from "@effect/platform-node/Undici"
import { Context, Effect, Layer, Stream } from "effect"
import { HttpBody } from "effect/http"

/**
 * Gives the error that stops an irreversible request, or undefined. It is asked when the connection is open, just before
 * the first byte is written, and again before each part of a streamed body: a process that was frozen while it connected
 * learns here that it is too late, as a timer might fire only after the socket's event.
 */
export const SendGuard = Context.Reference<() => Error | undefined>("@carillon/server/http/SendGuard", {
  defaultValue: () => () => undefined
})

/** Makes the effect's requests ask the check, if their client's dispatcher is a `checking` one. */
export const askBeforeSending = (check: () => Error | undefined) =>
  // Undici passes it through; Effect types it as null.
  Effect.provideService(NodeHttpClient.UndiciOptions, { opaque: check as unknown as null })

/** The same body; a stream fails with the check's error. */
export const checkedBody = (body: HttpBody.HttpBody, check: () => Error | undefined): HttpBody.HttpBody =>
  body._tag === "Stream"
    ? HttpBody.stream(
        body.stream.pipe(
          // An empty part by itself would stall the request.
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

/** A dispatcher that asks the check that came with a request. */
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

/** Effect's client for fixed addresses, with a checking dispatcher. */
export const layerCheckingClient = Layer.provide(
  NodeHttpClient.layerUndiciNoDispatcher,
  Layer.effect(NodeHttpClient.Dispatcher, Effect.map(NodeHttpClient.makeDispatcher, checking))
)
