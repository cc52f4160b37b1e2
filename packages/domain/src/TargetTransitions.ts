import type { TargetState } from "./Target.ts"

/**
 * Every event of a target. `settle_*` ends a claim. `enqueue`, `withdraw`, `retry`,
 * `force_retry`, `continue` and `confirm_*` are a person's, `restore*` are of the program that restores a backup; all others are the
 * engine's.
 *
 * - `enqueue`: it is given a time, or changed; a process that holds it loses it
 * - `withdraw`: its post is a draft again
 * - `claim`: a process takes it when it is due, or when its lease has run out
 * - `mark`: "about to commit" is stored
 * - `release`: it goes back as if it had not been claimed
 * - `settle_item`: an item of a thread is live, and the next one follows
 * - `settle_broken`: a thread with a live item goes no further
 * - `retry`, `force_retry`: it goes out again; with force also where it may be live already
 * - `continue`: a thread that broke off goes on after its last live item
 * - `confirm_published`, `confirm_not_published`: a person has looked, and it is live, or it is not
 * - `confirm_broken`: a person has looked: this item of a thread is not live, but those before it are
 * - `restore`: its time has passed since the backup, so it may be live by now
 * - `restore_published`: it was live before the backup, and its first comment may be by now
 */
export type TargetEvent =
  | "enqueue"
  | "withdraw"
  | "claim"
  | "mark"
  | "release"
  | `settle_${SettledState}`
  | "settle_item"
  | "settle_broken"
  | "retry"
  | "force_retry"
  | "continue"
  | "confirm_published"
  | "confirm_not_published"
  | "confirm_broken"
  | "restore"
  | "restore_published"

/** The states in which a claim may leave its target. */
export type SettledState = "waiting" | "unknown" | "published" | "failed" | "unconfirmed"

const transitions: Readonly<Record<TargetEvent, { readonly [From in TargetState]?: TargetState }>> = {
  enqueue: { draft: "waiting", waiting: "waiting", claimed: "waiting" },
  withdraw: { draft: "draft", waiting: "draft", claimed: "draft" },
  // Nobody knows whether a lost process committed, so it is never sent again from here.
  claim: { waiting: "claimed", claimed: "claimed", committing: "unknown", unknown: "unknown" },
  mark: { claimed: "committing", unknown: "committing" },
  release: { claimed: "waiting", unknown: "unknown" },
  settle_waiting: { claimed: "waiting", committing: "waiting", unknown: "waiting" },
  settle_failed: { claimed: "failed", committing: "failed", unknown: "failed" },
  // A target that was never marked was never sent, so it is neither published nor in doubt.
  settle_unknown: { committing: "unknown", unknown: "unknown" },
  settle_published: { committing: "published", unknown: "published" },
  settle_unconfirmed: { committing: "unconfirmed", unknown: "unconfirmed" },
  settle_item: { committing: "waiting", unknown: "waiting" },
  settle_broken: { claimed: "published", committing: "published", unknown: "published" },
  retry: { failed: "waiting" },
  force_retry: { failed: "waiting", unconfirmed: "waiting" },
  continue: { published: "waiting" },
  confirm_published: { unconfirmed: "published" },
  confirm_not_published: { unconfirmed: "failed" },
  confirm_broken: { unconfirmed: "published" },
  restore: {
    waiting: "unconfirmed",
    claimed: "unconfirmed",
    committing: "unconfirmed",
    unknown: "unconfirmed"
  },
  restore_published: {
    waiting: "published",
    claimed: "published",
    committing: "published",
    unknown: "published"
  }
}

/** The next state; undefined where the event is not allowed. The engine's SQL has the same guards. */
export const transition = (state: TargetState, event: TargetEvent): TargetState | undefined =>
  transitions[event][state]

/** Every event, for tests and tables. */
export const targetEvents = Object.keys(transitions) as ReadonlyArray<TargetEvent>

/** The states in which an event may happen. */
export const statesBefore = (event: TargetEvent): ReadonlyArray<TargetState> =>
  Object.keys(transitions[event]) as ReadonlyArray<TargetState>
