import { Schema } from "effect"
import { rulesOf } from "../Platform.ts"
import { firstComment, option, overrides, placement, webAddress } from "./OptionFields.ts"

const caption = { unit: "code_points", max: 63_206 } as const

const images = {
  // More than a post can name.
  max_count: 100,
  mime_types: ["image/jpeg", "image/png", "image/gif"],
  max_bytes: 4_000_000
} as const

const videos = { max_count: 1, mime_types: ["video/mp4", "video/quicktime", "video/webm"] } as const

const feed = { name: "feed", caption, text_only: true, images, videos, mixed: false } as const

const reel = {
  name: "reel",
  caption,
  text_only: false,
  videos: {
    ...videos,
    min_width: 540,
    min_height: 960,
    min_duration_ms: 3000,
    max_duration_ms: 90_000,
    min_fps: 24,
    max_fps: 60
  },
  mixed: false
} as const

const story = {
  name: "story",
  caption,
  text_only: false,
  images: { ...images, max_count: 1 },
  videos,
  mixed: false
} as const

/**
 * https://developers.facebook.com/docs/pages-api/posts. Several stories would be as many posts, so a story has one medium.
 */
export const facebookRules = rulesOf("facebook", {
  placements: [feed, reel, story],
  placementOf: (_media, chosen) => (chosen === "story" ? story : chosen === "reel" ? reel : feed)
})

export const FacebookOptions = Schema.Struct({
  ...overrides,
  placement: placement("Where the post appears. A reel is one video, a story one picture or video."),
  link: option(
    webAddress,
    "Link",
    "The http or https URL of a page to show as a card. Default: `null`, none."
  ),
  first_comment: firstComment
}).annotate({ identifier: "FacebookOptions" })
