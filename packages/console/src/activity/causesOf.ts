import type { Approval, PostResult, PostSummary } from "@carillon/sdk"
import type { Needs } from "../data/needs.ts"
import { datedAt } from "../post/datedAt.ts"
import { isReplaced, type RowAct, rowAct, rowState } from "../post/resultRows.ts"

/** What the causes read of an account. */
export interface NeedyAccount {
  readonly id: number
  readonly name: string
  readonly username: string
  readonly platform: string
  readonly network: "real" | "test"
  readonly status: "connected" | "needs_reconnect" | "disconnected"
  readonly demo: "active" | "replaced" | "removed" | null
}

/** Everything that may need a person. */
export interface Situation extends Needs {
  readonly accounts: ReadonlyMap<number, NeedyAccount>
  /** Days until an account loses the access that did not renew itself, by account. */
  readonly ending: ReadonlyMap<number, number>
}

/** What a row shows of a post. */
export interface AffectedPost {
  readonly id: string
  readonly text: string | null
  readonly picture: string | null
}

interface Common {
  /** Stable while the cause lasts. */
  readonly key: string
  readonly posts: ReadonlyArray<AffectedPost>
}

/** One thing for a person to do, with the posts that wait for it. */
export type Cause =
  | (Common & {
      readonly kind: "reconnect"
      readonly account: NeedyAccount
      readonly total: number
      readonly next: string | null
      /** Its scheduled posts wait, the first of them is late, or each fails when due. */
      readonly fate: "waiting" | "late" | "willFail"
      /** How many posts have failed because of it. */
      readonly failed: number
    })
  | (Common & {
      readonly kind: "doubt"
      readonly account: NeedyAccount
      readonly result: PostResult
      readonly at: string
    })
  | (Common & { readonly kind: "restored"; readonly account: NeedyAccount; readonly result: PostResult })
  | (Common & {
      readonly kind: "failed"
      readonly act: RowAct
      readonly accounts: ReadonlyArray<NeedyAccount>
      /** The first of them. */
      readonly result: PostResult
      readonly results: ReadonlyArray<string>
      readonly at: string
    })
  | (Common & { readonly kind: "ends"; readonly account: NeedyAccount; readonly days: number })
  | (Common & { readonly kind: "approval"; readonly post: PostSummary & { readonly approval: Approval } })
  /** The approvals beyond those that have a row of their own. */
  | (Common & { readonly kind: "approvals"; readonly total: number })

/** More approvals than this share one row. */
const mostApprovals = 5

const ranks = { reconnect: 0, doubt: 1, restored: 1, failed: 2, ends: 3, approval: 4, approvals: 5 } as const

/**
 * A thread or a rejected result is a cause of its own. A post whose content has to change is one cause for all its accounts.
 * Other failures are grouped by account and reason.
 */
const causeOf = (result: PostResult, act: RowAct) =>
  (result.failed_items !== undefined && result.failed_items > 0) || act === "rewrite"
    ? `failed-${result.id}`
    : act === "edit" || act === "sendAgain" || act === "repair"
      ? `failed-${result.post_id}-${result.open_repair?.post_id ?? act}`
      : `failed-${result.social_account_id}-${result.error?.code ?? ""}`

/** What needs a person, by cause: those that block most first, then the oldest. */
export const causesOf = (situation: Situation, now: number): ReadonlyArray<Cause> => {
  const { approvals, ending, planned, posts, results } = situation
  // A demo account that a real one has replaced needs nobody.
  const accounts = new Map([...situation.accounts].filter(([, account]) => !isReplaced(account)))
  const post = new Map(posts.map((one) => [one.id, one]))
  const affected = (id: string): AffectedPost => ({ id, text: post.get(id)?.caption ?? null, picture: null })
  const found = new Map<string, Cause & { readonly since: string }>()

  for (const account of accounts.values()) {
    if (account.status === "connected") continue
    const waiting = planned.get(account.id) ?? { total: 0, posts: [] }
    const isGone = account.status === "disconnected"
    // Disconnected on purpose, and no post needs it.
    if (isGone && waiting.total === 0) continue
    const next = waiting.posts[0]?.at ?? null
    found.set(`reconnect-${account.id}`, {
      kind: "reconnect",
      key: `reconnect-${account.id}`,
      account,
      total: waiting.total,
      next,
      fate: isGone ? "willFail" : next !== null && Date.parse(next) <= now ? "late" : "waiting",
      failed: 0,
      posts: waiting.posts.map(({ excerpt, id, thumbnail_url }) => ({
        id,
        text: excerpt,
        picture: thumbnail_url ?? null
      })),
      since: ""
    })
  }

  // Oldest first, so that each cause lists its first post first.
  for (const result of results.toReversed()) {
    const account = accounts.get(result.social_account_id)
    const of = post.get(result.post_id)
    if (account === undefined || of === undefined) continue
    const state = rowState(result, account, now)
    const act = rowAct(result, state, account)
    const at = datedAt(of)
    if (state === "doubt") {
      const restored = result.error?.code === "restored"
      const key = restored ? `restored-${account.id}` : `doubt-${result.id}`
      const same = found.get(key)
      if (same === undefined) {
        const kind = restored ? ("restored" as const) : ("doubt" as const)
        found.set(key, { kind, key, account, result, at, posts: [affected(of.id)], since: at })
      } else found.set(key, { ...same, posts: withPost(same.posts, affected(of.id)) })
    } else if (act === "reconnect") {
      const key = `reconnect-${account.id}`
      const same = found.get(key)
      if (same?.kind === "reconnect") found.set(key, { ...same, failed: same.failed + 1 })
      else
        found.set(key, {
          kind: "reconnect",
          key,
          account,
          total: 0,
          next: null,
          fate: "waiting",
          failed: 1,
          posts: [affected(of.id)],
          since: ""
        })
    } else if (state === "failed" || state === "broken" || state === "rejected") {
      const key = causeOf(result, act)
      const same = found.get(key)
      if (same?.kind === "failed")
        found.set(key, {
          ...same,
          posts: withPost(same.posts, affected(of.id)),
          results: [...same.results, result.id],
          accounts: same.accounts.includes(account) ? same.accounts : [...same.accounts, account]
        })
      else
        found.set(key, {
          kind: "failed",
          key,
          act,
          accounts: [account],
          result,
          results: [result.id],
          at,
          posts: [affected(of.id)],
          since: at
        })
    }
  }

  for (const [id, days] of ending) {
    const account = accounts.get(id)
    if (account?.status !== "connected") continue
    const key = `ends-${id}`
    found.set(key, { kind: "ends", key, account, days, posts: [], since: String(days).padStart(4, "0") })
  }

  const asked = approvals
    .flatMap(({ approval, ...one }) => (approval === undefined ? [] : [{ ...one, approval }]))
    .toSorted((one, other) => one.approval.asked_at.localeCompare(other.approval.asked_at))
  for (const one of asked.slice(0, mostApprovals)) {
    const key = `approval-${one.id}`
    found.set(key, { kind: "approval", key, post: one, posts: [], since: one.approval.asked_at })
  }
  if (asked.length > mostApprovals)
    found.set("approvals", {
      kind: "approvals",
      key: "approvals",
      total: asked.length - mostApprovals,
      posts: [],
      since: ""
    })

  return [...found.values()]
    .toSorted((one, other) => ranks[one.kind] - ranks[other.kind] || one.since.localeCompare(other.since))
    .map(({ since: _, ...cause }) => cause)
}

const withPost = (posts: ReadonlyArray<AffectedPost>, one: AffectedPost) =>
  posts.some(({ id }) => id === one.id) ? posts : [...posts, one]
