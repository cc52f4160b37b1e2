import type { Post, ProblemCode, ProblemItem } from "./Wire.ts"

export interface ErrorDetails {
  /** A stable code, the same as on the page `/docs/errors` of the service, or one of the client's own. */
  readonly code: ProblemCode | ClientCode
  /** The HTTP status; null when there was no answer. */
  readonly status?: number | null
  /** What to give to the operator of the service when asking about this failure. */
  readonly requestId?: string | null
  /** Every problem found with the request: `path`, `code` and `message` of each. */
  readonly errors?: ReadonlyArray<ProblemItem>
  readonly cause?: unknown
}

type ClientCode =
  | "no_api_key"
  | "unknown_media_type"
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

/** What every failure of the client is. Catch the class that you can do something about. */
export class CarillonError extends Error {
  override readonly name: string = "CarillonError"
  readonly code: ErrorDetails["code"]
  readonly status: number | null
  readonly requestId: string | null
  readonly errors: ReadonlyArray<ProblemItem>

  constructor(message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = details.code
    this.status = details.status ?? null
    this.requestId = details.requestId ?? null
    this.errors = details.errors ?? []
  }
}

/** 400, 411, 413, 415, 422: correct what `errors` names and send it again. */
export class InvalidRequestError extends CarillonError {
  override readonly name = "InvalidRequestError"
}

/** 401, or no key at all: use a valid API key. */
export class AuthenticationError extends CarillonError {
  override readonly name = "AuthenticationError"
}

/** 403: the key lacks a scope or may not use the account, or a signed URL has expired. */
export class PermissionError extends CarillonError {
  override readonly name = "PermissionError"
}

/** 404. */
export class NotFoundError extends CarillonError {
  override readonly name = "NotFoundError"
}

/** 409, 412: the thing is in a state that does not allow this, or it has changed since it was read. */
export class ConflictError extends CarillonError {
  override readonly name = "ConflictError"
}

/** 429: wait `retryAfter` seconds, if it is given. */
export class RateLimitError extends CarillonError {
  override readonly name = "RateLimitError"
  readonly retryAfter: number | null

  constructor(message: string, details: ErrorDetails & { readonly retryAfter: number | null }) {
    super(message, details)
    this.retryAfter = details.retryAfter
  }
}

/** What claims to be a webhook is none, or is too old. Answer it with 400 and do nothing. */
export class WebhookVerificationError extends CarillonError {
  override readonly name = "WebhookVerificationError"
}

/** 5xx, or an answer that is not the service's: try again later. */
export class ServiceError extends CarillonError {
  override readonly name = "ServiceError"
}

/** No answer: nothing listens at the address, or the connection broke. A POST may have had its effect all the same. */
export class ConnectionError extends CarillonError {
  override readonly name = "ConnectionError"
}

/** The time allowed for it has run out. A POST may have had its effect all the same. */
export class TimeoutError extends CarillonError {
  override readonly name = "TimeoutError"
}

/** The post is on none of its accounts. `post.results` has the reason for each. */
export class PublishFailedError extends CarillonError {
  override readonly name = "PublishFailedError"
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
    errors: problem?.errors ?? []
  }
  const message =
    problem?.detail ??
    `${response.url || "The service"} answered ${status} and no problem description. Is this the address of Carillon?`

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
    case 429: {
      const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN)
      return new RateLimitError(message, {
        ...details,
        retryAfter: Number.isFinite(retryAfter) ? retryAfter : null
      })
    }
    default:
      return problem !== undefined && status < 500
        ? new InvalidRequestError(message, details)
        : new ServiceError(message, details)
  }
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
