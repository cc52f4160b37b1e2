import { Schema } from "effect"
import { onePlacement, rulesOf } from "../Platform.ts"
import { altText, flag, language, named, option, overrides, text, thread } from "./OptionFields.ts"

const maximumAltText = 1500

/** Mastodon's default limits; a server may set others: https://docs.joinmastodon.org/methods/instance/ */
export const mastodonRules = rulesOf("mastodon", {
  alt_text: maximumAltText,
  ...onePlacement({
    caption: { unit: "mastodon", max: 500 },
    text_only: true,
    images: {
      max_count: 4,
      mime_types: ["image/jpeg", "image/png", "image/webp", "image/gif"],
      max_bytes: 16_000_000
    },
    videos: {
      max_count: 1,
      mime_types: ["video/mp4", "video/quicktime", "video/webm"],
      max_bytes: 99_000_000
    },
    mixed: false
  }),
  counted_option: "spoiler_text"
})

export const MastodonOptions = Schema.Struct({
  ...overrides,
  visibility: option(
    named({
      public: "Everyone",
      unlisted: "Everyone, but not in public lists",
      private: "Followers",
      direct: "People who are mentioned"
    }),
    "Who can see it",
    "Who can see it. Left out: as the account has it."
  ),
  spoiler_text: option(
    text(500),
    "Content warning",
    "Shown before the text, which has to be opened. Counts with the caption."
  ),
  sensitive: option(flag, "Cover the media", "The media are covered until they are opened."),
  language: option(language, "Language", "Language of the text, such as en."),
  alt_text: altText(maximumAltText),
  thread
}).annotate({ identifier: "MastodonOptions" })
