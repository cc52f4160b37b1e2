import { Option, Schema } from "effect"
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
const topics = /message thread not found|topic_(closed|deleted)/i
const unreachable = /failed to get http url content|wrong type of the web page content/i
const files =
  /wrong file|file is too big|photo_invalid_dimensions|image_process_failed|photo_save_file_invalid|media of the specified type|file must be non-empty|wrong type of/i

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
        "Telegram does not accept the bot's token. Take the present one from @BotFather and connect the account again."
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
        "The Bot API server does not take a file of this size. Telegram's own takes 50 MB, and photos of 10 MB; one of the operator's own " +
          "takes 2,000 MB if it runs with --local."
      )
    case 400:
      if (rights.test(said)) {
        return as(
          "forbidden",
          "not_allowed",
          "The bot may not post in the chat. Look at its rights as an administrator there."
        )
      }
      if (topics.test(said))
        return as("invalid", "topic_gone", "The topic in message_thread_id is not there or closed.")
      if (unreachable.test(said))
        return as("media_unreachable", "media_unreachable", "Telegram could not fetch a file.")
      if (files.test(said))
        return as("media_rejected", "file_refused", "Telegram does not take a file of this post.")
      return as("invalid", "bad_request", "Telegram does not take the message as it is; change it.")
    case 429:
      return as("rate_limited", "rate_limited", "Telegram wants fewer messages for a while.")
    default:
      return refusedByStatus(
        "Telegram",
        status,
        said === "" ? undefined : { code: `http_${status}`, message: said }
      )
  }
}
