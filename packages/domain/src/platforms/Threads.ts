import { Schema } from "effect"
import { onePlacement, rulesOf } from "../Platform.ts"
import { mostThreadItems } from "../Thread.ts"
import { altText, named, option, overrides, text } from "./OptionFields.ts"

const maximumAltText = 1000

/** https://developers.facebook.com/docs/threads/overview */
export const threadsRules = rulesOf("threads", {
  alt_text: maximumAltText,
  chains: { max_items: mostThreadItems },
  ...onePlacement({
    caption: { unit: "threads", max: 500 },
    text_only: true,
    images: {
      max_count: 20,
      mime_types: ["image/jpeg", "image/png"],
      max_bytes: 8_000_000,
      min_width: 320,
      max_width: 1440,
      min_ratio: 1 / 10,
      max_ratio: 10
    },
    videos: {
      max_count: 20,
      mime_types: ["video/mp4", "video/quicktime"],
      max_bytes: 1_000_000_000,
      max_duration_ms: 300_000
    },
    mixed: true,
    max_count: 20
  })
})

export const ThreadsOptions = Schema.Struct({
  ...overrides,
  location: option(
    text(100),
    "Location",
    "The id of the place to tag as the post's location. Default: `null`, none."
  ),
  reply_control: option(
    named({
      everyone: "Anyone",
      accounts_you_follow: "Profiles you follow",
      mentioned_only: "Mentioned only",
      parent_post_author_only: "Author of the parent post",
      followers_only: "Your followers"
    }),
    "Who can reply",
    "Who can reply. Default: anyone. `accounts_you_follow`: those that this account follows. `mentioned_only`: those that the caption mentions."
  ),
  topic_tag: option(
    text(50),
    "Topic",
    "The post's topic, without #, at most 50 characters. Default: the first tag in the caption."
  ),
  alt_text: altText(maximumAltText)
}).annotate({ identifier: "ThreadsOptions" })
