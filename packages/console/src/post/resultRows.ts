import { isPlatformId, platformFacts } from "@carillon/domain/PlatformFacts"
import type { Post, PostResult } from "@carillon/sdk"
import { itemsOf, type ThreadItem } from "../data/itemsOf.ts"

/**
 * The state of a post on one account. `broken`: only part of a thread is live; `rejected`: the network took it down or never
 * showed it; `repaired`: another post is live instead.
 */
export type RowState =
  | "failed"
  | "broken"
  | "rejected"
  | "doubt"
  | "blocked"
  | "going"
  | "waiting"
  | "planned"
  | "live"
  | "repaired"

/**
 * The one thing that a person can do about it. `repair`: continue with the post that replaces it; `rewrite`: write a new post
 * like it.
 */
export type RowAct =
  | "reconnect"
  | "edit"
  | "rewrite"
  | "repair"
  | "answer"
  | "again"
  | "sendAgain"
  | "copy"
  | "none"

/** What decides about an account which actions are offered. */
export interface AccountState {
  readonly status: "connected" | "needs_reconnect" | "disconnected"
  readonly demo?: "active" | "replaced" | "removed" | null
}

/** A demo account that an app or a real account has replaced. */
export const isReplaced = ({ demo }: Pick<AccountState, "demo">) => demo === "replaced" || demo === "removed"

/** A demo account of a network that is real now; it cannot be reconnected. */
export const isOver = (account: AccountState | undefined) =>
  account?.status === "disconnected" && isReplaced(account)

/** A result that is due within this time is shown as going out. */
const atOnce = 2_000

export const rowState = (
  { error, failed_items = 0, next_attempt_at, platform_data, repaired_by, status }: PostResult,
  account: AccountState | undefined,
  now: number
): RowState => {
  if (status === "published" && failed_items > 0) return "broken"
  if (status === "published") return platform_data?.review === "rejected" ? "rejected" : "live"
  if (status === "failed") return repaired_by === undefined ? "failed" : "repaired"
  if (status === "unconfirmed") return "doubt"
  if (status === "publishing") return "going"
  // The result may be newer than the list of accounts.
  if ((account !== undefined && account.status !== "connected") || error?.action === "reconnect_account")
    return "blocked"
  if (next_attempt_at === null) return "planned"
  if (Date.parse(next_attempt_at) <= now + atOnce) return "going"
  return error === null ? "planned" : "waiting"
}

/** The code of a result that a person has reported as not live. */
const seenMissing = "confirmed_not_published"

export const rowAct = (
  { error, open_repair }: PostResult,
  state: RowState,
  account: AccountState | undefined
): RowAct => {
  if (state === "doubt") return "answer"
  if (isOver(account)) return "none"
  if (state === "rejected") return "rewrite"
  if (state === "blocked") return "reconnect"
  // The live posts of a thread stay, so it continues instead of being rewritten.
  if (state === "broken") return account?.status === "connected" ? "again" : "reconnect"
  if (state !== "failed") return "none"
  if (open_repair !== undefined) return "repair"
  if (error?.code === seenMissing) return "sendAgain"
  switch (error?.action) {
    case "reconnect_account":
      return account?.status === "connected" ? "again" : "reconnect"
    case "fix_content":
      return "edit"
    case "contact_operator":
      return "copy"
    default:
      return "again"
  }
}

export interface ResultRow {
  readonly result: PostResult
  readonly state: RowState
  readonly act: RowAct
}

const ranks: Readonly<Record<RowState, number>> = {
  failed: 0,
  broken: 0,
  rejected: 0,
  doubt: 1,
  blocked: 2,
  going: 3,
  waiting: 3,
  planned: 3,
  live: 4,
  repaired: 4
}

export const resultRows = (
  results: ReadonlyArray<PostResult>,
  accounts: ReadonlyMap<number, AccountState>,
  now: number
): ReadonlyArray<ResultRow> =>
  results.map((result) => {
    const account = accounts.get(result.social_account_id)
    const state = rowState(result, account, now)
    return { result, state, act: rowAct(result, state, account) }
  })

/**
 * Rows that need a person, then those to come, then those that are live. Rows that are already on the screen keep their places,
 * so that nothing moves while somebody reads or answers it.
 */
export const inOrder = (
  rows: ReadonlyArray<ResultRow>,
  before: ReadonlyArray<string>
): ReadonlyArray<ResultRow> => {
  const place = new Map(before.map((id, index) => [id, index]))
  return rows.toSorted(
    (one, other) =>
      (place.get(one.result.id) ?? Infinity) - (place.get(other.result.id) ?? Infinity) ||
      ranks[one.state] - ranks[other.state]
  )
}

/** The platform's own words, quoted in the service's sentence. */
export const saidBy = (message: string) => /: "([\s\S]*)"\./u.exec(message)?.[1] ?? null

/** What tells where people see an account. */
interface Profile {
  readonly platform: string
  readonly network: "real" | "test"
  readonly username: string
}

/** The public page of an account; null if it cannot be told from the name. `testNetwork` is the address of the test network. */
export const profileAddress = ({ network, platform, username }: Profile, testNetwork: string | null) => {
  if (network === "test")
    return testNetwork !== null && platform === "sandbox"
      ? `${testNetwork}/?account=${encodeURIComponent(username)}`
      : testNetwork
  // The title of a chat or channel without a public name.
  if (/\s/u.test(username)) return null
  const [, name = username, server] = /^([^@]+)@([^@/]+)$/u.exec(username) ?? []
  const address = isPlatformId(platform) ? platformFacts[platform].profile : undefined
  if (address === undefined || (server === undefined && address.includes("{server}"))) return null
  return address.replace("{server}", () => server!).replace("{}", () => encodeURIComponent(name))
}

/** What one account gets: its own content, else its network's, else the post's. */
export const sentTo = (
  post: Pick<Post, "caption" | "media" | "thread" | "account_configurations" | "platform_configurations">,
  { platform, social_account_id }: Pick<PostResult, "platform" | "social_account_id">
): ThreadItem & { readonly thread: ReadonlyArray<ThreadItem> } => {
  const account = post.account_configurations?.find(({ account_id }) => account_id === social_account_id)
  const network = post.platform_configurations?.[platform]
  return {
    caption: account?.caption ?? network?.caption ?? post.caption ?? "",
    media: account?.media ?? network?.media ?? post.media,
    thread: itemsOf(account?.thread ?? network?.thread ?? post.thread)
  }
}

/** The accounts with content of their own, and what differs; null if all got the same. */
export const ownOf = (post: Post) => {
  const own = post.results.flatMap((result) => {
    const { caption, media, thread } = sentTo(post, result)
    const text =
      caption !== (post.caption ?? "") || JSON.stringify(thread) !== JSON.stringify(itemsOf(post.thread))
    const files = media.length !== post.media.length || media.some((id, index) => id !== post.media[index])
    return text || files ? [{ result, what: text && files ? "both" : text ? "text" : "files" } as const] : []
  })
  const kinds = new Set(own.map(({ what }) => what))
  if (own.length === 0) return null
  return {
    results: own.map(({ result }) => result),
    what: kinds.size === 1 ? own[0]!.what : ("either" as const)
  }
}

/** Which stage the time of a post stands for. */
export const stageOf = (
  { scheduled_at, status }: Pick<Post, "scheduled_at" | "status">,
  rows: ReadonlyArray<Pick<ResultRow, "state">>,
  now: number
) => {
  const has = (...states: ReadonlyArray<RowState>) => rows.some(({ state }) => states.includes(state))
  if (status === "draft") return "draft"
  if (has("going")) return "going"
  if (has("planned")) return "planned"
  if (has("live", "doubt", "rejected")) return "sent"
  return scheduled_at !== null && Date.parse(scheduled_at) > now ? "planned" : "due"
}

/** The first line of a post, which names it. */
export const titleOf = (caption: string | null, longest = 90) => {
  const line = (caption ?? "").trim().split("\n")[0]!.trim()
  return line.length > longest ? `${line.slice(0, longest - 1).trimEnd()}…` : line
}
