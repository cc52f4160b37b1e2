import {
  brokenLimits,
  type BrokenLimit,
  isKnown,
  type MediaFacts,
  mediaRulesFor,
  type PlacementRules,
  type PlatformId,
  platformRules,
  type PreflightMedia,
  unmended
} from "@carillon/domain"
import type { Media } from "@carillon/sdk"
import { platformName } from "@carillon/domain/PlatformFacts"
import { sizeWords, typeName } from "../media/mediaFacts.ts"

export interface Acceptance {
  readonly platform: string
  readonly name: string
  /** Why it refuses the file; null: it accepts it. */
  readonly refusal: string | null
}

const plurals = { image: "pictures", video: "videos", document: "documents" } as const

/** `pictures and videos` */
const kindsOf = (placements: ReadonlyArray<PlacementRules>) =>
  (["image", "video", "document"] as const)
    .filter((kind) =>
      placements.some(
        ({ documents, images, videos }) => ({ image: images, video: videos, document: documents })[kind]
      )
    )
    .map((kind) => plurals[kind])
    .join(" and ")

const list = (values: ReadonlyArray<string>) =>
  new Intl.ListFormat("en", { type: "disjunction" }).format(values)

/** In people's words where those of the rules are technical. */
const refusalOf = ({ limit, rule, sentence, value }: BrokenLimit): string => {
  if (
    (rule === "max_bytes" || rule === "min_bytes") &&
    typeof limit === "number" &&
    typeof value === "number"
  ) {
    return `accepts ${rule === "max_bytes" ? "up to" : "at least"} ${sizeWords(limit)}, and this one has ${sizeWords(value)}`
  }
  if (rule === "mime_types" && Array.isArray(limit)) {
    return `accepts ${list(limit.map(typeName))}, and this one is ${typeName(String(value))}`
  }
  if (rule === "min_ratio") return "accepts only wider ones"
  if (rule === "max_ratio") return "accepts only narrower ones"
  return sentence
}

/** Which of these networks accept a file alone, after the service has converted it. */
export const acceptedBy = (
  media: Media,
  platforms: Iterable<PlatformId>,
  { video_transcoding }: { readonly video_transcoding: boolean }
): ReadonlyArray<Acceptance> => {
  const item: PreflightMedia = media
  if (!isKnown(item)) return []
  return [...new Set(platforms)].map((platform) => {
    const rules = platformRules[platform]
    const first = rules.placementOf([item.kind], undefined)
    const refusals = [first, ...rules.placements].map((placement) =>
      refusalIn(placement, item, video_transcoding, rules.placements)
    )
    return { platform, name: platformName(platform), refusal: refusals.includes(null) ? null : refusals[0]! }
  })
}

/** The types that the service converts itself. */
const converted = ["image/jpeg", "image/png", "image/webp", "image/gif"]

const refusalIn = (
  placement: PlacementRules,
  item: MediaFacts,
  video_transcoding: boolean,
  placements: ReadonlyArray<PlacementRules>
): string | null => {
  const rules = mediaRulesFor(placement, item)
  if (rules === undefined) return `accepts only ${kindsOf(placements)}`
  const [broken] =
    item.kind === "video" && video_transcoding
      ? unmended(item, rules)
      : brokenLimits(item, rules, item.kind === "image" && converted.includes(item.mime_type))
  return broken === undefined ? null : refusalOf(broken)
}
