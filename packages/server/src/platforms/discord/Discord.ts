import {
  embeddedMedia,
  forumTagId,
  leftOutByDiscord,
  type PlatformData,
  platformRules
} from "@carillon/domain"
import { DateTime, Duration, Effect, Option, Record, Schema } from "effect"
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
import type { Handle } from "../../engine/Handle.ts"
import { handleUnreadable } from "../StoredHandle.ts"
import { decodeStored, type DiscordCredentials, isWebhook } from "./DiscordAccess.ts"
import { discordCalls, type DiscordHosts, longAnswer } from "./DiscordCalls.ts"
import { discordConnect } from "./DiscordConnect.ts"
import { discordInstall } from "./DiscordInstall.ts"
import { alreadyCrossposted } from "./DiscordErrors.ts"
import { forumThreads } from "./ForumThreads.ts"
import { snowflakeAt } from "./Snowflake.ts"
import { filenamesOf, messageAt, messageBody, nonceOf, optionsOf } from "./DiscordMessage.ts"

const nullableId = Schema.optionalKey(Schema.NullOr(Schema.String))
const Thread = Schema.Struct({ parent_id: nullableId })
const Message = Schema.Struct({ id: Schema.String, channel_id: Schema.String })
/** A message, or the thread that begins with it. */
const Answer = Schema.Struct({ id: Schema.String, channel_id: Schema.optionalKey(Schema.String) })
const WholeMessage = Schema.Struct({
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
const Messages = Schema.Array(WholeMessage)

const readHandle = readPushed("Discord")
/** The ids of the tags that `prepare` looked up. */
const readTags = (saved: Handle): ReadonlyArray<string> =>
  Option.match(decodeTags(saved), { onNone: () => [], onSome: ({ tags = [] }) => tags })
const decodeTags = Schema.decodeUnknownOption(
  Schema.Struct({ tags: Schema.optionalKey(Schema.Array(Schema.String)) })
)

/** What only a webhook's message has. */
const webhookFields = (request: PublishRequest) => {
  const { applied_tags, avatar_url, thread_name, username } = optionsOf(request)
  return Record.filter(
    { applied_tags, avatar_url, thread_name, username },
    (value) => value !== undefined
  ) as Readonly<Record<string, Schema.Json>>
}

/** The title of the thread that a bot begins in a forum with the post. */
const beginsThread = (access: DiscordCredentials, request: PublishRequest): string | undefined => {
  const { thread_id, thread_name } = optionsOf(request)
  return isWebhook(access) ||
    access.forum !== true ||
    thread_id !== undefined ||
    request.thread?.parent != null
    ? undefined
    : thread_name
}

/** Where a bot's message goes: in a forum the other items of a thread follow the first. */
const placeOf = (access: DiscordCredentials, request: PublishRequest): string =>
  optionsOf(request).thread_id ??
  ("forum" in access ? messageAt(request.thread?.parent)?.channel_id : undefined) ??
  access.channel_id

/** "The past few minutes", in which a bot's key holds, less the time that a repeated call may take to get there. */
const nonceHolds = Duration.minutes(1)
/** 25 MiB on a slow line. */
const commitTimeout = Duration.minutes(9)
const minimumBytesPerSecond = 64 * 1024
const pageSize = 100
const mostPages = 10
/** Clocks differ. */
const slack = Duration.minutes(1)
/**
 * A channel of Discord, by a webhook's address or by a bot (https://docs.discord.com/developers). The files go up in the call that
 * publishes. A bot's message has a key that Discord knows for some minutes; after that its newest messages tell. A thread that a bot begins
 * in a forum has no key, but can be found. A webhook has neither.
 */
export const makeDiscord = (client: HttpClient.HttpClient, hosts: DiscordHosts): Platform => {
  const calls = discordCalls(client, hosts)
  const { accessOf, call, get, reach } = calls
  const forums = forumThreads(calls)

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
          : remote_id.startsWith("forum/")
            ? "lookup"
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
    ...(hosts.app === undefined ? {} : { oauth: discordInstall(calls, hosts.app) }),

    serverOf: (stored) =>
      Effect.map(decodeStored(stored), ({ test_network }) =>
        test_network ? "https://discord.sandbox" : hosts.at("discord.com")
      ),

    prepare: Effect.fn("Discord.prepare")(function* (request, stored, saved) {
      const access = yield* accessOf(stored)
      const { applied_tags = [], thread_id } = optionsOf(request)
      const place = placeOf(access, request)
      // Discord sees to it that a webhook stays in its channel. A bot may write in others, which are accounts of their own.
      if (!isWebhook(access) && place !== access.channel_id) {
        const { parent_id } = yield* get(access, `/channels/${place}`, Thread)
        if (parent_id !== access.channel_id) return yield* threadElsewhere(place, thread_id !== undefined)
      }
      const prepared = yield* preparePushed(request, saved)
      if (isWebhook(access) || beginsThread(access, request) === undefined || applied_tags.length === 0)
        return prepared
      const { forum_tags } = yield* forums.limits(access)
      const tags = applied_tags.map((tag) => forumTagId(forum_tags, tag))
      const lost = tags.indexOf(undefined)
      if (lost >= 0) return yield* tagUnknown(applied_tags[lost]!)
      return { ...prepared, handle: { ...prepared.handle, tags: tags as ReadonlyArray<string> } }
    }),

    poll: (_request, _credentials, handle) => Effect.succeed({ _tag: "ready", handle }),

    commit: Effect.fn("Discord.commit")(function* (request, stored, saved) {
      const access = yield* accessOf(stored)
      const { files: known } = yield* readHandle(saved)
      if (request.media.some(({ id }) => known[id] === undefined)) return yield* handleUnreadable("Discord")
      const { applied_tags = [], thread_id } = optionsOf(request)
      const webhook = isWebhook(access)
      const parent = messageAt(request.thread?.parent)
      if (!webhook && parent === undefined && request.thread?.parent != null)
        return yield* parentUnknown(request.thread.parent.id)
      // The first item may have begun a thread of Discord's.
      const discordThread =
        thread_id ?? (parent?.channel_id === access.channel_id ? undefined : parent?.channel_id)
      const begun = beginsThread(access, request)
      const tags = readTags(saved)
      if (begun !== undefined && tags.length < applied_tags.length) return yield* handleUnreadable("Discord")
      const written = messageBody(request, ({ id }) => known[id]!)
      const body = webhook
        ? { ...written, ...webhookFields(request) }
        : begun === undefined
          ? {
              ...written,
              nonce: nonceOf(request.target_id),
              enforce_nonce: true,
              ...(parent === undefined ? {} : { message_reference: { message_id: parent.id } })
            }
          : { name: begun, ...(tags.length === 0 ? {} : { applied_tags: tags }), message: written }
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
        url: webhook
          ? base
          : begun === undefined
            ? `${base}/channels/${placeOf(access, request)}/messages`
            : `${base}/channels/${access.channel_id}/threads`,
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
        answer: Answer,
        ...rest
      })
      // The first message has the id of its thread.
      return published(access, request, { id: message.id, channel_id: message.channel_id ?? message.id })
    }),

    reconcile: Effect.fn("Discord.reconcile")(function* (request, stored, _handle, taken): Effect.fn.Return<
      Reconciled,
      PublishError
    > {
      const access = yield* accessOf(stored)
      if (isWebhook(access)) return { _tag: "unknown" }
      const path = `/channels/${placeOf(access, request)}/messages`
      const nonce = nonceOf(request.target_id)
      const body = messageBody(request, () => ({ mime_type: "", size_bytes: 0 }))
      const question = "poll" in body ? request.caption : undefined
      const { embeds = [] } = optionsOf(request)
      // Discord counts no file that an embed shows.
      const embedded = new Set(embeds.flatMap((embed) => embeddedMedia(embed) ?? []))
      const fileCount = request.media.filter(({ id }) => !embedded.has(id)).length
      const parent = messageAt(request.thread?.parent)?.id
      const isAlike = (message: typeof WholeMessage.Type) =>
        sameText(message.content, String(body["content"] ?? "")) &&
        message.attachments.length === fileCount &&
        // Behind them are the previews of links.
        embeds.every(
          ({ description = "", title = "" }, index) =>
            sameText(message.embeds[index]?.title ?? "", title) &&
            sameText(message.embeds[index]?.description ?? "", description)
        ) &&
        (question === undefined) === (message.poll === undefined || message.poll === null)
      const begun = beginsThread(access, request)
      if (begun !== undefined) {
        const found = yield* forums.find(access, {
          name: begun,
          due_at: request.due_at,
          Message: WholeMessage,
          isOurs: isAlike,
          taken
        })
        return typeof found === "string"
          ? { _tag: found }
          : { _tag: "published", data: published(access, request, found) }
      }
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
              isAlike(message) &&
              (message.message_reference?.message_id ?? undefined) === parent
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
      const access = yield* accessOf(stored)
      const { crosspost } = optionsOf(request)
      if (crosspost !== true || isWebhook(access)) return data
      const { base, rest } = reach(access)
      return yield* call({
        method: "POST",
        url: `${base}/channels/${placeOf(access, request)}/messages/${data.id}/crosspost`,
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

/** Discord may strip characters from a text; what is left of both is the same. */
const sameText = (one: string, other: string) => bare(one) === bare(other)
const bare = (text: string) => text.normalize("NFC").replaceAll(/[\p{C}\s]+/gu, "")

const leftOut = (access: DiscordCredentials, request: PublishRequest): ReadonlyArray<string> => {
  const webhook = isWebhook(access)
  const forum_tags = webhook || access.forum !== true ? {} : { forum_tags: [] }
  return leftOutByDiscord(optionsOf(request), { webhook, ...forum_tags }).map(
    ({ by, name }) => `${name} was left out: only ${by} can use it.`
  )
}

const threadElsewhere = (place: string, isGiven: boolean) =>
  new PublishError({
    class: "invalid",
    code: "thread_elsewhere",
    message: isGiven
      ? `thread_id ${place} is not a thread in the account's channel. Choose one of its threads, or connect that channel as a separate account.`
      : `The previous item was confirmed in ${place}, which is not a thread in the account's forum. Publish the missing items as a separate post.`
  })

const tagUnknown = (tag: string) =>
  new PublishError({
    class: "invalid",
    code: "tag_unknown",
    message: `The forum has no tag ${JSON.stringify(tag)} any more. Change applied_tags to tags that it has.`
  })

const parentUnknown = (address: string) =>
  new PublishError({
    class: "invalid",
    code: "parent_unknown",
    message: `The previous item was confirmed with ${JSON.stringify(address)}, which is not a link to a Discord message, so nothing can reply to it. Publish the missing items as a separate post.`
  })
