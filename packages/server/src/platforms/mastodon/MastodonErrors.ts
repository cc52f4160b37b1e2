import { Option, Schema } from "effect"
import type { PublishError } from "../Platform.ts"
import { refusedByStatus, type Refusal, type Refused } from "../PlatformHttp.ts"

const decodeError = Schema.decodeUnknownOption(
  Schema.Struct({ error: Schema.String, error_description: Schema.optionalKey(Schema.String) })
)

/** Errors have a sentence and no code: https://docs.joinmastodon.org/entities/Error/ */
export const refuseMastodon = ({ status, body }: Refusal): Refused => {
  const said = Option.getOrUndefined(decodeError(body))
  const words = said?.error_description ?? said?.error
  const as = (errorClass: PublishError["class"], sentence: string): Refused => ({
    class: errorClass,
    code: `http_${status}`,
    message: words === undefined ? sentence : `${sentence} It says "${words}".`
  })
  switch (status) {
    case 401:
      return as("reconnect", tokenRefused)
    case 403:
      return as(
        "forbidden",
        "The server does not allow this access token to do that. Give the application write:statuses, write:media, read:accounts, " +
          "read:statuses and, for quotes and threads, read:search, connect with its new token, and check that the account is not suspended."
      )
    case 413:
      return as("media_rejected", "The file is larger than the server allows.")
    case 400:
    case 422:
      // snac answers a token that it does not know with 422 and nothing else.
      if (status === 422 && body === "") return as("reconnect", tokenRefused)
      if (words === undefined) return as("invalid", "The server rejected the post without giving a reason.")
      if (/not finished processing/i.test(words))
        return as("transient", "The server is still processing a file. Carillon will try again.")
      // A file is sent with one post alone, so an earlier try went through unseen; or the server has dropped the file.
      if (/already attached/i.test(words))
        return as(
          "ambiguous",
          "A file is already attached to a post on the server. The post may or may not be live."
        )
      if (/error processing|content type is invalid|file is invalid/i.test(words))
        return as("media_rejected", "The server rejected a file in this post.")
      return as("invalid", "The server rejected the post.")
    default:
      return refusedByStatus(
        "The server",
        status,
        words === undefined ? undefined : { code: `http_${status}`, message: words }
      )
  }
}

const tokenRefused = "The server rejected the access token. Connect the account again."
