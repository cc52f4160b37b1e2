import { Schema } from "effect"
import { Timestamp } from "./Time.ts"
import { field } from "./Field.ts"

/**
 * The classes of failure, with the engine's reaction.
 * `invalid media_rejected forbidden config`: fail now. `reconnect`: the account is paused. `rate_limited
 * quota_exhausted`: wait until the time given. `transient media_unreachable`: back off, bounded.
 * `ambiguous`: the commit may have worked, reconcile. `missed`: the service was away too long.
 */
export const ErrorClass = Schema.Literals([
  "invalid",
  "media_rejected",
  "media_unreachable",
  "reconnect",
  "forbidden",
  "rate_limited",
  "quota_exhausted",
  "transient",
  "ambiguous",
  "config",
  "missed"
]).annotate({ identifier: "ErrorClass" })
export type ErrorClass = typeof ErrorClass.Type

/** The advice to a person about a result. */
export const ResultAction = Schema.Literals([
  "reconnect_account",
  "fix_content",
  "wait",
  "check_account",
  "contact_operator",
  "none"
]).annotate({ identifier: "ResultAction" })
export type ResultAction = typeof ResultAction.Type

const actionOf: Record<ErrorClass, ResultAction> = {
  invalid: "fix_content",
  media_rejected: "fix_content",
  media_unreachable: "fix_content",
  reconnect: "reconnect_account",
  forbidden: "check_account",
  rate_limited: "wait",
  quota_exhausted: "wait",
  transient: "wait",
  ambiguous: "check_account",
  config: "contact_operator",
  missed: "none"
}

export const resultAction = (errorClass: ErrorClass): ResultAction => actionOf[errorClass]

/** The last failure. `code` is the platform's own where there is one. */
export const ResultError = Schema.Struct({
  code: field(
    "The platform's own error code, or one of this service's if the platform gave none. Programs should decide by `class`.",
    Schema.String
  ),
  class: field(
    "The kind of failure, for programs. `transient` and `media_unreachable` are retried; `rate_limited`, `quota_exhausted` and `reconnect` hold the account; `ambiguous` is looked up first; the others fail at once.",
    ErrorClass
  ),
  message: field(
    "A sentence for people: what happened, and what to do. Its words may change.",
    Schema.String
  ),
  action: field(
    "What a person should do now, such as `reconnect_account` or `fix_content`. `none`: nothing helps, or nothing is needed.",
    ResultAction
  ),
  retry_at: field(
    "When the service tries again, in UTC; null: it does not by itself.",
    Schema.NullOr(Timestamp)
  ),
  platform_response: field(
    "The platform's own words, shortened and without secrets, for troubleshooting. Absent: it gave none.",
    Schema.optionalKey(Schema.String)
  )
}).annotate({ identifier: "ResultError" })
export interface ResultError extends Schema.Schema.Type<typeof ResultError> {}
