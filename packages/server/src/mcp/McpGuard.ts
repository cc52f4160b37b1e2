import { isAtOneOf, loopbackNames, problem } from "@carillon/domain"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { AppConfig } from "../AppConfig.ts"

/**
 * Refuses requests that a foreign page makes a browser send: to another name for this machine (Host), or from another
 * site (Origin). Programs other than browsers send no Origin.
 */
export const makeGuard = ({ publicUrl, mcpAllowedHosts }: AppConfig["Service"]) => {
  const isAllowed = isAtOneOf([...loopbackNames, new URL(publicUrl).hostname, ...mcpAllowedHosts])
  return Effect.fnUntraced(function* ({ headers }: HttpServerRequest.HttpServerRequest) {
    const { host = "", origin } = headers
    if (!isAllowed(`http://${host}`)) {
      return yield* problem(
        "host_not_allowed",
        `The Host header is ${JSON.stringify(host)}, and this endpoint is at ${publicUrl}/mcp. Use that address, or ask the operator to add the host to MCP_ALLOWED_HOSTS.`
      )
    }
    if (origin !== undefined && !isAllowed(origin)) {
      return yield* problem(
        "host_not_allowed",
        `Pages of ${JSON.stringify(origin)} may not call this endpoint; the operator can add their host to MCP_ALLOWED_HOSTS.`
      )
    }
  })
}

/** The CORS headers for pages of an allowed origin. */
export const corsHeaders = (origin: string | undefined): Record<string, string> =>
  origin === undefined
    ? {}
    : {
        "access-control-allow-origin": origin,
        "access-control-expose-headers": "WWW-Authenticate, Retry-After, X-Request-Id",
        vary: "Origin"
      }

export const preflightHeaders = {
  "access-control-allow-methods": "POST",
  "access-control-allow-headers":
    "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID",
  "access-control-max-age": "7200"
}
