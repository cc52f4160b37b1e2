import { DateTime, Duration } from "effect"

/** The pauses between tries: eight tries within about 27 hours. */
const pauses: ReadonlyArray<Duration.Duration> = [
  Duration.seconds(5),
  Duration.minutes(5),
  Duration.minutes(30),
  Duration.hours(2),
  Duration.hours(5),
  Duration.hours(10),
  Duration.hours(10)
]

export const maximumAttempts = pauses.length + 1

/** A webhook is paused when nothing has got through for this long and a delivery runs out of tries. */
export const longestFailing = Duration.days(3)

/** The result of a try. `response_status` null: there was no answer, and `error` says why. */
export interface Attempt {
  readonly response_status: number | null
  readonly response_excerpt: string | null
  readonly error: string | null
  /** When the receiver wants the next try. */
  readonly retry_at: DateTime.Utc | null
}

export type Verdict =
  | { readonly _tag: "delivered" }
  | { readonly _tag: "again"; readonly at: DateTime.Utc }
  | { readonly _tag: "given_up" }
  /** 410: the receiver wants no more events. */
  | { readonly _tag: "gone" }

export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status <= 299

/** `attempts` counts the one just made. `random` is in 0..1 and spreads the pause by a tenth either way. */
export const judge = (attempt: Attempt, attempts: number, now: DateTime.Utc, random: number): Verdict => {
  const { response_status: status } = attempt
  if (isSuccess(status)) return { _tag: "delivered" }
  if (status === 410) return { _tag: "gone" }
  const pause = pauses[attempts - 1]
  if (pause === undefined) return { _tag: "given_up" }
  const at = DateTime.addDuration(now, Duration.times(pause, 0.9 + 0.2 * random))
  const asked = status === 429 || status === 503 ? attempt.retry_at : null
  // A receiver that asks for more than the longest pause gets the longest.
  const latest = DateTime.addDuration(now, Duration.hours(10))
  return { _tag: "again", at: asked === null ? at : DateTime.max(at, DateTime.min(asked, latest)) }
}
