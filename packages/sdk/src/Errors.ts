import type { Post, ProblemCode, ProblemItem } from "./Wire.ts"

export interface ErrorDetails {
  /** A stable code, the same as on the page `/docs/errors` of the service, or one of the client's own. */
  readonly code: ProblemCode | ClientCode
  /** The HTTP status; null when there was no answer. */
  readonly status?: number | null
  /** The id to give to the operator of the service when asking about this failure. */
  readonly requestId?: string | null
  /** Every problem found with the request: `path`, `code` and `message` of each. */
  readonly errors?: ReadonlyArray<ProblemItem>
  /** The seconds after which the service asks for a retry. */
  readonly retryAfter?: number | null
  readonly cause?: unknown
}

type ClientCode =
  | "no_api_key"
  | "unknown_media_type"
  | "unknown_size"
  | "file_not_readable"
  | "no_file_system"
  | "too_large_for_proxy"
  | "connection_failed"
  | "timeout"
  | "unexpected_answer"
  | "post_is_draft"
  | "publish_failed"
  | "webhook_header_missing"
  | "webhook_timestamp_invalid"
  | "webhook_signature_invalid"
  | "webhook_secret_invalid"
  // A service newer than this client may know more codes.
  | (string & {})

/**
 * The class of every failure of the client. Catch the subclass that you can do something about.
 *
 * ```ts
 * try {
 *   await carillon.posts.create({ social_accounts: [1], caption: "" })
 * } catch (error) {
 *   if (!(error instanceof InvalidRequestError)) throw error
 *   for (const { path, message } of error.errors) console.error(`${path}: ${message}`)
 * }
 * ```
 */
export class CarillonError extends Error {
  override readonly name: string = "CarillonError"
  /** The name of the class, for Effect's `catchTag`. */
  readonly _tag: string = "CarillonError"
  /** Stable; the page `/docs/errors` of the service has a row for each. */
  readonly code: ErrorDetails["code"]
  /** The HTTP status; null when there was no answer. */
  readonly status: number | null
  /** The id to give to the operator of the service when asking about this failure. */
  readonly requestId: string | null
  /** Every problem found with the request. */
  readonly errors: ReadonlyArray<ProblemItem>
  /** The seconds after which the service asks for a retry; null where it does not say. */
  readonly retryAfter: number | null

  constructor(message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = details.code
    this.status = details.status ?? null
    this.requestId = details.requestId ?? null
    this.errors = details.errors ?? []
    this.retryAfter = details.retryAfter ?? null
  }
}

/** 400, 411, 413, 415, 422: correct what `errors` names and send it again. */
export class InvalidRequestError extends CarillonError {
  override readonly name = "InvalidRequestError"
  override readonly _tag = "InvalidRequestError"
}

/** 401, or no key at all: use a valid API key. */
export class AuthenticationError extends CarillonError {
  override readonly name = "AuthenticationError"
  override readonly _tag = "AuthenticationError"
}

/** 403: the key lacks a scope or may not use the account, or a signed URL has expired. */
export class PermissionError extends CarillonError {
  override readonly name = "PermissionError"
  override readonly _tag = "PermissionError"
}

/** 404: it does not exist in this workspace. */
export class NotFoundError extends CarillonError {
  override readonly name = "NotFoundError"
  override readonly _tag = "NotFoundError"
}

/** 409, 412: its state does not allow this, or it has changed since it was read. */
export class ConflictError extends CarillonError {
  override readonly name = "ConflictError"
  override readonly _tag = "ConflictError"
}

/** 429: more requests than the key may make. Wait `retryAfter` seconds, if it is given. */
export class RateLimitError extends CarillonError {
  override readonly name = "RateLimitError"
  override readonly _tag = "RateLimitError"
}

/** The webhook is forged, malformed or too old. Answer it with 400 and do nothing. */
export class WebhookVerificationError extends CarillonError {
  override readonly name = "WebhookVerificationError"
  override readonly _tag = "WebhookVerificationError"
}

/** 5xx, or an answer that is not the service's: try again later. */
export class ServiceError extends CarillonError {
  override readonly name = "ServiceError"
  override readonly _tag = "ServiceError"
}

/** No answer: nothing listens at the address, or the connection broke. A POST may have had its effect all the same. */
export class ConnectionError extends CarillonError {
  override readonly name = "ConnectionError"
  override readonly _tag = "ConnectionError"
}

/** The time allowed for the call has passed. A POST may have had its effect all the same. */
export class TimeoutError extends CarillonError {
  override readonly name = "TimeoutError"
  override readonly _tag = "TimeoutError"
}

/** The post is live on none of its accounts. `post.results` has the reason for each. */
export class PublishFailedError extends CarillonError {
  override readonly name = "PublishFailedError"
  override readonly _tag = "PublishFailedError"
  readonly post: Post

  constructor(post: Post) {
    const reasons = post.results.flatMap((result) => (result.error === null ? [] : [result.error.message]))
    super([`Post ${post.id} was not published.`, ...new Set(reasons)].join(" "), { code: "publish_failed" })
    this.post = post
  }
}

/** The error for an answer that is not a success. `text` is its body. */
export const errorFromResponse = (response: Response, text: string): CarillonError => {
  const problem = parseProblem(text)
  const { status } = response
  const details = {
    status,
    code: problem?.code ?? "unexpected_answer",
    requestId: problem?.request_id || response.headers.get("x-request-id"),
    errors: problem?.errors ?? [],
    retryAfter: secondsUntil(response.headers.get("retry-after"))
  }
  const message =
    problem?.detail ??
    `${withoutQuery(response.url) || "The service"} answered ${status} and no problem description. Is this the address of Carillon?`

  switch (status) {
    case 401:
      return new AuthenticationError(message, details)
    case 403:
      return new PermissionError(message, details)
    case 404:
      return new NotFoundError(message, details)
    case 409:
    case 412:
      return new ConflictError(message, details)
    case 429:
      return new RateLimitError(message, details)
    default:
      return problem !== undefined && status < 500
        ? new InvalidRequestError(message, details)
        : new ServiceError(message, details)
  }
}

/** Signed URLs carry their signature in the query. */
export const withoutQuery = (url: string): string => url.split("?")[0]!

/** `Retry-After` is a number of seconds or a date. */
const secondsUntil = (header: string | null): number | null => {
  if (header === null) return null
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}

interface Problem {
  readonly code: string
  readonly detail: string
  readonly errors: ReadonlyArray<ProblemItem>
  readonly request_id?: string
}

const parseProblem = (text: string): Problem | undefined => {
  try {
    const body: Partial<Problem> = JSON.parse(text)
    return typeof body.code === "string" && typeof body.detail === "string"
      ? {
          ...body,
          code: body.code,
          detail: body.detail,
          errors: Array.isArray(body.errors) ? body.errors : []
        }
      : undefined
  } catch {
    return undefined
  }
}
