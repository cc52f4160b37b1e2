import type { Post } from "@carillon/sdk"

/** How often what others may change is read again. A query says it itself: by default nothing is polled. */
export const everyHalfMinute = 30_000

/** A file that the service fetches is there in some seconds. */
export const whileFetching = 2_000

const whileGoing = 400

/** How long until the post is read again: soon while something goes out, else in time for the next that does. */
export const untilNextRead = (post: Post | undefined, now: number) => {
  if (post === undefined) return everyHalfMinute
  const pauses = post.results.map(({ next_attempt_at, status }) => {
    if (status === "publishing") return whileGoing
    if (status !== "waiting" || next_attempt_at === null) return everyHalfMinute
    const ahead = Date.parse(next_attempt_at) - now
    // What waits for long past its time waits for something else than the clock.
    return ahead < -everyHalfMinute
      ? everyHalfMinute
      : Math.max(whileGoing, Math.min(everyHalfMinute, ahead - 200))
  })
  return Math.min(everyHalfMinute, ...pauses)
}
