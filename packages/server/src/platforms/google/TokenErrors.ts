import { Option, Schema } from "effect"
import { refusedByStatus, type Refusal, type Refused } from "../PlatformHttp.ts"

const decodeTokenError = Schema.decodeUnknownOption(
  Schema.Struct({
    error: Schema.String,
    error_description: Schema.optionalKey(Schema.String)
  })
)

/** The token endpoint's errors (RFC 6749 section 5.2). */
export const refuseTokens = ({ status, body }: Refusal): Refused =>
  Option.match(decodeTokenError(body), {
    onNone: () => refusedByStatus("Google", status),
    onSome: ({ error: code, error_description = code }) => {
      switch (code) {
        case "invalid_grant":
          return {
            class: "reconnect",
            code,
            message: "Google no longer accepts the account's authorization. Connect the account again."
          }
        case "invalid_client":
        case "unauthorized_client":
        case "redirect_uri_mismatch":
          return {
            class: "config",
            code,
            message: `Google rejected this instance's app (${code}). Compare the client ID, its secret and its redirect address with the Google project.`
          }
        default:
          return refusedByStatus("Google", status, { code, message: error_description })
      }
    }
  })
