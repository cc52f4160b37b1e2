import { Schema } from "effect"
import { field } from "../Field.ts"
import { onePlacement, type OptionConflict, type PostOptions, rulesOf } from "../Platform.ts"
import { linksOf, textLength } from "../TextLength.ts"
import { mostThreadItems } from "../Thread.ts"
import {
  altText,
  filledText,
  flag,
  named,
  option,
  overrides,
  several,
  text,
  webAddress
} from "./OptionFields.ts"

const maximumAltText = 1000

const caption = { unit: "threads", max: 500, max_links: 5 } as const

const polls = { options: 4, option: 25 } as const

const longestAttachment = 10_000

/** The most places of a text that are hidden, and options that a text alone can have. */
const mostSpoilers = 10
const onlyText = ["poll", "link", "text_attachment", "gif_id", "is_ghost_post"] as const

/** "The only feature supported with ghost posts is text spoilers." */
const notOnGhosts = [
  ...onlyText.filter((name) => name !== "is_ghost_post"),
  "topic_tag",
  "quote_post_id",
  "location",
  "reply_control",
  "countries"
]

/** https://developers.facebook.com/documentation/threads/posts and the pages below create-posts. */
export const threadsRules = rulesOf("threads", {
  alt_text: maximumAltText,
  chains: {
    max_items: mostThreadItems,
    first_only: [...notOnGhosts.filter((name) => name !== "countries"), "is_ghost_post", "spoilers"]
  },
  ...onePlacement({
    caption,
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
      max_width: 1920,
      min_ratio: 0.01,
      max_ratio: 10,
      max_duration_ms: 300_000,
      min_fps: 23,
      max_fps: 60,
      video_codecs: ["avc", "hevc"],
      audio_codecs: ["aac"]
    },
    fetched: ["image", "video"],
    mixed: true,
    max_count: 20
  }),
  conflicts: (post) => [
    ...mediaConflicts(post),
    ...ghostConflicts(post),
    ...linkConflicts(post),
    ...spoilerConflicts(post)
  ]
})

const conflict = (option: string, rule: string, sentence: string, more: Partial<OptionConflict> = {}) => ({
  option,
  rule,
  sentence,
  ...more
})

const isSet = (value: unknown) => value !== undefined && value !== false

const mediaConflicts = ({ media, options, thread = [] }: PostOptions): ReadonlyArray<OptionConflict> => [
  ...(media.length === 0
    ? []
    : onlyText
        .filter((name) => isSet(options[name]))
        .map((name) =>
          conflict(
            name,
            `${name}_without_media`,
            `accepts ${name} only on a text without media; remove one of the two.`
          )
        )),
  ...(isSet(options["poll"]) && isSet(options["text_attachment"])
    ? [
        conflict(
          "text_attachment",
          "text_attachment_without_poll",
          "shows a poll or a text_attachment in one post, not both; leave one of them out."
        )
      ]
    : []),
  ...(options["is_spoiler_media"] === true && [{ media }, ...thread].every((item) => item.media.length === 0)
    ? [
        conflict(
          "is_spoiler_media",
          "is_spoiler_media_with_media",
          "hides pictures and videos with is_spoiler_media, and the post has none; add one or leave it out."
        )
      ]
    : [])
]

const ghostConflicts = ({ options, thread = [] }: PostOptions): ReadonlyArray<OptionConflict> => {
  if (options["is_ghost_post"] !== true) return []
  const besides = notOnGhosts.filter((name) => isSet(options[name]))
  return [
    ...(besides.length === 0
      ? []
      : [
          conflict(
            "is_ghost_post",
            "ghost_is_text",
            `allows text and spoilers alone in a ghost post; leave out is_ghost_post, or ${besides.join(" and ")}.`
          )
        ]),
    ...(thread.length === 0
      ? []
      : [
          conflict(
            "is_ghost_post",
            "ghost_is_alone",
            "has no threads of ghost posts; leave out is_ghost_post or the thread."
          )
        ])
  ]
}

/** What a text links to is counted with its caption; a link that only its card has counts too. */
const linkConflicts = ({ caption: words, options: { link } }: PostOptions): ReadonlyArray<OptionConflict> => {
  const written = linksOf(words)
  const all = typeof link === "string" ? linksOf(`${words} ${link}`) : written
  return written.size <= caption.max_links && all.size > caption.max_links
    ? [
        conflict(
          "link",
          "max_links",
          `allows at most ${caption.max_links} different links; the caption and link have ${all.size}. Remove one.`,
          { limit: caption.max_links, value: all.size }
        )
      ]
    : []
}

const spoilerConflicts = ({ caption: words, options: { spoilers } }: PostOptions) => {
  if (!isTexts(spoilers)) return []
  const missing = spoilers.find((hidden) => !words.includes(hidden) || hidden.trim() === "")
  const count = spoilerRanges(words, spoilers).length
  return [
    ...(missing === undefined
      ? []
      : [
          conflict(
            "spoilers",
            "spoiler_in_caption",
            `finds ${JSON.stringify(missing)} nowhere in the caption; write each of the spoilers as it is there.`
          )
        ]),
    ...(count > mostSpoilers
      ? [
          conflict(
            "spoilers",
            "max_spoilers",
            `hides at most ${mostSpoilers} places of a caption; the spoilers are in ${count}. Hide fewer or longer parts.`,
            { limit: mostSpoilers, value: count }
          )
        ]
      : [])
  ]
}

const isTexts = Schema.is(Schema.Array(Schema.String))

/** A part of a text, in code points. */
interface TextRange {
  readonly offset: number
  readonly length: number
}

const places = (words: string, hidden: string) => {
  let end = 0
  return words
    .split(hidden)
    .slice(0, -1)
    .map((before) => {
      const from = end + before.length
      end = from + hidden.length
      return { from, to: end }
    })
}

/** Every place of the words to hide in a text; places that touch are one. */
export const spoilerRanges = (words: string, spoilers: ReadonlyArray<string>): ReadonlyArray<TextRange> => {
  const joined: Array<ReturnType<typeof places>[number]> = []
  const all = spoilers.filter((hidden) => hidden !== "").flatMap((hidden) => places(words, hidden))
  for (const { from, to } of all.sort((one, other) => one.from - other.from)) {
    const last = joined.at(-1)
    if (last === undefined || from > last.to) joined.push({ from, to })
    else last.to = Math.max(last.to, to)
  }
  const count = (text: string) => textLength(text, { unit: "code_points" })
  return joined.map(({ from, to }) => ({
    offset: count(words.slice(0, from)),
    length: count(words.slice(from, to))
  }))
}

const digits = Schema.String.check(
  Schema.isPattern(/^\d{1,30}$/u, { expected: "an id of at most 30 digits" })
)

export const ThreadsOptions = Schema.Struct({
  ...overrides,
  topic_tag: option(
    filledText(50).check(
      Schema.makeFilter((topic: string) => !/[.&]/.test(topic) || "contains . or &, which a topic cannot", {
        expected: "a topic without . and &"
      })
    ),
    "Topic",
    "The post's topic, without #, in at most 50 characters, none of them `.` or `&`. Default: the first tag in the caption."
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
  poll: option(
    Schema.Struct({
      options: field(
        `The choices in the order shown: 2 to ${polls.options}, of at most ${polls.option} characters each.`,
        Schema.Array(filledText(polls.option)).check(
          Schema.isBetweenLength(2, polls.options, { expected: `2 to ${polls.options} choices` })
        )
      )
    }),
    "Poll",
    `2 to ${polls.options} choices of at most ${polls.option} characters; the caption asks. Not with media or \`text_attachment\`.`
  ),
  link: option(
    webAddress,
    "Link card URL",
    "The URL of the page to show as the link card. Default: the first link in the caption. Not with media."
  ),
  text_attachment: option(
    filledText(longestAttachment),
    "Attached text",
    `A long text to read below the caption, in at most ${longestAttachment.toLocaleString("en")} characters. Not with media or a poll.`
  ),
  spoilers: option(
    several(text(caption.max), mostSpoilers),
    "Spoilers",
    `Words of the caption to hide until someone taps them, each written as in the caption: at most ${mostSpoilers} places.`
  ),
  is_spoiler_media: option(
    flag,
    "Hide pictures and videos",
    "Hides pictures and videos until someone opens them. Default: `false`, shown."
  ),
  is_ghost_post: option(
    flag,
    "Ghost post",
    "Archives the post after 24 hours. Text and spoilers only, without a thread. Default: `false`, it stays."
  ),
  quote_post_id: option(
    digits,
    "Quoted post",
    "The id of the Threads post to quote, such as `platform_data.id` of a result. Default: `null`, none."
  ),
  location: option(
    digits,
    "Location",
    "The id of the place to tag as the post's location. Needs the permission `locations`. Default: `null`, none."
  ),
  gif_id: option(
    Schema.String.check(
      Schema.isPattern(/^[\w-]{1,64}$/u, { expected: "a GIPHY id of letters, digits, - and _" })
    ),
    "GIF",
    "The id of a GIF on GIPHY to show below the text. Not with media."
  ),
  countries: option(
    several(
      Schema.String.check(Schema.isPattern(/^[A-Z]{2}$/u, { expected: "a country code, such as US" })),
      250
    ),
    "Countries",
    "Codes of the only countries where the post is shown, such as `US`. Threads offers this to some accounts. Default: everywhere."
  ),
  alt_text: altText(maximumAltText)
}).annotate({ identifier: "ThreadsOptions" })
