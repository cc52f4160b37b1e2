import { HttpClientError } from "effect/http"
import { RemoteFetchError } from "../http/RemoteFetchError.ts"
import { PublishError } from "./Platform.ts"

export type TransportFailure =
  /** Our own side failed while it sent the body, e.g. the media store. */
  | { readonly _tag: "own"; readonly error: PublishError }
  /** No byte of the request left this machine. */
  | { readonly _tag: "never_sent"; readonly code: string }
  /** The platform may have had the whole request. */
  | { readonly _tag: "broken"; readonly code: string }

/** The kind of a failure without an answer, by the system's own error codes. In doubt the request was sent. */
export const transportFailure = (error: HttpClientError.HttpClientError): TransportFailure => {
  const causes = causesOf(error)
  const own = causes.find((cause) => cause instanceof PublishError)
  if (own !== undefined) return { _tag: "own", error: own }
  const guarded = causes.find((cause) => cause instanceof RemoteFetchError)
  if (guarded !== undefined) {
    return { _tag: guarded.neverSent ? "never_sent" : "broken", code: guarded.reason }
  }
  if (error.reason._tag === "InvalidUrlError" || error.reason._tag === "EncodeError") {
    return { _tag: "never_sent", code: "invalid_address" }
  }
  const codes = causes.flatMap((cause) =>
    "code" in cause && typeof cause.code === "string" ? [cause.code] : []
  )
  const connecting = causes.some(
    (cause) => "syscall" in cause && (cause.syscall === "connect" || cause.syscall === "getaddrinfo")
  )
  return {
    _tag: connecting || codes.some((code) => beforeSending.test(code)) ? "never_sent" : "broken",
    code: codes[0] ?? "connection_lost"
  }
}

const beforeSending = new RegExp(
  "^(" +
    [
      "ECONNREFUSED|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT",
      // A certificate or handshake that this side refused.
      "CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO_SELF_SIGNED|HOSTNAME_MISMATCH|ERR_TLS_CERT",
      "ERR_SSL_WRONG_VERSION|ERR_SSL_UNSUPPORTED_PROTOCOL|ERR_SSL_.*HANDSHAKE|ERR_SSL_PACKET_LENGTH"
    ].join("|") +
    ")"
)

const causesOf = (error: unknown): ReadonlyArray<object> => {
  const found: Array<object> = []
  const visit = (value: unknown) => {
    if (typeof value !== "object" || value === null || found.includes(value) || found.length > 20) return
    found.push(value)
    if (value instanceof HttpClientError.HttpClientError) visit(value.reason)
    if ("cause" in value) visit(value.cause)
    if (value instanceof AggregateError) value.errors.forEach(visit)
  }
  visit(error)
  return found
}
