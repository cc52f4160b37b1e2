import { Schema } from "effect"
import type { AccountLimits } from "../AccountLimits.ts"
import {
  type OptionConflict,
  type PlacementRules,
  type PlatformRules,
  type PostOptions,
  rulesOf
} from "../Platform.ts"
import type { CredentialForm } from "./ConnectForm.ts"
import { field } from "../Field.ts"
import { mostThreadItems } from "../Thread.ts"
import {
  count,
  filledText,
  flag,
  named,
  option,
  overrides,
  several,
  text,
  webAddress
} from "./OptionFields.ts"
import { poll, pollConflicts } from "./Poll.ts"
import { telegramText } from "./TelegramText.ts"

const polls = {
  question: 300,
  options: 12,
  option: 100,
  hours: 730,
  openFor: "until it is closed in the app",
  explanation: 200,
  explanation_lines: 3
} as const

/** Telegram says no limits of a keyboard, only that one is too long. Its apps show eight buttons in a row. */
const keyboard = { rows: 12, row: 8, text: 100 } as const

/** The longest text by itself, and the longest text under media or above a poll. */
const longestMessage = 4096
const longestCaption = 1024

const caption = { unit: "utf16", max: longestCaption } as const

/** A file and a photo on Telegram's own Bot API server, and a file on one of the operator's own, which runs with `--local`. */
export const telegramBytes = { file: 50_000_000, photo: 10_000_000, own_server: 2_000_000_000 } as const

/** `sendPhoto`: sides of 10,000 pixels together at most. A picture with sides of 5,000 keeps to it whatever its shape. */
const images = {
  max_count: 10,
  mime_types: ["image/jpeg", "image/png"],
  max_bytes: telegramBytes.photo,
  max_side: 5000,
  min_ratio: 1 / 20,
  max_ratio: 20
} as const

/**
 * What an account's server takes: Telegram's own, or one of the operator's own.
 * https://core.telegram.org/bots/api: `sendMessage`, `sendPhoto`, `sendVideo`, `sendMediaGroup`, `sendPoll`.
 */
const within = ({
  video_bytes = telegramBytes.file,
  document_bytes = telegramBytes.file,
  pins
}: AccountLimits): PlatformRules => {
  /** "Telegram clients support MPEG4 videos (other formats may be sent as Document)." */
  const videos = { max_count: 10, mime_types: ["video/mp4"], max_bytes: video_bytes }

  const message: PlacementRules = {
    name: "message",
    caption: { unit: "utf16", max: longestMessage },
    text_only: true,
    mixed: false
  }

  const single: PlacementRules = {
    name: "media",
    caption,
    text_only: false,
    images: { ...images, max_count: 1 },
    gifs: { max_count: 1, mime_types: ["image/gif"], max_bytes: telegramBytes.file },
    videos: { ...videos, max_count: 1 },
    mixed: false,
    max_count: 1
  }

  const album: PlacementRules = {
    name: "album",
    caption,
    text_only: false,
    images,
    videos,
    mixed: true,
    min_count: 2,
    max_count: 10
  }

  /** "Documents and audio files can be only grouped in an album with messages of the same type." */
  const documents: PlacementRules = {
    name: "documents",
    caption,
    text_only: false,
    documents: { max_count: 10, mime_types: ["application/pdf"], max_bytes: document_bytes },
    mixed: false,
    max_count: 10
  }

  return rulesOf("telegram", {
    placements: [message, single, album, documents],
    placementOf: (media) =>
      media.length === 0
        ? message
        : media.every((kind) => kind === "document")
          ? documents
          : media.length === 1
            ? single
            : album,
    poll_is_content: true,
    counted: (post) => telegramText(post).text,
    chains: { max_items: mostThreadItems, first_only: ["poll", "buttons", "pin"] },
    conflicts: (post) => {
      const sent = { ...post, caption: telegramText(post).text }
      return [
        ...pollConflicts(polls.question)(sent),
        ...longDescription(sent),
        ...quizConflicts(post),
        ...(post.options["buttons"] !== undefined && post.media.length > 1
          ? [
              {
                option: "buttons",
                rule: "buttons_without_album",
                sentence: "shows no buttons under several files; send one file, or leave buttons out.",
                limit: 1,
                value: post.media.length
              }
            ]
          : []),
        ...(post.options["pin"] === true && pins === false
          ? [
              {
                option: "pin",
                rule: "pin_right",
                sentence:
                  "does not let its bot pin messages. In Telegram, give the bot the right to edit messages (in a channel) or to pin messages (in a group), then connect the account again; or leave pin out."
              }
            ]
          : [])
      ]
    },
    within
  })
}

export const telegramRules = within({})

/** The caption beside a poll that has a question of its own is the poll's description. */
const longDescription = ({ options: { poll }, caption }: PostOptions): ReadonlyArray<OptionConflict> =>
  typeof poll === "object" && poll !== null && "question" in poll && caption.length > longestCaption
    ? [
        {
          option: "poll",
          rule: "poll_description",
          sentence: `allows at most ${longestCaption} UTF-16 units of text above a poll; this caption has ${caption.length}.`,
          limit: longestCaption,
          value: caption.length
        }
      ]
    : []

const quizConflicts = ({ options: { poll } }: PostOptions): ReadonlyArray<OptionConflict> => {
  if (!isQuiz(poll)) return []
  const { correct_option: correct, explanation, multiple, options } = poll
  const lines = explanation?.split("\n").length ?? 1
  const conflict = (rule: string, sentence: string, limit?: number, value?: number) => [
    {
      option: "poll",
      rule,
      sentence,
      ...(limit === undefined ? {} : { limit }),
      ...(value === undefined ? {} : { value })
    }
  ]
  return [
    ...(correct === undefined && explanation !== undefined
      ? conflict(
          "poll_explanation",
          "explains only a quiz; add correct_option to the poll, or leave explanation out."
        )
      : []),
    ...(correct !== undefined && multiple === true
      ? conflict(
          "poll_quiz_multiple",
          "takes one right choice in a quiz; leave multiple or correct_option out."
        )
      : []),
    ...(correct !== undefined && correct >= options.length
      ? conflict(
          "poll_correct_option",
          `has no choice ${correct} in this quiz; correct_option counts the ${options.length} choices from 0.`,
          options.length - 1,
          correct
        )
      : []),
    ...(lines > polls.explanation_lines
      ? conflict(
          "poll_explanation_lines",
          `allows at most ${polls.explanation_lines} lines in the explanation of a quiz; this one has ${lines}.`,
          polls.explanation_lines,
          lines
        )
      : [])
  ]
}

const isQuiz = Schema.is(
  Schema.Struct({
    options: Schema.Array(Schema.Unknown),
    correct_option: Schema.optionalKey(Schema.Int),
    explanation: Schema.optionalKey(Schema.String),
    multiple: Schema.optionalKey(Schema.Boolean)
  })
)

export const TelegramOptions = Schema.Struct({
  ...overrides,
  markup: option(
    named({ plain: "Plain text", markdown: "Markdown" }),
    "Format",
    "Whether captions are plain, or Markdown with bold, italic, links, code and quotes. `markdown`: `**bold**`, `_italic_`, `[text](https://…)`, `` `code` ``, ` ``` ` blocks and `> quotes`; `\\` before a mark keeps it. Default: `plain`, as written."
  ),
  buttons: option(
    several(
      several(
        Schema.Struct({
          text: field(
            `What the button says, in at most ${keyboard.text} characters.`,
            filledText(keyboard.text)
          ),
          url: field("The http or https URL that it opens.", webAddress)
        }),
        keyboard.row
      ).check(Schema.isMinLength(1)),
      keyboard.rows
    ),
    "Buttons",
    `Link buttons below the message: at most ${keyboard.rows} rows of 1 to ${keyboard.row}, each with \`text\` and \`url\`. Not with several files.`
  ),
  pin: option(
    flag,
    "Pin",
    "Pins the message in the chat. If that fails, the message stays and `platform_data.warnings` says so. Default: `false`."
  ),
  silent: option(flag, "Silent message", "Notifies people without a sound. Default: `false`, with one."),
  protect_content: option(
    flag,
    "Protect content",
    "Prevents people from forwarding or saving the message. Default: `false`."
  ),
  has_spoiler: option(
    flag,
    "Hide with spoiler",
    "Hides pictures and videos until someone opens them. Default: `false`, shown."
  ),
  caption_above_media: option(
    flag,
    "Caption above media",
    "Shows the caption above the media instead of below. Default: `false`, below."
  ),
  link_preview: option(
    named({ auto: "Show", off: "Hide" }),
    "Link preview",
    "Whether a text without media shows a preview of its first link. Default: shown. `off` hides it."
  ),
  message_thread_id: option(
    count,
    "Topic",
    "The number of the topic to post in, in a group with topics. Default: the General topic."
  ),
  poll: poll(polls, undefined, {
    correct_option: field(
      "Makes the poll a quiz: the right choice, by its place in `options` from 0. Default: no quiz.",
      Schema.optionalKey(count)
    ),
    explanation: field(
      `What a quiz tells people who choose wrong, in at most ${polls.explanation} characters and ${polls.explanation_lines} lines. Default: nothing.`,
      Schema.optionalKey(text(polls.explanation))
    )
  })
}).annotate({ identifier: "TelegramOptions" })

export const telegramForm = {
  summary: "With a bot that is an administrator of the chat",
  fields: {
    chat: {
      label: "Channel or group",
      help: "The channel or group, such as @bells, or the number of a private one, which begins with -100"
    },
    bot_token: {
      label: "Bot token",
      help: "The bot's token: send /newbot to @BotFather to get one. Make the bot an administrator that can post.",
      secret: true
    }
  },
  link: { text: "Open @BotFather", href: "https://t.me/BotFather" }
} as const satisfies CredentialForm
