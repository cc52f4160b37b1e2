import { type ErrorClass, type SettledState, statesBefore } from "@carillon/domain"
import { type Context, type DateTime, Effect, Metric } from "effect"
import type { ClaimedTarget } from "./ClaimedTarget.ts"
import type { QueueDepth } from "./TargetQueue.ts"

const lateness = Metric.histogram("carillon_lateness_seconds", {
  description: "From the due time of a target until its publication was known.",
  boundaries: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 3600, 21_600]
})

const settled = Metric.counter("carillon_targets_settled_total", {
  description: "Claims that ended, by the state in which they left their target.",
  incremental: true
})

const attempts = Metric.counter("carillon_attempts_total", {
  description: "Attempts that ended: published, or the class of the failure.",
  incremental: true
})

const claims = Metric.counter("carillon_claims_total", {
  description: "Targets that this process has claimed.",
  incremental: true
})

const takeovers = Metric.counter("carillon_lease_takeovers_total", {
  description: "Targets claimed from a holder whose lease had expired, or that showed no sign of life.",
  incremental: true
})

const open = Metric.gauge("carillon_targets", {
  description: "Unfinished targets, by state; only the 10,000 with the earliest next step are counted."
})

const queueAge = Metric.gauge("carillon_queue_age_seconds", {
  description: "How long the oldest due step has waited to be claimed."
})

export const countClaims = (claimed: ReadonlyArray<ClaimedTarget>) =>
  claimed.length === 0
    ? Effect.void
    : Effect.andThen(
        Metric.update(claims, claimed.length),
        Metric.update(takeovers, claimed.filter(({ taken_over }) => taken_over).length)
      )

/** Made once each: a metric with attributes computes its key at first use. */
const series = <Input>(metric: Metric.Metric<Input, unknown>) => {
  const known = new Map<string, Metric.Metric<Input, unknown>>()
  return (attributes: Readonly<Record<string, string>>) => {
    const key = Object.values(attributes).join(" ")
    const one = known.get(key) ?? Metric.withAttributes(metric, attributes)
    known.set(key, one)
    return one
  }
}
const settledSeries = series(settled)
const attemptSeries = series(attempts)

/** Counts the stored result of a claim. */
interface Ended {
  readonly state: SettledState
  readonly counted?: boolean
  readonly error?: { readonly class: ErrorClass } | null
  readonly published_at?: DateTime.Utc | null
}

export const countSettlement = (
  { platform, due_at, items }: Pick<ClaimedTarget, "platform" | "due_at" | "items">,
  { state, counted, error, published_at }: Ended
) =>
  Effect.contextWith((context: Context.Context<never>) => {
    settledSeries({ state }).updateUnsafe(1, context)
    if (counted) {
      const outcome = error?.class ?? (published_at ? "published" : "accepted")
      attemptSeries({ platform, outcome }).updateUnsafe(1, context)
    }
    // Items after the first of a thread are not late.
    if (published_at && items.length === 0)
      lateness.updateUnsafe((published_at.epochMilliseconds - due_at.epochMilliseconds) / 1000, context)
    return Effect.void
  })

/** Null: the database could not be asked. */
export const showDepth = Effect.fnUntraced(function* (depth: QueueDepth | null) {
  for (const state of openStates)
    yield* Metric.update(
      Metric.withAttributes(open, { state }),
      depth === null ? Number.NaN : (depth.counts.get(state) ?? 0)
    )
  yield* Metric.update(queueAge, depth === null ? Number.NaN : depth.ageSeconds)
})

const openStates = statesBefore("claim")
