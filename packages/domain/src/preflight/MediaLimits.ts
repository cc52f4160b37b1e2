import type { MediaKind } from "../Media.ts"
import type { DocumentRules, ImageRules, PlacementRules, VideoRules } from "../Platform.ts"

/** The known facts of a media item's bytes; an unknown one is null and breaks no rule. */
export interface MediaFacts {
  readonly kind: MediaKind
  readonly mime_type: string
  readonly size_bytes: number
  readonly width: number | null
  readonly height: number | null
  readonly duration_ms: number | null
  readonly frame_rate: number | null
  /** `avc`, `aac` and so on; null if it is unknown, and for the sound of a silent video. */
  readonly video_codec: string | null
  readonly audio_codec: string | null
  /** More than one in an animation. */
  readonly frames: number | null
}

/** The limits of one kind of media in a placement. */
export type MediaRules = ImageRules | VideoRules | DocumentRules

type List = "video_codecs" | "audio_codecs"
type Limit = Exclude<keyof ImageRules | keyof VideoRules, "mime_types" | "max_count" | List>

interface Measure {
  readonly of: (facts: MediaFacts) => number | null
  readonly at: "least" | "most"
  readonly words: (value: number) => string
  /** Whether fitting can bring an image within it. */
  readonly fitted: boolean
}

const product = (a: number | null, b: number | null) => (a === null || b === null ? null : a * b)
const larger = (a: number | null, b: number | null) => (a === null || b === null ? null : Math.max(a, b))
const ratio = ({ width, height }: MediaFacts) =>
  width === null || height === null || height === 0 ? null : width / height

const number = (value: number) => value.toLocaleString("en", { maximumFractionDigits: 3 })
const unit = (name: string) => (value: number) => `${number(value)} ${name}`
const pixelsWide = unit("pixels in width")
const pixelsHigh = unit("pixels in height")
const aspect = (value: number) => `an aspect ratio of ${number(value)}:1`
const seconds = (value: number) => `${number(value / 1000)} seconds`

/** How each limit of the rules is measured. */
export const measures: Readonly<Record<Limit, Measure>> = {
  min_bytes: { of: (facts) => facts.size_bytes, at: "least", words: unit("bytes"), fitted: false },
  max_bytes: { of: (facts) => facts.size_bytes, at: "most", words: unit("bytes"), fitted: true },
  min_width: { of: (facts) => facts.width, at: "least", words: pixelsWide, fitted: false },
  max_width: { of: (facts) => facts.width, at: "most", words: pixelsWide, fitted: true },
  min_height: { of: (facts) => facts.height, at: "least", words: pixelsHigh, fitted: false },
  max_height: { of: (facts) => facts.height, at: "most", words: pixelsHigh, fitted: true },
  max_side: {
    of: ({ width, height }) => larger(width, height),
    at: "most",
    words: unit("pixels on the longer side"),
    fitted: true
  },
  max_pixels: {
    of: ({ width, height }) => product(width, height),
    at: "most",
    words: unit("pixels in total"),
    fitted: true
  },
  min_ratio: { of: ratio, at: "least", words: aspect, fitted: false },
  max_ratio: { of: ratio, at: "most", words: aspect, fitted: false },
  max_frames: { of: (facts) => facts.frames, at: "most", words: unit("frames"), fitted: false },
  max_frames_pixels: {
    of: ({ frames, height, width }) => product(product(width, height), frames),
    at: "most",
    words: unit("pixels in all frames"),
    fitted: false
  },
  min_duration_ms: { of: (facts) => facts.duration_ms, at: "least", words: seconds, fitted: false },
  max_duration_ms: { of: (facts) => facts.duration_ms, at: "most", words: seconds, fitted: false },
  min_fps: { of: (facts) => facts.frame_rate, at: "least", words: unit("frames per second"), fitted: false },
  max_fps: { of: (facts) => facts.frame_rate, at: "most", words: unit("frames per second"), fitted: false }
}

const codecNames: Readonly<Record<string, string>> = {
  avc: "H.264",
  hevc: "H.265",
  vp8: "VP8",
  vp9: "VP9",
  av1: "AV1",
  aac: "AAC",
  mp3: "MP3",
  opus: "Opus",
  vorbis: "Vorbis",
  flac: "FLAC"
}

const codecName = (codec: string) => codecNames[codec] ?? codec

/** `H.264 or H.265 video`. */
export const codecWords = (rule: List, codecs: ReadonlyArray<string>) =>
  `${codecs.map(codecName).join(" or ")} ${rule === "video_codecs" ? "video" : "audio"}`

const brokenCodecs = (facts: MediaFacts, rules: MediaRules): ReadonlyArray<BrokenLimit> =>
  (["video_codecs", "audio_codecs"] as const).flatMap((rule) => {
    const limit: ReadonlyArray<string> | undefined = rule in rules ? (rules as VideoRules)[rule] : undefined
    const value = rule === "video_codecs" ? facts.video_codec : facts.audio_codec
    return limit === undefined || value === null || limit.includes(value)
      ? []
      : [
          {
            rule,
            limit,
            value,
            sentence: `accepts ${codecWords(rule, limit)}, but this one has ${codecName(value)}`
          }
        ]
  })

export interface BrokenLimit {
  readonly rule: Limit | List | "mime_types"
  readonly limit: number | ReadonlyArray<string>
  readonly value: number | string
  /** The part of a problem's sentence about the medium: `accepts …, but this one has …`. */
  readonly sentence: string
}

/** Every limit that a medium breaks; with `fitted` without those that fitting the image mends. */
export const brokenLimits = (
  facts: MediaFacts,
  rules: MediaRules,
  fitted: boolean
): ReadonlyArray<BrokenLimit> => [
  ...(rules.mime_types.includes(facts.mime_type) || fitted
    ? []
    : [
        {
          rule: "mime_types" as const,
          limit: rules.mime_types,
          value: facts.mime_type,
          sentence: `accepts ${rules.mime_types.join(", ")}, but this one is ${facts.mime_type}`
        }
      ]),
  ...brokenCodecs(facts, rules),
  ...(Object.keys(measures) as Array<Limit>).flatMap((rule) => {
    const limit = (rules as { readonly [rule in Limit]?: number })[rule]
    const { of, at, words, fitted: byFitting } = measures[rule]
    const value = of(facts)
    if (limit === undefined || value === null || (fitted && byFitting)) return []
    const slack = rounding(rule, facts)
    if (at === "most" ? value <= limit + slack : value >= limit - slack) return []
    return [
      { rule, limit, value, sentence: `accepts at ${at} ${words(limit)}, but this one has ${words(value)}` }
    ]
  })
]

/** Sides are whole pixels: 1200 x 628 is 1.91 to 1. */
const rounding = (rule: Limit, { height }: MediaFacts) =>
  rule === "min_ratio" || rule === "max_ratio" ? 1 / (height ?? Infinity) : 0

/** The rules for an item; undefined where the placement does not take its kind. */
export const mediaRulesFor = (
  placement: PlacementRules,
  { kind, mime_type }: Pick<MediaFacts, "kind" | "mime_type">
): MediaRules | undefined => {
  switch (kind) {
    case "image":
      return imageRulesFor(placement, mime_type)
    case "video":
      return placement.videos
    case "document":
      return placement.documents
  }
}

export const imageRulesFor = ({ images, gifs }: PlacementRules, mimeType: string): ImageRules | undefined =>
  mimeType === "image/gif" && gifs !== undefined ? gifs : images

/** The longer side of a picture, after it was scaled down to the rules if need be. */
export const largestSide = (width: number, height: number, rules: ImageRules | VideoRules): number => {
  const longer = Math.max(width, height)
  const area = rules.max_pixels ?? Infinity
  const scale = Math.min(
    1,
    (rules.max_side ?? Infinity) / longer,
    (rules.max_width ?? Infinity) / width,
    (rules.max_height ?? Infinity) / height,
    // The other side is rounded, by less than half of the longer one in area.
    width * height <= area ? 1 : Math.sqrt(Math.max(1, area - longer) / (width * height))
  )
  return Math.max(1, Math.floor(longer * scale))
}
