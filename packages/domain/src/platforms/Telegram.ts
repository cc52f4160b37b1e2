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
import { count, flag, named, option, overrides } from "./OptionFields.ts"
import { poll, pollConflicts } from "./Poll.ts"

const polls = {
  question: 300,
  options: 12,
  option: 100,
  hours: 730,
  openFor: "until it is closed in the app"
} as const

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
  document_bytes = telegramBytes.file
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
    conflicts: (post) => [...pollConflicts(polls.question)(post), ...longDescription(post)],
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

export const TelegramOptions = Schema.Struct({
  ...overrides,
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
  poll: poll(polls)
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
