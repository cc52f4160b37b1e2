import { type Content, type ResolvedThreadItem, resolveContent, threadItems } from "./Overrides.ts"
import type { PlatformId } from "./Platform.ts"
import { platformRules } from "./platforms/PlatformDefinitions.ts"
import { itemWith } from "./preflight/Preflight.ts"
import { warnedAccount } from "./preflight/Warnings.ts"
import { dollars, priceOf, type Prices } from "./Prices.ts"

interface Account {
  readonly id: number
  readonly platform: PlatformId
}

interface Priced {
  readonly content: Content
  readonly media: ReadonlyArray<{ readonly id: string; readonly alt_text: string | null }>
  readonly prices: Prices
  /** It goes out as soon as it is made. */
  readonly at_once: boolean
  /** How many items of its thread are live. */
  readonly live_items?: number
}

/** What a platform charges the operator for a post of an account, about: a reply that is lost is looked for, which costs more. */
export const costOf = ({ content, media, prices, at_once, live_items = 0 }: Priced, account: Account) => {
  const rules = platformRules[account.platform]
  const { calls } = rules
  return calls === undefined
    ? 0
    : threadItems(rules, resolveContent(content, account.platform, account.id))
        .slice(live_items)
        .reduce(
          (sum, item) =>
            sum +
            priceOf(
              calls({
                caption: item.caption,
                media: item.media.length,
                described: describedIn(item, media),
                at_once: at_once && item.index === 0
              }),
              prices
            ),
          0
        )
}

/** A warning for each account whose platform charges for the post. */
export const costWarnings = (post: Priced, accounts: ReadonlyArray<Account>): ReadonlyArray<string> =>
  accounts.flatMap((account) => {
    const cost = costOf(post, account)
    return cost === 0
      ? []
      : [
          `${warnedAccount(account.platform, account.id)} charges this service's operator about ${dollars(cost)} for the post.`
        ]
  })

/** How many media of an item have a description, of the post's or of their own. */
const describedIn = (
  { options: { alt_text: option }, media: ids }: ResolvedThreadItem,
  media: Priced["media"]
) =>
  ids.filter((id, index) => {
    const given: unknown = Array.isArray(option) ? option[index] : option
    return (typeof given === "string" ? given : (itemWith(media, id)?.alt_text ?? "")) !== ""
  }).length
