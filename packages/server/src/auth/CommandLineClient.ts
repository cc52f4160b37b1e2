import type { ClientMetadata } from "oidc-provider"

export const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

/**
 * The command line of this repository, known without a registration. It is a public client whose name proves nothing, so
 * a person answers each time. The answer goes to a program on their own computer at any port (RFC 8252), or to the
 * one that shows the code which they type (RFC 8628).
 */
export const commandLineClient = {
  client_id: "carillon-cli",
  client_name: "Carillon command line",
  redirect_uris: ["http://127.0.0.1/callback"],
  application_type: "native",
  grant_types: ["authorization_code", "refresh_token", deviceGrant],
  response_types: ["code"],
  token_endpoint_auth_method: "none"
} satisfies ClientMetadata
