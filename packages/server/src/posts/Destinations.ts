import {
  BadRequest,
  type Content,
  destinationsOf,
  type PlatformId,
  platformRules,
  type ProblemItem,
  resolveContent
} from "@carillon/domain"
import type { SocialAccountRow } from "../accounts/SocialAccountRepository.ts"

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
    return [
      {
        path: resolveContent(content, platform, id).optionPath(option),
        code,
        message: `${name} (@${username}, account ${id}) has to be told a ${singular}: give ${option}, or choose the account's default ${singular} with PATCH /v1/social-accounts/${id}.`,
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
