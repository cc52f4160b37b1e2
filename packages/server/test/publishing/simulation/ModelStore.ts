import {
  type PlatformData,
  type ResultError,
  type TargetEvent,
  type TargetState,
  terminalStates,
  transition,
  WorkspaceId
} from "@carillon/domain"
import type { Handle } from "@carillon/server/engine/Handle"
import type { ClaimedTarget } from "@carillon/server/engine/ClaimedTarget"
import type { FoundPost, RemoteOwner } from "@carillon/server/engine/RemotePosts"
import type { ClaimRef } from "@carillon/server/engine/ClaimedTarget"
import { lease } from "@carillon/server/engine/Claims"
import type { Marked, Marking } from "@carillon/server/engine/Markings"
import type { Settlement } from "@carillon/server/engine/Settlements"
import { DateTime, Duration } from "effect"
import type { SimulatedTime } from "./SimulatedTime.ts"

export interface ModelTarget {
  readonly id: string
  readonly post: string
  readonly account: number
  state: TargetState
  fence: number
  due: number
  next: number | null
  /** The process that has claimed it, as long as others can tell whether it lives. */
  holder: number | null
  markedAt: number | null
  lookedUpAt: number | null
  handle: Handle | null
  step: ClaimedTarget["step"]
  attempts: number
  error: ResultError | null
  /** How many items its thread has; null: not a thread. */
  readonly itemCount: number | null
  /** Those that are live. */
  items: ReadonlyArray<PlatformData | null>
  /** What the platform calls it, unless it is a thread. */
  remoteId: string | null
  /** What its post said last; a commit sends what was said when it was marked. */
  version: number
  /** How often a person had each item sent though it might be live. */
  readonly forced: Array<number>
  /** When it came to its present state. */
  since: number
}

export interface ModelAccount {
  readonly id: number
  status: ClaimedTarget["account_status"]
  pausedUntil: number | null
}

export const latenessLimit = Duration.hours(24)

const utc = (at: number) => DateTime.makeUnsafe(at)
const orNull = (at: number | null) => (at === null ? null : utc(at))

export const remoteIdOf = (account: number) => `account-${account}`
/** The same for posts of one version: they say the same. */
const captionOf = ({ version }: ModelTarget) => `${version}/0`

/**
 * What the engine's statements do, in memory, over domain's transitions: what is not one of them is refused, and
 * what may never be asked for throws.
 */
export class ModelStore {
  readonly targets: ReadonlyArray<ModelTarget>
  readonly accounts: ReadonlyMap<number, ModelAccount>
  /** Whose each post is, by the account's remote id and the post's. */
  readonly owners = new Map<string, string>()
  readonly #time: SimulatedTime
  readonly #changed: () => void
  readonly #seen: (holder: number) => boolean

  /** `seen`: whether a process can be seen to live. */
  constructor(
    time: SimulatedTime,
    targets: ReadonlyArray<ModelTarget>,
    accounts: ReadonlyArray<ModelAccount>,
    changed: () => void,
    seen: (holder: number) => boolean
  ) {
    this.#time = time
    this.targets = targets
    this.accounts = new Map(accounts.map((account) => [account.id, account]))
    this.#changed = changed
    this.#seen = seen
  }

  get(id: string): ModelTarget {
    return this.targets.find((target) => target.id === id)!
  }

  /** Null: nothing is going to happen. */
  nextStepAt(self: number): number | null {
    const steps = this.targets.flatMap((target) =>
      this.#abandoned(target, self) ? [this.#time.now] : target.next === null ? [] : [target.next]
    )
    return steps.length === 0 ? null : Math.min(...steps)
  }

  /** Held by another process that cannot be seen to live, and not marked. */
  #abandoned(target: ModelTarget, self: number): boolean {
    return target.state !== "committing" && this.#unseen(target, self)
  }

  #unseen({ holder }: ModelTarget, self: number): boolean {
    return holder !== null && holder !== self && this.#seen(self) && !this.#seen(holder)
  }

  /** By a person or the service; false where it may not happen. */
  change(target: ModelTarget, event: TargetEvent, next: number | null): boolean {
    const to = transition(target.state, event)
    if (to === undefined) return false
    const before = target.state
    target.state = to
    target.fence++
    target.next = next
    target.holder = null
    target.since = this.#time.now
    if ((next === null) !== (terminalStates.has(to) || to === "draft"))
      throw new Error(`${before} → ${to} by ${event} leaves the next step at ${next}`)
    this.#changed()
    return true
  }

  claim(self: number): ReadonlyArray<ClaimedTarget> {
    const until = this.#time.now + Duration.toMillis(lease)
    const due = this.targets.filter(
      (target) => (target.next !== null && target.next <= this.#time.now) || this.#abandoned(target, self)
    )
    return due.map((target) => {
      const before = target.state
      this.change(target, "claim", until)
      target.holder = this.#seen(self) ? self : null
      return this.#claimed(target, before === "claimed" || before === "committing")
    })
  }

  renew(held: ClaimRef, until: number): boolean {
    const target = this.#ours(held)
    if (target === undefined || !["claimed", "committing", "unknown"].includes(target.state)) return false
    target.next = until
    return true
  }

  saveHandle(held: ClaimRef, handle: Handle): boolean {
    const target = this.#ours(held)
    if (target !== undefined) target.handle = handle
    return target !== undefined
  }

  mark({ id, fence, handle }: Marking, self: number): Marked {
    const target = this.#ours({ id, fence })
    const { now } = this.#time
    if (target === undefined || transition(target.state, "mark") === undefined) return "lost"
    const account = this.accounts.get(target.account)!
    if (account.status !== "connected" || (account.pausedUntil ?? 0) > now) return "account_closed"
    const others = this.targets.filter((other) => other.account === target.account && other !== target)
    const ahead = others.some(
      (other) =>
        (other.state === "committing" && !this.#unseen(other, self)) ||
        (other.next !== null &&
          (other.due < target.due || (other.due === target.due && other.id < target.id)) &&
          (other.state === "claimed" ||
            (other.state === "waiting" && other.next <= now && other.due < target.due)))
    )
    if (ahead) return "not_its_turn"
    target.state = transition(target.state, "mark")!
    target.attempts++
    target.markedAt = now
    target.lookedUpAt = null
    target.handle = handle
    target.step = "commit"
    this.#changed()
    return "marked"
  }

  settle(outcome: Settlement): boolean {
    const target = this.#ours(outcome)
    if (target === undefined) return false
    const claimed = target.state === "claimed"
    const next = outcome.next_step_at
    const isItem = outcome.live.length > 0 && outcome.state === "waiting"
    const isBroken = outcome.live.length === 0 && outcome.state === "published" && target.items.length > 0
    const done = this.change(
      target,
      isItem ? "settle_item" : isBroken ? "settle_broken" : `settle_${outcome.state}`,
      next === null ? null : DateTime.toEpochMillis(next)
    )
    if (!done) throw new Error(`a claim settled ${target.state} as ${outcome.state}`)
    target.error = outcome.error
    target.lookedUpAt = outcome.looked_up_at === null ? null : DateTime.toEpochMillis(outcome.looked_up_at)
    target.items = [...target.items, ...outcome.live]
    if (target.itemCount === null) target.remoteId = outcome.platform_data?.id ?? null
    if (outcome.counted && claimed) target.attempts++
    if (isItem) target.attempts = 0
    if (outcome.prepared === "discarded") {
      target.handle = null
      target.step = "prepare"
    } else if (outcome.prepared !== "as_before") {
      target.handle = outcome.prepared.handle
      target.step = outcome.prepared.step
    }
    return true
  }

  release(held: ClaimRef, until: number): void {
    const target = this.#ours(held)
    if (target !== undefined) this.change(target, "release", until)
  }

  pauseAccount(id: number, until: number): void {
    const account = this.accounts.get(id)!
    account.pausedUntil = Math.max(account.pausedUntil ?? 0, until)
    for (const target of this.targets)
      if (target.account === id && target.state === "waiting" && target.next! < until) target.next = until
    this.#changed()
  }

  needsReconnect(id: number): void {
    const account = this.accounts.get(id)!
    if (account.status === "connected") account.status = "needs_reconnect"
  }

  resume(id: number, status: ModelAccount["status"]): void {
    this.accounts.get(id)!.status = status
    for (const target of this.targets)
      if (target.account === id && (target.state === "waiting" || target.state === "unknown"))
        target.next = Math.max(this.#time.now, target.due - 1500)
    this.#changed()
  }

  /** As a new beginning: an edit, or a retry. */
  restart(target: ModelTarget, event: TargetEvent, due: number): boolean {
    if (!this.change(target, event, Math.max(this.#time.now, due - 1500))) return false
    Object.assign(target, { due, step: "prepare", handle: null, attempts: 0, error: null })
    this.#changed()
    return true
  }

  take({ account, fence, id, owner, remote_id }: FoundPost): boolean {
    return this.#ours({ id, fence }) !== undefined && this.own(account, remote_id, owner)
  }

  own(account: string, remote_id: string, owner: string): boolean {
    const post = `${account} ${remote_id}`
    const before = this.owners.get(post)
    if (before === undefined) this.owners.set(post, owner)
    return before === undefined || before === owner
  }

  ofOthers({ account, owner }: RemoteOwner, ids: ReadonlyArray<string>): ReadonlySet<string> {
    const ownerOf = (id: string) => this.owners.get(`${account} ${id}`)
    const isOwn = ids.some((id) => ownerOf(id) === owner)
    return new Set(ids.filter((id) => ownerOf(id) !== owner && (isOwn || ownerOf(id) !== undefined)))
  }

  doubtful({ caption, id, social_account_id }: ClaimedTarget) {
    return this.targets.flatMap((target) => {
      const { account, due, markedAt, state } = target
      if (account !== social_account_id || target.id === id) return []
      if (state !== "committing" && state !== "unknown" && state !== "unconfirmed") return []
      if (state === "unconfirmed" && captionOf(target) !== caption) return []
      return [
        {
          state,
          remote_id: remoteIdOf(account),
          username: "",
          due_at: utc(due),
          marked_at: orNull(markedAt)
        } as const
      ]
    })
  }

  #ours({ id, fence }: ClaimRef): ModelTarget | undefined {
    const target = this.get(id)
    return target.fence === fence ? target : undefined
  }

  #claimed(target: ModelTarget, takenOver: boolean): ClaimedTarget {
    const account = this.accounts.get(target.account)!
    return {
      id: target.id,
      fence: target.fence,
      state: target.state,
      taken_over: takenOver,
      post_id: target.post,
      workspace_id: WorkspaceId.make("0191f0a0-0000-7000-8000-000000000001"),
      lateness_limit_seconds: Duration.toSeconds(latenessLimit),
      social_account_id: target.account,
      platform: "sandbox",
      board_id: null,
      default_privacy_level: null,
      limits: null,
      due_at: utc(target.due),
      prepare_at: utc(target.due - 1500),
      marked_at: orNull(target.markedAt),
      looked_up_at: orNull(target.lookedUpAt),
      handle: target.handle,
      step: target.step,
      attempts: target.attempts,
      error: target.error,
      item_count: target.itemCount,
      items: target.items,
      thread:
        target.itemCount === null
          ? null
          : Array.from({ length: target.itemCount - 1 }, (_, index) => ({
              caption: `${target.version}/${index + 1}`,
              media: []
            })),
      thread_fallback: null,
      caption: captionOf(target),
      media: [],
      platform_configurations: null,
      account_configurations: null,
      processing_enabled: true,
      remote_id: remoteIdOf(target.account),
      username: `account-${target.account}`,
      account_status: account.status,
      is_demo: false,
      paused_until: orNull(account.pausedUntil),
      credentials: account.status === "disconnected" ? null : new Uint8Array()
    }
  }
}
