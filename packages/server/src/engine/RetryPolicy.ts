import type { ErrorClass } from "@carillon/domain"
import { DateTime, Duration } from "effect"

/** The consequence of a failure that certainly published nothing. */
export type Decision =
  | { readonly _tag: "fail" }
  | { readonly _tag: "retry"; readonly at: DateTime.Utc; readonly counted: boolean }
  /** The whole account waits. */
  | { readonly _tag: "pause"; readonly until: DateTime.Utc }
  /** The account waits for a person. */
  | { readonly _tag: "reconnect"; readonly at: DateTime.Utc }

export interface Failure {
  readonly class: ErrorClass
  readonly retry_at?: DateTime.Utc | undefined
}

export const maximumAttempts = 6
const firstBackoff = Duration.seconds(15)
const longestBackoff = Duration.minutes(15)

const defaultWait: Partial<Record<ErrorClass, Duration.Duration>> = {
  rate_limited: Duration.minutes(1),
  quota_exhausted: Duration.hours(1)
}

/** Full jitter: a random part of a bound that doubles with every try. `random` is in 0..1. */
export const backoff = (attempts: number, random: number): Duration.Duration =>
  Duration.millis(
    Math.max(
      1000,
      random *
        Math.min(
          Duration.toMillis(longestBackoff),
          Duration.toMillis(firstBackoff) * 2 ** Math.max(0, attempts - 1)
        )
    )
  )

/**
 * `attempts` counts the failed one. Nothing is tried after `deadline`, when the post would be too late anyway.
 */
export const decide = (
  failure: Failure,
  attempts: number,
  now: DateTime.Utc,
  deadline: DateTime.Utc,
  random: number
): Decision => {
  const withinDeadline = (at: DateTime.Utc) => DateTime.isLessThan(at, deadline)
  switch (failure.class) {
    case "rate_limited":
    case "quota_exhausted": {
      const until = failure.retry_at ?? DateTime.addDuration(now, defaultWait[failure.class]!)
      return withinDeadline(until) ? { _tag: "pause", until } : { _tag: "fail" }
    }
    case "reconnect":
      return withinDeadline(now) ? { _tag: "reconnect", at: deadline } : { _tag: "fail" }
    case "transient":
    case "media_unreachable": {
      const at = DateTime.max(failure.retry_at ?? now, DateTime.addDuration(now, backoff(attempts, random)))
      return attempts < maximumAttempts && withinDeadline(at)
        ? { _tag: "retry", at, counted: true }
        : { _tag: "fail" }
    }
    default:
      return { _tag: "fail" }
  }
}
