import { Option, Schema } from "effect"
import { type Refusal, type Refused, refusedByStatus } from "../PlatformHttp.ts"

const GraphError = Schema.Struct({
  error: Schema.Struct({
    message: Schema.String,
    code: Schema.Finite,
    error_subcode: Schema.optionalKey(Schema.Finite),
    is_transient: Schema.optionalKey(Schema.Boolean),
    error_user_msg: Schema.optionalKey(Schema.String)
  })
})
type GraphError = (typeof GraphError.Type)["error"]

const decodeGraphError = Schema.decodeUnknownOption(GraphError)

/** A row of an error table. */
export interface Row {
  readonly class: Refused["class"]
  readonly advice: string
  /** Whatever was prepared is useless and has to be prepared again. */
  readonly discard?: boolean
}

export const again = { class: "transient", advice: "Carillon will try again." } as const satisfies Row
export const reconnect = { class: "reconnect", advice: "Connect the account again." } as const satisfies Row

/** Meta's own codes, for errors whose subcode says no more. */
const byCode = (code: number): Row | undefined => {
  if (code === 190) return reconnect
  if (code === 10 || (code >= 200 && code <= 299)) {
    return {
      class: "forbidden",
      advice: "A permission is missing. Connect the account again and allow everything."
    }
  }
  // 80002 is Instagram's own limit, 80001 that of Pages.
  if ([4, 17, 32, 613, 80001, 80002].includes(code)) {
    return { class: "rate_limited", advice: "Meta is rate limiting requests. Carillon will try again." }
  }
  if (code === 368)
    return {
      class: "forbidden",
      advice: "Meta has temporarily blocked this action. Check the account in the app."
    }
  if (code === 101) return { class: "config", advice: "The app's ID or secret is wrong. Tell the operator." }
  if (code === 1 || code === 2 || code === -1 || code === -2) return again
  return undefined
}

/** The error table of the Graph API after a platform's own rows. An error that neither names goes by its status. */
export const refuseBy =
  (name: string, ownRow: (error: GraphError) => Row | undefined) =>
  ({ status, body }: Refusal): Refused =>
    Option.match(decodeGraphError(body), {
      onNone: () => refusedByStatus(name, status),
      onSome: ({ error }) => {
        const { message, code, error_subcode: subcode, is_transient, error_user_msg: forUsers } = error
        const dead = code === 190 || message.includes("session has been invalidated")
        const row = dead
          ? reconnect
          : (ownRow(error) ?? byCode(code) ?? (is_transient === true ? again : undefined))
        const said = {
          code: subcode === undefined ? String(code) : `${code}/${subcode}`,
          message: forUsers ?? message
        }
        if (row === undefined) return refusedByStatus(name, status, said)
        return { ...refusedFor(name, row, said.code, said.message), ...(dead ? { token_expired: true } : {}) }
      }
    })

/** The same for calls of the account's own id, of which an account that is out of reach looks as if it did not exist. */
export const refuseOfAccount =
  (name: string, remoteId: string, refuse: (refusal: Refusal) => Refused) =>
  (refusal: Refusal): Refused => {
    const refused = refuse(refusal)
    // What is for people to read does not name it.
    const said = Option.match(decodeGraphError(refusal.body), {
      onNone: () => "",
      onSome: ({ error }) => error.message
    })
    const [, missing = remoteId] = /\bID '([^']*)'/.exec(said) ?? []
    return refused.code === "100/33" && missing === remoteId
      ? {
          ...refused,
          class: "reconnect",
          message: `${name} no longer gives Carillon access to the account. Connect it again.`
        }
      : refused
  }

/** The same for a commit: what failed for a passing reason may be live all the same, so the platform is asked. */
export const refuseOfCommit =
  (refuse: (refusal: Refusal) => Refused) =>
  (refusal: Refusal): Refused => {
    const refused = refuse(refusal)
    return refused.class === "transient" && refused.discard_handle !== true
      ? { ...refused, class: "ambiguous" }
      : refused
  }

const decodeUploadError = Schema.decodeUnknownOption(
  Schema.Struct({ debug_info: Schema.Struct({ type: Schema.String, message: Schema.String }) })
)

/** Errors of the host that takes bytes; those of a file that it could not process go by `anew`. */
export const refuseOfUpload =
  (name: string, refuse: (refusal: Refusal) => Refused, anew: Row) =>
  (refusal: Refusal): Refused =>
    Option.match(decodeUploadError(refusal.body), {
      onNone: () => refuse(refusal),
      onSome: ({ debug_info: { message, type } }) =>
        type === "NotAuthorizedError" || refusal.status === 401
          ? { ...refusedFor(name, reconnect, type, message), token_expired: true }
          : refusedFor(name, type === "ProcessingFailedError" ? anew : again, type, message)
    })

export const refusedFor = (
  name: string,
  { class: errorClass, advice, discard }: Row,
  code: string,
  said: string
): Refused => ({
  class: errorClass,
  code,
  message: `${name} says "${said}". ${advice}`,
  ...(discard === true ? { discard_handle: true } : {})
})
