import {
  BadRequest,
  type Content,
  destinationsOf,
  namedDestinations,
  type PlatformId,
  platformRules,
  type ProblemItem,
  resolveContent,
  warnedAccount
} from "@carillon/domain"
import { Result } from "effect"
import { destinationCalled, destinationsSentence } from "../accounts/Destinations.ts"
import type { SocialAccountRow } from "../accounts/SocialAccountRepository.ts"
import type { Destination } from "../platforms/Platform.ts"

type Account = Pick<SocialAccountRow, "id" | "platform" | "username" | "default_board_id">

/** The accounts that want a destination to be chosen. */
export const destinationProblems = (
  content: Content,
  accounts: ReadonlyArray<Account>
): ReadonlyArray<ProblemItem> =>
  accounts.flatMap((account) => {
    const { id, platform, username } = account
    const { name, destinations } = platformRules[platform]
    if (destinations?.required === undefined || destinationsOf(content, account).length > 0) return []
    const { option, singular, required: code } = destinations
    const sentence = `needs a ${singular}: give ${option}, or choose a default ${singular} for the account.`
    return [
      {
        path: resolveContent(content, platform, id).optionPath(option),
        code,
        message: `${name} (@${username}, account ${id}) ${sentence}`,
        sentence,
        account_id: id,
        platform
      }
    ]
  })

const codes = new Set<string>(
  Object.values(platformRules).flatMap(({ destinations }) => destinations?.required ?? [])
)

/** A problem of `destinationProblems`. */
export const asksForDestination = (
  item: ProblemItem
): item is ProblemItem & { readonly account_id: number; readonly platform: PlatformId } =>
  codes.has(item.code) && item.account_id !== undefined && item.platform !== undefined

export const lacksDestination = (failure: unknown): failure is BadRequest =>
  failure instanceof BadRequest && failure.errors.some(asksForDestination)

/** The destinations that the post names for an account itself or for all of its platform. */
export const namedOf = (
  content: Content,
  { id, platform }: Pick<Account, "id" | "platform">
): ReadonlyArray<string> => {
  const rules = platformRules[platform].destinations
  return rules === undefined ? [] : namedDestinations(rules, resolveContent(content, platform, id).options)
}

const options = Object.values(platformRules).flatMap(({ platform, destinations }) =>
  destinations === undefined ? [] : [{ platform, option: destinations.option }]
)

/** Whether the post names destinations at all; most do not, and their accounts need not be looked at. */
export const namesDestinations = ({ platform_configurations, account_configurations }: Content): boolean =>
  options.some(({ platform, option }) =>
    [platform_configurations?.[platform], ...(account_configurations ?? [])].some(
      (entry) => ((entry ?? {}) as { readonly [name: string]: unknown })[option] != null
    )
  )

/** What the accounts that a post names destinations of offer; null where the platform did not say. */
export type OfferedDestinations = ReadonlyMap<number, ReadonlyArray<Destination> | null>

/** The post with the ids of the destinations that it names, which may be given by their names. */
export const withDestinationIds = <C extends Content>(
  content: C,
  accounts: ReadonlyArray<Account>,
  offered: OfferedDestinations
): {
  readonly content: C
  readonly problems: ReadonlyArray<ProblemItem>
  readonly warnings: ReadonlyArray<string>
} => {
  const problems: Array<ProblemItem> = []
  const warnings: Array<string> = []
  const chosen: Array<Chosen> = []
  for (const account of accounts) {
    const { id, platform, username } = account
    const { name: platformName, destinations: rules } = platformRules[platform]
    const list = offered.get(id)
    if (rules === undefined || list === undefined) continue
    const named = namedOf(content, account)
    if (named.length === 0) continue
    const { options, optionPath } = resolveContent(content, platform, id)
    const path = optionPath(rules.option)
    if (list === null) {
      warnings.push(
        `${warnedAccount(platform, id)} could not be asked for its ${rules.plural}, so ` +
          `${named.map((one) => JSON.stringify(one)).join(", ")} ${named.length === 1 ? "is used as an id" : "are used as ids"}.`
      )
    }
    let unlisted = true
    const ids = named.map((one, index) => {
      const called = list === null ? null : destinationCalled(platform, list, one)
      if (called === null) return one
      if (Result.isSuccess(called)) return called.success.id
      const sentence = called.failure + (unlisted ? ` ${destinationsSentence(platform, list)}` : "")
      problems.push({
        path: `${path}[${index}]`,
        code: "destination_not_found",
        message: `${platformName} (@${username}, account ${id}) ${sentence}`,
        sentence,
        account_id: id,
        platform
      })
      unlisted = false
      return one
    })
    const value = Array.isArray(options[rules.option]) ? ids : ids[0]
    chosen.push({ id, platform, shared: path.startsWith("platform_"), option: { [rules.option]: value } })
  }
  return { content: withOptions(content, chosen), problems, warnings }
}

interface Chosen {
  readonly id: number
  readonly platform: PlatformId
  /** The platform's entry names them, for all its accounts. */
  readonly shared: boolean
  readonly option: { readonly [name: string]: unknown }
}

/** Where accounts of a platform have different ids for the same names, each gets an entry of its own. */
const withOptions = <C extends Content>(content: C, chosen: ReadonlyArray<Chosen>): C => {
  const platforms: Record<string, unknown> = { ...content.platform_configurations }
  const entries: Array<{ readonly account_id: number }> = [...(content.account_configurations ?? [])]
  for (const { id, platform, shared, option } of chosen) {
    const isSame = (one: Chosen) =>
      one.platform !== platform || !one.shared || JSON.stringify(one.option) === JSON.stringify(option)
    if (shared && chosen.every(isSame)) {
      platforms[platform] = { ...content.platform_configurations?.[platform], ...option }
      continue
    }
    const index = entries.findIndex(({ account_id }) => account_id === id)
    if (index < 0) entries.push({ account_id: id, ...option })
    else entries[index] = { ...entries[index]!, ...option }
  }
  return {
    ...content,
    platform_configurations: content.platform_configurations && platforms,
    account_configurations: entries.length === 0 ? content.account_configurations : entries
  }
}
