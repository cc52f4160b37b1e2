import { Schema } from "effect"
import type { AccountLimits } from "../AccountLimits.ts"
import {
  type OptionConflict,
  type PlacementRules,
  type PlatformRules,
  type PostOptions,
  rulesOf
} from "../Platform.ts"
import { mostThreadItems } from "../Thread.ts"
import type { CredentialForm } from "./ConnectForm.ts"
import { embedConflicts, embeds } from "./DiscordEmbeds.ts"
import { altText, filledText, flag, named, option, overrides, several, webAddress } from "./OptionFields.ts"
import { poll, pollConflicts } from "./Poll.ts"

const polls = { question: 300, options: 10, option: 55, hours: 768, openFor: "24" } as const
const maximumAltText = 1024

/** The default limit of each file, and that of a request: of several files each gets less. */
export const discordBytes = { file: 10 * 1024 * 1024, request: 25 * 1024 * 1024 } as const

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

const few = files("post", 0, 2, discordBytes.file)
const some = files("3 to 5 files", 3, 5, 5_000_000)
const many = files("6 to 10 files", 6, 10, 2_500_000)

/** The options of a post that the account does not have, each with who has it. */
export const leftOutByDiscord = (
  options: PostOptions["options"],
  { webhook, forum_tags }: AccountLimits
): ReadonlyArray<{ readonly name: string; readonly by: string }> => {
  if (webhook === undefined) return []
  const others: Readonly<Record<string, string>> = webhook
    ? { crosspost: "a bot" }
    : {
        username: "a webhook",
        avatar_url: "a webhook",
        ...(forum_tags === undefined ? { thread_name: inForum, applied_tags: inForum } : {})
      }
  return Object.entries(others).flatMap(([name, by]) =>
    options[name] != null && options[name] !== false ? [{ name, by }] : []
  )
}
const inForum = "a webhook, or a bot in a forum,"

const isId = (tag: string) => /^\d{15,20}$/.test(tag)

/** The id of a forum's tag, which a post names by its id or its name. */
export const forumTagId = (tags: AccountLimits["forum_tags"] = [], tag: string): string | undefined =>
  isId(tag) ? tag : tags.find(({ name }) => name === tag)?.id

const tagsOf = ({ applied_tags: tags }: PostOptions["options"]): ReadonlyArray<string> =>
  Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : []

const threadConflicts = (
  { options }: PostOptions,
  { forum_tags, tag_required, webhook }: AccountLimits
): ReadonlyArray<OptionConflict> => {
  const { thread_id, thread_name } = options
  const tags = tagsOf(options)
  const conflict = (option: string, rule: string, sentence: string): OptionConflict => ({
    option,
    rule,
    sentence
  })
  const begins = thread_name != null
  const unknown = tags.filter((tag) => forumTagId(forum_tags, tag) === undefined)
  return [
    ...(begins && thread_id != null
      ? [
          conflict(
            "thread_name",
            "one_thread",
            "accepts thread_id for an existing thread or thread_name for a new one, not both; leave one of them out."
          )
        ]
      : []),
    ...(forum_tags !== undefined && !begins && thread_id == null
      ? [
          conflict(
            "thread_name",
            "thread_needed",
            "is a forum, which takes posts only in threads; give thread_name for a new one, or thread_id."
          )
        ]
      : []),
    ...(tags.length > 0 && !begins
      ? [
          conflict(
            "applied_tags",
            "tags_of_new_thread",
            "sets tags only on a new thread; give thread_name, or leave applied_tags out."
          )
        ]
      : []),
    ...(tag_required === true && begins && tags.length === 0
      ? [
          conflict(
            "applied_tags",
            "tag_needed",
            `is a forum that requires a tag on every thread; give applied_tags. ${knownTags(forum_tags)}`
          )
        ]
      : []),
    ...(unknown.length > 0 && webhook === true
      ? [
          conflict(
            "applied_tags",
            "tag_ids",
            `cannot look up ${quoted(unknown)}: a webhook does not see the forum's tags. Give their ids, of 15 to 20 digits.`
          )
        ]
      : []),
    ...(unknown.length > 0 && forum_tags !== undefined
      ? [
          conflict(
            "applied_tags",
            "tags_exist",
            `has no tag ${quoted(unknown)}. ${knownTags(forum_tags)} Reconnect the account if it is new, or give its id.`
          )
        ]
      : [])
  ]
}

const quoted = (names: ReadonlyArray<string>) => names.map((name) => JSON.stringify(name)).join(", ")

const knownTags = (tags: AccountLimits["forum_tags"] = []) =>
  tags.length === 0 ? "The forum has no tags." : `The forum has: ${quoted(tags.map(({ name }) => name))}.`

/** https://docs.discord.com/developers/resources/message#create-message and …/resources/webhook#execute-webhook. */
const within = (limits: AccountLimits): PlatformRules =>
  rulesOf("discord", {
    alt_text: maximumAltText,
    poll_is_content: true,
    content_options: ["embeds"],
    chains: { max_items: mostThreadItems, first_only: ["poll", "embeds", "thread_name", "applied_tags"] },
    within,
    warnings: (options) =>
      leftOutByDiscord(options, limits).map(({ by, name }) => `leaves out ${name}: only ${by} can use it.`),
    placements: [few, some, many],
    placementOf: ({ length }) => (length <= 2 ? few : length <= 5 ? some : many),
    conflicts: (post) => {
      const { username } = post.options
      return [
        ...pollConflicts(polls.question)(post),
        ...embedConflicts(post),
        ...threadConflicts(post, limits),
        ...(typeof username === "string" && /discord|clyde/i.test(username)
          ? [
              {
                option: "username",
                rule: "reserved_name",
                sentence: 'does not allow "discord" or "clyde" in username; choose another name.',
                value: username.length
              }
            ]
          : [])
      ]
    }
  })

export const discordRules = within({})

const snowflake = Schema.String.check(
  Schema.isMaxLength(20),
  Schema.isPattern(/^\d{15,20}$/, { expected: "an id of 15 to 20 digits" })
)

export const DiscordOptions = Schema.Struct({
  ...overrides,
  username: option(
    filledText(80),
    "Sender name",
    "The name shown instead of the webhook's: at most 80 characters, without the words discord and clyde. A bot posts without it. Default: the webhook's."
  ),
  avatar_url: option(
    webAddress,
    "Sender avatar",
    "The http or https URL of an image shown instead of the webhook's avatar. A bot posts without it. Default: the webhook's."
  ),
  thread_name: option(
    filledText(100),
    "New thread title",
    "Starts a thread with this title of at most 100 characters in a forum or media channel. Not with `thread_id`. Default: `null`, none."
  ),
  applied_tags: option(
    several(filledText(100), 5),
    "Forum tags",
    "At most 5 tags of the new thread `thread_name`, by their ids, or by name where a bot posts. Default: none."
  ),
  thread_id: option(
    snowflake,
    "Thread ID",
    "The id of an existing thread in the channel to post in: 15 to 20 digits. Default: the channel itself."
  ),
  silent: option(
    flag,
    "Silent message",
    "Sends the message without push or desktop notifications. Default: `false`."
  ),
  suppress_embeds: option(
    flag,
    "Hide link previews",
    "Hides the previews of links in the text. Default: `false`, shown."
  ),
  spoiler: option(
    flag,
    "Mark as spoiler",
    "Hides the files until someone opens them. Default: `false`, shown."
  ),
  mentions: option(
    several(named({ users: "Users", roles: "Roles", everyone: "Everyone (@everyone and @here)" }), 3),
    "Allowed mentions",
    "Which mentions in the text send a notification. Default: none. `everyone` also stands for `@here`."
  ),
  crosspost: option(
    flag,
    "Publish to followers",
    "Also publishes to the servers that follow an announcement channel. A webhook posts without it. Default: `false`."
  ),
  poll: poll(polls),
  embeds,
  alt_text: altText(maximumAltText)
}).annotate({ identifier: "DiscordOptions" })

export const discordForm = {
  summary: "With a channel webhook or a bot",
  fields: {
    webhook_or_token: {
      label: "Webhook URL",
      help: "The URL of a channel's webhook: Edit Channel, Integrations, Webhooks, Copy Webhook URL. Or a bot token.",
      secret: true
    },
    channel_id: {
      label: "Channel ID",
      help: "The channel's id, needed only with a bot token: turn on Developer Mode, right-click the channel, and choose Copy Channel ID",
      optional: true
    }
  },
  link: {
    text: "How to create a webhook",
    href: "https://support.discord.com/hc/en-us/articles/228383668-Intro-to-Webhooks"
  },
  more: "Use a bot"
} as const satisfies CredentialForm
