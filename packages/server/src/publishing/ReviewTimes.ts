import { daysOfReview, type PlatformData } from "@carillon/domain"
import { DateTime, Duration } from "effect"

/** The first question follows a post after this, the last one after seven days; no pause in between is longer than a day. */
const first = Duration.seconds(10)
const longest = Duration.days(1)
const last = Duration.days(daysOfReview)

/** When a platform is asked about its review of a post that was just published; null: it reviews none. */
export const firstReviewAt = (
  { review }: Pick<PlatformData, "review"> = {},
  now: DateTime.Utc
): DateTime.Utc | null =>
  review === undefined ? null : review === "approved" ? onceMoreAt(now) : nextReviewAt(now, now)

/** When it is asked whether what it has just approved still stands. */
export const onceMoreAt = (now: DateTime.Utc): DateTime.Utc => DateTime.addDuration(now, longest)

/** When it is asked again: whenever the post is twice as old, and at its end. null: never again. */
export const nextReviewAt = (publishedAt: DateTime.Utc, now: DateTime.Utc): DateTime.Utc | null => {
  const end = DateTime.addDuration(publishedAt, last)
  if (DateTime.isGreaterThanOrEqualTo(now, end)) return null
  const age = DateTime.distance(publishedAt, now)
  return DateTime.min(
    DateTime.addDuration(now, Duration.clamp(age, { minimum: first, maximum: longest })),
    end
  )
}
