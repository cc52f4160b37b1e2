import { DateTime, Duration, Effect } from "effect"
import type { Handle } from "../../engine/Handle.ts"
import { type Prepared, PublishError } from "../Platform.ts"

/** Longer than any video takes. */
const patience = Duration.minutes(30)

/** Containers that Meta works on: since when (ISO 8601), and how often it was asked about them. */
interface Waiting extends Handle {
  readonly since: string
  readonly looks: number
}

/** The time to the next look. Meta asks for at most one a minute; pictures are done in a moment. */
export const nextLook = (looks: number): Duration.Duration =>
  Duration.seconds(Math.min(60, 2 * 2 ** Math.min(looks, 6)))

export const awaitContainers = Effect.fnUntraced(function* (
  name: string,
  handle: Waiting
): Effect.fn.Return<Prepared, PublishError> {
  const since = DateTime.makeUnsafe(handle.since)
  if (Duration.isGreaterThan(DateTime.distance(since, yield* DateTime.now), patience)) {
    return yield* new PublishError({
      class: "transient",
      code: "processing_too_long",
      message: `${name} did not finish processing the media within ${Duration.format(patience)}. Carillon will send it again.`,
      discard_handle: true
    })
  }
  return { _tag: "wait", handle, poll_after: nextLook(handle.looks) }
})

export const containerExpired = (name: string) =>
  new PublishError({
    class: "transient",
    code: "container_expired",
    message: `The post prepared on ${name} expired after 24 hours. Carillon will prepare it again.`,
    discard_handle: true
  })
