import type { ClientMetadata } from "oidc-provider"

/**
 * The command line of this repository, known without a registration. Public: its name proves nothing, so a person
 * answers each time, and the answer goes to a program on their own computer (RFC 8252), at any port.
 */
export const commandLineClient = {
  client_id: "carillon-cli",
  client_name: "Carillon command line",
  redirect_uris: ["http://127.0.0.1/callback"],
  application_type: "native",
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none"
} satisfies ClientMetadata
