import { type CurrentActor, hasScope } from "@carillon/domain"
import { DateTime, Duration } from "effect"

/** How far ahead an app schedules at least that may not publish. A person has until then to see it. */
const shortestNotice = Duration.minutes(10)

/** The earliest time for which a credential may schedule; null: any. Keys and people are not bound. */
export const earliestFor = (
  { grant, scopes }: CurrentActor["Service"],
  now: DateTime.Utc
): DateTime.Utc | null =>
  grant === null || hasScope(scopes, "posts:publish") ? null : DateTime.addDuration(now, shortestNotice)
