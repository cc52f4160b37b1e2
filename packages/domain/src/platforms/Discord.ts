import { Schema } from "effect"
import { type PlacementRules, type PlatformRules, type PostOptions, rulesOf } from "../Platform.ts"
import { mostChainItems } from "../Thread.ts"
import type { CredentialForm } from "./ConnectForm.ts"
import { altText, flag, named, option, overrides, several, text, webAddress } from "./OptionFields.ts"
import { poll, pollConflicts } from "./Poll.ts"

const polls = { question: 300, options: 10, option: 55, hours: 768 } as const
const maximumAltText = 1024

/** "The default limit is 10 MiB" for each file, and a request has 25 MiB at most: of several files each gets less. */
const largestFile = 10 * 1024 * 1024

const files = (name: string, min_count: number, max_count: number, max_bytes: number): PlacementRules => ({
  name,
  caption: { unit: "utf16", max: 2000 },
  text_only: true,
  images: { max_count, mime_types: ["image/jpeg", "image/png", "image/webp", "image/gif"], max_bytes },
  videos: { max_count, mime_types: ["video/mp4", "video/quicktime", "video/webm"], max_bytes },
  documents: { max_count, mime_types: ["application/pdf"], max_bytes },
  mixed: true,
  ...(min_count === 0 ? {} : { min_count }),
  max_count
})

const few = files("post", 0, 2, largestFile)
const some = files("3 to 5 files", 3, 5, 5_000_000)
const many = files("6 to 10 files", 6, 10, 2_500_000)

/** The options of a post that only the other kind of access has, and which kind that is. */
export const leftOutByDiscord = (
  options: PostOptions["options"],
  webhook: boolean
): readonly [options: ReadonlyArray<string>, by: string] => {
  const [others, by] = webhook
    ? [["crosspost"], "a bot"]
    : [["username", "avatar_url", "thread_name"], "a webhook"]
  return [others.filter((name) => options[name] != null && options[name] !== false), by]
}

/** https://docs.discord.com/developers/resources/message#create-message and …/resources/webhook#execute-webhook. */
export const discordRules: PlatformRules = rulesOf("discord", {
  alt_text: maximumAltText,
  chains: { max_items: mostChainItems, first_only: ["poll", "thread_name"] },
  within: ({ webhook }) =>
    webhook === undefined
      ? discordRules
      : {
          ...discordRules,
          warnings: (options) => {
            const [names, by] = leftOutByDiscord(options, webhook)
            return names.map((name) => `leaves out ${name}: only ${by} has it.`)
          }
        },
  placements: [few, some, many],
  placementOf: ({ length }) => (length <= 2 ? few : length <= 5 ? some : many),
  conflicts: (post) => {
    const { thread_id, thread_name, username } = post.options
    return [
      ...pollConflicts(polls.question)(post),
      ...(thread_id !== undefined && thread_name !== undefined
        ? [
            {
              option: "thread_name",
              rule: "one_thread",
              sentence: "takes thread_id for a thread that is there or thread_name for a new one, not both."
            }
          ]
        : []),
      ...(typeof username === "string" && /discord|clyde/i.test(username)
        ? [
            {
              option: "username",
              rule: "reserved_name",
              sentence: 'takes no username with "discord" or "clyde" in it.',
              value: username.length
            }
          ]
        : [])
    ]
  }
})

const snowflake = Schema.String.check(
  Schema.isMaxLength(20),
  Schema.isPattern(/^\d{15,20}$/, { expected: "an id of 15 to 20 digits" })
)

export const DiscordOptions = Schema.Struct({
  ...overrides,
  username: option(
    text(80).check(Schema.isMinLength(1)),
    "Name of the sender",
    "Instead of the webhook's name. At most 80 characters; bots keep theirs."
  ),
  avatar_url: option(
    webAddress,
    "Picture of the sender",
    "The address of a picture, instead of the webhook's. Bots keep theirs."
  ),
  thread_name: option(
    text(100).check(Schema.isMinLength(1)),
    "Title of a new thread",
    "In a forum or media channel, by a webhook: the title of the thread that the post begins. At most 100 characters."
  ),
  thread_id: option(snowflake, "Thread", "The id of a thread of the channel, to post in it."),
  silent: option(flag, "Without a notification", "Nobody's device rings for it."),
  suppress_embeds: option(flag, "Without link previews", "Addresses in the text get no previews."),
  spoiler: option(flag, "Cover the media", "The files are covered until they are opened."),
  mentions: option(
    several(named({ users: "People", roles: "Roles", everyone: "All, with @everyone and @here" }), 3),
    "Who is notified",
    "Mentions in the text that notify those whom they name. Left out: none does."
  ),
  crosspost: option(
    flag,
    "To the channel's followers",
    "In an announcement channel, by a bot: also to the servers that follow the channel."
  ),
  poll: poll(polls),
  alt_text: altText(maximumAltText)
}).annotate({ identifier: "DiscordOptions" })

export const discordForm = {
  summary: "With a webhook of the channel, or a bot",
  fields: {
    webhook_or_token: {
      label: "Webhook address",
      help: "In Discord: the channel's settings, Integrations, Webhooks, Copy Webhook URL. Or the token of a bot.",
      secret: true
    },
    channel_id: {
      label: "Channel ID",
      help: "Only with a bot's token: turn on Developer Mode, right-click the channel and copy its ID",
      optional: true
    }
  },
  link: {
    text: "How to make a webhook",
    href: "https://support.discord.com/hc/en-us/articles/228383668-Intro-to-Webhooks"
  },
  more: "A bot posts there"
} as const satisfies CredentialForm
