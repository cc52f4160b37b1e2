import { truncate } from "./Truncate.ts"
import { type Cause, Record, Schema } from "effect"
import { PostId } from "./Ids.ts"
import { PlatformId } from "./Platform.ts"
import { byteLength } from "./TextLength.ts"
import { field } from "./Field.ts"

/**
 * Every failure of the API: one row per stable code.
 * `title` says what kind of thing went wrong; `action` what the caller can do about it.
 */
export const problemCodes = {
  // 400
  invalid_request: [400, "The request is not valid", "Correct the fields named in errors and send it again."],
  invalid_json: [400, "The body is not valid JSON", "Send a JSON object as the body."],
  scheduled_at_invalid: [
    400,
    "The time is not a valid timestamp",
    "Use ISO 8601, for example 2026-12-24T09:00:00Z."
  ],
  scheduled_at_too_soon: [
    400,
    "The app may not schedule for so soon",
    "Choose a time that the message allows, or ask the person to grant posts:publish."
  ],
  scheduled_at_past: [
    400,
    "The time has passed",
    "Choose a time in the future, or leave scheduled_at out to publish at once."
  ],
  time_required: [
    400,
    "The post has no scheduled time",
    "Give scheduled_at or use_queue, or publish it with POST /v1/posts/{id}/publish."
  ],
  schedule_conflict: [
    400,
    "The request gives conflicting times",
    "Give either scheduled_at or use_queue, and no is_draft with use_queue."
  ],
  queue_not_configured: [
    400,
    "The workspace has no queue schedule",
    "Set one with PUT /v1/queue, or give scheduled_at instead of use_queue."
  ],
  empty_post: [400, "A post needs a caption or media", "Add a caption, media, or both."],
  caption_too_long: [
    400,
    "The caption is too long for a platform",
    "Shorten it, or set a shorter caption for that platform or account."
  ],
  caption_not_accepted: [
    400,
    "A platform does not accept this caption",
    "Change it, or set another caption for that platform or account."
  ],
  option_not_accepted: [
    400,
    "An option does not fit the platform or the post",
    "Correct or remove the option named in errors."
  ],
  media_not_accepted: [
    400,
    "A platform does not accept this media",
    "Choose media within the platform's limits."
  ],
  media_not_ready: [400, "A media item has not been uploaded yet", "Upload the file first."],
  media_failed: [
    400,
    "A media item could not be fetched",
    "Import it again from another URL, or upload the file."
  ],
  media_url_not_allowed: [
    400,
    "The service does not fetch this URL",
    "Give an https URL of a file on a public host."
  ],
  platform_cannot_fetch: [
    400,
    "The platform cannot fetch the media from this service",
    "Ask the operator to set PUBLIC_URL to an https address that is reachable from the internet."
  ],
  budget_exceeded: [
    400,
    "The post would pass the operator's budget",
    "Choose a time in a later month, make the post cheaper, or ask the operator to raise the budget."
  ],
  media_required: [400, "The platform cannot publish text alone", "Add media to the post."],
  board_required: [
    400,
    "A Pinterest post has no board",
    "Give board_ids, or set a default board for the account with PATCH /v1/social-accounts/{id}."
  ],
  destination_not_found: [
    400,
    "The account has no such board",
    "Choose one listed in the message, or by GET /v1/social-accounts/{id}/options."
  ],
  privacy_level_not_offered: [
    400,
    "The account does not offer that default audience",
    "Choose one listed in the message, or by GET /v1/social-accounts/{id}/options."
  ],
  account_not_offered: [
    400,
    "The sign-in does not offer the account",
    "Choose among the accounts that the pending connection lists."
  ],
  social_account_not_found: [
    400,
    "A social account does not exist",
    "List the accounts with GET /v1/social-accounts."
  ],
  social_account_disconnected: [400, "A social account is not connected", "Connect the account again."],
  media_not_found: [400, "A media item does not exist", "List the media with GET /v1/media."],
  post_result_not_found: [
    400,
    "A post result does not exist",
    "List the failures with GET /v1/post-results."
  ],
  platform_not_supported: [
    400,
    "This instance does not support the platform",
    "Use one of the platforms named in the message."
  ],
  platform_not_configured: [
    400,
    "The operator has not set up this platform",
    "Enter the platform's app in the console or with PUT /v1/platform-apps; see docs/platforms."
  ],
  credentials_rejected: [400, "The platform refused the credentials", "Check the credentials and try again."],
  webhook_url_not_allowed: [
    400,
    "The URL cannot be used for a webhook",
    "Give an http or https URL of a public host, on port 80 or 443."
  ],
  // 401, 403
  unauthorized: [
    401,
    "No valid credential",
    "Send the header Authorization: Bearer with an API key, or with an access token for this address."
  ],
  key_expired: [401, "The API key has expired", "Use another key, or create a new one."],
  review_link_invalid: [401, "The review link does not work", "Ask whoever sent it for a new one."],
  signed_out: [401, "The browser is not signed in", "Sign in at /sign-in, and send the request again."],
  missing_scope: [
    403,
    "The credential lacks a scope",
    "Use a key with the scope named in the message. An app asks its user to allow it."
  ],
  account_not_allowed: [
    403,
    "The credential does not include this social account",
    "Use a credential that includes the account."
  ],
  approval_by_person: [
    403,
    "Only a signed-in person decides about a post",
    "Ask the person to decide at the page that the message names. No app and no key can."
  ],
  person_only: [
    403,
    "Only a signed-in person may do this",
    "Ask the person to do it at the page that the message names. No app and no key can."
  ],
  default_workspace_only: [
    403,
    "Only the default workspace may do this",
    "Use an admin key of the default workspace which no manager made."
  ],
  owner_only: [
    403,
    "Only an owner of the instance may do this",
    "Ask an owner; Settings → Members names them."
  ],
  host_not_allowed: [
    403,
    "This host or origin is not accepted here",
    "Use the public address, or ask the operator to add the host to MCP_ALLOWED_HOSTS."
  ],
  foreign_request: [
    403,
    "A session cannot be used from another site",
    "Send it from a page of this service, or use an API key."
  ],
  confirm_password: [
    403,
    "The member must confirm the password",
    "PUT the password to /v1/session/confirmation, then send the request again."
  ],
  signature_invalid: [403, "The signed URL is not valid", "Ask for a new one."],
  signature_expired: [403, "The signed URL has expired", "Ask for a new one."],
  // 404, 405
  not_found: [404, "Not found", "Check the address and the id."],
  workspace_not_found: [
    404,
    "The member has no such workspace",
    "Name one of the member's workspaces in the header Carillon-Workspace."
  ],
  method_not_allowed: [405, "Method not allowed", "Use one of the methods in the Allow header."],
  // 408, 409, 412
  body_too_slow: [408, "The body did not arrive in time", "Send the request again over a faster connection."],
  post_not_editable: [
    409,
    "The post can no longer be changed",
    "Only drafts and scheduled posts that have not begun to publish can be changed."
  ],
  approval_needed: [
    409,
    "Only a person can do this",
    "Ask the person to do it at the page that the message names. No app and no key can."
  ],
  approval_needs_time: [
    409,
    "The approval does not say when the post goes out",
    "Approve it with scheduled_at, use_queue or publish_now."
  ],
  nothing_to_decide: [
    409,
    "The post does not wait for approval",
    "Read it again: its approval says who decided, when and what."
  ],
  nothing_to_choose: [
    409,
    "No choice between accounts is open",
    "Follow the message: finish the sign-in, or start connecting again."
  ],
  queue_full: [
    409,
    "The queue has no free slot",
    "Add slots with PUT /v1/queue, or give scheduled_at instead of use_queue."
  ],
  nothing_to_retry: [409, "No target of the post has failed", "Look at the post's results."],
  result_not_unconfirmed: [
    409,
    "The result is not unconfirmed",
    "Only an unconfirmed result can be confirmed; read it again."
  ],
  result_not_failed: [
    409,
    "The result has not failed",
    "Only a failed result can be repaired; confirm an unconfirmed one first."
  ],
  repair_in_progress: [
    409,
    "Another post repairs the result",
    "Change, publish or delete the post that the message names; if it is unconfirmed, confirm it."
  ],
  already_repaired: [
    409,
    "Another post has repaired the result",
    "Nothing is left to do. To publish it once more, create a post without repairs."
  ],
  media_in_use: [
    409,
    "A scheduled post needs the media item",
    "First delete the posts named in the message, or remove the item from them."
  ],
  upload_incomplete: [409, "The bytes have not arrived", "PUT the file to upload_url first."],
  upload_already_complete: [
    409,
    "The file has been uploaded already",
    "Reserve a new upload to send another file."
  ],
  upload_in_progress: [409, "Another upload to this URL is running", "Wait for it to finish."],
  idempotency_key_reused: [
    409,
    "Another request has used this Idempotency-Key",
    "Use a new key. Send the same key only to repeat the same request."
  ],
  idempotency_in_progress: [
    409,
    "The first request with this key is still running",
    "Send it again after the number of seconds in Retry-After."
  ],
  key_in_use: [409, "A key cannot delete itself", "Delete it with another key."],
  set_by_environment: [
    409,
    "The service's environment sets this app",
    "Change it there, or remove the variables named in the message and restart the service."
  ],
  webhook_limit_reached: [
    409,
    "The workspace has reached its limit of webhooks",
    "Delete a webhook, or change an existing one."
  ],
  review_link_limit_reached: [
    409,
    "The post has its most review links",
    "Revoke one with DELETE, or send an existing one again."
  ],
  review_limit_reached: [
    409,
    "The post takes no more answers of clients",
    "Tell whoever sent the link in another way."
  ],
  review_closed: [
    409,
    "The post has gone out",
    "It can no longer be answered; tell whoever sent the link in another way."
  ],
  webhook_paused: [409, "The webhook is paused", "Resume it first: PATCH it with status active."],
  stale_version: [
    412,
    "The post has changed since it was read",
    "Read it again, then repeat the change with its new version."
  ],
  // 413, 415, 416, 422
  upload_too_large: [413, "The file is too large", "Send a smaller file."],
  workspace_full: [
    413,
    "The workspace's media storage is full",
    "Delete media that you no longer need, or ask the operator to raise MAX_WORKSPACE_BYTES."
  ],
  reservations_full: [
    413,
    "Too many bytes are reserved",
    "Upload or delete what is reserved, or wait until its upload_url has expired; or ask the operator to raise MAX_RESERVED_BYTES."
  ],
  body_too_large: [413, "The body is too large", "A JSON body may have 1 MiB at most, a form 64 KiB."],
  unsupported_media_type: [
    415,
    "The content type is not supported",
    "Send the content type named in the message."
  ],
  range_not_satisfiable: [416, "The requested range is outside the file", "Request a range within the file."],
  upload_size_mismatch: [
    422,
    "The upload does not have the declared size",
    "Send exactly size_bytes bytes, or reserve the upload again with the correct size."
  ],
  media_type_mismatch: [
    422,
    "The file is not of the declared type",
    "Reserve the upload again with the file's actual type."
  ],
  media_unreadable: [422, "The file cannot be read", "Check that the file opens, and upload it again."],
  // 429
  rate_limited: [429, "Too many requests", "Wait the number of seconds in Retry-After, then send it again."],
  stream_limit_reached: [
    429,
    "The credential has too many open streams",
    "Close one, or let several readers share one stream."
  ],
  // 5xx
  internal_error: [
    500,
    "Something went wrong inside Carillon",
    "Try again; if it happens again, give the request id to the operator."
  ],
  unavailable: [503, "The service is starting or stopping", "Try again in a few seconds."],
  storage_full: [507, "The service has no storage space left", "Tell the operator; nothing was stored."]
} as const satisfies Record<string, readonly [status: number, title: string, action: string]>

export type ProblemCode = keyof typeof problemCodes

type CodesOf<Status extends number> = {
  [Code in ProblemCode]: (typeof problemCodes)[Code][0] extends Status ? Code : never
}[ProblemCode]

/**
 * One problem of a request: its path, rule and sentence. `path` is empty when it is about the whole request.
 * A problem that concerns an account also names it, with the rule (`max_bytes`), its limit, and the value that breaks it.
 */
export const ProblemItem = Schema.Struct({
  path: field(
    "Where the problem is in the request, such as `media[0]`. Empty: the whole request.",
    Schema.String
  ),
  code: field(
    "The code of this problem. The answer's own `code` is the same if all its problems share it, else `invalid_request`.",
    Schema.String
  ),
  message: field(
    "A sentence for people: what was wrong, the value, the rule, and what to do. Its words may change; decide by `code`.",
    Schema.String
  ),
  sentence: field(
    "`message` without the account's name at its beginning, to show beside that name. Absent: it does not begin with one.",
    Schema.optionalKey(Schema.String)
  ),
  account_id: field(
    "The id of the account that the problem concerns. Absent: the post itself, or all accounts.",
    Schema.optionalKey(Schema.Int)
  ),
  platform: field(
    "The platform of that account, such as `bluesky`. Absent if `account_id` is.",
    Schema.optionalKey(PlatformId)
  ),
  media_id: field(
    "The id of the media item that the problem concerns. Absent: none in particular.",
    Schema.optionalKey(Schema.String)
  ),
  rule: field(
    "The name of the broken limit, such as `max_bytes`. Absent: the problem is not about a limit.",
    Schema.optionalKey(Schema.String)
  ),
  limit: field(
    "The limit that `rule` names, such as 2200, in its unit. Absent: `rule` has no single value.",
    Schema.optionalKey(Schema.Json)
  ),
  value: field(
    "What the request has where `limit` applies, such as 2341 characters or `image/heic`. Absent: there is no single value to report.",
    Schema.optionalKey(Schema.Json)
  )
}).annotate({ identifier: "ProblemItem" })
export interface ProblemItem extends Schema.Schema.Type<typeof ProblemItem> {}

/** How many problems of one request are reported. */
export const mostProblems = 50
/** Those, and one more that says how many others there are. */
const mostItems = mostProblems + 1
export const ProblemItems = Schema.Array(ProblemItem).check(Schema.isMaxLength(mostItems))
const mostPostIds = 200

/** The body of every failure on the wire; the error classes below are the same body for one status each. */
export const ProblemBody = Schema.Struct({
  type: Schema.String.annotate({
    format: "uri",
    description: "The URL of the page that explains the code, `/docs/errors#empty_post` on this service."
  }),
  title: field(
    "What kind of problem it is, for people; the same for every answer with this `code`.",
    Schema.String
  ),
  status: field(
    "The HTTP status of the answer, such as 400, for programs that see only the body.",
    Schema.Int.check(Schema.isBetween({ minimum: 400, maximum: 599 }))
  ),
  code: field(
    "A stable code to decide by, such as `caption_too_long`; `/docs/errors` explains each.",
    Schema.Literals(Object.keys(problemCodes) as Array<ProblemCode>)
  ),
  detail: field(
    "A sentence for people: what was wrong, the value, the rule, and what to do. Its words may change; decide by `code`.",
    Schema.String
  ),
  message: field("The same as `detail`, for clients of similar services.", Schema.String),
  error: field(
    "The `message` of each item of `errors`, in the same order, for clients of similar services.",
    Schema.Array(Schema.String).check(Schema.isMaxLength(mostItems))
  ),
  errors: field(
    "Every problem of the request. After the first 50, one more item says how many others there are.",
    ProblemItems
  ),
  post_ids: field(
    "With `media_in_use`: at most 200 of the scheduled posts that need the item. With `repair_in_progress` or `already_repaired`: the post that repairs the result. Absent: any other code.",
    Schema.optionalKey(Schema.Array(PostId).check(Schema.isMaxLength(mostPostIds)))
  ),
  request_id: field(
    "The id that the service's logs have for the request, to give to the operator; the same as `X-Request-Id`.",
    Schema.String
  )
}).annotate({ identifier: "Problem" })

const fields = <const Status extends number>(status: Status) => ({
  type: Schema.String,
  title: Schema.String,
  status: Schema.Literal(status),
  code: Schema.Literals(
    Object.entries(problemCodes).flatMap(([code, row]) =>
      row[0] === status ? [code as CodesOf<Status>] : []
    )
  ),
  detail: Schema.String,
  message: Schema.String,
  error: Schema.Array(Schema.String),
  errors: Schema.Array(ProblemItem),
  /** media_in_use: the scheduled posts that need the item. repair_in_progress, already_repaired: the post that repairs the result. */
  post_ids: Schema.optionalKey(Schema.Array(Schema.String)),
  request_id: Schema.String
})

const onTheWire = (status: number) =>
  ({
    description: "RFC 9457 problem",
    httpApiStatus: status,
    "~httpApiEncoding": { _tag: "Json", contentType: "application/problem+json" }
  }) as const

/** `_tag` is for programs that hold the error; on the wire `code` and `status` say the same. */
type ProblemClass<Self, Tag extends string, Status extends number> = Schema.Class<
  Self,
  Schema.Struct<ReturnType<typeof fields<Status>>>,
  Cause.YieldableError & { readonly _tag: Tag }
>

const problemClass =
  <Self>() =>
  <const Tag extends string, const Status extends number>(tag: Tag, status: Status) =>
    class extends Schema.Error<any>(tag)(fields(status), onTheWire(status)) {
      readonly _tag = tag
    } as unknown as ProblemClass<Self, Tag, Status>

export class BadRequest extends problemClass<BadRequest>()("BadRequest", 400) {}
export class Unauthorized extends problemClass<Unauthorized>()("Unauthorized", 401) {}
export class Forbidden extends problemClass<Forbidden>()("Forbidden", 403) {}
export class NotFound extends problemClass<NotFound>()("NotFound", 404) {}
export class MethodNotAllowed extends problemClass<MethodNotAllowed>()("MethodNotAllowed", 405) {}
export class RequestTimeout extends problemClass<RequestTimeout>()("RequestTimeout", 408) {}
export class Conflict extends problemClass<Conflict>()("Conflict", 409) {}
export class PreconditionFailed extends problemClass<PreconditionFailed>()("PreconditionFailed", 412) {}
export class ContentTooLarge extends problemClass<ContentTooLarge>()("ContentTooLarge", 413) {}
export class UnsupportedMediaType extends problemClass<UnsupportedMediaType>()("UnsupportedMediaType", 415) {}
export class RangeNotSatisfiable extends problemClass<RangeNotSatisfiable>()("RangeNotSatisfiable", 416) {}
export class UnprocessableContent extends problemClass<UnprocessableContent>()("UnprocessableContent", 422) {}
export class TooManyRequests extends problemClass<TooManyRequests>()("TooManyRequests", 429) {}
export class InternalError extends problemClass<InternalError>()("InternalError", 500) {}
export class Unavailable extends problemClass<Unavailable>()("Unavailable", 503) {}
export class InsufficientStorage extends problemClass<InsufficientStorage>()("InsufficientStorage", 507) {}

const classes = {
  400: BadRequest,
  401: Unauthorized,
  403: Forbidden,
  404: NotFound,
  405: MethodNotAllowed,
  408: RequestTimeout,
  409: Conflict,
  412: PreconditionFailed,
  413: ContentTooLarge,
  415: UnsupportedMediaType,
  416: RangeNotSatisfiable,
  422: UnprocessableContent,
  429: TooManyRequests,
  500: InternalError,
  503: Unavailable,
  507: InsufficientStorage
} as const

/** What each status is called. */
export const problemNames: Readonly<Record<number, string>> = Record.map(
  classes,
  ({ identifier }) => identifier
)

export type Problem = InstanceType<(typeof classes)[keyof typeof classes]>

export const isProblem = (u: unknown): u is Problem =>
  Object.values(classes).some((Class) => u instanceof Class)

type ProblemOf<Code extends ProblemCode> = InstanceType<(typeof classes)[(typeof problemCodes)[Code][0]]>

const longestMessage = 1000
const longestPath = 200
/** The bytes of one answer's problems: with the other fields of an error's body it stays below 64 KiB. */
const roomForProblems = 50_000

const jsonBytes = (value: unknown) => byteLength(JSON.stringify(value))

/** The item that stands for problems that did not fit. */
const andMore = "most_problems"

/** The problems that an answer reports: the first ones, and then how many others there are. */
const told = (code: ProblemCode, problems: ReadonlyArray<ProblemItem>): ReadonlyArray<ProblemItem> => {
  const items: Array<ProblemItem> = []
  let others = 0
  let room = roomForProblems
  for (const one of problems) {
    // Some may come out of an error that had others already.
    if (one.rule === andMore) others += Number(one.value)
    else if (items.length === mostProblems || room < 0) others++
    else {
      const item = {
        ...one,
        path: truncate(one.path, longestPath),
        message: truncate(one.message, longestMessage),
        ...(one.sentence === undefined ? {} : { sentence: truncate(one.sentence, longestMessage) })
      }
      // Its sentence is repeated in error, detail and message.
      room -= jsonBytes(item) + 3 * jsonBytes(item.message)
      if (room >= 0 || items.length === 0) items.push(item)
      else others++
    }
  }
  return others === 0
    ? items
    : [...items, { path: "", code, message: `and ${others} more.`, rule: andMore, value: others }]
}

/**
 * Makes the error for a code from what the failing rule knows: one sentence, or every problem found, of which 50 at most
 * are reported. `type` and `request_id` are completed where the answer is written.
 */
export const problem = <Code extends ProblemCode>(
  code: Code,
  problems: string | ReadonlyArray<ProblemItem>,
  members: { readonly post_ids?: ReadonlyArray<string> } = {}
): ProblemOf<Code> => {
  const [status, title] = problemCodes[code]
  const errors = told(code, typeof problems === "string" ? [{ path: "", code, message: problems }] : problems)
  const detail = errors.map((item) => item.message).join(" ")
  const Class = classes[status] as unknown as new (body: object) => ProblemOf<Code>
  return new Class({
    type: `/docs/errors#${code}`,
    title,
    status,
    code,
    detail,
    message: detail,
    error: errors.map((item) => item.message),
    errors,
    ...(members.post_ids === undefined ? {} : { post_ids: members.post_ids.slice(0, mostPostIds) }),
    request_id: ""
  })
}

/** All problems of a request in one answer; problems of one kind have that kind's own code. */
export const badRequest = (items: ReadonlyArray<ProblemItem>): BadRequest => {
  const [code, ...others] = new Set(items.map((item) => item.code))
  return problem(others.length === 0 && isCodeOf400(code) ? code : "invalid_request", items)
}

const isCodeOf400 = (code: string | undefined): code is CodesOf<400> =>
  code !== undefined && code in problemCodes && problemCodes[code as ProblemCode][0] === 400
