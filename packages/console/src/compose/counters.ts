import {
  addressLength,
  fittingEnd,
  hashtagCount,
  type MediaKind,
  type PlatformId,
  placementOf,
  rulesFor,
  textLength,
  threadItems,
  xAddresses
} from "@carillon/domain"
import type { Account } from "../data/accounts.ts"
import type { Form, Level } from "./Form.ts"
import { resolvedFor } from "./resolvedFor.ts"

export interface Counter {
  /** Its key among the counters. */
  readonly key: string
  readonly platform: PlatformId
  readonly value: number
  readonly most: number
  /** Where the text passes the limit; null: it does not. */
  readonly end: number | null
  /** The text is that of a whole thread. */
  readonly isJoined: boolean
  readonly tags: { readonly value: number; readonly most: number } | null
  /** The fixed length of a link; null if links count as written or the text has none. */
  readonly links: number | null
  readonly own: boolean
  /** The account that has a separate text. */
  readonly account: string | undefined
}

const levelOf = (path: string): "everywhere" | "platform" | "account" =>
  path.startsWith("platform") ? "platform" : path.startsWith("account") ? "account" : "everywhere"

export const isOf = (level: Level, { id, platform }: Account) =>
  level === "everywhere" || level === platform || level === id

/** How much of each network's limit a text uses. Joined posts count in the first. */
export const countersOf = (
  form: Form,
  accounts: ReadonlyArray<Account>,
  kinds: ReadonlyMap<string, { readonly kind: MediaKind | null }>,
  level: Level,
  index = 0
): ReadonlyArray<Counter> => {
  const shown = level === "everywhere" ? "everywhere" : typeof level === "number" ? "account" : "platform"
  const counters = new Map<string, Counter>()
  for (const account of accounts) {
    if (!isOf(level, account)) continue
    const rules = rulesFor(account)
    const content = threadItems(rules, resolvedFor(form, account))[index]
    if (content === undefined || (index > 0 && rules.chains === undefined)) continue
    const media = content.media.map((id) => ({ kind: kinds.get(id)?.kind ?? null }))
    const { caption: limits } = placementOf(rules, content.options, media)
    const from = levelOf(content.captionPath)
    const own =
      from !== "everywhere" && shown === "everywhere" ? true : from === "account" && shown === "platform"
    const hasLinks =
      limits.unit === "x_weighted"
        ? xAddresses(content.caption).next().done === false
        : limits.unit === "mastodon" && /https?:\/\//i.test(content.caption)
    const links = hasLinks ? (limits.address_length ?? addressLength) : null
    const name = own && from === "account" ? account.name : undefined
    const key = `${account.platform} ${own} ${limits.max} ${links} ${name}`
    if (counters.has(key) || (own && index > 0)) continue
    const length = (caption: string) =>
      textLength(rules.counted?.({ ...content, caption }) ?? caption, limits)
    const value = length(content.caption)
    const { max_hashtags } = limits
    const tags = max_hashtags === undefined ? 0 : hashtagCount(content.caption)
    counters.set(key, {
      key,
      platform: account.platform,
      value,
      most: limits.max,
      end:
        value > limits.max
          ? fittingEnd(content.caption, limits.unit, (start) => length(start) <= limits.max)
          : null,
      tags: max_hashtags !== undefined && tags > 0 ? { value: tags, most: max_hashtags } : null,
      isJoined: content.captionPath.endsWith("thread"),
      links,
      own,
      account: name
    })
  }
  return [...counters.values()].sort((one, other) => Number(one.own) - Number(other.own))
}
