import { Effect } from "effect"
import { HttpMiddleware, HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { AppConfig } from "../AppConfig.ts"

/** `/v1` itself, or in other words under a prefix. */
const api = /^(?:\/[\w-]+)?\/v1\//

/**
 * Lets pages of the operator's origins call the API. Only `/v1`: the pages where people sign in belong to no other site.
 * No cookies either: a page brings a credential of its own.
 */
export const withCors = ({ corsOrigins }: AppConfig["Service"]) => {
  const allow = HttpMiddleware.cors({
    // An empty list would allow every origin.
    allowedOrigins: (origin) => corsOrigins.includes("*") || corsOrigins.includes(origin),
    allowedMethods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    allowedHeaders: [
      "Authorization",
      "Content-Type",
      "Idempotency-Key",
      "If-Match",
      "Last-Event-ID",
      "X-Request-Id"
    ],
    exposedHeaders: [
      "ETag",
      "Idempotency-Replayed",
      "Location",
      "RateLimit",
      "RateLimit-Policy",
      "Retry-After",
      "WWW-Authenticate",
      "X-Request-Id"
    ],
    maxAge: 7200
  })
  return <E, R>(answered: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    corsOrigins.length === 0
      ? answered
      : Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers, url }) =>
          headers["origin"] !== undefined && api.test(url) ? allow(answered) : answered
        )
}
