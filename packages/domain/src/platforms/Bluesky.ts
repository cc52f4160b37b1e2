import { Schema } from "effect"
import { onePlacement, type PlatformRules } from "../Platform.ts"
import { altText, language, option, overrides, several, thread } from "./OptionFields.ts"

const maximumAltText = 2000

/** https://github.com/bluesky-social/atproto/tree/main/lexicons/app/bsky: `feed.post` and `embed.images`. */
export const blueskyRules: PlatformRules = {
  platform: "bluesky",
  alt_text: maximumAltText,
  name: "Bluesky",
  ...onePlacement({
    caption: { unit: "graphemes", max: 300, max_bytes: 3000 },
    text_only: true,
    images: {
      max_count: 4,
      mime_types: ["image/jpeg", "image/png", "image/webp"],
      max_bytes: 2_000_000,
      max_side: 4000
    },
    mixed: false
  }),
  options_to_come: ["reply_gate", "labels", "link_card", "thread"]
}

export const BlueskyOptions = Schema.Struct({
  ...overrides,
  langs: option(several(language, 3), "Languages of the text, at most 3, such as `en` and `pt-BR`."),
  reply_gate: option(
    Schema.Literals(["everyone", "nobody", "mentioned", "followers", "following"]),
    "Who may reply."
  ),
  labels: option(
    several(Schema.Literals(["sexual", "nudity", "porn", "graphic-media"]), 4),
    "Warnings about the content."
  ),
  link_card: option(Schema.Literals(["auto", "off"]), "A card for the first address of the caption."),
  alt_text: altText(maximumAltText),
  thread
}).annotate({ identifier: "BlueskyOptions" })
