import type { CreatePost, PlatformId, ProblemItem } from "@carillon/sdk"
import type { Level } from "./Form.ts"

/** The part of the composer that a problem is about. */
export type Place =
  | { readonly on: "accounts"; readonly account: number | null }
  | { readonly on: "text"; readonly level: Level }
  /** `item` counts the posts after the first, from 0; null: all of them. */
  | {
      readonly on: "thread"
      readonly level: Level
      readonly item: number | null
      readonly media: string | null
    }
  | { readonly on: "media"; readonly level: Level; readonly media: string | null }
  | {
      readonly on: "option"
      readonly platform: PlatformId
      /** The account with the override. */
      readonly account: number | null
      /** `board_ids[0]` */
      readonly path: string
    }
  | { readonly on: "time" }

/** A problem and its place. */
export interface Placed {
  readonly item: ProblemItem
  readonly place: Place
}

const accountEntry = /^account_configurations\[(\d+)\]\.(.+)$/
const platformEntry = /^platform_configurations\.([a-z_]+)\.(.+)$/

const partOf = (
  name: string,
  level: Level,
  { media_id, platform }: ProblemItem,
  ofPlatform: PlatformId | undefined
): Place => {
  if (name === "caption") return { on: "text", level }
  const inThread = /^thread(?:\[(\d+)\])?(?:\.|$)/.exec(name)
  if (inThread !== null) {
    const item = inThread[1] === undefined ? null : Number(inThread[1])
    return { on: "thread", level, item, media: media_id ?? null }
  }
  if (/^media(_urls)?\b/.test(name)) return { on: "media", level, media: media_id ?? null }
  if (name === "account_id") return { on: "accounts", account: typeof level === "number" ? level : null }
  const own = platform ?? ofPlatform
  return own === undefined
    ? { on: "text", level }
    : { on: "option", platform: own, account: typeof level === "number" ? level : null, path: name }
}

const entriesOf = ({ account_configurations }: CreatePost) =>
  (account_configurations ?? []) as ReadonlyArray<{ readonly account_id: number }>

/** The place of a problem with the request. */
export const placeOf = (item: ProblemItem, request: CreatePost): Place => {
  const { path } = item
  const entry = accountEntry.exec(path)
  if (entry !== null) {
    const account = entriesOf(request)[Number(entry[1])]?.account_id
    return account === undefined
      ? { on: "accounts", account: null }
      : partOf(entry[2]!, account, item, undefined)
  }
  const shared = platformEntry.exec(path)
  if (shared !== null) {
    const platform = shared[1] as PlatformId
    return partOf(shared[2]!, platform, item, platform)
  }
  const index = /^social_accounts(?:\[(\d+)\])?/.exec(path)
  if (index !== null)
    return {
      on: "accounts",
      account: index[1] === undefined ? null : (request.social_accounts[Number(index[1])] ?? null)
    }
  if (["scheduled_at", "use_queue", "is_draft"].includes(path)) return { on: "time" }
  return partOf(path, "everywhere", item, undefined)
}

const keyOf = ({ account_id, code, media_id, path }: ProblemItem) =>
  [path, code, account_id, media_id].join("\n")

/** The problems of both, each once. */
export const joined = (
  here: ReadonlyArray<ProblemItem>,
  there: ReadonlyArray<ProblemItem>
): ReadonlyArray<ProblemItem> => {
  const known = new Set(here.map(keyOf))
  return [...here, ...there.filter((item) => !known.has(keyOf(item)))]
}

/** The problems that only the service found. */
export const onlyThere = (
  here: ReadonlyArray<ProblemItem>,
  there: ReadonlyArray<ProblemItem>
): ReadonlyArray<ProblemItem> => {
  const known = new Set(here.map(keyOf))
  return there.filter((item) => !known.has(keyOf(item)))
}
