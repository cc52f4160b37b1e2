import { Schema } from "effect"
import type { AccountLimits } from "./AccountLimits.ts"
import type { MediaKind } from "./Media.ts"
import { platformFacts, platformIds } from "./PlatformFacts.ts"
import type { Prices } from "./Prices.ts"
import { field } from "./Field.ts"

export const PlatformId = Schema.Literals(platformIds).annotate({ identifier: "PlatformId" })
export type PlatformId = typeof PlatformId.Type

/**
 * How a platform counts the length of a text.
 * `graphemes`: what a person sees as one character. `code_points`: Unicode scalar values. `utf16`: JavaScript's
 * `length`. `bytes`: UTF-8. `x_weighted`: X's weights, an address is 23. `mastodon`: graphemes, an address is 23 or as its server says, of
 * `@user@host` only `@user`. `threads`: code points, but emoji by their UTF-8 bytes.
 */
export const TextUnit = Schema.Literals([
  "graphemes",
  "code_points",
  "utf16",
  "bytes",
  "x_weighted",
  "mastodon",
  "threads"
]).annotate({ identifier: "TextUnit" })
export type TextUnit = typeof TextUnit.Type

const limit = Schema.optionalKey(Schema.Finite)

/** Limits of a text. `max_bytes` holds besides `max`. None of the characters of `forbidden` may occur. */
export const TextRules = Schema.Struct({
  unit: field(
    "How characters are counted for `max`. `graphemes`: as people see them. `code_points`: Unicode characters. `utf16`: as JavaScript's `length`. `bytes`: in UTF-8. `x_weighted`: by X's weights, 23 for each URL. `mastodon`: graphemes, 23 for each URL. `threads`: code points, emoji by their bytes.",
    TextUnit
  ),
  max: field("The longest text, in the characters that `unit` counts. A longer one is refused.", Schema.Int),
  max_bytes: field(
    "The longest text in UTF-8 bytes; a longer one is refused. Absent: only `max` counts.",
    limit
  ),
  address_length: field(
    "How many characters every URL counts as, as the account's own server says. Absent: as `unit` says.",
    limit
  ),
  max_hashtags: field(
    "The most hashtags in one text; a text with more is refused. Absent: no such limit.",
    limit
  ),
  max_mentions: field(
    "The most mentions in one text; a text with more is refused. Absent: no such limit.",
    limit
  ),
  max_links: field(
    "The most different links in one text; a text with more is refused. Absent: no such limit.",
    limit
  ),
  forbidden: field(
    "The characters with which a text is refused, in one string such as `<>`. Absent: none.",
    Schema.optionalKey(Schema.String)
  )
}).annotate({ identifier: "TextRules" })
export interface TextRules extends Schema.Schema.Type<typeof TextRules> {}

const few = <S extends Schema.Top>(item: S) => Schema.Array(item).check(Schema.isMaxLength(50))

const file = (types: string, larger: string) => ({
  max_count: field("The most files of this kind in one post; a post with more is refused.", Schema.Int),
  mime_types: field(types, few(Schema.String)),
  min_bytes: field("The smallest file, in bytes; a smaller one is refused. Absent: no limit.", limit),
  max_bytes: field(`The largest file, in bytes; ${larger}. Absent: no limit.`, limit)
})

/**
 * Pixels. `max_side` is for the longer side, `min_ratio` and `max_ratio` for width divided by height. `converted`: the
 * condition under which a larger file is scaled down.
 */
const dimensions = (converted: string) => ({
  min_width: field("The least width, in pixels; a narrower file is refused. Absent: no limit.", limit),
  max_width: field(
    `The greatest width, in pixels; a wider file is scaled down ${converted}, else refused. Absent: no limit.`,
    limit
  ),
  min_height: field("The least height, in pixels; a shorter file is refused. Absent: no limit.", limit),
  max_height: field(
    `The greatest height, in pixels; a taller file is scaled down ${converted}, else refused. Absent: no limit.`,
    limit
  ),
  max_side: field(
    `The greatest length of the longer side, in pixels; a larger file is scaled down ${converted}, else refused. Absent: no limit.`,
    limit
  ),
  max_pixels: field(
    `The most pixels, width times height; a larger file is scaled down ${converted}, else refused. Absent: no limit.`,
    limit
  ),
  min_ratio: field(
    "The least width divided by height, such as 0.8 for 4:5; nothing is cropped, a taller file is refused. Absent: no limit.",
    limit
  ),
  max_ratio: field(
    "The greatest width divided by height, such as 1.91; nothing is cropped, a wider file is refused. Absent: no limit.",
    limit
  )
})

const fitted = "with `processing_enabled`"
const transcoded = "with `processing_enabled` and `video_transcoding`"

/** Limits of images. With `processing_enabled` images are converted to one of the types, scaled and compressed. */
export const ImageRules = Schema.Struct({
  ...file(
    "MIME types that the platform takes. Others are refused, but with `processing_enabled`, JPEG, PNG, WebP and GIF are converted to one of them.",
    `a larger one is compressed ${fitted}, else refused`
  ),
  ...dimensions(fitted),
  max_frames: field(
    "The most frames of an animated image; one with more is refused. Absent: no limit.",
    limit
  ),
  max_frames_pixels: field(
    "The most pixels in all frames of an animated image together. Absent: no limit.",
    limit
  )
}).annotate({
  identifier: "ImageRules"
})
export interface ImageRules extends Schema.Schema.Type<typeof ImageRules> {}

/** How the picture of a video can be encoded, in the names of WebCodecs. */
export const VideoCodec = Schema.Literals(["avc", "hevc", "vp8", "vp9", "av1"])
export type VideoCodec = typeof VideoCodec.Type

/** The encodings of its sound. A video without sound is taken wherever videos are. */
export const AudioCodec = Schema.Literals(["aac", "mp3", "opus", "vorbis", "flac"])
export type AudioCodec = typeof AudioCodec.Type

/** Limits of videos: milliseconds, frames per second. `VIDEO_TRANSCODING` with `processing_enabled` converts videos. */
export const VideoRules = Schema.Struct({
  ...file(
    "MIME types that the platform takes. Others are refused, but with `processing_enabled` and the instance's `video_transcoding`, they are converted to MP4 if the platform takes it.",
    `a larger one is compressed ${transcoded}, else refused`
  ),
  ...dimensions(transcoded),
  min_duration_ms: field(
    "The shortest video, in milliseconds; a shorter one is refused. Absent: no limit.",
    limit
  ),
  max_duration_ms: field(
    "The longest video, in milliseconds; nothing is cut, a longer one is refused. Absent: no limit.",
    limit
  ),
  min_fps: field("The fewest frames per second; a video with fewer is refused. Absent: no limit.", limit),
  max_fps: field(
    `The most frames per second; a video with more is thinned out ${transcoded}, else refused. Absent: no limit.`,
    limit
  ),
  video_codecs: field(
    `The picture codecs that the platform takes, such as \`avc\` (H.264); others are replaced ${transcoded}, else refused. Absent: any codec.`,
    Schema.optionalKey(few(VideoCodec))
  ),
  audio_codecs: field(
    `The sound codecs that the platform takes, besides no sound; others are replaced ${transcoded}, else refused. Absent: any codec.`,
    Schema.optionalKey(few(AudioCodec))
  )
}).annotate({ identifier: "VideoRules" })
export interface VideoRules extends Schema.Schema.Type<typeof VideoRules> {}

export const DocumentRules = Schema.Struct(
  file("MIME types that the platform takes; any other document is refused.", "a larger one is refused")
).annotate({ identifier: "DocumentRules" })
export interface DocumentRules extends Schema.Schema.Type<typeof DocumentRules> {}

/** The content that one kind of post on a platform may hold. A kind of media that is not named is refused. */
export const PlacementRules = Schema.Struct({
  name: field(
    "The kind of post, such as `reel`; `post` where the platform has only one. `placement` and the media choose it.",
    Schema.String
  ),
  caption: field(
    "The limits of `caption`: how long it may be, how that is counted, and what it may not contain.",
    TextRules
  ),
  text_only: field("true: a post can be text alone. false: one without media is refused.", Schema.Boolean),
  images: field(
    "The limits of each image, and how many there may be. Absent: images are refused.",
    Schema.optionalKey(ImageRules)
  ),
  gifs: field(
    "The limits of GIFs, where they differ from those of `images`. Absent: GIFs count as images.",
    Schema.optionalKey(ImageRules)
  ),
  videos: field(
    "The limits of each video, and how many there may be. Absent: videos are refused.",
    Schema.optionalKey(VideoRules)
  ),
  documents: field(
    "The limits of each document (PDF), and how many there may be. Absent: documents are refused.",
    Schema.optionalKey(DocumentRules)
  ),
  covers: field(
    "The limits of a video's cover image: `cover_image` or `thumbnail`. Absent: this kind of post has no cover image.",
    Schema.optionalKey(ImageRules)
  ),
  fetched: field(
    "The kinds of media that the platform fetches from this service. For these, the instance's `public_url` must be an https URL that the platform can reach. Absent: none.",
    Schema.optionalKey(few(Schema.Literals(["image", "video", "document", "cover"])))
  ),
  mixed: field(
    "true: one post can have both images and videos. false: a post with two kinds of media is refused.",
    Schema.Boolean
  ),
  min_count: field(
    "The fewest media items, of all kinds together; a post with fewer is refused. Absent: no limit besides `text_only`.",
    limit
  ),
  max_count: field(
    "The most media items, of all kinds together; a post with more is refused. Absent: only each kind's own `max_count`.",
    limit
  ),
  equal_size: field(
    "true: all images of a post must have the same width and height in pixels. Absent: they may differ.",
    Schema.optionalKey(Schema.Boolean)
  )
}).annotate({ identifier: "PlacementRules" })
export interface PlacementRules extends Schema.Schema.Type<typeof PlacementRules> {}

/** The placement of a post, on platforms that let one choose. */
export type Placement = "feed" | "reel" | "story"

/** A post's content for one account, where its options are checked. Media: null is not known yet. */
export interface PostOptions {
  readonly caption: string
  readonly options: { readonly [name: string]: unknown }
  readonly placement: PlacementRules
  /** The items behind it. */
  readonly thread?: ReadonlyArray<{ readonly media: ReadonlyArray<unknown> }>
  readonly media: ReadonlyArray<{
    readonly id: string
    readonly kind: MediaKind | null
    readonly duration_ms: number | null
  }>
}

/** The defaults of an account, for options that a post leaves out. */
export interface AccountDefaults {
  readonly default_privacy_level?: string | null
}

/** A media item as far as it is known: null while it is still to be fetched. */
export interface WarnedMedia {
  readonly name: string
  readonly kind: MediaKind | null
  readonly size_bytes: number | null
}

/** The limits of a thread, in which each post answers the one before. */
export interface ThreadLimits {
  /** The post itself among them. */
  readonly max_items: number
  /** The whole thread is published in one call, all or nothing. Absent: item by item. */
  readonly at_once?: true
  /** Options that the items behind the first do not have. `alt_text` is always one: it describes the post's own media. */
  readonly first_only?: ReadonlyArray<string>
}

/** A problem of an option with another or with the rest of the post; `sentence` continues after the account's name. */
export interface OptionConflict {
  readonly option: string
  readonly rule: string
  readonly sentence: string
  readonly limit?: number
  readonly value?: number
}

/** A post, or an item of a thread, as far as its price hangs on it. */
export interface PricedItem {
  readonly caption: string
  /** How many files it has, and how many of them have a description. */
  readonly media: number
  readonly described: number
  /** It goes out as soon as it is made, and answers no other. */
  readonly at_once: boolean
}

/** The destinations of an account, such as boards: one post may go to several, and each is a target of its own. */
export interface DestinationRules {
  /** The option that names them: one or a list, ids or names. `Platform.destinations` of the adapter lists them. */
  readonly option: string
  readonly singular: string
  readonly plural: string
  /**
   * The code of the problem when a post names none and the account has no default. Left out: such a post goes to the
   * account itself.
   */
  readonly required?: "board_required"
}

/**
 * A platform's limits as data: pre-flight, the options endpoint and the documentation read the same object. Where
 * accounts of a platform have different limits, these are the ones that every account has, or the usual ones.
 */
export interface PlatformRules {
  readonly platform: PlatformId
  readonly name: string
  readonly placements: ReadonlyArray<PlacementRules>
  /** The placement of a post with these media; null for a medium whose kind is not known yet. */
  readonly placementOf: (
    media: ReadonlyArray<MediaKind | null>,
    chosen: Placement | undefined
  ) => PlacementRules
  /**
   * A platform whose API takes no time of a frame: the service cuts the frame that `video_cover_timestamp_ms` names and
   * sends it as the cover, of this size at least; of an upright video the sides change places.
   */
  readonly cover_frame?: { readonly min_width: number; readonly min_height: number }
  /** The rules of an account that has limits of its own. */
  readonly within?: (limits: AccountLimits) => PlatformRules
  /** Problems of options that their own schema cannot express. */
  readonly conflicts?: (post: PostOptions) => ReadonlyArray<OptionConflict>
  /** Options that hold a text with the limits of the caption. */
  readonly text_options?: ReadonlyArray<string>
  /** A poll with a question of its own needs no caption beside it. */
  readonly poll_is_content?: boolean
  /** The text whose length counts, where that is not the caption alone. */
  readonly counted?: (post: Pick<PostOptions, "caption" | "options">) => string
  /** Lists that are content by themselves: with something in one, a post needs neither a caption nor media. */
  readonly content_options?: ReadonlyArray<string>
  /** Whether a video that is shorter than `video_cover_timestamp_ms` is taken; its first frame is then the cover. */
  readonly any_cover_timestamp?: boolean
  /** Decisions that the options leave open, and those that have no effect; each continues after the account's name. */
  readonly warnings?: (
    options: PostOptions["options"],
    account: AccountDefaults,
    caption: string
  ) => ReadonlyArray<string>
  /** What may become of the media of an item of the post; each continues after the account's name. */
  readonly media_warnings?: (media: ReadonlyArray<WarnedMedia>) => ReadonlyArray<string>
  /** The calls that the platform charges the operator for, to publish an item. Absent: publishing is free. */
  readonly calls?: (item: PricedItem) => Partial<Prices>
  /** The characters of a description of a medium; left out: the platform has none. */
  readonly alt_text?: number
  /**
   * Present where this service posts first comments. Why a post with these options gets none, after "leaves out the first
   * comment"; undefined: it gets its own.
   */
  readonly first_comment?: (options: PostOptions["options"]) => string | undefined
  /** The option of which an account may have a default, `default_privacy_level`, among its present choices. */
  readonly audience_option?: "privacy_level"
  /** Left out: a post goes to the account itself. */
  readonly destinations?: DestinationRules
  /**
   * Absent: the platform has no threads, or this release does not publish them. The key is the `rule` that problems name, such
   * as `chains.max_items`.
   */
  readonly chains?: ThreadLimits
}

/** The rules in a platform's own file, with its id and name. */
export const rulesOf = (
  platform: PlatformId,
  rules: Omit<PlatformRules, "platform" | "name">
): PlatformRules => ({ platform, name: platformFacts[platform].name, ...rules })

/** Rules of a platform on which every post is of one kind. */
export const onePlacement = (
  rules: Omit<PlacementRules, "name">
): Pick<PlatformRules, "placements" | "placementOf"> => {
  const placement = { name: "post", ...rules }
  return { placements: [placement], placementOf: () => placement }
}
