import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { EventType } from "../Event.ts"
import { field } from "../Field.ts"
import { anyOf, Several } from "../Lists.ts"
import { about } from "./About.ts"
import { Authorization } from "./Authorization.ts"
import { RequestProblems } from "./RequestProblems.ts"

/** How many streams a credential may have open at one process. */
export const mostStreams = 20

const sequence = Schema.optionalKey(Schema.String.check(Schema.isMaxLength(100)))

export const EventStreamFilter = Schema.Struct({
  types: anyOf("Only events of these types.", Several(EventType)),
  after: field("The same as the header `Last-Event-ID`, which goes first. Absent: from now on.", sequence)
})
export interface EventStreamFilter extends Schema.Schema.Type<typeof EventStreamFilter> {}

export class EventsApi extends HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.get("stream", "/", {
      query: EventStreamFilter,
      headers: {
        "last-event-id": sequence.annotate({
          description: "The `id` that the stream said last: it goes on after that event. Absent: from now on."
        })
      },
      success: HttpApiSchema.StreamUint8Array({ contentType: "text/event-stream" })
    }).annotateMerge(
      about({
        scope: "posts:read",
        codes: ["stream_limit_reached"],
        summary: "Listen to events",
        description:
          "Server-sent events, as they happen: `event` is the type, `data` the JSON that a webhook receives, `id` the place in the " +
          "stream. Events of media need `media:read`, too, events of accounts `accounts:read`. A credential for some accounts hears of these alone. " +
          "After an id that is unknown or older than 7 days, the event `resync` with `{}` comes first: some were missed, so read " +
          `anew. A comment comes every 15 seconds. A credential may have ${mostStreams} streams open. A stream ends with its credential, and when the service stops.`
      })
    )
  )
  .middleware(Authorization)
  .prefix("/v1/events")
  .middleware(RequestProblems)
  .annotateMerge(
    OpenApi.annotations({
      title: "Events",
      description: "What happens in the workspace, as it happens, without an address of your own."
    })
  ) {}
