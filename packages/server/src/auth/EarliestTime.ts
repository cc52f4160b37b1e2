import { type CurrentActor, hasScope, isHeld } from "@carillon/domain"
import { DateTime, Duration } from "effect"

/** How far ahead an app schedules at least that may not publish. A person has until then to see it. */
const shortestNotice = Duration.minutes(10)

/** The earliest time for which a credential may schedule; null: any. A person lets go what a held app wants. */
export const earliestFor = (actor: CurrentActor["Service"], now: DateTime.Utc): DateTime.Utc | null =>
  actor.grant === null || isHeld(actor) || hasScope(actor.scopes, "posts:publish")
    ? null
    : DateTime.addDuration(now, shortestNotice)

/** `earliest`: null where any time will do. */
export const isTooSoon = (at: DateTime.DateTime, earliest: DateTime.Utc | null) =>
  earliest !== null && DateTime.isLessThan(at, earliest)
