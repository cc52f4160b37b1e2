import { embeddedMedia, leftOutByDiscord, type PlatformData, platformRules } from "@carillon/domain"
import { DateTime, Duration, Effect, Schema } from "effect"
import { HttpBody, type HttpClient } from "effect/http"
import { bytesOf, multipartForm } from "../MultipartForm.ts"
import {
  type Platform,
  PublishError,
  type PublishRequest,
  type Reconciled,
  withWarnings
} from "../Platform.ts"
import { preparePushed, readPushed } from "../PushedFiles.ts"
import { handleUnreadable } from "../StoredHandle.ts"
import { decodeStored, type DiscordCredentials, isWebhook } from "./DiscordAccess.ts"
import { discordCalls, type DiscordHosts, longAnswer } from "./DiscordCalls.ts"
import { discordConnect } from "./DiscordConnect.ts"
import { alreadyCrossposted } from "./DiscordErrors.ts"
import { filenamesOf, messageAt, messageBody, nonceOf, optionsOf } from "./DiscordMessage.ts"

const nullableId = Schema.optionalKey(Schema.NullOr(Schema.String))
const Thread = Schema.Struct({ parent_id: nullableId })
const Message = Schema.Struct({ id: Schema.String, channel_id: Schema.String })
const Messages = Schema.Array(
  Schema.Struct({
    ...Message.fields,
    content: Schema.String,
    author: Schema.Struct({ id: Schema.String }),
    attachments: Schema.Array(Schema.Json),
    embeds: Schema.Array(
      Schema.Struct({
        title: Schema.optionalKey(Schema.String),
        description: Schema.optionalKey(Schema.String)
      })
    ),
    nonce: Schema.optionalKey(Schema.Union([Schema.String, Schema.Finite, Schema.Null])),
    message_reference: Schema.optionalKey(Schema.NullOr(Schema.Struct({ message_id: nullableId }))),
    poll: Schema.optionalKey(
      Schema.NullOr(Schema.Struct({ question: Schema.Struct({ text: Schema.optionalKey(Schema.String) }) }))
    )
  })
)

const readHandle = readPushed("Discord")

/** "The past few minutes", in which a bot's key holds, less the time that a repeated call may take to get there. */
const nonceHolds = Duration.minutes(1)
/** 25 MiB on a slow line. */
const commitTimeout = Duration.minutes(9)
const minimumBytesPerSecond = 64 * 1024
const pageSize = 100
const mostPages = 10
/** Clocks differ. */
const slack = Duration.minutes(1)
/** https://docs.discord.com/developers/reference#snowflakes */
const discordEpoch = 1_420_070_400_000n

/**
 * A channel of Discord, by a webhook's address or by a bot (https://docs.discord.com/developers). The files go up in the call that
 * publishes. A bot's message has a key that Discord knows for some minutes; after that its newest messages tell. A webhook has neither.
 */
export const makeDiscord = (client: HttpClient.HttpClient, hosts: DiscordHosts): Platform => {
  const calls = discordCalls(client, hosts)
  const { call, get, reach } = calls

  const linkTo = (access: DiscordCredentials, { id, channel_id }: typeof Message.Type) =>
    `${calls.site(access)}/channels/${access.guild_id ?? "@me"}/${channel_id}/${id}`

  const published = (
    access: DiscordCredentials,
    request: PublishRequest,
    message: typeof Message.Type
  ): PlatformData =>
    withWarnings(
      { id: message.id, url: linkTo(access, message), username: request.username },
      leftOut(access, request)
    )

  return {
    id: "discord",
    rules: platformRules.discord,
    capabilities: {
      reconcile: ({ remote_id, due_at }, now) =>
        remote_id.startsWith("webhook/")
          ? "none"
          : // Nothing was sent before it was due.
            DateTime.isLessThan(now, DateTime.addDuration(due_at, nonceHolds))
            ? "replay"
            : "lookup",
      by_words: true,
      prepare_ahead: Duration.minutes(10),
      settle_wait: Duration.seconds(5),
      lookup_apart: Duration.seconds(10),
      concurrent_commits: 25,
      commit_timeout: commitTimeout
    },

    ...discordConnect(calls, hosts.test_network?.("discord.com")),

    serverOf: (stored) =>
      Effect.map(decodeStored(stored), ({ test_network }) =>
        test_network ? "https://discord.sandbox" : hosts.at("discord.com")
      ),

    prepare: Effect.fn("Discord.prepare")(function* (request, stored, saved) {
      const access = yield* decodeStored(stored)
      const { thread_id } = optionsOf(request)
      // Discord sees to it that a webhook stays in its channel. A bot may write in others, which are accounts of their own.
      if (!isWebhook(access) && thread_id !== undefined && thread_id !== access.channel_id) {
        const { parent_id } = yield* get(access, `/channels/${thread_id}`, Thread)
        if (parent_id !== access.channel_id) return yield* threadElsewhere(thread_id)
      }
      return yield* preparePushed(request, saved)
    }),

    poll: (_request, _credentials, handle) => Effect.succeed({ _tag: "ready", handle }),

    commit: Effect.fn("Discord.commit")(function* (request, stored, saved) {
      const access = yield* decodeStored(stored)
      const { files: known } = yield* readHandle(saved)
      if (request.media.some(({ id }) => known[id] === undefined)) return yield* handleUnreadable("Discord")
      const { username, avatar_url, thread_name, thread_id } = optionsOf(request)
      const webhook = isWebhook(access)
      const parent = messageAt(request.thread?.parent)
      if (!webhook && parent === undefined && request.thread?.parent != null)
        return yield* parentUnknown(request.thread.parent.id)
      // The first item may have begun a thread of Discord's.
      const discordThread =
        thread_id ?? (parent?.channel_id === access.channel_id ? undefined : parent?.channel_id)
      const body = {
        ...messageBody(request, ({ id }) => known[id]!),
        ...(webhook
          ? {
              ...(username === undefined ? {} : { username }),
              ...(avatar_url === undefined ? {} : { avatar_url }),
              ...(thread_name === undefined ? {} : { thread_name })
            }
          : {
              nonce: nonceOf(request.target_id),
              enforce_nonce: true,
              ...(parent === undefined ? {} : { message_reference: { message_id: parent.id } })
            })
      }
      const filenames = filenamesOf(request, ({ id }) => known[id]!)
      const files = request.media.map((item, index) => {
        const sent = known[item.id]!
        return {
          ...sent,
          name: `files[${index}]`,
          filename: filenames[index]!,
          content: bytesOf(item, sent)
        }
      })
      const size = files.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
      const { base, rest } = reach(access)
      const message = yield* call({
        method: "POST",
        url: webhook ? base : `${base}/channels/${thread_id ?? access.channel_id}/messages`,
        ...(webhook
          ? { query: { wait: "true", ...(discordThread === undefined ? {} : { thread_id: discordThread }) } }
          : {}),
        body:
          files.length === 0
            ? HttpBody.jsonUnsafe(body)
            : multipartForm({ payload_json: JSON.stringify(body) }, files),
        commit: true,
        timeout: Duration.seconds(60 + size / minimumBytesPerSecond),
        maxAnswerBytes: longAnswer,
        answer: Message,
        ...rest
      })
      return published(access, request, message)
    }),

    reconcile: Effect.fn("Discord.reconcile")(function* (request, stored, _handle, taken): Effect.fn.Return<
      Reconciled,
      PublishError
    > {
      const access = yield* decodeStored(stored)
      if (isWebhook(access)) return { _tag: "unknown" }
      const { thread_id } = optionsOf(request)
      const path = `/channels/${thread_id ?? access.channel_id}/messages`
      const nonce = nonceOf(request.target_id)
      const body = messageBody(request, () => ({ mime_type: "", size_bytes: 0 }))
      const question = "poll" in body ? request.caption : undefined
      const { embeds = [] } = optionsOf(request)
      // Discord counts no file that an embed shows.
      const embedded = new Set(embeds.flatMap((embed) => embeddedMedia(embed) ?? []))
      const fileCount = request.media.filter(({ id }) => !embedded.has(id)).length
      const parent = messageAt(request.thread?.parent)?.id
      let after = parent ?? snowflakeAt(DateTime.subtractDuration(request.due_at, slack))
      const alike: Array<typeof Message.Type> = []
      let isComplete = false
      for (let page = 0; page < mostPages; page++) {
        const messages = yield* get(access, path, Messages, { limit: String(pageSize), after })
        const ours = messages.filter(({ author }) => author.id === access.bot_id)
        const keyed = ours.find((message) => String(message.nonce) === nonce)
        if (keyed !== undefined) return { _tag: "published", data: published(access, request, keyed) }
        alike.push(
          ...ours.filter(
            (message) =>
              message.nonce == null &&
              sameText(message.content, String(body["content"] ?? "")) &&
              message.attachments.length === fileCount &&
              // Behind them are the previews of links.
              embeds.every(
                ({ description = "", title = "" }, index) =>
                  sameText(message.embeds[index]?.title ?? "", title) &&
                  sameText(message.embeds[index]?.description ?? "", description)
              ) &&
              (message.message_reference?.message_id ?? undefined) === parent &&
              (question === undefined) === (message.poll === undefined || message.poll === null)
          )
        )
        if (messages.length < pageSize) {
          isComplete = true
          // Without the permission to read the history every list is empty.
          const readable =
            messages.length > 0 || page > 0 || (yield* get(access, path, Messages, { limit: "1" })).length > 0
          if (!readable) return { _tag: "unknown" }
          break
        }
        after = messages
          .map(({ id }) => BigInt(id))
          .reduce((one, other) => (one > other ? one : other))
          .toString()
      }
      const others = yield* taken(alike.map(({ id }) => id))
      const free = alike.find(({ id }) => !others.has(id))
      if (free !== undefined) return { _tag: "published", data: published(access, request, free) }
      return { _tag: isComplete ? "not_published" : "unknown" }
    }),

    confirm: Effect.fn("Discord.confirm")(function* (request, stored, _handle, data) {
      const access = yield* decodeStored(stored)
      const { crosspost, thread_id } = optionsOf(request)
      if (crosspost !== true || isWebhook(access)) return data
      const { base, rest } = reach(access)
      return yield* call({
        method: "POST",
        url: `${base}/channels/${thread_id ?? access.channel_id}/messages/${data.id}/crosspost`,
        maxAnswerBytes: longAnswer,
        answer: Message,
        ...rest
      }).pipe(
        Effect.as(data),
        Effect.catch(({ code, message }) =>
          Effect.succeed(
            code === alreadyCrossposted
              ? data
              : withWarnings(data, [
                  ...(data.warnings ?? []),
                  `The message was not published to the servers that follow the channel. ${message}`
                ])
          )
        )
      )
    })
  }
}

const snowflakeAt = (at: DateTime.Utc): string =>
  String(BigInt(Math.max(0, DateTime.toEpochMillis(at) - Number(discordEpoch))) << 22n)

/** Discord may strip characters from a text; what is left of both is the same. */
const sameText = (one: string, other: string) => bare(one) === bare(other)
const bare = (text: string) => text.normalize("NFC").replaceAll(/[\p{C}\s]+/gu, "")

const leftOut = (access: DiscordCredentials, request: PublishRequest): ReadonlyArray<string> => {
  const [names, by] = leftOutByDiscord(optionsOf(request), isWebhook(access))
  return names.map((name) => `${name} was left out: only ${by} can use it.`)
}

const threadElsewhere = (thread_id: string) =>
  new PublishError({
    class: "invalid",
    code: "thread_elsewhere",
    message: `thread_id ${thread_id} is not a thread in the account's channel. Choose one of its threads, or connect that channel as a separate account.`
  })

const parentUnknown = (address: string) =>
  new PublishError({
    class: "invalid",
    code: "parent_unknown",
    message: `The previous item was confirmed with ${JSON.stringify(address)}, which is not a link to a Discord message, so nothing can reply to it. Publish the missing items as a separate post.`
  })
