import { isPlatformId, platformFacts } from "@carillon/domain/PlatformFacts"
import type { Post, PostResult } from "@carillon/sdk"
import { itemsOf, type ThreadItem } from "../data/itemsOf.ts"

/**
 * What a person wants to know of one account's part of a post. `broken`: a thread that is live in part; `rejected`: published, and
 * then taken down or never shown by the network; `repaired`: another post is live instead.
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
 * The one thing that a person can do about it. `repair`: go on with the post that is to go out instead; `rewrite`: write a new
 * post like it.
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

/** As much of an account as decides what can be done. */
export interface AccountState {
  readonly status: "connected" | "needs_reconnect" | "disconnected"
  readonly demo?: "active" | "replaced" | "removed" | null
}

/** A demo account in whose place an app or an account of the network itself has come. */
export const isReplaced = ({ demo }: Pick<AccountState, "demo">) => demo === "replaced" || demo === "removed"

/** A demo account of a network that is real now: nothing can be connected again. */
export const isOver = (account: AccountState | undefined) =>
  account?.status === "disconnected" && isReplaced(account)

/** A target that is due within this goes out now, as far as a person can tell. */
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
  // The list of accounts may be older than the result.
  if ((account !== undefined && account.status !== "connected") || error?.action === "reconnect_account")
    return "blocked"
  if (next_attempt_at === null) return "planned"
  if (Date.parse(next_attempt_at) <= now + atOnce) return "going"
  return error === null ? "planned" : "waiting"
}

/** The code of a result of which a person has said that it is not live. */
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
  // The live posts of a thread stay, so it continues and is not rewritten.
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
 * What needs a person, what will happen, what is well. Rows that were on the screen before keep their places: what somebody
 * reads or answers does not move away.
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

/** The platform's own words within a sentence of the service. */
export const saidBy = (message: string) => /: "([\s\S]*)"\./u.exec(message)?.[1] ?? null

/** As much of an account as tells where it is. */
interface Profile {
  readonly platform: string
  readonly network: "real" | "test"
  readonly username: string
}

/** Where people see an account; null where its name does not tell. `testNetwork` is where they see what that was sent. */
export const profileAddress = ({ network, platform, username }: Profile, testNetwork: string | null) => {
  if (network === "test")
    return testNetwork !== null && platform === "sandbox"
      ? `${testNetwork}/?account=${encodeURIComponent(username)}`
      : testNetwork
  // The title of a chat or a channel that has no name.
  if (/\s/u.test(username)) return null
  const [, name = username, server] = /^([^@]+)@([^@/]+)$/u.exec(username) ?? []
  const address = isPlatformId(platform) ? platformFacts[platform].profile : undefined
  if (address === undefined || (server === undefined && address.includes("{server}"))) return null
  return address.replace("{server}", () => server!).replace("{}", () => encodeURIComponent(name))
}

/** What one account was sent: its own words, files and thread, else its network's, else those for all. */
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

/** What accounts got that others did not, and which. Null where all got the same. */
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

/** What the time of a post says: when it goes out, since when it does, when it did, or when it should have. */
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

/** The first line of a post, as its name. */
export const titleOf = (caption: string | null, longest = 90) => {
  const line = (caption ?? "").trim().split("\n")[0]!.trim()
  return line.length > longest ? `${line.slice(0, longest - 1).trimEnd()}…` : line
}
