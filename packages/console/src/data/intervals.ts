import type { Post } from "@carillon/sdk"

/** How often a list is read again of whose changes no event tells. By default nothing is polled: `followEvents` hears of changes. */
export const everyMinute = 60_000

/** A file that the service fetches is there in some seconds. */
export const whileFetching = 2_000

/** What goes out has steps of which no event tells. */
export const whileGoing = 2_000

/** A timer does not know longer times. */
const longest = 24 * 60 * 60_000

/** How long until the post is read again: soon while something goes out, else when the next of it does; false: when an event tells. */
export const untilNextRead = (post: Post | undefined, now: number): number | false => {
  const pauses = (post?.results ?? []).flatMap(({ next_attempt_at, status }) => {
    if (status === "publishing") return whileGoing
    if (status !== "waiting" || next_attempt_at === null) return []
    const ahead = Date.parse(next_attempt_at) - now
    // What waits for long past its time waits for something else than the clock.
    return ahead < -30_000 ? [] : Math.max(whileGoing, ahead - 200)
  })
  return pauses.length > 0 && Math.min(longest, ...pauses)
}
