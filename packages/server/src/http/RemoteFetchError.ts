import { truncate } from "@carillon/domain"
import { Data } from "effect"

export type RemoteFetchReason =
  /** The spelling, scheme, user name, port or a step from https to http is against the rules. */
  | "url_not_allowed"
  /** The host is, or has, an address that is not public unicast. */
  | "address_not_allowed"
  /** The name has no address. */
  | "unresolvable"
  /** No connection, or no TLS on it. */
  | "unreachable"
  | "too_many_redirects"
  | "too_large"
  | "timed_out"
  /** An answer other than 200, or no HTTP status at all. */
  | "bad_status"
  /** A content coding: the fetch asked for none and unpacks none. */
  | "encoded"
  /** The answer is not proper HTTP, or ended early. */
  | "bad_response"

/**
 * Why a fetch of a URL from a user failed. `message` is for that user: what was wrong, the value, the rule,
 * what to do. It never holds a query, a credential, an address that a name resolved to, or what the peer sent.
 */
export class RemoteFetchError extends Data.TaggedError("RemoteFetchError")<{
  readonly reason: RemoteFetchReason
  readonly message: string
  /** Whether the same URL may work later. */
  readonly retryable: boolean
  /** The peer's status, where it gave one. */
  readonly status?: number
}> {
  /** Whether certainly no byte of the request was sent. */
  get neverSent(): boolean {
    return neverSent.includes(this.reason)
  }
}

const neverSent: ReadonlyArray<RemoteFetchReason> = [
  "url_not_allowed",
  "address_not_allowed",
  "unresolvable",
  "unreachable"
]

/** A URL as it may appear in a message: without control characters, credentials, query and fragment. */
export const shownUrl = (url: string | URL): string => {
  const plain = String(url)
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .replace(/[?#].*$/, "")
    .replace(/^([a-z][a-z0-9+.-]*:[/\\]*)?[^/\\]*@/i, "$1")
  return truncate(plain, 200)
}

/** The code of a Node or undici error. Nothing else of it is safe: a parser error carries the peer's bytes. */
export const errorCode = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "unknown error"
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.name
}

/** The failure of an exchange after the connection was open. */
export const brokenExchange = (cause: unknown, url: URL): RemoteFetchError => {
  if (cause instanceof RemoteFetchError) return cause
  const code = errorCode(cause)
  return new RemoteFetchError({
    reason: "bad_response",
    message: `The answer from "${shownUrl(url)}" ${flaws[code] ?? "ended early"} (${code}). Check the server, or try again later.`,
    retryable: code !== "HTTPParserError"
  })
}

const flaws: { readonly [code: string]: string } = {
  HTTPParserError: "is not valid HTTP",
  UND_ERR_HEADERS_OVERFLOW: "has headers of more than 16 KiB",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "is not as long as it announced"
}
