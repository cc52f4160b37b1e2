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
 * `GET /channels/{id}/messages?limit&after` · `POST …/messages/{id}/crosspost`. Of
 * `…-news` the channel has announcements, of `…-forum` it is a forum, of `…-voice` a voice channel, of `…-thread` a thread. `…-hidden`
 * does not see it; `…-mute` and `…-mute-thread` may not post there, which the channel takes from everyone; the role of `…-bare` has
 * no files and no links; `…-admin` may do anything. `…-blind` may not read the history, which is then empty.
 *
 * Errors: `{ message, code, errors? }`; 429 with `retry_after`, `global` and `Retry-After`. The ledger has no token.
 */
import { ByteSize, Clock, Effect, Schema } from "effect"
import { HttpRouter, type HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Call, type Dialect, Exchange, type Granted, Refused, type Seen } from "../Exchange.ts"
import { isoTime, Ledger, type Publication } from "../Ledger.ts"
import { MediaStore } from "../MediaStore.ts"
import { NodeServer } from "../NodeServer.ts"
import { receivedForm, type SentFile } from "../ReceivedForm.ts"
import { Discord, idOf, type Sender } from "./Discord.ts"
import { fileProblem, invalidForm, readBotDraft, readWebhookDraft, refused } from "./DiscordDraft.ts"
import { channelOf, guild, mayWrite, memberOf, rolesOf, typeOf } from "./DiscordGuild.ts"

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

    const answer = (body: Schema.Json, publication?: string): Granted => ({
      status: 200,
      body,
      headers: limits,
      ...(publication === undefined ? {} : { publication })
    })

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

    /** A webhook in the path, which need not be there. */
    const webhookOf = Effect.gen(function* () {
      const { id = "", token = "" } = yield* HttpRouter.params
      const [, name] = /^sandbox-([\w-]{1,80})$/.exec(token) ?? []
      if (name === undefined || !isId(id) || name.endsWith("-gone") || discord.isRevoked(`${id}/${token}`)) {
        return yield* refused(404, 10015, "Unknown Webhook")
      }
      return {
        sender: { id, name, is_bot: false } satisfies Sender,
        channel_id: idOf(`channel of ${id}`),
        isForum: name.endsWith("-forum"),
        expireToken: () => discord.revoke(`${id}/${token}`)
      }
    })

    const botOf = (request: Request) => {
      const token = /^Bot (\S+)$/.exec(request.headers.authorization ?? "")?.[1] ?? ""
      const [, name] = /^([\w-]{1,80})\.sandbox$/.exec(token) ?? []
      return name === undefined || discord.isRevoked(token)
        ? refused(401, 0, "401: Unauthorized")
        : Effect.succeed({
            sender: { id: idOf(`bot ${name}`), name, is_bot: true } satisfies Sender,
            expireToken: () => discord.revoke(token)
          })
    }

    const readWebhook = exchange.answer(
      webhookDialect,
      Effect.fnUntraced(function* (_request, seen) {
        const { sender, channel_id, expireToken } = yield* webhookOf
        seen.account = sender.name
        seen.operation = "account"
        return {
          expireToken,
          effect: () =>
            Effect.succeed(
              answer({
                application_id: null,
                avatar: null,
                channel_id,
                guild_id: guild,
                id: sender.id,
                name: sender.name,
                type: 1
              })
            )
        }
      })
    )

    /** The files of a message, in the order of its attachments. */
    const publish = Effect.fnUntraced(function* (
      sender: Sender,
      channel_id: string,
      draft: BotDraft | WebhookDraft,
      files: ReadonlyArray<SentFile>,
      seen: { readonly id: string; readonly received_at: string }
    ) {
      const problem = fileProblem(files.map(({ size }) => size))
      if (problem !== undefined) return yield* problem
      const { content = "", poll, attachments = [] } = draft
      if (content.trim() === "" && poll === undefined && files.length === 0) {
        return yield* refused(400, 50006, "Cannot send an empty message")
      }
      const now = yield* Clock.currentTimeMillis
      const nonce = "nonce" in draft ? draft.nonce : undefined
      const earlier =
        nonce === undefined || !("enforce_nonce" in draft) || draft.enforce_nonce !== true
          ? undefined
          : discord.withNonce(sender, nonce, now)
      if (earlier !== undefined) return earlier
      const media = yield* Effect.forEach(files, (file) => file.keep)
      const { content: _, attachments: __, ...told } = draft
      const described = files.map((_, index) => attachments.find(({ id }) => id === String(index)))
      return ledger.publish(
        {
          platform: "discord",
          account: sender.name,
          title: "thread_name" in draft ? (draft.thread_name ?? null) : null,
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
            channel_id,
            message_id: discord.nextId(now),
            author_id: sender.id,
            ...(files.length === 0
              ? {}
              : {
                  attachments: files.map(({ filename }, index) => ({
                    filename: described[index]?.filename ?? filename,
                    is_spoiler: described[index]?.is_spoiler ?? false
                  }))
                })
          }
        },
        seen.id
      )
    })

    const message = (publication: Publication): Schema.Json => {
      const { account, details = {}, idempotency_key, media, published_at, text } = publication
      const poll = details["poll"] as WebhookDraft["poll"]
      const answered = details["message_reference"] as BotDraft["message_reference"]
      const attachments = (details["attachments"] ?? []) as ReadonlyArray<{ readonly filename: string }>
      return {
        // https://docs.discord.com/developers/resources/message#message-object-message-types: REPLY
        type: answered === undefined ? 0 : 19,
        content: text,
        ...(answered === undefined
          ? {}
          : {
              message_reference: {
                type: 0,
                channel_id: String(details["channel_id"]),
                guild_id: guild,
                message_id: answered.message_id
              }
            }),
        mentions: [],
        mention_roles: [],
        attachments: media.map(({ id, size, content_type, alt_text }, index) => ({
          id,
          filename: attachments[index]?.filename || id,
          size,
          content_type,
          url: `${url()}/media/${id}`,
          proxy_url: `${url()}/media/${id}`,
          ...(alt_text === null ? {} : { description: alt_text })
        })),
        embeds: [],
        timestamp: published_at,
        edited_timestamp: null,
        flags: Number(details["flags"] ?? 0),
        components: [],
        id: String(details["message_id"]),
        channel_id: String(details["channel_id"]),
        author: user({
          id: String(details["author_id"]),
          name: String(details["username"] ?? account),
          is_bot: true
        }),
        pinned: false,
        mention_everyone: false,
        tts: false,
        ...(idempotency_key === null ? {} : { nonce: idempotency_key }),
        ...(poll === undefined
          ? {}
          : {
              poll: {
                question: poll.question,
                answers: poll.answers.map(({ poll_media: { text, emoji } }, index) => ({
                  answer_id: index + 1,
                  poll_media: {
                    text,
                    ...(emoji == null ? {} : { emoji: { id: null, name: null, ...emoji } })
                  }
                })),
                expiry: isoTime(Date.parse(published_at) + (poll.duration ?? 24) * 3_600_000),
                allow_multiselect: poll.allow_multiselect ?? false,
                layout_type: 1,
                results: { answer_counts: [], is_finalized: false }
              }
            })
      }
    }

    const executeWebhook = exchange.answer(
      webhookDialect,
      Effect.fnUntraced(function* (request, seen) {
        const { sender, channel_id, isForum, expireToken } = yield* webhookOf
        seen.account = sender.name
        seen.operation = "post"
        const query = yield* HttpServerRequest.ParsedSearchParams
        const { body, files } = yield* received(request)
        return {
          expireToken,
          effect: () =>
            Effect.gen(function* () {
              const draft = yield* readWebhookDraft(body)
              if (/discord|clyde/i.test(draft.username ?? "")) return yield* invalidForm(["username"])
              const thread = typeof query.thread_id === "string" ? query.thread_id : undefined
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
              const place = thread ?? (isForum ? idOf(`thread ${draft.thread_name}`) : channel_id)
              const publication = yield* publish(sender, place, draft, files, seen)
              return query.wait === "true"
                ? answer(message(publication), publication.id)
                : { status: 204, body: undefined, publication: publication.id }
            })
        }
      })
    )

    interface Asked {
      readonly request: Request
      readonly seen: Seen
      readonly sender: Sender
      readonly channel: string
      readonly parameters: Readonly<Record<string, string | undefined>>
    }

    /** A call of a bot: it is read, and then has its effect. */
    const bot = (
      operation: Seen["operation"],
      read: (
        asked: Asked
      ) => Effect.Effect<Call["effect"], Refused | HttpServerError.HttpServerError, HttpRouter.Provided>
    ) =>
      exchange.answer(
        dialect,
        Effect.fnUntraced(function* (request, seen) {
          const parameters = yield* HttpRouter.params
          const { sender, expireToken } = yield* botOf(request)
          const { channel = "" } = parameters
          if ("channel" in parameters && !isId(channel)) return yield* refused(404, 10003, "Unknown Channel")
          seen.account = sender.name
          seen.operation = operation
          return { expireToken, effect: yield* read({ request, seen, sender, channel, parameters }) }
        })
      )

    /** The calls with which a bot reads about itself and its server. */
    const reads = (operation: Seen["operation"], what: (asked: Asked) => Schema.Json | Refused) =>
      bot(operation, (asked) =>
        Effect.succeed(() => {
          const found = what(asked)
          return found instanceof Refused ? found : Effect.succeed(answer(found))
        })
      )

    const me = reads(null, ({ sender }) => ({ ...user(sender), mfa_enabled: false, locale: "en-US" }))
    const readChannel = reads("account", ({ sender, channel }) =>
      sender.name.endsWith("-hidden") ? refused(403, 50001, "Missing Access") : channelOf(sender, channel)
    )
    const readMember = reads("account", ({ sender, parameters }) =>
      parameters["member"] === sender.id
        ? memberOf(sender, user(sender))
        : refused(404, 10007, "Unknown Member")
    )
    const readRoles = reads("account", ({ sender }) => rolesOf(sender))

    const createMessage = bot("post", ({ request, seen, sender, channel }) =>
      Effect.map(
        received(request),
        ({ body, files }) =>
          () =>
            Effect.gen(function* () {
              const draft = yield* readBotDraft(body)
              seen.idempotency_key = draft.nonce ?? null
              if (!mayWrite(sender)) return yield* refused(403, 50013, "Missing Permissions")
              const answered = draft.message_reference?.message_id
              if (answered !== undefined && sender.name.endsWith("-blind")) {
                return yield* refused(403, 160002, "Cannot reply without permission to read message history")
              }
              if (
                answered !== undefined &&
                !discord.messages(channel).some(({ details }) => details?.["message_id"] === answered)
              ) {
                return yield* refused(400, 50035, "Invalid Form Body", {
                  message_reference: {
                    _errors: [{ code: "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", message: "Unknown message" }]
                  }
                })
              }
              const publication = yield* publish(sender, channel, draft, files, seen)
              return answer(message(publication), publication.id)
            })
      )
    )

    const listMessages = bot("post_search", ({ sender, channel }) =>
      Effect.map(HttpServerRequest.ParsedSearchParams, ({ after, limit = "50" }) => () => {
        const count = Number(limit)
        if (!Number.isInteger(count) || count < 1 || count > 100) return invalidForm()
        const all = sender.name.endsWith("-blind") ? [] : discord.messages(channel)
        const some =
          typeof after === "string"
            ? all
                .filter(({ details }) => BigInt(String(details?.["message_id"])) > BigInt(after))
                .slice(0, count)
            : all.slice(-count)
        return Effect.succeed(answer(some.toReversed().map(message)))
      })
    )

    const messageIn = (channel: string, id: string | undefined) =>
      discord.messages(channel).find(({ details }) => details?.["message_id"] === id)

    const crosspost = bot("comment", ({ sender, channel, parameters }) =>
      Effect.succeed(() => {
        const publication = messageIn(channel, parameters["message"])
        if (publication === undefined) return refused(404, 10008, "Unknown Message")
        if (typeOf(sender) !== 5) return refused(400, 50024, "Cannot execute action on this channel type")
        if (publication.details?.["crossposted"] === true)
          return refused(400, 40033, "This message has already been crossposted")
        ledger.tell(publication.id, { crossposted: true })
        return Effect.succeed(answer(message(publication)))
      })
    )

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
      ...[api, "/discord.com/api"].flatMap((base) => [
        HttpRouter.route("GET", `${base as "/"}/webhooks/:id/:token`, readWebhook, whole),
        HttpRouter.route("POST", `${base as "/"}/webhooks/:id/:token`, executeWebhook, whole)
      ]),
      HttpRouter.route("GET", `${api}/users/@me`, me, whole),
      HttpRouter.route("GET", `${api}/guilds/:guild/members/:member`, readMember, whole),
      HttpRouter.route("GET", `${api}/guilds/:guild/roles`, readRoles, whole),
      HttpRouter.route("GET", `${api}/channels/:channel`, readChannel, whole),
      HttpRouter.route("GET", `${api}/channels/:channel/messages`, listMessages, whole),
      HttpRouter.route("POST", `${api}/channels/:channel/messages`, createMessage, whole),
      HttpRouter.route("POST", `${api}/channels/:channel/messages/:message/crosspost`, crosspost, whole),
      HttpRouter.route("GET", "/discord.com/channels/:guild/:channel/:message", look)
    ]
  })
)

type BotDraft = Effect.Success<ReturnType<typeof readBotDraft>>
type WebhookDraft = Effect.Success<ReturnType<typeof readWebhookDraft>>

const whole = { uninterruptible: true }

const isId = (text: string) => /^\d{17,20}$/.test(text)

const user = ({ id, name, is_bot }: Sender) => ({
  id,
  username: name,
  avatar: null,
  discriminator: "0000",
  public_flags: 0,
  flags: 0,
  bot: is_bot,
  global_name: null,
  primary_guild: null
})

const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Json))
