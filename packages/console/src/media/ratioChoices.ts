import { type PlatformId, platformRules } from "@carillon/domain"
import { namedRatios, type RatioName } from "./mediaFacts.ts"

export interface RatioChoice {
  readonly name: RatioName
  /** The networks that accept a picture of it, and those that do not. */
  readonly takenBy: ReadonlyArray<PlatformId>
  readonly notBy: ReadonlyArray<PlatformId>
}

/** Whether some placement of a network takes pictures of this ratio. */
const takes = (platform: PlatformId, ratio: number) =>
  platformRules[platform].placements.some(
    ({ images }) =>
      images !== undefined &&
      // Sides are whole pixels.
      ratio >= (images.min_ratio ?? 0) - 0.005 &&
      ratio <= (images.max_ratio ?? Infinity) + 0.005
  )

/** The named ratios that at least one of these networks accepts; all, if none does or none is chosen. */
export const ratioChoices = (platforms: Iterable<PlatformId>): ReadonlyArray<RatioChoice> => {
  const chosen = [...new Set(platforms)]
  const all = (Object.keys(namedRatios) as Array<RatioName>).map((name) => ({
    name,
    takenBy: chosen.filter((platform) => takes(platform, namedRatios[name])),
    notBy: chosen.filter((platform) => !takes(platform, namedRatios[name]))
  }))
  const some = all.filter(({ takenBy }) => takenBy.length > 0)
  return some.length > 0 ? some : all
}
