import { CarillonError, ConnectionError, RateLimitError, ServiceError, TimeoutError } from "./Errors.ts"

/** How many retries a call has by default. */
export const defaultRetries = 2

const firstPause = 500
const longestPause = 8000
/** A longer `Retry-After` is reported to the caller instead of waited for. */
const longestAsked = 60

/** The milliseconds to wait before the next try; undefined: a retry would not help. `retry` counts from 0. */
export const retryDelay = (error: unknown, retry: number): number | undefined => {
  if (!(error instanceof CarillonError) || !mayPass(error)) return undefined
  if (error.retryAfter !== null) return error.retryAfter <= longestAsked ? error.retryAfter * 1000 : undefined
  const pause = Math.min(firstPause * 2 ** retry, longestPause)
  // Jitter, so that clients that failed together do not come back together.
  return pause * (0.5 + Math.random() / 2)
}

const mayPass = (error: CarillonError) =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  error instanceof RateLimitError ||
  error.code === "idempotency_in_progress" ||
  (error instanceof ServiceError && passingStatuses.has(error.status))

const passingStatuses: ReadonlySet<number | null> = new Set([500, 502, 503, 504])
