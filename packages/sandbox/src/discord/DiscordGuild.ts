import type { Schema } from "effect"
import { type ChannelType, idOf, type Sender } from "./Discord.ts"

/** The server that is always there. */
export const guild = "820000000000000001"

/** https://docs.discord.com/developers/topics/permissions#permissions-bitwise-permission-flags */
const administrator = 1n << 3n
const viewChannel = 1n << 10n
const sendMessages = 1n << 11n
const embedLinks = 1n << 14n
const attachFiles = 1n << 15n
const readHistory = 1n << 16n
const sendInThreads = 1n << 38n
const written = viewChannel | sendMessages | embedLinks | attachFiles | readHistory | sendInThreads

const roleOf = ({ name }: Sender) => idOf(`role of ${name}`)

export const typeOf = ({ name }: Sender): ChannelType =>
  name.endsWith("-news")
    ? 5
    : name.endsWith("-forum")
      ? 15
      : name.endsWith("-voice")
        ? 2
        : name.endsWith("-thread")
          ? 11
          : 0

/** The permissions that the channel denies everyone; those of a thread are its parent channel's. */
const denied = ({ name }: Sender): bigint =>
  name.endsWith("-admin")
    ? written
    : name.endsWith("-mute")
      ? sendMessages
      : name.endsWith("-mute-thread")
        ? sendInThreads | sendMessages
        : name.endsWith("-thread")
          ? sendMessages
          : 0n

export const mayWrite = (sender: Sender) =>
  sender.name.endsWith("-admin") ||
  (denied(sender) & (typeOf(sender) === 11 ? sendInThreads : sendMessages)) === 0n

/** https://docs.discord.com/developers/resources/channel#channel-object-channel-flags: REQUIRE_TAG */
const requireTag = 1 << 4

/** The tags of a forum. */
export const tags = ["Events", "News"].map((name) => ({
  id: idOf(`tag ${name}`),
  name,
  moderated: false,
  emoji_id: null,
  emoji_name: null
}))

export const requiresTag = ({ name }: Sender) => name.endsWith("-tagged-forum")

/** A thread that was begun in a forum. */
export interface ForumThread {
  readonly name: string
  readonly parent_id: string
  readonly owner_id: string
  readonly guild_id: string
  readonly applied_tags: ReadonlyArray<string>
  readonly archived: boolean
}

/** As https://docs.discord.com/developers/resources/channel#start-thread-in-forum-or-media-channel answers. */
export const threadResource = (
  id: string,
  { applied_tags, archived, guild_id, name, owner_id, parent_id }: ForumThread,
  published_at: string
): Schema.Json => ({
  id,
  type: 11,
  flags: 0,
  guild_id,
  name,
  parent_id,
  owner_id,
  applied_tags: [...applied_tags],
  thread_metadata: {
    archived,
    archive_timestamp: published_at,
    auto_archive_duration: 1440,
    locked: false
  },
  message_count: 0,
  member_count: 1,
  total_message_sent: 0
})

/** The server that a sender is in. */
export const guildOf = ({ guild: own = guild }: Sender) => own

/** The bot's channel, as the bot reads it. A thread has no overwrites of its own. */
export const channelOf = (sender: Sender, id: string): Schema.Json => {
  const guild_id = guildOf(sender)
  const isInChannel = id.length === 20
  const parent_id = isInChannel ? id.slice(0, 18) : idOf(`around ${sender.name}`)
  const isThread = isInChannel || (typeOf(sender) === 11 && id !== parent_id)
  return {
    id,
    type: isThread ? 11 : typeOf(sender) === 11 ? 0 : typeOf(sender),
    flags: !isThread && requiresTag(sender) ? requireTag : 0,
    guild_id,
    name: sender.name,
    ...(!isThread && typeOf(sender) === 15 ? { available_tags: tags } : {}),
    ...(isThread
      ? {
          parent_id,
          owner_id: sender.id,
          thread_metadata: {
            archived: false,
            archive_timestamp: null,
            auto_archive_duration: 1440,
            locked: false
          },
          message_count: 0,
          member_count: 1,
          total_message_sent: 0
        }
      : {
          position: 0,
          permission_overwrites: [{ id: guild_id, type: 0, allow: "0", deny: String(denied(sender)) }]
        })
  }
}

const everyone = "@everyone"
const role = (id: string, name: string, permissions: bigint): Schema.Json => ({
  id,
  name,
  description: null,
  permissions: String(permissions),
  position: 0,
  color: 0,
  colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
  hoist: false,
  managed: name !== everyone,
  mentionable: false,
  icon: null,
  unicode_emoji: null,
  flags: 0
})

export const rolesOf = (sender: Sender): Schema.Json => [
  role(guildOf(sender), everyone, viewChannel | readHistory),
  role(
    roleOf(sender),
    sender.name,
    sender.name.endsWith("-admin")
      ? administrator
      : sender.name.endsWith("-bare")
        ? sendMessages | sendInThreads
        : written
  )
]

export const memberOf = (sender: Sender, user: Schema.Json): Schema.Json => ({
  avatar: null,
  banner: null,
  communication_disabled_until: null,
  flags: 0,
  joined_at: "2026-01-01T00:00:00.000000+00:00",
  nick: null,
  pending: false,
  premium_since: null,
  roles: [roleOf(sender)],
  user,
  mute: false,
  deaf: false
})

/** A heading in the list of a server's channels. */
export const category = (guild_id: string): Schema.Json => ({
  id: idOf(`category of ${guild_id}`),
  type: 4,
  flags: 0,
  guild_id,
  name: "Bells",
  position: 0,
  permission_overwrites: []
})
