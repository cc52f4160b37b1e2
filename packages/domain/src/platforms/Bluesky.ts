import { Schema, SchemaGetter } from "effect"
import type { AccountLimits } from "../AccountLimits.ts"
import {
  onePlacement,
  type OptionConflict,
  type PlatformRules,
  type PostOptions,
  rulesOf,
  type WarnedMedia
} from "../Platform.ts"
import { Text } from "../Text.ts"
import { mostThreadItems } from "../Thread.ts"
import { byteLength, textLength } from "../TextLength.ts"
import { addressOf, blueskyList, blueskyPost } from "./BlueskyAddresses.ts"
import { captionConflicts, captions, onlyWithVideo } from "./Captions.ts"
import { type CredentialForm, serverAddress } from "./ConnectForm.ts"
import { altText, language, linkCards, named, option, overrides, several } from "./OptionFields.ts"

const maximumAltText = 2000

/** A reply gate has at most so many rules. */
const maximumGateRules = 5

/** Options that say something about the video of a post. */
const ofVideo = ["captions", "presentation"]

const conflictsOf = (post: PostOptions): ReadonlyArray<OptionConflict> => {
  const { link, link_card, reply_gate, reply_lists } = post.options
  const rules = [reply_gate ?? []].flat()
  const lists = Array.isArray(reply_lists) ? reply_lists.length : 0
  const alone = rules.find((rule) => rule === "everyone" || rule === "nobody")
  const count = rules.length + lists
  const noCard =
    post.media.length > 0
      ? "does not show a link card on a post with media; leave link or the media out."
      : link_card === "off"
        ? "uses link for the link card, which link_card turns off; leave one of the two out."
        : undefined
  return [
    ...(typeof link === "string" && noCard !== undefined
      ? [
          {
            option: "link",
            rule: "link_needs_card",
            sentence: noCard
          }
        ]
      : []),
    ...(alone !== undefined && count > 1
      ? [
          {
            option: rules.length > 1 ? "reply_gate" : "reply_lists",
            rule: "reply_gate_alone",
            sentence: `does not combine "${alone}" in reply_gate with other groups or reply_lists; keep one or the other.`
          }
        ]
      : []),
    ...(count > maximumGateRules
      ? [
          {
            option: "reply_lists",
            rule: "reply_gate_rules",
            sentence: `allows at most ${maximumGateRules} groups and lists that can reply; reply_gate and reply_lists have ${count} together.`,
            limit: maximumGateRules,
            value: count
          }
        ]
      : []),
    ...onlyWithVideo(ofVideo, post),
    ...captionConflicts(post)
  ]
}

/** What the video service converts is another file by the time it reaches the server. */
const videoWarnings =
  ({ file_bytes = Infinity, video_service }: AccountLimits) =>
  (media: ReadonlyArray<WarnedMedia>): ReadonlyArray<string> =>
    media.flatMap(({ kind, name, size_bytes }) =>
      kind !== "video"
        ? []
        : video_service === false
          ? [
              "sends the video as it is, because Bluesky's video service does not reach the account's server; apps show " +
                "nothing in its place until something converts it."
            ]
          : (size_bytes ?? 0) > file_bytes
            ? [
                `stores files of at most ${file_bytes} bytes on this account's server; the post fails if the copy that Bluesky's video ` +
                  `service makes of ${JSON.stringify(name)} (${size_bytes} bytes) is larger. A shorter video is safe.`
              ]
            : []
    )

/** https://github.com/bluesky-social/atproto/tree/main/lexicons/app/bsky: `feed.post`, `embed.images`, `embed.gallery`, `embed.video`. */
const within = (limits: AccountLimits): PlatformRules => {
  const { file_bytes = Infinity, video_service } = limits
  return rulesOf("bluesky", {
    alt_text: maximumAltText,
    ...onePlacement({
      caption: { unit: "graphemes", max: 300, max_bytes: 3000 },
      text_only: true,
      images: {
        max_count: 10,
        mime_types: ["image/jpeg", "image/png", "image/webp"],
        max_bytes: Math.min(2_000_000, file_bytes),
        max_side: 4000
      },
      videos: {
        max_count: 1,
        mime_types: ["video/mp4"],
        max_bytes: video_service === false ? Math.min(300_000_000, file_bytes) : 300_000_000,
        max_duration_ms: 600_000
      },
      mixed: false
    }),
    conflicts: conflictsOf,
    chains: { max_items: mostThreadItems, at_once: true, first_only: ["link", "quote", ...ofVideo] },
    media_warnings: videoWarnings(limits),
    within
  })
}

/** The usual limits; an account's server may set narrower ones. */
export const blueskyRules = within({})

const tag = Text.check(
  Schema.makeFilter(
    (value: string) =>
      (/^[^\s#＃]/u.test(value) &&
        textLength(value, { unit: "graphemes" }) <= 64 &&
        byteLength(value) <= 640) ||
      "is not a tag of at most 64 characters without its #",
    { expected: "a tag of at most 64 characters without its #", toJsonSchema: () => ({ maxLength: 640 }) }
  )
)

const mayReply = named({
  everyone: "Anyone",
  nobody: "Nobody",
  mentioned: "People you mention",
  followers: "Your followers",
  following: "People you follow"
})

export const BlueskyOptions = Schema.Struct({
  ...overrides,
  langs: option(
    several(language, 3),
    "Languages",
    "The languages of the text, at most 3, such as en or pt-BR. Default: `null`, none."
  ),
  tags: option(
    several(tag, 8),
    "Tags",
    "Tags in addition to those in the text, without #: at most 8, of up to 64 characters each."
  ),
  reply_gate: option(
    Schema.Union([mayReply, several(mayReply, maximumGateRules)]).pipe(
      Schema.decodeTo(several(mayReply, maximumGateRules), {
        decode: SchemaGetter.transform((rules) => (typeof rules === "string" ? [rules] : rules)),
        encode: SchemaGetter.passthrough()
      })
    ),
    "Who can reply",
    "Who can reply: one value, or a list of groups of people. Default: anyone. `everyone` and `nobody` stand alone."
  ),
  reply_lists: option(
    several(addressOf(blueskyList, "a list"), maximumGateRules),
    "Lists that can reply",
    "URLs of Bluesky lists whose members can reply too. At most 5, counting the groups of `reply_gate`. Default: `null`, none."
  ),
  quote_gate: option(
    named({ everyone: "Anyone", nobody: "Nobody" }),
    "Who can quote",
    "Who can quote the post in one of their own. Default: anyone."
  ),
  quote: option(
    addressOf(blueskyPost, "a post"),
    "Quoted post",
    "The post to quote: its `https://bsky.app/profile/…/post/…` URL or its `at://` URI. Default: `null`, none."
  ),
  labels: option(
    several(
      named({
        sexual: "Suggestive",
        nudity: "Nudity",
        porn: "Adult",
        "graphic-media": "Graphic media"
      }),
      4
    ),
    "Content warnings",
    "Warnings that people see before they open the media. Default: `null`, none. `sexual`: suggestive. `nudity`: not erotic. `porn`: adult. `graphic-media`: violence."
  ),
  ...linkCards,
  captions,
  presentation: option(
    named({ default: "Video", gif: "GIF" }),
    "Show video as",
    "Whether apps show the video as a video or like a GIF. Only with a video. Default: as a video."
  ),
  alt_text: altText(maximumAltText)
}).annotate({ identifier: "BlueskyOptions" })

export const blueskyForm = {
  summary: "With your handle and an app password",
  fields: {
    identifier: {
      label: "Handle",
      help: "The account's handle, such as north.bsky.social, or its email address"
    },
    app_password: {
      label: "App password",
      help: "An app password, not the password of the account.",
      secret: true
    },
    service: {
      label: "Server",
      help: "The URL of the account's server, such as https://pds.example.com. Needed only if it cannot be found automatically",
      optional: true,
      schema: serverAddress
    }
  },
  link: { text: "Create an app password on Bluesky", href: "https://bsky.app/settings/app-passwords" },
  more: "The account is on its own server"
} as const satisfies CredentialForm
