import { Schema } from "effect"
import { onePlacement, rulesOf } from "../Platform.ts"
import { mostChainItems } from "../Thread.ts"
import { altText, named, option, overrides, text } from "./OptionFields.ts"

const maximumAltText = 1000

/** https://developers.facebook.com/docs/threads/overview */
export const threadsRules = rulesOf("threads", {
  alt_text: maximumAltText,
  chains: { max_items: mostChainItems },
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
  location: option(text(100), "Location", "Id of the place."),
  reply_control: option(
    named({
      everyone: "Everyone",
      accounts_you_follow: "People whom the account follows",
      mentioned_only: "People who are mentioned",
      parent_post_author_only: "The author of the post that it answers",
      followers_only: "Followers"
    }),
    "Who may reply",
    "Who may reply. Left out: everyone."
  ),
  topic_tag: option(text(50), "Topic", "The topic. Left out: the first tag of the caption."),
  alt_text: altText(maximumAltText)
}).annotate({ identifier: "ThreadsOptions" })
