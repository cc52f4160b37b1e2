import { Schema } from "effect"
import { type OptionConflict, type PostOptions, rulesOf } from "../Platform.ts"
import {
  altText,
  coverImage,
  coverTimestamp,
  filledText,
  firstComment,
  option,
  overrides,
  placement,
  text,
  webAddress
} from "./OptionFields.ts"

const caption = { unit: "code_points", max: 63_206 } as const

const storyImages = {
  max_count: 1,
  mime_types: ["image/jpeg", "image/png", "image/gif"],
  // Pages of Meta's say 10 MB; above 4 MB the API answers 1366046.
  max_bytes: 4_000_000
} as const

const covers = { max_count: 1, mime_types: ["image/jpeg", "image/png"], max_bytes: 4_000_000 } as const

const feed = {
  name: "feed",
  caption,
  text_only: true,
  images: { ...storyImages, max_count: 10 },
  videos: {
    max_count: 1,
    mime_types: ["video/mp4", "video/quicktime"],
    max_bytes: 10_000_000_000,
    max_duration_ms: 14_400_000
  },
  covers,
  mixed: false
} as const

const reelVideos = {
  max_count: 1,
  mime_types: ["video/mp4", "video/quicktime"],
  min_width: 540,
  min_height: 960,
  min_duration_ms: 3000,
  max_duration_ms: 90_000,
  min_fps: 24,
  max_fps: 60,
  video_codecs: ["avc", "hevc", "vp9", "av1"],
  audio_codecs: ["aac"]
} as const

const reel = { name: "reel", caption, text_only: false, videos: reelVideos, mixed: false } as const

const story = {
  name: "story",
  caption,
  text_only: false,
  images: storyImages,
  videos: { ...reelVideos, max_duration_ms: 60_000 },
  mixed: false
} as const

const maximumAltText = 1000
const longestTitle = 255
/** Characters of a comment. */
const longestComment = 8000

const conflicts = ({ media, options, placement }: PostOptions): ReadonlyArray<OptionConflict> => {
  const may = (kind: "image" | "video") => media.some((one) => one.kind === kind || one.kind === null)
  const given = (name: string) => options[name] !== undefined && options[name] !== null
  const isFeed = placement.name === feed.name
  const comment = options["first_comment"]
  const length = typeof comment === "string" ? [...comment].length : 0
  const only = (option: string, rule: string, where: string, isThere: boolean) =>
    given(option) && !isThere
      ? [{ option, rule, sentence: `accepts ${option} only ${where}; leave ${option} out.` }]
      : []
  return [
    ...only("link", "link_without_media", "in the feed without media", isFeed && media.length === 0),
    ...only(
      "title",
      "only_with_video",
      "with a video in the feed or a reel",
      placement.name !== story.name && may("video")
    ),
    ...["cover_image", "video_cover_timestamp_ms"].flatMap((name) =>
      only(name, "only_with_feed_video", "with a video in the feed", isFeed && may("video"))
    ),
    ...only(
      "location_id",
      "location_of_posts_and_reels",
      "for text, pictures and reels",
      placement.name === reel.name || (isFeed && media.every(({ kind }) => kind !== "video"))
    ),
    ...(length > longestComment
      ? [
          {
            option: "first_comment",
            rule: "too_long",
            sentence: `accepts a first comment of at most ${longestComment} characters; this one has ${length}. Shorten it.`
          }
        ]
      : [])
  ]
}

/**
 * https://developers.facebook.com/docs/pages-api/posts, https://developers.facebook.com/docs/video-api/guides/reels-publishing and
 * https://developers.facebook.com/docs/page-stories-api. Several stories would be as many posts, so a story has one medium.
 */
export const facebookRules = rulesOf("facebook", {
  alt_text: maximumAltText,
  cover_frame: { min_width: 640, min_height: 360 },
  placements: [feed, reel, story],
  placementOf: (_media, chosen) => (chosen === "story" ? story : chosen === "reel" ? reel : feed),
  conflicts,
  first_comment: ({ placement }) => (placement === "story" ? "stories have none" : undefined),
  warnings: ({ placement }, _account, caption) =>
    placement === "story" && caption.trim() !== "" ? ["leaves out the caption: stories have none."] : []
})

export const FacebookOptions = Schema.Struct({
  ...overrides,
  placement: placement("Where the post appears. A reel is one video, a story one picture or video."),
  link: option(
    webAddress,
    "Link",
    "The http or https URL of a page to show as a card. Default: Facebook shows the first link in the caption. Not with media."
  ),
  title: option(
    filledText(longestTitle),
    "Title",
    `The title of a video in the feed or of a reel, in at most ${longestTitle} characters. Default: \`null\`, none.`
  ),
  location_id: option(
    text(100).check(Schema.isPattern(/^\d+$/, { expected: "the numeric id of a Page" })),
    "Location",
    "The numeric id of a Facebook Page with a physical address, shown as the post's location. Not with a video in the feed, or a story. Default: `null`, none."
  ),
  video_cover_timestamp_ms: coverTimestamp,
  cover_image: coverImage,
  alt_text: altText(maximumAltText),
  first_comment: firstComment
}).annotate({ identifier: "FacebookOptions" })
