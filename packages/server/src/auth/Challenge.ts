import { appScopes } from "@carillon/domain"
import type { AppConfig } from "../AppConfig.ts"
import { type Audience } from "./Audience.ts"

/** The address at which a client finds the authorization server of what it asked (RFC 9728). */
export const resourceMetadataUrl = ({ publicUrl }: AppConfig["Service"], audience: Audience) =>
  `${publicUrl}/.well-known/oauth-protected-resource/${audience}`

/**
 * The `WWW-Authenticate` of an answer to a request without a good credential. A client is told to ask for everything, and
 * the person removes scopes: some clients drop the server when they have to ask for more later. An error is named only
 * where a token was given (RFC 6750, section 3.1).
 */
export const challengeOf = (config: AppConfig["Service"], audience: Audience, token: string) =>
  `Bearer ${token === "" ? "" : 'error="invalid_token", '}resource_metadata="${resourceMetadataUrl(config, audience)}", scope="${appScopes.join(" ")}"`
