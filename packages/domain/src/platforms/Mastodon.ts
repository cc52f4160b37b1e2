import { Schema } from "effect"
import { MediaId } from "../Ids.ts"
import type { AccountLimits } from "../AccountLimits.ts"
import {
  onePlacement,
  type OptionConflict,
  type PlatformRules,
  type PostOptions,
  rulesOf,
  type TextRules
} from "../Platform.ts"
import { textLength } from "../TextLength.ts"
import { mostThreadItems } from "../Thread.ts"
import type { CredentialForm } from "./ConnectForm.ts"
import {
  altText,
  flag,
  language,
  named,
  option,
  overrides,
  several,
  text,
  webAddress
} from "./OptionFields.ts"
import { poll, pollConflicts } from "./Poll.ts"
import { field } from "../Field.ts"

const usualAltText = 1500
const imageTypes = ["image/jpeg", "image/png", "image/webp", "image/gif"]
const videoTypes = ["video/mp4", "video/quicktime", "video/webm"]
/** The widest limits of a request; an account's server may take less. */
const polls = { question: 5000, options: 50, option: 500, hours: 8760, openFor: "24" }
const longestAltText = 4000
const usualPolls = { options: 4, option: 50, hours: 730 }

/** https://docs.joinmastodon.org/entities/Instance/#configuration; what a server does not name is as it usually is. */
const within = (limits: AccountLimits): PlatformRules => {
  const caption: TextRules = {
    // Pleroma's 0: an address counts as it is written.
    unit: limits.address_characters === 0 ? "graphemes" : "mastodon",
    max: limits.characters ?? 500,
    ...(limits.address_characters ? { address_length: limits.address_characters } : {})
  }
  const count = limits.media ?? 4
  const taken = (ours: ReadonlyArray<string>) =>
    limits.mime_types === undefined ? ours : ours.filter((type) => limits.mime_types!.includes(type))
  const [images, videos] = [taken(imageTypes), taken(videoTypes)]
  const picture = {
    mime_types: images,
    max_bytes: limits.image_bytes ?? 16_000_000,
    ...(limits.image_pixels === undefined ? {} : { max_pixels: limits.image_pixels })
  }
  return rulesOf("mastodon", {
    alt_text: limits.description_characters ?? usualAltText,
    ...onePlacement({
      caption,
      text_only: true,
      ...(images.length === 0
        ? {}
        : {
            images: { max_count: count, ...picture },
            covers: { max_count: 1, ...picture }
          }),
      ...(videos.length === 0
        ? {}
        : {
            videos: {
              max_count: Math.min(1, count),
              mime_types: videos,
              max_bytes: limits.video_bytes ?? 99_000_000,
              ...(limits.video_pixels === undefined ? {} : { max_pixels: limits.video_pixels }),
              ...(limits.video_fps === undefined ? {} : { max_fps: limits.video_fps })
            }
          }),
      mixed: false
    }),
    counted: ({ caption, options: { spoiler_text } }) =>
      typeof spoiler_text === "string" ? spoiler_text + caption : caption,
    poll_is_content: true,
    chains: { max_items: mostThreadItems, first_only: ["poll", "quote", "focus", "thumbnail"] },
    conflicts: (post) => [
      ...pollConflicts(caption.max)(post),
      ...longQuestion(post, caption),
      ...pollLimits(post, limits),
      ...longDescriptions(post, limits),
      ...thumbnailConflicts(post, images),
      ...quoteConflicts(post, limits)
    ],
    within
  })
}

/** The usual limits; a server may set others. */
export const mastodonRules = within({})

const quoteConflicts = (
  { options: { quote } }: PostOptions,
  { quotes }: AccountLimits
): ReadonlyArray<OptionConflict> =>
  quote == null || quotes !== false
    ? []
    : [
        {
          option: "quote",
          rule: "quote_not_possible",
          sentence:
            "cannot quote a post: the account's server has no quotes, which came with Mastodon 4.5. Leave quote out."
        }
      ]

/** Polls have no question: one of their own stands below the caption. */
export const mastodonText = ({ options: { poll }, caption }: Pick<PostOptions, "options" | "caption">) =>
  [caption, typeof poll === "object" && poll !== null && "question" in poll ? String(poll.question) : ""]
    .filter((part) => part !== "")
    .join("\n\n")

const longQuestion = (post: PostOptions, rules: TextRules): ReadonlyArray<OptionConflict> => {
  const { spoiler_text } = post.options
  const text = mastodonText(post)
  if (text === post.caption) return []
  const warning = typeof spoiler_text === "string" ? spoiler_text : ""
  const alone = textLength(warning + post.caption, rules, rules.max)
  if (alone > rules.max) return []
  const length = textLength(warning + text, rules)
  return length > rules.max
    ? [
        {
          option: "poll",
          rule: "poll_question",
          sentence: `allows at most ${rules.max} characters with the poll's question, which goes below the caption; this post has ${length}.`,
          limit: rules.max,
          value: length
        }
      ]
    : []
}

const isPoll = Schema.is(
  Schema.Struct({
    options: Schema.Array(Schema.String),
    duration_hours: Schema.optionalKey(Schema.Finite)
  })
)

const pollLimits = (
  { options: { poll: given } }: PostOptions,
  limits: AccountLimits
): ReadonlyArray<OptionConflict> => {
  if (!isPoll(given)) return []
  const choices = limits.poll_options ?? usualPolls.options
  const longestChoice = limits.poll_option_characters ?? usualPolls.option
  const distinct = new Set(given.options.map((choice) => choice.trim()))
  const longest = Math.max(...given.options.map((choice) => textLength(choice, { unit: "graphemes" })))
  const seconds = (given.duration_hours ?? 24) * 3600
  const [shortest, latest] = [limits.poll_min_seconds ?? 300, limits.poll_max_seconds ?? 2_629_746]
  const conflict = (rule: string, sentence: string, limit: number, value: number) => [
    { option: "poll", rule, sentence, limit, value }
  ]
  return [
    ...(given.options.length > choices
      ? conflict(
          "poll_options",
          `allows at most ${choices} choices in a poll; this one has ${given.options.length}.`,
          choices,
          given.options.length
        )
      : []),
    ...(distinct.size < given.options.length
      ? conflict(
          "poll_distinct_options",
          `does not allow the same choice twice in a poll; of ${given.options.length} choices, ${distinct.size} are different.`,
          given.options.length,
          distinct.size
        )
      : []),
    ...(longest > longestChoice
      ? conflict(
          "poll_option_length",
          `allows at most ${longestChoice} characters in each choice of a poll; one has ${longest}.`,
          longestChoice,
          longest
        )
      : []),
    ...(seconds < shortest || seconds > latest
      ? conflict(
          "poll_duration",
          `allows polls to be open for ${shortest} to ${latest} seconds; this one is open for ${seconds}. Change duration_hours.`,
          seconds < shortest ? shortest : latest,
          seconds
        )
      : [])
  ]
}

const longDescriptions = (
  { options: { alt_text } }: PostOptions,
  { description_characters: most = usualAltText }: AccountLimits
): ReadonlyArray<OptionConflict> => {
  const longest = Math.max(0, ...[alt_text ?? []].flat().map((one) => [...String(one)].length))
  return longest <= most
    ? []
    : [
        {
          option: "alt_text",
          rule: "alt_text_length",
          sentence: `allows at most ${most} characters of alt text; one has ${longest}.`,
          limit: most,
          value: longest
        }
      ]
}

const thumbnailConflicts = (
  { options: { thumbnail }, media }: PostOptions,
  images: ReadonlyArray<string>
): ReadonlyArray<OptionConflict> => {
  if (thumbnail === undefined) return []
  if (images.length === 0)
    return [
      {
        option: "thumbnail",
        rule: "thumbnail_not_possible",
        sentence: "does not accept thumbnail: the account's server accepts no images. Leave thumbnail out."
      }
    ]
  return media.some(({ kind }) => kind === "video" || kind === null)
    ? []
    : [
        {
          option: "thumbnail",
          rule: "thumbnail_of_a_video",
          sentence: "accepts thumbnail only with a video; add a video or leave thumbnail out."
        }
      ]
}

const coordinate = String.raw`-?(0|1(\.0{1,9})?|0?\.\d{1,9})`
const focalPoint = Schema.String.check(
  Schema.isPattern(new RegExp(`^${coordinate}, ?${coordinate}$`, "u"), {
    expected: "two numbers from -1.0 to 1.0, such as 0.0,0.5"
  }),
  Schema.isMaxLength(30)
)

export const MastodonOptions = Schema.Struct({
  ...overrides,
  visibility: option(
    named({
      public: "Public",
      unlisted: "Quiet public",
      private: "Followers",
      direct: "Private mention"
    }),
    "Visibility",
    "Who can see the post. Default: the account's setting. `unlisted`: everyone, but not in public feeds. `private`: followers. `direct`: those that it mentions."
  ),
  spoiler_text: option(
    text(5000),
    "Content warning",
    "Hides the text behind this warning. Counts toward the caption's limit. Default: `null`, none."
  ),
  sensitive: option(
    flag,
    "Mark media as sensitive",
    "Hides the media until someone opens them. Default: the account's setting."
  ),
  language: option(
    language,
    "Language",
    "The language of the text, such as en or pt-BR. Default: the account's setting."
  ),
  poll: poll(polls, usualPolls, {
    hide_totals: field(
      "true: hides the counts until the poll ends. Default: false, shown.",
      Schema.optionalKey(flag)
    )
  }),
  quote: option(
    webAddress,
    "Quoted post",
    "The URL of a post, on any server, to show below the text. Needs Mastodon 4.5 or later, and is refused on other servers. Default: `null`, none."
  ),
  quote_policy: option(
    named({ public: "Anyone", followers: "Followers only", nobody: "Just me" }),
    "Who can quote",
    "Who can quote the post. Needs Mastodon 4.5 or later; other servers publish without it, with a warning. Default: the account's setting."
  ),
  focus: option(
    Schema.Union([focalPoint, several(focalPoint, 100)]),
    "Focal point",
    "The point that previews keep in view: how far right and how far up it is, each from -1.0 to 1.0, where 0.0,0.0 is the center. One for all media, or a list with one for each. Default: the center."
  ),
  thumbnail: option(
    MediaId,
    "Thumbnail",
    "A library image, by its id, to show before the video plays. Only with a video. Default: the server chooses."
  ),
  alt_text: altText(
    longestAltText,
    `${usualAltText} characters unless the account's server sets another limit`
  )
}).annotate({ identifier: "MastodonOptions" })

export const mastodonForm = {
  summary: "You authorize it on your server",
  fields: {
    server: { label: "Server", help: "The account's server, such as mastodon.social", before_consent: true },
    access_token: {
      label: "Access token",
      help: "An access token of your server: Preferences, Development, New application, with the scopes write:statuses, write:media, read:accounts, read:statuses and read:search.",
      secret: true
    }
  },
  link: { text: "About applications and tokens", href: "https://docs.joinmastodon.org/client/token/" }
} as const satisfies CredentialForm
