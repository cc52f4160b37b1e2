import { Effect } from "effect"
import type { ClaimedTarget } from "../engine/ClaimedTarget.ts"
import type { Held } from "../engine/Loop.ts"
import { claimSize } from "../engine/Claims.ts"
import type { TargetQueue } from "../engine/TargetQueue.ts"

/** How many targets one process holds at once, waiting ones included. */
export const maximumHeld = 4000

const firstWorkspace = "00000000-0000-0000-0000-000000000000"

/**
 * Chooses what to claim next: in order of time while a claim comes back short. A full claim means a backlog, and then
 * workspaces take turns. No workspace may fill what this process holds, so another one's single post always has room.
 */
export class FairClaim {
  readonly #queue: TargetQueue["Service"]
  #backlog = false
  #after = firstWorkspace

  constructor(queue: TargetQueue["Service"]) {
    this.#queue = queue
  }

  /** `held`: how many targets of each workspace this process holds. */
  next(held: Held): Effect.Effect<ReadonlyArray<ClaimedTarget>> {
    if (this.#backlog) return this.#fair(held)
    return Effect.tap(this.#queue.claim, (claimed) =>
      Effect.sync(() => (this.#backlog = claimed.length === claimSize))
    )
  }

  #fair(held: Held): Effect.Effect<ReadonlyArray<ClaimedTarget>> {
    return Effect.gen({ self: this }, function* () {
      const fromStart = this.#after === firstWorkspace
      const { due, last } = yield* this.#queue.walk(this.#after)
      const share = maximumHeld / (held.size + 1)
      const eligible = due.filter((workspace) => (held.get(workspace) ?? 0) < share)
      const served = eligible.slice(0, claimSize)
      this.#after = (served.length < eligible.length ? served.at(-1) : last) ?? firstWorkspace
      const each = Math.ceil(claimSize / Math.max(1, served.length))
      const claimed = served.length === 0 ? [] : yield* this.#queue.claimOf(served, each)

      const taken = new Map<string, number>()
      for (const { workspace_id } of claimed) taken.set(workspace_id, (taken.get(workspace_id) ?? 0) + 1)
      // The backlog is over: every workspace was visited, none was kept waiting, none had more than its share.
      if (fromStart && last === null && served.length === due.length)
        this.#backlog = [...taken.values()].some((count) => count >= each)
      return claimed
    })
  }
}
