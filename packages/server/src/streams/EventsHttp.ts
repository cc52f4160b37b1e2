import { Api } from "@carillon/domain"
import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { EventStreams } from "./EventStreams.ts"

export const EventsHttpLayer = HttpApiBuilder.group(
  Api,
  "events",
  Effect.fnUntraced(function* (handlers) {
    const streams = yield* EventStreams
    return handlers.handle("stream", ({ headers, query }) =>
      Effect.map(streams.open(query, headers["last-event-id"]), (events) =>
        HttpServerResponse.stream(events, {
          contentType: "text/event-stream",
          // Otherwise nginx keeps what it has until its buffer is full.
          headers: { "x-accel-buffering": "no" }
        })
      )
    )
  })
).pipe(Layer.provide(EventStreams.layer))
