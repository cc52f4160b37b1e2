import { Cookies, HttpServerResponse } from "effect/http"
import { IncomingMessage, type ServerResponse } from "node:http"
import { Socket } from "node:net"

/** A request for the authorization server, built anew so that no Host header counts. */
export interface AskedRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string | null
  readonly address: string
}

const passedOn = [
  "accept",
  "authorization",
  "content-type",
  "user-agent",
  "cookie",
  "origin",
  "access-control-request-method",
  "access-control-request-headers"
]

/**
 * Drops the cookie of an earlier flow: each flow starts afresh, so that neither another member's acts in this browser nor
 * a planted cookie play a part.
 */
const flowCookies = (cookie: string) =>
  cookie
    .split(/;\s*/)
    .filter((one) => !/^carillon_oauth(\.sig)?=/.test(one))
    .join("; ")

export const toIncoming = ({ method, url, headers, body, address }: AskedRequest, origin: URL) => {
  const incoming = new IncomingMessage(new Socket())
  incoming.method = method
  incoming.url = url
  for (const name of passedOn) {
    const value = headers[name]
    if (value !== undefined) incoming.headers[name] = name === "cookie" ? flowCookies(value) : value
  }
  incoming.headers.host = origin.host
  incoming.headers["x-forwarded-proto"] = origin.protocol.slice(0, -1)
  incoming.headers["x-forwarded-for"] = address
  if (body !== null) {
    const bytes = Buffer.from(body)
    incoming.headers["content-length"] = String(bytes.length)
    incoming.push(bytes)
  }
  incoming.push(null)
  return incoming
}

export const toResponse = (response: ServerResponse, body: unknown) => {
  const {
    "set-cookie": cookies,
    "content-type": contentType,
    "content-length": _,
    ...rest
  } = response.getHeaders()
  const headers = Object.fromEntries(
    Object.entries(rest).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  )
  const options = { status: response.statusCode, headers }
  const bytes = typeof body === "string" || Buffer.isBuffer(body) ? body.toString() : ""
  const made =
    bytes === ""
      ? HttpServerResponse.empty(options)
      : HttpServerResponse.text(bytes, { ...options, contentType: String(contentType ?? "text/plain") })
  return cookies === undefined
    ? made
    : HttpServerResponse.mergeCookies(made, Cookies.fromSetCookie(cookies as ReadonlyArray<string>))
}
