import { telegramBytes } from "@carillon/domain"
import { Option, Schema } from "effect"
import { parentGone } from "./ThreadParent.ts"
import { refusedByStatus, type Refusal, type Refused } from "../PlatformHttp.ts"

const ErrorBody = Schema.Struct({
  description: Schema.String,
  parameters: Schema.optionalKey(
    Schema.Struct({
      migrate_to_chat_id: Schema.optionalKey(Schema.Union([Schema.Finite, Schema.String])),
      retry_after: Schema.optionalKey(Schema.Finite)
    })
  )
})
const decodeError = Schema.decodeUnknownOption(ErrorBody)

const decodeStatus = Schema.decodeUnknownOption(
  Schema.Struct({ ok: Schema.Literal(false), error_code: Schema.Int })
)

/** An error usually comes with a status of its own, and always names it. */
export const statusIn = (body: unknown): number | undefined =>
  Option.getOrUndefined(decodeStatus(body))?.error_code

/** The id that a group has since it became a supergroup. */
export const movedTo = ({ body }: Refusal): string | undefined => {
  const id = Option.getOrUndefined(decodeError(body))?.parameters?.migrate_to_chat_id
  return id === undefined ? undefined : String(id)
}

const rights =
  /not enough rights|need administrator rights|have no rights|write_forbidden|admin_required|restricted|chat not found|upgraded to a supergroup/i
const parents = /message to be replied (to )?not found/i
const topics = /message thread not found|topic_(closed|deleted)/i
const unreachable = /failed to get http url content|wrong type of the web page content/i
const files =
  /wrong file|file is too big|photo_invalid_dimensions|image_process_failed|photo_save_file_invalid|media of the specified type|file must be non-empty|wrong type of/i

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toLocaleString("en")} MB`

/**
 * Telegram's errors have no codes: the status decides, and for 400 the words of the description
 * (https://core.telegram.org/bots/api#making-requests; the words are those of github.com/tdlib/telegram-bot-api).
 */
export const refuseTelegram = ({ status, body }: Refusal): Refused => {
  const said = Option.getOrElse(decodeError(body), () => ({ description: "" })).description
  const words = said === "" ? "" : ` Telegram says "${said}".`
  const as = (errorClass: Refused["class"], code: string, sentence: string): Refused => ({
    class: errorClass,
    code,
    message: `${sentence}${words}`
  })
  // A token that has not the form of one is "Not Found". Without these words some other server has answered.
  if (status === 404 && said === "") return refusedByStatus("Telegram", status)
  switch (status) {
    case 401:
    case 404:
      return as(
        "reconnect",
        "token_rejected",
        "Telegram rejected the bot's token. Get the current one from @BotFather and connect the account again."
      )
    case 403:
      return as(
        "forbidden",
        "bot_removed",
        "The bot is no longer in the chat. Add it again, with the right to post messages."
      )
    case 413:
      return as(
        "media_rejected",
        "too_large",
        `The Bot API server does not accept a file of this size. Telegram's own server accepts ${megabytes(telegramBytes.file)}, and ` +
          `${megabytes(telegramBytes.photo)} for photos; the operator's own server accepts ${megabytes(telegramBytes.own_server)} if it runs with --local.`
      )
    case 400:
      if (rights.test(said)) {
        return as(
          "forbidden",
          "not_allowed",
          "The bot is not allowed to post in the chat. Check its administrator rights there."
        )
      }
      if (parents.test(said)) return parentGone
      if (topics.test(said))
        return as("invalid", "topic_gone", "The topic in message_thread_id does not exist or is closed.")
      if (unreachable.test(said))
        return as("media_unreachable", "media_unreachable", "Telegram could not fetch a file.")
      if (files.test(said))
        return as("media_rejected", "file_refused", "Telegram rejected a file in this post.")
      return as("invalid", "bad_request", "Telegram rejected the message. Change it.")
    case 429:
      return as("rate_limited", "rate_limited", "Telegram is rate limiting messages.")
    default:
      return refusedByStatus(
        "Telegram",
        status,
        said === "" ? undefined : { code: `http_${status}`, message: said }
      )
  }
}

/** The same of `pinChatMessage`, which wants a right of its own. */
export const refusePin = (refusal: Refusal): Refused => {
  const refused = refuseTelegram(refusal)
  return refused.code !== "not_allowed"
    ? refused
    : {
        ...refused,
        message:
          "The bot is not allowed to pin messages. Give it the right to edit messages (in a channel) or to pin messages (in a group)."
      }
}
