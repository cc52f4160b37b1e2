import type { Scope } from "@carillon/domain"
import type { AppConfig } from "../AppConfig.ts"

/** What an agent can use. A client is told to ask for all of it, and the user takes off what it should not have. */
export const agentScopes: ReadonlyArray<Scope> = [
  "posts:read",
  "posts:write",
  "posts:publish",
  "media:read",
  "media:write",
  "accounts:read"
]

/** Where a client reads who gives out credentials for this endpoint (RFC 9728). */
export const resourceMetadataUrl = ({ publicUrl }: AppConfig["Service"]) =>
  `${publicUrl}/.well-known/oauth-protected-resource/mcp`

/** The `WWW-Authenticate` of an answer to a request without a good credential. */
export const challengeOf = (config: AppConfig["Service"]) =>
  `Bearer resource_metadata="${resourceMetadataUrl(config)}", scope="${agentScopes.join(" ")}"`
