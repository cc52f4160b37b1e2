import { defaultDestinationRules, type PlatformId, platformRules } from "@carillon/domain"
import type { Destination } from "../platforms/Platform.ts"

const mostNamed = 30

/** The destinations to choose from; null: the platform does not say. */
export const destinationsSentence = (
  platform: PlatformId,
  destinations: ReadonlyArray<Destination> | null
): string => {
  if (destinations === null) return `${platformRules[platform].name} could not be asked which there are.`
  const { plural } = defaultDestinationRules(platform)
  if (destinations.length === 0) return `It has no ${plural}.`
  const named = destinations.slice(0, mostNamed).map(({ id, name }) => `${id} (${name})`)
  const more = destinations.length > mostNamed ? `, and ${destinations.length - mostNamed} more` : ""
  return `Its ${plural}: ${named.join(", ")}${more}.`
}
