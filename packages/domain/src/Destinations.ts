import { type Content, resolveContent } from "./Overrides.ts"
import type { DestinationRules, PlatformId } from "./Platform.ts"
import { platformRules } from "./platforms/PlatformDefinitions.ts"

/** The destinations that options name. */
export const namedDestinations = (
  rules: DestinationRules | undefined,
  options: { readonly [name: string]: unknown }
): ReadonlyArray<string> => [(rules && options[rules.option]) ?? []].flat().map(String)

/**
 * Where in an account a post goes, a target each: the destinations that it names, else the account's default, else the
 * account itself (null). Empty: the platform wants one to be chosen.
 */
export const destinationsOf = (
  content: Content,
  {
    id,
    platform,
    default_board_id
  }: { readonly id: number; readonly platform: PlatformId; readonly default_board_id: string | null }
): ReadonlyArray<string | null> => {
  const rules = platformRules[platform].destinations
  if (rules === undefined) return [null]
  const named = namedDestinations(rules, resolveContent(content, platform, id).options)
  if (named.length > 0) return named
  return rules.required !== undefined && default_board_id === null ? [] : [default_board_id]
}
