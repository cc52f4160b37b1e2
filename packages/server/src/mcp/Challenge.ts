import type { AppConfig } from "../AppConfig.ts"
import { appScopes } from "../auth/Audience.ts"

/** Where a client reads who gives out credentials for this endpoint (RFC 9728). */
export const resourceMetadataUrl = ({ publicUrl }: AppConfig["Service"]) =>
  `${publicUrl}/.well-known/oauth-protected-resource/mcp`

/**
 * The `WWW-Authenticate` of an answer to a request without a good credential. A client is told to ask for everything, and
 * the person takes off what it should not have: some clients drop the server when they are asked for more later. An error is
 * named only where a token was given (RFC 6750, section 3.1).
 */
export const challengeOf = (config: AppConfig["Service"], token: string) =>
  `Bearer ${token === "" ? "" : 'error="invalid_token", '}resource_metadata="${resourceMetadataUrl(config)}", scope="${appScopes.join(" ")}"`
