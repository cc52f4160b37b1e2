import { Schema } from "effect"
import { onePlacement, rulesOf } from "../Platform.ts"
import { type CredentialForm, serverAddress } from "./ConnectForm.ts"
import { altText, language, named, option, overrides, several, thread } from "./OptionFields.ts"

const maximumAltText = 2000

/** https://github.com/bluesky-social/atproto/tree/main/lexicons/app/bsky: `feed.post` and `embed.images`. */
export const blueskyRules = rulesOf("bluesky", {
  alt_text: maximumAltText,
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
})

export const BlueskyOptions = Schema.Struct({
  ...overrides,
  langs: option(several(language, 3), "Languages", "Languages of the text, at most 3, such as en and pt-BR."),
  reply_gate: option(
    named({
      everyone: "Everyone",
      nobody: "Nobody",
      mentioned: "People who are mentioned",
      followers: "Followers",
      following: "People whom the account follows"
    }),
    "Who may reply",
    "Who may reply. Left out: everyone."
  ),
  labels: option(
    several(
      named({
        sexual: "Suggestive",
        nudity: "Nudity",
        porn: "Pornography",
        "graphic-media": "Violence or injuries"
      }),
      4
    ),
    "Content warnings",
    "Warnings about the content, which readers see before it."
  ),
  link_card: option(
    named({ auto: "Shown", off: "Not shown" }),
    "Link card",
    "A card for the first address of the caption."
  ),
  alt_text: altText(maximumAltText),
  thread
}).annotate({ identifier: "BlueskyOptions" })

export const blueskyForm = {
  summary: "With your handle and an app password",
  fields: {
    identifier: { label: "Handle", help: "Such as north.bsky.social, or the account's e-mail address" },
    app_password: { label: "App password", help: "Not your own password.", secret: true },
    service: {
      label: "Server",
      help: "Only if it is not found by itself: the address of the account's own server",
      optional: true,
      schema: serverAddress
    }
  },
  link: { text: "Make an app password at Bluesky", href: "https://bsky.app/settings/app-passwords" },
  more: "The account is on a server of its own"
} as const satisfies CredentialForm
