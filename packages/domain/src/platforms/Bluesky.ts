import { Schema, SchemaGetter } from "effect"
import { onePlacement, type OptionConflict, type PostOptions, rulesOf } from "../Platform.ts"
import { Text } from "../Text.ts"
import { mostChainItems } from "../Thread.ts"
import { byteLength, textLength } from "../TextLength.ts"
import { addressOf, blueskyList, blueskyPost } from "./BlueskyAddresses.ts"
import { type CredentialForm, serverAddress } from "./ConnectForm.ts"
import { altText, language, named, option, overrides, several, webAddress } from "./OptionFields.ts"

const maximumAltText = 2000

/** A reply gate has at most so many rules. */
const maximumGateRules = 5

/** https://github.com/bluesky-social/atproto/blob/main/lexicons/app/bsky/embed/video.json */
const captionFiles = { max_count: 20, max_bytes: 20_000 }

/** Options that say something about the video of a post. */
const ofVideo = ["captions", "presentation"]

const videoConflicts = ({ media, options }: PostOptions): ReadonlyArray<OptionConflict> => {
  if (media.some(({ kind }) => kind === "video" || kind === null)) return []
  return ofVideo
    .filter((option) => [options[option] ?? []].flat().length > 0)
    .map((option) => ({ option, rule: "only_with_video", sentence: `takes ${option} only with a video.` }))
}

const isCaptions = Schema.is(Schema.Array(Schema.Struct({ lang: Schema.String })))

const captionConflicts = ({ options: { captions } }: PostOptions): ReadonlyArray<OptionConflict> => {
  if (!isCaptions(captions)) return []
  const languages = captions.map(({ lang }) => lang.toLowerCase())
  const twice = captions.find((_, index) => languages.indexOf(languages[index]!) !== index)
  return twice === undefined
    ? []
    : [
        {
          option: "captions",
          rule: "caption_languages_differ",
          sentence: `takes one caption file for each language; "${twice.lang}" is there twice.`
        }
      ]
}

const conflictsOf = (post: PostOptions): ReadonlyArray<OptionConflict> => {
  const { link, link_card, reply_gate, reply_lists } = post.options
  const rules = [reply_gate ?? []].flat()
  const lists = Array.isArray(reply_lists) ? reply_lists.length : 0
  const alone = rules.find((rule) => rule === "everyone" || rule === "nobody")
  const count = rules.length + lists
  const noCard =
    post.media.length > 0
      ? "no media with a link card"
      : link_card === "off"
        ? "link only with a link card"
        : undefined
  return [
    ...(typeof link === "string" && noCard !== undefined
      ? [
          {
            option: "link",
            rule: "link_needs_card",
            sentence: `takes ${noCard}; leave out one of the two.`
          }
        ]
      : []),
    ...(alone !== undefined && count > 1
      ? [
          {
            option: rules.length > 1 ? "reply_gate" : "reply_lists",
            rule: "reply_gate_alone",
            sentence: `takes "${alone}" as the only answer to who may reply; leave it out to name people.`
          }
        ]
      : []),
    ...(count > maximumGateRules
      ? [
          {
            option: "reply_lists",
            rule: "reply_gate_rules",
            sentence: `takes ${maximumGateRules} groups of people who may reply, lists among them; these are ${count}.`,
            limit: maximumGateRules,
            value: count
          }
        ]
      : []),
    ...videoConflicts(post),
    ...captionConflicts(post)
  ]
}

/** https://github.com/bluesky-social/atproto/tree/main/lexicons/app/bsky: `feed.post`, `embed.images`, `embed.gallery`, `embed.video`. */
export const blueskyRules = rulesOf("bluesky", {
  alt_text: maximumAltText,
  ...onePlacement({
    caption: { unit: "graphemes", max: 300, max_bytes: 3000 },
    text_only: true,
    images: {
      max_count: 10,
      mime_types: ["image/jpeg", "image/png", "image/webp"],
      max_bytes: 2_000_000,
      max_side: 4000
    },
    videos: {
      max_count: 1,
      mime_types: ["video/mp4"],
      max_bytes: 300_000_000,
      max_duration_ms: 600_000
    },
    mixed: false
  }),
  conflicts: conflictsOf,
  chains: { max_items: mostChainItems, at_once: true, first_only: ["link", "quote", ...ofVideo] }
})

const tag = Text.check(
  Schema.makeFilter(
    (value: string) =>
      (/^[^\s#＃]/u.test(value) &&
        textLength(value, { unit: "graphemes" }) <= 64 &&
        byteLength(value) <= 640) ||
      "is no tag of at most 64 characters without its #",
    { expected: "a tag of at most 64 characters without its #", toJsonSchema: () => ({ maxLength: 640 }) }
  )
)

/** A file of https://www.w3.org/TR/webvtt1/, which may begin with a byte order mark. */
const webVtt = Text.check(
  Schema.makeFilter(
    (value: string) =>
      (/^\uFEFF?WEBVTT(?:[ \t\r\n]|$)/u.test(value) && byteLength(value) <= captionFiles.max_bytes) ||
      `is no WebVTT file of at most ${captionFiles.max_bytes} bytes that begins with WEBVTT`,
    {
      expected: `a WebVTT file of at most ${captionFiles.max_bytes} bytes that begins with WEBVTT`,
      toJsonSchema: () => ({ maxLength: captionFiles.max_bytes, pattern: "^\\uFEFF?WEBVTT" })
    }
  )
)

const mayReply = named({
  everyone: "Everyone",
  nobody: "Nobody",
  mentioned: "People who are mentioned",
  followers: "Followers",
  following: "People whom the account follows"
})

export const BlueskyOptions = Schema.Struct({
  ...overrides,
  langs: option(several(language, 3), "Languages", "Languages of the text, at most 3, such as en and pt-BR."),
  tags: option(
    several(tag, 8),
    "Tags",
    "Tags besides those in the text, without their #: at most 8, of 64 characters each."
  ),
  reply_gate: option(
    Schema.Union([mayReply, several(mayReply, maximumGateRules)]).pipe(
      Schema.decodeTo(several(mayReply, maximumGateRules), {
        decode: SchemaGetter.transform((rules) => (typeof rules === "string" ? [rules] : rules)),
        encode: SchemaGetter.passthrough()
      })
    ),
    "Who may reply",
    "Who may reply: one answer, or several groups of people. Left out: everyone."
  ),
  reply_lists: option(
    several(addressOf(blueskyList, "a list"), maximumGateRules),
    "Lists whose people may reply",
    "Addresses of lists whose people may reply too."
  ),
  quote_gate: option(
    named({ everyone: "Everyone", nobody: "Nobody" }),
    "Who may quote",
    "Who may quote the post. Left out: everyone."
  ),
  quote: option(
    addressOf(blueskyPost, "a post"),
    "Quoted post",
    "The address of a post that is shown below the text."
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
    "A card for the first address of the caption, in a post without media. Left out: shown."
  ),
  link: option(webAddress, "Address of the link card", "Instead of the first address of the caption."),
  captions: option(
    several(Schema.Struct({ lang: language, text: webVtt }), captionFiles.max_count),
    "Subtitles",
    `Subtitles of the video: a list of at most ${captionFiles.max_count} such as { "lang": "en", "text": "WEBVTT …" }, where the text is a WebVTT file of at most ${captionFiles.max_bytes} bytes. Only with a video.`
  ),
  presentation: option(
    named({ default: "As a video", gif: "As a GIF" }),
    "Shown as",
    "How apps show the video. Only with a video. Left out: as a video."
  ),
  alt_text: altText(maximumAltText)
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
