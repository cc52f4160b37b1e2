/**
 * Telegram's Bot API at the wire (https://core.telegram.org/bots/api), with the host as the first part of the path. The
 * words of its errors are those of github.com/tdlib/telegram-bot-api.
 *
 * `POST /api.telegram.org/bot{token}/{method}`, JSON or a form (nested values as JSON in its fields). A token is `{digits}:sandbox`;
 * of any other form it is 404 `Not Found`, with other words behind the colon 401 `Unauthorized`. `/bot-api.own` is a server of the
 * operator's own, which takes files of 2,000 MB; a token there is `{digits}:own`.
 *
 * `getMe` · `getChat` · `getChatMember` · `sendMessage` · `sendPhoto`, `sendVideo`, `sendAnimation`, `sendDocument` with the file
 * in the field of that name, or in the one that `attach://` names there · `sendMediaGroup` with `attach://` and the field of each
 * file · `sendPoll` · `pinChatMessage`
 *
 * 200 `{ ok: true, result }`. Errors: `{ ok: false, error_code, description, parameters? }` with the same status; 429 with
 * `parameters.retry_after` and `Retry-After`. A group takes 20 messages a minute. What a chat is follows from its name
 * (`Telegram.ts`). The token is in no line of the ledger.
 */
import { ByteSize, Clock, Effect, Option, Schema } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { displayName } from "../Avatar.ts"
import { type Arrived, type Dialect, Exchange, Granted, Refused } from "../Exchange.ts"
import { isoTime, Ledger } from "../Ledger.ts"
import { MediaStore, type StoredMedia } from "../MediaStore.ts"
import { RateWindows } from "../RateWindows.ts"
import { receivedForm, type SentFile } from "../ReceivedForm.ts"
import { type Chat, Telegram } from "./Telegram.ts"
import { badRequest, readDraft, strayIn } from "./TelegramDraft.ts"

type Request = HttpServerRequest.HttpServerRequest

const dialect: Dialect = {
  platform: "telegram",
  errorBody: (_code, description, error_code) => ({ ok: false, error_code, description }),
  comeBackBody: (retry_after) => ({
    ok: false,
    error_code: 429,
    description: `Too Many Requests: retry after ${retry_after}`,
    parameters: { retry_after }
  }),
  shownAddress: (address) => address.replace(/\/bot\d[^/]*/, "/bot…")
}

const groupMessages = 20
/** https://core.telegram.org/bots/api#using-a-local-bot-api-server */
const servers = {
  "/api.telegram.org": { secret: "sandbox", largest: 50_000_000, largestRequest: ByteSize.megabytes(520) },
  "/bot-api.own": { secret: "own", largest: 2_000_000_000, largestRequest: ByteSize.megabytes(20_020) }
} as const
type BotApi = (typeof servers)[keyof typeof servers]

export const TelegramHttpLayer = HttpRouter.addAll(
  Effect.gen(function* () {
    const telegram = yield* Telegram
    const ledger = yield* Ledger
    const store = yield* MediaStore
    const exchange = yield* Exchange
    const rates = new RateWindows()

    const chatNamed = (named: Schema.Json | undefined) => {
      const text = typeof named === "number" ? String(named) : typeof named === "string" ? named : ""
      if (text === "") return badRequest("chat_id is empty")
      const chat = telegram.chat(text)
      return chat === undefined ? badRequest("chat not found") : Effect.succeed(chat)
    }

    /** The message of a chat with this number, which may be one of an album. */
    const messageIn = ({ name }: Chat, message: Schema.Json | undefined) =>
      ledger.publications({ platform: "telegram", account: name }).find(({ details, media }) => {
        const first = Number(details?.["message_id"])
        return typeof message === "number" && message >= first && message < first + Math.max(1, media.length)
      })

    const received = Effect.fnUntraced(function* (request: Request, { largestRequest }: BotApi) {
      const form = yield* receivedForm(request, store, largestRequest, badRequest)
      if (form !== undefined) {
        const parameters = Object.fromEntries(
          [...form.fields].map(([name, value]) => [name, fromField(name, value)])
        )
        return { parameters, files: form.files }
      }
      const text = yield* request.text
      return {
        parameters: text === "" ? {} : yield* jsonObject(text),
        files: new Map<string, SentFile>()
      }
    })

    const methodsOf = ([host, server]: readonly [string, BotApi]) => {
      const botOf = ({ path }: Arrived) => {
        const [, bot = "", secret = ""] = /^bot(\d+):([\w-]+)$/.exec(path["bot"] ?? "") ?? []
        if (bot === "") return new Refused({ status: 404, code: "404", message: "Not Found" })
        if (secret !== server.secret || telegram.isRevoked(bot)) {
          return new Refused({ status: 401, code: "401", message: "Unauthorized" })
        }
        const me = { id: Number(bot), is_bot: true, first_name: "Bells", username: `bells_${bot}_bot` }
        return Effect.succeed({ me, expireToken: () => telegram.revoke(bot) })
      }
      const granted = ({ body: result = null, ...granted }: Granted) =>
        new Granted({ ...granted, body: { ok: true, result } })
      const ofBot = exchange.endpoints({ dialect, caller: botOf, granted })
      const ofChat = exchange.endpoints({
        dialect,
        caller: (arrived) =>
          Effect.gen(function* () {
            const caller = yield* botOf(arrived)
            const { parameters, files } = yield* received(arrived.request, server)
            const chat = yield* chatNamed(parameters["chat_id"])
            arrived.seen.account = chat.name
            return { ...caller, parameters, files, chat }
          }),
        granted
      })
      const at = `${host as "/"}/:bot` as const

      return [
        ofBot("POST", `${at}/getMe`, { operation: null, answer: ({ me }) => me }),
        ofChat("POST", `${at}/getChat`, { operation: "account", answer: ({ chat }) => chatFullInfo(chat) }),
        ofChat("POST", `${at}/getChatMember`, {
          operation: null,
          answer: ({ chat, me }) => ({ status: chat.bot, user: me, ...rightsIn(chat) })
        }),
        ofChat("POST", `${at}/pinChatMessage`, {
          operation: "pin",
          answer: ({ chat, parameters }) => {
            const stray = strayIn("pinChatMessage", parameters)
            if (stray !== undefined) return stray
            if (chat.moved_to !== null) return moved(chat.moved_to)
            const publication = messageIn(chat, parameters["message_id"])
            if (publication === undefined) return badRequest("message to pin not found")
            if (chat.bot !== "administrator" || !chat.pins)
              return badRequest("not enough rights to manage pinned messages in the chat")
            ledger.tell(publication.id, { pinned: true })
            return true
          }
        }),
        ofChat("POST", `${at}/:method`, {
          operation: "post",
          answer: ({ chat, files, parameters, path: { method = "" }, seen }) =>
            Effect.gen(function* () {
              const draft = readDraft(method, parameters, files, server.largest)
              if (draft instanceof Refused) return yield* draft
              if (chat.moved_to !== null) return yield* moved(chat.moved_to)
              if (chat.bot === "restricted" || (chat.type === "channel" && chat.bot === "member")) {
                return yield* badRequest("not enough rights to send text messages to the chat")
              }
              if (chat.type !== "channel" && !(yield* rates.take(chat.name, groupMessages))) {
                return yield* new Refused({
                  status: 429,
                  code: "429",
                  message: "Too Many Requests: retry after 60",
                  headers: { "retry-after": "60" },
                  body: dialect.comeBackBody!(60)
                })
              }
              const replied = replyIn(parameters)
              if (replied !== undefined && messageIn(chat, replied) === undefined)
                return yield* badRequest("message to be replied not found")
              const first = telegram.nextMessage(chat.name)
              // Two parts of an album may name the same file.
              const kept = new Map<string, StoredMedia>()
              for (const name of new Set(draft.files)) kept.set(name, yield* files.get(name)!.keep)
              const media = draft.files.map((name) => kept.get(name)!)
              const publication = ledger.publish(
                {
                  platform: "telegram",
                  account: chat.name,
                  title: null,
                  text: draft.text,
                  media: media.map((file) => ({ ...file, alt_text: null })),
                  idempotency_key: null,
                  client_reference: null,
                  received_at: seen.received_at,
                  published_at: isoTime(yield* Clock.currentTimeMillis),
                  details: { ...draft.details, message_id: String(first) }
                },
                seen.id
              )
              const message = (message_id: number) => ({
                message_id,
                date: Math.floor(Date.parse(publication.published_at) / 1000),
                chat: chatResource(chat)
              })
              const body =
                method === "sendMediaGroup" ? media.map((_, index) => message(first + index)) : message(first)
              return new Granted({ body, publication: publication.id })
            })
        })
      ]
    }

    /** The page behind a link: the message in the feed. */
    const look = Effect.gen(function* () {
      const { name = "", hidden, message = "" } = yield* HttpRouter.params
      const account = hidden === undefined ? name : telegram.chat(`-100${hidden}`)?.name
      const publication =
        account === undefined
          ? undefined
          : ledger
              .publications({ platform: "telegram", account })
              .find(({ details }) => details?.["message_id"] === message)
      return publication === undefined
        ? HttpServerResponse.text("Not found", { status: 404 })
        : HttpServerResponse.redirect(`/posts/${publication.id}`)
    })

    return [
      ...Object.entries(servers).flatMap(methodsOf),
      HttpRouter.route("GET", "/t.me/c/:hidden/:message", look),
      HttpRouter.route("GET", "/t.me/:name/:message", look)
    ]
  })
)

const chatResource = ({ id, type, name, is_public }: Chat) => ({
  id,
  type,
  [type === "private" ? "first_name" : "title"]: displayName(name),
  ...(is_public && type !== "group" ? { username: name } : {})
})

/** https://core.telegram.org/bots/api#chatfullinfo: what is not optional. */
const chatFullInfo = (chat: Chat) => ({
  ...chatResource(chat),
  accent_color_id: 0,
  max_reaction_count: 11,
  accepted_gift_types: {
    unlimited_gifts: false,
    limited_gifts: false,
    unique_gifts: false,
    premium_subscription: false,
    gifts_from_channels: false
  }
})

const cannot = (rights: string) =>
  Object.fromEntries(rights.split(" ").map((right) => [`can_${right}`, false]))

/** https://core.telegram.org/bots/api#chatmember: what is not optional, and of an administrator also what its kind of chat has. */
const rightsIn = ({ bot, pins, type }: Chat): Readonly<Record<string, Schema.Json>> => {
  switch (bot) {
    case "administrator":
      return {
        is_anonymous: false,
        can_manage_chat: true,
        ...cannot(
          "be_edited delete_messages manage_video_chats restrict_members promote_members change_info invite_users " +
            "post_stories edit_stories delete_stories send_welcome_messages"
        ),
        ...(type === "channel"
          ? { can_post_messages: true, can_edit_messages: pins, ...cannot("manage_direct_messages") }
          : { can_pin_messages: pins, ...cannot("manage_topics manage_tags") })
      }
    case "restricted":
      return {
        is_member: true,
        until_date: 0,
        ...cannot(
          "send_messages send_audios send_documents send_photos send_videos send_video_notes send_voice_notes send_polls " +
            "send_other_messages add_web_page_previews react_to_messages change_info invite_users edit_tag pin_messages manage_topics"
        )
      }
    case "member":
    case "left":
      return {}
  }
}

/** The number in `reply_parameters`; 0, which no message has, where there is none. */
const replyIn = ({ reply_parameters: given }: Readonly<Record<string, Schema.Json>>) =>
  given === undefined ? undefined : Option.getOrElse(decodeReply(given), () => ({ message_id: 0 })).message_id

const decodeReply = Schema.decodeUnknownOption(Schema.Struct({ message_id: Schema.Int }))

const moved = (migrate_to_chat_id: number) => {
  const description = "Bad Request: group chat was upgraded to a supergroup chat"
  return new Refused({
    status: 400,
    code: "400",
    message: description,
    body: { ok: false, error_code: 400, description, parameters: { migrate_to_chat_id } }
  })
}

const decodeObject = Schema.decodeUnknownEffect(
  Schema.fromJsonString(Schema.Record(Schema.String, Schema.Json))
)

const jsonObject = (text: string) =>
  Effect.mapError(decodeObject(text), () => badRequest("can't parse the request as a JSON object"))

/** Texts are texts; of anything else a form has the JSON. */
const fromField = (name: string, value: string): Schema.Json => {
  if (["text", "caption", "question", "description", "explanation", "chat_id"].includes(name)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
