import { type AccountLimits, type PlatformData, platformRules, telegramBytes } from "@carillon/domain"
import { Duration, Effect, Redacted, Schema } from "effect"
import { HttpBody, type HttpClient } from "effect/http"
import { multipartForm } from "../MultipartForm.ts"
import { type Platform, PublishError, withWarnings } from "../Platform.ts"
import { platformHttp, type Refusal, type Refused, shortAnswer } from "../PlatformHttp.ts"
import { decodeCredentials } from "../StoredCredentials.ts"
import { preparePushed, readPushed } from "../PushedFiles.ts"
import { handleUnreadable } from "../StoredHandle.ts"
import { movedTo, refusePin, refuseTelegram, statusIn } from "./TelegramErrors.ts"
import { messageCall, optionsOf } from "./TelegramMessage.ts"
import { parentOf, parentUnknown } from "./ThreadParent.ts"

const SignIn = Schema.Struct({ bot_token: Schema.String, chat: Schema.String })
const TelegramCredentials = Schema.Struct({ token: Schema.String, chat_id: Schema.String })

const Bot = Schema.Struct({ result: Schema.Struct({ id: Schema.Int, username: Schema.String }) })
const Chat = Schema.Struct({
  id: Schema.Int,
  type: Schema.String,
  title: Schema.optionalKey(Schema.String),
  username: Schema.optionalKey(Schema.String)
})
const FoundChat = Schema.Struct({ result: Chat })
const Membership = Schema.Struct({
  status: Schema.String,
  can_post_messages: Schema.optionalKey(Schema.Boolean),
  can_send_messages: Schema.optionalKey(Schema.Boolean),
  can_edit_messages: Schema.optionalKey(Schema.Boolean),
  can_pin_messages: Schema.optionalKey(Schema.Boolean)
})
const Member = Schema.Struct({ result: Membership })
const Done = Schema.Struct({ result: Schema.Literal(true) })
const Sent = Schema.Struct({ message_id: Schema.Int, chat: Chat })
/** An album is several messages, the first of which has the caption. */
const SentMessages = Schema.Struct({ result: Schema.Union([Sent, Schema.NonEmptyArray(Sent)]) })

const decodeSignIn = Schema.decodeUnknownEffect(SignIn)
const decodeStored = decodeCredentials(TelegramCredentials, "Telegram")
const readHandle = readPushed("Telegram")

type Refuse = (refusal: Refusal) => Refused

export interface TelegramOptions {
  /** The address of the Bot API, without a trailing slash. */
  readonly api: string
  /** It is a Bot API server of the operator's own, which takes larger files. */
  readonly is_own?: boolean
  /** The addresses of Telegram's hosts on the test network, which takes tokens that end in `:sandbox`. */
  readonly test_network?: (host: string) => string
}

/** https://core.telegram.org/bots/api#using-a-local-bot-api-server: "Upload files up to 2000 MB." */
const ownServer: AccountLimits = {
  video_bytes: telegramBytes.own_server,
  document_bytes: telegramBytes.own_server
}

/** The slowest line that an upload allows for, and the time for ten files of the largest size. */
const pace = { bytesPerSecond: 64 * 1024, commitTimeout: Duration.hours(2.5) }
const paceOfOwn = { bytesPerSecond: 512 * 1024, commitTimeout: Duration.hours(12) }

/**
 * Channels and groups of Telegram, by a bot (https://core.telegram.org/bots/api). The files go up in the call that
 * publishes, and nothing tells afterwards what became of it: there is no key, and a bot cannot read what it has sent.
 */
export const makeTelegram = (client: HttpClient.HttpClient, options: TelegramOptions): Platform => {
  const call = platformHttp(client, "Telegram")
  const { bytesPerSecond, commitTimeout } = options.is_own === true ? paceOfOwn : pace

  const testNetworkOf = (token: string) => (token.endsWith(":sandbox") ? options.test_network : undefined)

  const limitsOf = (token: string, member: typeof Membership.Type): AccountLimits => ({
    ...(options.is_own === true && testNetworkOf(token) === undefined ? ownServer : {}),
    pins: mayPin(member)
  })

  // The token is in the path, so no address is ever part of a message.
  const methodUrl = (token: string, method: string) =>
    `${testNetworkOf(token)?.("api.telegram.org") ?? options.api}/bot${token}/${method}`

  const ask = <S extends Schema.ConstraintDecoder<unknown>>(
    token: string,
    method: string,
    parameters: { readonly [name: string]: Schema.Json },
    answer: S,
    refuse: Refuse = refuseTelegram
  ) =>
    call({
      method: "POST",
      url: methodUrl(token, method),
      body: HttpBody.jsonUnsafe(parameters),
      secrets: secretsOf(token),
      maxAnswerBytes: shortAnswer,
      answer,
      statusIn,
      refuse
    })

  return {
    id: "telegram",
    rules: platformRules.telegram,
    capabilities: {
      reconcile: () => "none",
      prepare_ahead: Duration.minutes(10),
      settle_wait: Duration.zero,
      lookup_apart: Duration.zero,
      concurrent_commits: 30,
      commit_timeout: commitTimeout
    },

    connect: Effect.fn("Telegram.connect")(function* (input) {
      const typed = yield* decodeSignIn(input).pipe(Effect.mapError(() => rejected(signInMissing)))
      const token = typed.bot_token.trim()
      if (!/^\d{1,20}:[\w-]{1,100}$/.test(token)) return yield* rejected(tokenForm)
      const named = chatOf(typed.chat)
      if (named === undefined) return yield* rejected(chatForm)
      const { result: bot } = yield* ask(token, "getMe", {}, Bot).pipe(
        Effect.mapError((error) => (error.class === "reconnect" ? rejected(error.message) : error))
      )
      const { result: chat } = yield* ask(token, "getChat", { chat_id: named }, FoundChat).pipe(
        Effect.mapError((error) =>
          error.code === "not_allowed"
            ? new PublishError({
                class: "forbidden",
                code: "chat_not_found",
                message:
                  `The bot @${bot.username} cannot find the chat ${named}. Check its name, and add the bot to it: ` +
                  "a bot can find a private chat only as a member."
              })
            : error
        )
      )
      if (!["channel", "group", "supergroup"].includes(chat.type)) {
        return yield* rejected(`${named} is a ${chat.type} chat. Use a channel or a group.`)
      }
      const { result: member } = yield* ask(
        token,
        "getChatMember",
        { chat_id: chat.id, user_id: bot.id },
        Member
      )
      if (!mayPost(chat.type, member)) {
        return yield* new PublishError({
          class: "forbidden",
          code: "bot_may_not_post",
          message:
            chat.type === "channel"
              ? `The bot @${bot.username} is not allowed to post in the channel. Make it an administrator with the right "Post messages".`
              : `The bot @${bot.username} is not allowed to write in the group. Add it as a member that can send messages.`
        })
      }
      const title = chat.title ?? null
      return {
        remote_id: String(chat.id),
        username: chat.username ?? title ?? String(chat.id),
        display_name: title,
        // The address of a chat's picture holds the bot's token.
        avatar_url: null,
        credentials: Redacted.make({ token, chat_id: String(chat.id) }),
        token_expires_at: null,
        limits: limitsOf(token, member)
      }
    }),

    refresh: (credentials) => Effect.succeed({ credentials, token_expires_at: null }),

    limits: Effect.fn("Telegram.limits")(function* (stored) {
      const { chat_id, token } = yield* decodeStored(stored)
      const parameters = { chat_id, user_id: Number.parseInt(token, 10) }
      const { result } = yield* ask(token, "getChatMember", parameters, Member)
      return limitsOf(token, result)
    }),

    serverOf: (stored) =>
      Effect.map(decodeStored(stored), ({ token }) =>
        token.endsWith(":sandbox") ? "https://telegram.sandbox" : options.api
      ),

    prepare: (request, _credentials, saved) => preparePushed(request, saved),

    poll: (_request, _credentials, handle) => Effect.succeed({ _tag: "ready", handle }),

    commit: Effect.fn("Telegram.commit")(function* (request, stored, saved) {
      const { token, chat_id } = yield* decodeStored(stored)
      const { files: known } = yield* readHandle(saved)
      if (request.media.some(({ id }) => known[id] === undefined)) return yield* handleUnreadable("Telegram")
      const parent = parentOf(request, chat_id)
      if (parent === undefined && request.thread?.parent != null)
        return yield* parentUnknown(request.thread.parent.id)
      const { method, parameters, files } = messageCall(request, ({ id }) => known[id]!, parent)
      const size = files.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
      const { result } = yield* inChat(chat_id, refuseTelegram, (chat, refuse) => {
        const all = { chat_id: chat, ...parameters }
        return call({
          method: "POST",
          url: methodUrl(token, method),
          body: files.length === 0 ? HttpBody.jsonUnsafe(all) : multipartForm(asFields(all), files),
          secrets: secretsOf(token),
          commit: true,
          timeout: Duration.seconds(60 + size / bytesPerSecond),
          maxAnswerBytes: 1024 * 1024,
          answer: SentMessages,
          statusIn,
          refuse
        })
      })
      const first = "message_id" in result ? result : result[0]
      return published(request.username, first, testNetworkOf(token)?.("t.me") ?? "https://t.me")
    }),

    reconcile: () => Effect.succeed({ _tag: "unknown" }),

    confirm: Effect.fn("Telegram.confirm")(function* (request, stored, _handle, data) {
      const { pin, silent } = optionsOf(request)
      if (pin !== true) return data
      const { chat_id, token } = yield* decodeStored(stored)
      const parameters = { message_id: Number(data.id), disable_notification: silent === true }
      return yield* inChat(chat_id, refusePin, (chat, refuse) =>
        ask(token, "pinChatMessage", { chat_id: chat, ...parameters }, Done, refuse)
      ).pipe(
        Effect.as(data),
        Effect.catch(({ message }) =>
          Effect.succeed(withWarnings(data, [`The message was not pinned. ${message}`]))
        )
      )
    })
  }
}

/** A group that has become a supergroup has another id; nothing was done in the old one. */
const inChat = <A, R>(
  chat_id: string,
  refuseWith: Refuse,
  inIt: (chat: string, refuse: Refuse) => Effect.Effect<A, PublishError, R>
) => {
  let moved: string | undefined
  const refuse: Refuse = (refusal) => {
    moved = movedTo(refusal)
    return refuseWith(refusal)
  }
  return Effect.catchIf(
    inIt(chat_id, refuse),
    () => moved !== undefined,
    () => inIt(moved!, refuse)
  )
}

const secretsOf = (token: string) => [token, token.slice(token.indexOf(":") + 1)]

const asFields = (parameters: { readonly [name: string]: Schema.Json }) =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value)
    ])
  )

/** `@name`, a link to it, or the number of a private chat. */
const chatOf = (typed: string): string | undefined => {
  const name = typed
    .replaceAll(/\p{Cf}/gu, "")
    .trim()
    .replace(/^(https?:\/\/)?(t\.me|telegram\.me)\//i, "@")
    .replace(/\/$/, "")
  if (/^-?\d{1,20}$/.test(name)) return name
  return /^@?[A-Za-z]\w{3,63}$/.test(name) ? `@${name.replace(/^@/, "")}` : undefined
}

const mayPost = (type: string, { status, can_post_messages, can_send_messages }: typeof Membership.Type) =>
  status === "creator" ||
  (type === "channel"
    ? status === "administrator" && can_post_messages === true
    : status === "administrator" ||
      status === "member" ||
      (status === "restricted" && can_send_messages === true))

/** Of an administrator a channel has the one right, a group the other. */
const mayPin = ({ status, can_edit_messages, can_pin_messages }: typeof Membership.Type) =>
  status === "creator" ||
  (status === "administrator" && (can_edit_messages === true || can_pin_messages === true))

const published = (username: string, { message_id, chat }: typeof Sent.Type, links: string): PlatformData => {
  const hidden = /^-100(\d+)$/.exec(String(chat.id))
  const place = chat.username ?? (hidden === null ? undefined : `c/${hidden[1]}`)
  return {
    id: String(message_id),
    // A small private group has no addresses of its messages.
    url: place === undefined ? null : `${links}/${place}/${message_id}`,
    username
  }
}

const signInMissing = 'Telegram needs a "bot_token" and a "chat".'
const tokenForm =
  "This is not a bot token. One from @BotFather looks like 123456789:AAF… and contains a colon."
const chatForm =
  "Give the chat as @name, or as its number, which begins with -100 for a channel or a supergroup."

const rejected = (message: string) =>
  new PublishError({ class: "reconnect", code: "credentials_rejected", message })
