/**
 * Discord's API v10 at the wire (https://docs.discord.com/developers), with the host as the first part of the path.
 *
 * Webhooks: `/discord.com/api/webhooks/{id}/{token}`, also with `v10` behind `api`. The token is `sandbox-{name}`, and that is the
 * webhook's name; the id has 17 to 20 digits and is anybody's choice. `GET`: the webhook. `POST ?wait=true&thread_id=`: the message, as
 * JSON or as a form with `payload_json` and `files[n]`. Of `…-forum` the channel is a forum; `…-gone` is not there.
 *
 * Bots, with `Authorization: Bot {name}.sandbox`: `GET /users/@me` · `GET /channels/{id}`, any id of 17 to 20 digits; the channel is
 * named like the bot, and one of 20 digits is a thread of the channel of its first 18 · `GET /guilds/{id}/members/{bot}`, `GET /guilds/{id}/roles` · `POST /channels/{id}/messages` with `nonce` and
 * `enforce_nonce`, which holds for five minutes, and with `message_reference` to a message of the channel, which needs its history ·
 * `GET /channels/{id}/messages?limit&after`, `GET …/messages/{id}` · `POST /channels/{id}/threads` in a forum, `GET …/threads/archived/public` and
 * `GET /guilds/{id}/threads/active` · `POST …/messages/{id}/crosspost`. Of
 * `…-news` the channel has announcements, of `…-forum` it is a forum, of `…-voice` a voice channel, of `…-thread` a thread. `…-hidden`
 * does not see it; `…-mute` and `…-mute-thread` may not post there, which the channel takes from everyone; the role of `…-bare` has
 * no files and no links; `…-admin` may do anything. `…-blind` may not read the history, which is then empty. A forum has the tags
 * Events and News; `…-tagged-forum` requires one, and what begins in `…-archived-forum` is archived at once.
 *
 * `GET /oauth2/authorize?scope=bot`: the consent page, on which a person adds the bot of `client_id` to a server of their own. `POST /api/oauth2/token`
 * answers with that server as `guild`; its channels, at `GET /guilds/{id}/channels`, have the person's name. Of `…-many` there are also
 * `…-many-news`, `…-many-forum` and `…-many-voice`. In `…-mute` the bot may not write. The bot's token is `{client_id}.sandbox`.
 *
 * Errors: `{ message, code, errors? }`; 429 with `retry_after`, `global` and `Retry-After`. The ledger has no token.
 */
import { ByteSize, Clock, Effect, Schema } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Dialect, Exchange, Granted } from "../Exchange.ts"
import { isoTime, Ledger, type Publication } from "../Ledger.ts"
import { MediaStore } from "../MediaStore.ts"
import { NodeServer } from "../NodeServer.ts"
import { authorizationRoutes } from "../oauth/AuthorizationServer.ts"
import { receivedForm, type SentFile } from "../ReceivedForm.ts"
import { Discord, idOf, type Sender } from "./Discord.ts"
import {
  type BotDraft,
  fileProblem,
  invalidForm,
  readBotDraft,
  readThreadDraft,
  readWebhookDraft,
  refused,
  tagProblem,
  type ThreadDraft,
  type WebhookDraft
} from "./DiscordDraft.ts"
import { discordLogin } from "./DiscordLogin.ts"
import { shownAttachments } from "./EmbedDraft.ts"
import {
  category,
  channelOf,
  type ForumThread,
  guild,
  guildOf,
  mayWrite,
  memberOf,
  requiresTag,
  rolesOf,
  tags,
  threadResource,
  typeOf
} from "./DiscordGuild.ts"
import { messageResource, user } from "./MessageResource.ts"

type Request = HttpServerRequest.HttpServerRequest

const dialect: Dialect = {
  platform: "discord",
  errorBody: (code, message) => ({ message, code: /^\d+$/.test(code) ? Number(code) : 0 }),
  words: {
    forbidden: { status: 403, code: "50013" },
    unauthorized: { status: 401, code: "0" },
    server_error: { status: 500, code: "0" }
  },
  comeBackBody: (retry_after) => ({
    message: "You are being rate limited.",
    retry_after,
    global: false,
    code: 0
  }),
  shownAddress: (address) => address.replace(/(\/webhooks\/\d+\/)[\w-]+/, "$1…")
}

const webhookDialect: Dialect = {
  ...dialect,
  // A webhook without its token is an unknown one.
  words: { ...dialect.words, unauthorized: { status: 404, code: "10015" } }
}

const largestRequest = ByteSize.mebibytes(120)
const limits = {
  "x-ratelimit-limit": "5",
  "x-ratelimit-remaining": "4",
  "x-ratelimit-reset": "1795000000.000",
  "x-ratelimit-reset-after": "1.000",
  "x-ratelimit-bucket": "80c17d2f203122d936070c88c8d10f33"
}

export const DiscordHttpLayer = HttpRouter.addAll(
  Effect.gen(function* () {
    const discord = yield* Discord
    const ledger = yield* Ledger
    const store = yield* MediaStore
    const exchange = yield* Exchange
    const { url } = yield* NodeServer

    const received = Effect.fnUntraced(function* (request: Request) {
      const form = yield* receivedForm(request, store, largestRequest, () => invalidForm())
      const json = form === undefined ? yield* request.text : (form.fields.get("payload_json") ?? "{}")
      const body = yield* Effect.mapError(decodeJson(json), () =>
        refused(400, 50109, "The request body contains invalid JSON.")
      )
      const files: Array<SentFile> = []
      for (const [name, file] of form?.files ?? []) {
        const index = /^files\[(\d+)\]$/.exec(name)?.[1]
        if (index !== undefined) files[Number(index)] = file
      }
      return { body, files }
    })

    const granted = (granted: Granted) =>
      granted.body === undefined ? granted : new Granted({ ...granted, headers: limits })

    /** A webhook in the path, which need not be there. */
    const webhook = exchange.endpoints({
      dialect: webhookDialect,
      caller: ({ path: { id = "", token = "" }, seen }) =>
        Effect.gen(function* () {
          const [, name] = /^sandbox-([\w-]{1,80})$/.exec(token) ?? []
          if (
            name === undefined ||
            !isId(id) ||
            name.endsWith("-gone") ||
            discord.isRevoked(`${id}/${token}`)
          ) {
            return yield* refused(404, 10015, "Unknown Webhook")
          }
          seen.account = name
          return {
            sender: { id, name, is_bot: false } satisfies Sender,
            channel_id: idOf(`channel of ${id}`),
            isForum: name.endsWith("-forum"),
            expireToken: () => discord.revoke(`${id}/${token}`)
          }
        }),
      granted
    })

    /** An app's bot speaks under the name of the channel, or of the person whose server it is; any other has one name. */
    const placed = (name: string, guild: string | undefined, channel: string): Sender => {
      const sender = { id: idOf(`bot ${name}`), name, is_bot: true }
      const begun = messageIn(channel, channel)
      const parent = (begun && threadOf(begun)?.parent_id) ?? channel.slice(0, 18)
      const place = discord.installed(name, guild ?? parent)
      return place === undefined
        ? sender
        : {
            ...sender,
            guild: place.guild,
            name: place.channels.find(({ id }) => id === parent)?.name ?? place.person
          }
    }

    const bot = exchange.endpoints({
      dialect,
      caller: ({ path, request, seen }) =>
        Effect.gen(function* () {
          const token = /^Bot (\S+)$/.exec(request.headers.authorization ?? "")?.[1] ?? ""
          const [, name] = /^([\w-]{1,80})\.sandbox$/.exec(token) ?? []
          if (name === undefined || discord.isRevoked(token)) {
            return yield* refused(401, 0, "401: Unauthorized")
          }
          const { channel = "" } = path
          if ("channel" in path && !isId(channel)) return yield* refused(404, 10003, "Unknown Channel")
          const sender = placed(name, path["guild"], channel)
          seen.account = sender.name
          return {
            app: name,
            sender,
            channel,
            expireToken: () => discord.revoke(token)
          }
        }),
      granted
    })

    /** The files of a message, in the order of its attachments. */
    const publish = Effect.fnUntraced(function* (
      sender: Sender,
      /** A channel's id, or the thread that the message begins. */
      place: string | ForumThread,
      draft: BotDraft | WebhookDraft | ThreadDraft["message"],
      files: ReadonlyArray<SentFile>,
      seen: { readonly id: string; readonly received_at: string }
    ) {
      const problem = fileProblem(files.map(({ size }) => size))
      if (problem !== undefined) return yield* problem
      const { content = "", poll, attachments = [], embeds = [] } = draft
      if (content.trim() === "" && poll === undefined && files.length === 0 && (embeds ?? []).length === 0) {
        return yield* refused(400, 50006, "Cannot send an empty message")
      }
      const described = files.map((_, index) => attachments.find(({ id }) => id === String(index)))
      const names = files.map(({ filename }, index) => described[index]?.filename ?? filename)
      const shown = shownAttachments(embeds)
      if (shown.some((name) => !names.includes(name))) return yield* invalidForm(["embeds"])
      const now = yield* Clock.currentTimeMillis
      const nonce = "nonce" in draft ? draft.nonce : undefined
      const earlier =
        nonce === undefined || !("enforce_nonce" in draft) || draft.enforce_nonce !== true
          ? undefined
          : discord.withNonce(sender, nonce, now)
      if (earlier !== undefined) return earlier
      const media = yield* Effect.forEach(files, (file) => file.keep)
      const { content: _, attachments: __, ...told } = draft
      const message_id = discord.nextId(now)
      return ledger.publish(
        {
          platform: "discord",
          account: sender.name,
          title: typeof place === "string" ? null : place.name,
          text: content,
          media: media.map((file, index) => ({
            ...file,
            alt_text: described[index]?.description ?? null
          })),
          idempotency_key: nonce ?? null,
          client_reference: null,
          received_at: seen.received_at,
          published_at: isoTime(now),
          details: {
            ...JSON.parse(JSON.stringify(told)),
            // A thread has the id of its first message.
            ...(typeof place === "string"
              ? { channel_id: place }
              : { channel_id: message_id, thread: { ...place } }),
            message_id,
            author_id: sender.id,
            ...(files.length === 0
              ? {}
              : {
                  attachments: names.map((filename, index) => ({
                    filename,
                    is_spoiler: described[index]?.is_spoiler ?? false
                  }))
                })
          }
        },
        seen.id
      )
    })

    const checkTags = (sender: Sender, applied: ThreadDraft["applied_tags"]) => {
      const known = tags.map(({ id }) => id)
      const problem = tagProblem(applied ?? [], known, requiresTag(sender))
      return problem === undefined ? Effect.void : problem
    }

    const begin = (
      { guild: guild_id, id: owner_id, name: sender }: Sender,
      parent_id: string,
      name: string,
      applied: ThreadDraft["applied_tags"]
    ): ForumThread => ({
      name,
      parent_id,
      owner_id,
      guild_id: guild_id ?? guild,
      applied_tags: applied ?? [],
      archived: sender.endsWith("-archived-forum")
    })

    const threadOf = ({ details }: Publication) => details?.["thread"] as ForumThread | undefined
    /** Newest first. */
    const threads = (isWanted: (thread: ForumThread) => boolean) => {
      const found = ledger
        .publications({ platform: "discord" })
        .flatMap((publication) => {
          const thread = threadOf(publication)
          return thread !== undefined && isWanted(thread) ? [{ publication, thread }] : []
        })
        .toReversed()
      return found.map(({ publication: { details, published_at }, thread }) =>
        threadResource(String(details?.["message_id"]), thread, published_at)
      )
    }

    const published = (publication: Publication) =>
      new Granted({ body: messageResource(publication, url()), publication: publication.id })

    const messageIn = (channel: string, id: string | undefined) =>
      discord.messages(channel).find(({ details }) => details?.["message_id"] === id)

    /** The page behind a link: the message in the feed. */
    const look = Effect.gen(function* () {
      const { channel = "", message: id } = yield* HttpRouter.params
      const publication = messageIn(channel, id)
      return publication === undefined
        ? HttpServerResponse.text("Not found", { status: 404 })
        : HttpServerResponse.redirect(`/posts/${publication.id}`)
    })

    const api = "/discord.com/api/v10"
    return [
      ...(yield* authorizationRoutes(discordLogin(discord))),
      ...([api, "/discord.com/api"] as const).flatMap((base) => [
        webhook("GET", `${base}/webhooks/:id/:token`, {
          operation: "account",
          answer: ({ sender, channel_id }) => ({
            application_id: null,
            avatar: null,
            channel_id,
            guild_id: guild,
            id: sender.id,
            name: sender.name,
            type: 1
          })
        }),
        webhook("POST", `${base}/webhooks/:id/:token`, {
          operation: "post",
          read: ({ request }) => received(request),
          answer: ({ channel_id, isForum, query, seen, sender }, { body, files }) =>
            Effect.gen(function* () {
              const draft = yield* readWebhookDraft(body)
              if (/discord|clyde/i.test(draft.username ?? "")) return yield* invalidForm(["username"])
              const thread = query.get("thread_id") ?? undefined
              if (isForum && thread === undefined && draft.thread_name === undefined) {
                return yield* refused(
                  400,
                  220001,
                  "Webhooks posted to forum channels must have a thread_name or thread_id"
                )
              }
              if (!isForum && draft.thread_name !== undefined) {
                return yield* refused(400, 220003, "Webhooks can only create threads in forum channels")
              }
              const { applied_tags, thread_name } = draft
              const begun = isForum && thread === undefined
              if (begun) yield* checkTags(sender, applied_tags)
              const place = begun
                ? begin(sender, channel_id, thread_name!, applied_tags)
                : (thread ?? channel_id)
              const publication = yield* publish(sender, place, draft, files, seen)
              return query.get("wait") === "true"
                ? published(publication)
                : new Granted({ status: 204, publication: publication.id })
            })
        })
      ]),
      bot("GET", `${api}/users/@me`, {
        operation: null,
        answer: ({ sender }) => ({ ...user(sender), mfa_enabled: false, locale: "en-US" })
      }),
      bot("GET", `${api}/guilds/:guild/members/:member`, {
        operation: "account",
        answer: ({ sender, path }) =>
          path["member"] === sender.id
            ? memberOf(sender, user(sender))
            : refused(404, 10007, "Unknown Member")
      }),
      bot("GET", `${api}/applications/@me`, {
        operation: null,
        answer: ({ app, sender }) => ({ id: app, name: sender.name, description: "", bot: user(sender) })
      }),
      bot("GET", `${api}/guilds/:guild/channels`, {
        operation: "account",
        answer: ({ app, path, sender }) => {
          const { channels } = discord.installed(app, path["guild"] ?? "") ?? { channels: [] }
          return [
            category(guildOf(sender)),
            ...channels.map(({ id, name }) => channelOf({ ...sender, name }, id))
          ]
        }
      }),
      bot("GET", `${api}/guilds/:guild/roles`, {
        operation: "account",
        answer: ({ sender }) => rolesOf(sender)
      }),
      bot("GET", `${api}/channels/:channel`, {
        operation: "account",
        answer: ({ sender, channel }) => {
          if (sender.name.endsWith("-hidden")) return refused(403, 50001, "Missing Access")
          const begun = messageIn(channel, channel)
          const thread = begun && threadOf(begun)
          return begun === undefined || thread === undefined
            ? channelOf(sender, channel)
            : threadResource(channel, thread, begun.published_at)
        }
      }),
      bot("POST", `${api}/channels/:channel/threads`, {
        operation: "post",
        read: ({ request }) => received(request),
        answer: ({ channel, seen, sender }, { body, files }) =>
          Effect.gen(function* () {
            if (typeOf(sender) !== 15)
              return yield* refused(400, 50024, "Cannot execute action on this channel type")
            const { applied_tags, message, name } = yield* readThreadDraft(body)
            if (!mayWrite(sender)) return yield* refused(403, 50013, "Missing Permissions")
            yield* checkTags(sender, applied_tags)
            const place = begin(sender, channel, name, applied_tags)
            const publication = yield* publish(sender, place, message, files, seen)
            return new Granted({
              status: 201,
              body: threadResource(
                String(publication.details?.["message_id"]),
                place,
                publication.published_at
              ),
              publication: publication.id
            })
          })
      }),
      bot("GET", `${api}/guilds/:guild/threads/active`, {
        operation: "post_search",
        answer: () => ({ threads: threads(({ archived }) => !archived), members: [], has_more: false })
      }),
      bot("GET", `${api}/channels/:channel/threads/archived/public`, {
        operation: "post_search",
        answer: ({ channel, query, sender }) => {
          if (sender.name.endsWith("-blind-forum")) return refused(403, 50001, "Missing Access")
          const count = Number(query.get("limit") ?? "50")
          const before = query.get("before")
          const all = threads(({ archived, parent_id }) => archived && parent_id === channel).filter(
            (one) => before === null || archivedAt(one) < before
          )
          return { threads: all.slice(0, count), members: [], has_more: all.length > count }
        }
      }),
      bot("GET", `${api}/channels/:channel/messages/:message`, {
        operation: "post_search",
        answer: ({ channel, path, sender }) => {
          if (sender.name.endsWith("-blind-forum")) return refused(403, 50001, "Missing Access")
          const publication = messageIn(channel, path["message"])
          return publication === undefined
            ? refused(404, 10008, "Unknown Message")
            : messageResource(publication, url())
        }
      }),
      bot("GET", `${api}/channels/:channel/messages`, {
        operation: "post_search",
        answer: ({ sender, channel, query }) => {
          const [after, count] = [query.get("after"), Number(query.get("limit") ?? "50")]
          if (!Number.isInteger(count) || count < 1 || count > 100) return invalidForm()
          const all = sender.name.endsWith("-blind") ? [] : discord.messages(channel)
          const some =
            after === null
              ? all.slice(-count)
              : all
                  .filter(({ details }) => BigInt(String(details?.["message_id"])) > BigInt(after))
                  .slice(0, count)
          return some.toReversed().map((one) => messageResource(one, url()))
        }
      }),
      bot("POST", `${api}/channels/:channel/messages`, {
        operation: "post",
        read: ({ request }) => received(request),
        answer: ({ channel, seen, sender }, { body, files }) =>
          Effect.gen(function* () {
            const draft = yield* readBotDraft(body)
            seen.idempotency_key = draft.nonce ?? null
            if (!mayWrite(sender)) return yield* refused(403, 50013, "Missing Permissions")
            if (typeOf(sender) === 15 && messageIn(channel, channel) === undefined && channel.length !== 20)
              return yield* refused(400, 50008, "Cannot send messages in a non-text channel")
            const answered = draft.message_reference?.message_id
            if (answered !== undefined && sender.name.endsWith("-blind")) {
              return yield* refused(403, 160002, "Cannot reply without permission to read message history")
            }
            if (answered !== undefined && messageIn(channel, answered) === undefined) {
              return yield* refused(400, 50035, "Invalid Form Body", {
                message_reference: {
                  _errors: [{ code: "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", message: "Unknown message" }]
                }
              })
            }
            return published(yield* publish(sender, channel, draft, files, seen))
          })
      }),
      bot("POST", `${api}/channels/:channel/messages/:message/crosspost`, {
        operation: "comment",
        answer: ({ sender, channel, path }) => {
          const publication = messageIn(channel, path["message"])
          if (publication === undefined) return refused(404, 10008, "Unknown Message")
          if (typeOf(sender) !== 5) return refused(400, 50024, "Cannot execute action on this channel type")
          if (publication.details?.["crossposted"] === true)
            return refused(400, 40033, "This message has already been crossposted")
          ledger.tell(publication.id, { crossposted: true })
          return messageResource(publication, url())
        }
      }),
      HttpRouter.route("GET", "/discord.com/channels/:guild/:channel/:message", look)
    ]
  })
)

const archivedAt = (thread: Schema.Json) =>
  (thread as unknown as { readonly thread_metadata: { readonly archive_timestamp: string } }).thread_metadata
    .archive_timestamp

const isId = (text: string) => /^\d{17,20}$/.test(text)

const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Json))
