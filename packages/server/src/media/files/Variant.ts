import {
  imageRulesFor,
  type ImageRules,
  type PlacementRules,
  type PlatformId,
  platformRules
} from "@carillon/domain"

/** The use that an image or a video is fitted for. */
export interface Variant {
  readonly platform: PlatformId
  readonly placement: PlacementRules
  readonly use: "media" | "cover"
  /** False: the stored bytes as they are. */
  readonly fitted: boolean
}

/** As a part of a URL. */
export const variantName = ({ platform, placement, use, fitted }: Variant): string =>
  [platform, placement.name, use, fitted ? "fitted" : "stored"].join("-")

/** Undefined for text that no `variantName` gives. */
export const variantOf = (name: string): Variant | undefined => {
  const [platform, placementName, use, fitted] = name.split("-")
  const rules = Object.values(platformRules).find((one) => one.platform === platform)
  const placement = rules?.placements.find((one) => one.name === placementName)
  return rules === undefined || placement === undefined || (use !== "media" && use !== "cover")
    ? undefined
    : { platform: rules.platform, placement, use, fitted: fitted === "fitted" }
}

/** The limits for the image; undefined where the platform takes none there. */
export const variantRules = ({ placement, use }: Variant, mimeType: string): ImageRules | undefined =>
  use === "cover" ? placement.covers : imageRulesFor(placement, mimeType)
