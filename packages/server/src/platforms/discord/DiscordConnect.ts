import { Effect, Redacted, Schema } from "effect"
import { type ConnectedAccount, type Platform, PublishError } from "../Platform.ts"
import { isWebhook, typedAccess } from "./DiscordAccess.ts"
import type { Access, DiscordCalls } from "./DiscordCalls.ts"
import { Forum, forumLimits, forumThreads } from "./ForumThreads.ts"
import { isThread, lackingPermissions, Overwrite, Role } from "./DiscordPermissions.ts"

const nullableId = Schema.optionalKey(Schema.NullOr(Schema.String))
const Webhook = Schema.Struct({
  id: Schema.String,
  name: Schema.NullOr(Schema.String),
  avatar: Schema.optionalKey(Schema.NullOr(Schema.String)),
  channel_id: nullableId,
  guild_id: nullableId
})
export const User = Schema.Struct({
  id: Schema.String,
  username: Schema.String,
  avatar: Schema.optionalKey(Schema.NullOr(Schema.String))
})
export const Channel = Schema.Struct({
  id: Schema.String,
  type: Schema.Int,
  name: Schema.optionalKey(Schema.NullOr(Schema.String)),
  guild_id: nullableId,
  /** For a thread, its parent channel. */
  parent_id: nullableId,
  permission_overwrites: Schema.optionalKey(Schema.Array(Overwrite)),
  ...Forum.fields
})
export const Member = Schema.Struct({ roles: Schema.Array(Schema.String) })
export const Roles = Schema.Array(Role)

/** Text, voice, announcements, their threads, stage, and forums with those of media. */
const forumTypes = [15, 16]
export const channelTypes = [0, 2, 5, 10, 11, 12, 13, ...forumTypes]

/** Connecting a channel: by a webhook, or by a bot that may post there. */
export const discordConnect = (
  calls: DiscordCalls,
  test_address: string | undefined
): Pick<Platform, "choices" | "connect" | "limits" | "refresh"> => {
  const { accessOf, get } = calls
  const forums = forumThreads(calls)

  /** The permissions that the bot lacks to post in the channel. */
  const lackingIn = Effect.fnUntraced(function* (
    access: Access,
    bot_id: string,
    { type, guild_id, parent_id, permission_overwrites }: typeof Channel.Type
  ) {
    if (guild_id === undefined || guild_id === null) return undefined
    const { roles: mine } = yield* get(access, `/guilds/${guild_id}/members/${bot_id}`, Member)
    const roles = yield* get(access, `/guilds/${guild_id}/roles`, Roles)
    const overwrites =
      isThread(type) && parent_id !== undefined && parent_id !== null
        ? (yield* get(access, `/channels/${parent_id}`, Channel)).permission_overwrites
        : permission_overwrites
    return lackingPermissions(
      { guild_id, type, overwrites: overwrites ?? [] },
      { id: bot_id, roles: mine },
      roles
    )
  })

  return {
    connect: Effect.fn("Discord.connect")(function* (input) {
      const typed = typedAccess(input, test_address)
      if (typeof typed === "string") return yield* rejected(typed)
      const refused = Effect.mapError((error: PublishError) =>
        error.class === "reconnect" ? rejected(error.message) : error
      )
      if ("webhook_id" in typed) {
        const { id, name, avatar, channel_id, guild_id } = yield* get(typed, "", Webhook).pipe(refused)
        if (channel_id === null || channel_id === undefined) {
          return yield* rejected(
            "This webhook belongs to an app, not to a channel. Create one in the channel's settings."
          )
        }
        return {
          remote_id: `webhook/${id}`,
          username: name ?? id,
          display_name: name,
          avatar_url: picture(id, avatar),
          credentials: Redacted.make({ ...typed, guild_id: guild_id ?? null, channel_id }),
          limits: { webhook: true },
          token_expires_at: null
        }
      }
      const bot = yield* get(typed, "/users/@me", User).pipe(refused)
      const channel = yield* get(typed, `/channels/${typed.channel_id}`, Channel).pipe(
        refused,
        Effect.mapError((error) =>
          error.class === "forbidden" ? mayNotPost(unseen, error.platform_response) : error
        )
      )
      if (!channelTypes.includes(channel.type)) {
        return yield* rejected(
          "A bot can post only to text, voice, announcement, forum and media channels, and to threads."
        )
      }
      const lacking = yield* lackingIn(typed, bot.id, channel)
      if (lacking !== undefined) return yield* mayNotPost(lacking)
      return accountOf(bot, channel, {
        display_name: bot.username,
        credentials: { ...typed, bot_id: bot.id, guild_id: channel.guild_id ?? null }
      })
    }),

    choices: Effect.fn("Discord.choices")(function* (stored) {
      const access = yield* accessOf(stored)
      return isWebhook(access) || access.forum !== true
        ? {}
        : { applied_tags: (yield* forums.limits(access)).forum_tags }
    }),

    limits: Effect.fn("Discord.limits")(function* (stored) {
      const access = yield* accessOf(stored)
      return isWebhook(access) || access.forum !== true
        ? { webhook: isWebhook(access) }
        : yield* forums.limits(access)
    }),

    refresh: (credentials) => Effect.succeed({ credentials, token_expires_at: null })
  }
}

/** A channel in which a bot posts. */
export const accountOf = (
  bot: typeof User.Type,
  channel: typeof Channel.Type,
  {
    credentials,
    display_name
  }: { readonly display_name: string; readonly credentials: { readonly [key: string]: Schema.Json } }
): ConnectedAccount => {
  const isForum = forumTypes.includes(channel.type)
  return {
    // Nothing proves a thread by its key, so a forum is told from other channels.
    remote_id: `${isForum ? "forum" : "bot"}/${bot.id}/${channel.id}`,
    username: channel.name ?? channel.id,
    display_name,
    avatar_url: picture(bot.id, bot.avatar),
    credentials: Redacted.make({ ...credentials, ...(isForum ? { forum: true } : {}) }),
    limits: isForum ? forumLimits(channel) : { webhook: false },
    token_expires_at: null
  }
}

const picture = (id: string, hash: string | null | undefined) =>
  hash === null || hash === undefined ? null : `https://cdn.discordapp.com/avatars/${id}/${hash}.png`

const unseen =
  "The bot cannot see the channel. Check the channel's ID, add the bot to the server, and allow it " +
  '"View Channel" in the channel\'s settings under Permissions.'

const mayNotPost = (message: string, platform_response?: string) =>
  new PublishError({
    class: "forbidden",
    code: "bot_may_not_post",
    message,
    ...(platform_response === undefined ? {} : { platform_response })
  })

const rejected = (message: string) =>
  new PublishError({ class: "reconnect", code: "credentials_rejected", message })
