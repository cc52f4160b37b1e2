import type { TargetState } from "./Target.ts"

/**
 * Everything that can happen to a target. `settle_*` is how a claim ends. `enqueue`, `withdraw`, `retry`,
 * `force_retry` and `confirm_*` are a person's; all others are the engine's.
 *
 * - `enqueue`: it is given a time, or changed; whoever holds it loses it
 * - `withdraw`: its post is a draft again
 * - `claim`: a process takes what is due, or what a dead process has left when its lease ran out
 * - `mark`: "about to commit" is stored
 * - `release`: given back as if it had not been claimed
 * - `retry`, `force_retry`: it goes out again; forced also where it may be live already
 * - `confirm_published`, `confirm_not_published`: a person has looked, and it is live, or it is not
 */
export type TargetEvent =
  | "enqueue"
  | "withdraw"
  | "claim"
  | "mark"
  | "release"
  | `settle_${SettledState}`
  | "retry"
  | "force_retry"
  | "confirm_published"
  | "confirm_not_published"

/** The states in which a claim may leave its target. */
export type SettledState = "waiting" | "unknown" | "published" | "failed" | "unconfirmed"

const transitions: Readonly<Record<TargetEvent, { readonly [From in TargetState]?: TargetState }>> = {
  enqueue: { draft: "waiting", waiting: "waiting", claimed: "waiting" },
  withdraw: { draft: "draft", waiting: "draft", claimed: "draft" },
  // Of a commit whose process was lost nobody knows: it is never something to send.
  claim: { waiting: "claimed", claimed: "claimed", committing: "unknown", unknown: "unknown" },
  mark: { claimed: "committing", unknown: "committing" },
  release: { claimed: "waiting", unknown: "unknown" },
  settle_waiting: { claimed: "waiting", committing: "waiting", unknown: "waiting" },
  settle_failed: { claimed: "failed", committing: "failed", unknown: "failed" },
  // What was never marked was never sent: it is neither published nor in doubt.
  settle_unknown: { committing: "unknown", unknown: "unknown" },
  settle_published: { committing: "published", unknown: "published" },
  settle_unconfirmed: { committing: "unconfirmed", unknown: "unconfirmed" },
  retry: { failed: "waiting" },
  force_retry: { failed: "waiting", unconfirmed: "waiting" },
  confirm_published: { unconfirmed: "published" },
  confirm_not_published: { unconfirmed: "failed" }
}

/** The state that follows; undefined where the event may not happen. The engine's SQL has the same guards. */
export const transition = (state: TargetState, event: TargetEvent): TargetState | undefined =>
  transitions[event][state]

/** Every event, for tests and tables. */
export const targetEvents = Object.keys(transitions) as ReadonlyArray<TargetEvent>

/** The states in which an event may happen. */
export const statesBefore = (event: TargetEvent): ReadonlyArray<TargetState> =>
  Object.keys(transitions[event]) as ReadonlyArray<TargetState>

/** Nothing of the engine's own leads out of these. */
export const terminalStates: ReadonlySet<TargetState> = new Set([
  "published",
  "failed",
  "unconfirmed",
  "cancelled"
])
