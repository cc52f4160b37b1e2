interface Metadata {
  readonly [name: string]: unknown
}

const strings = (value: unknown): ReadonlyArray<string> | undefined =>
  Array.isArray(value) && value.every((one) => typeof one === "string") ? value : undefined

/** OpenID takes a client without a type for a web app, and then refuses loopback ports and own schemes. */
const applicationType = (redirects: ReadonlyArray<string>) =>
  redirects.some((uri) => !uri.startsWith("https:")) ? "native" : "web"

const authMethods = ["none", "client_secret_basic", "client_secret_post"]

/**
 * A client's metadata in the authorization server's form. Only the needed fields are kept: the others are neither shown
 * nor used, and unknown grant types, keys and scopes would be refused.
 */
export const repairedClient = (given: Metadata): Metadata => {
  const redirects = strings(given["redirect_uris"])
  const choices = strings(given["token_endpoint_auth_methods_supported"])
  const method = given["token_endpoint_auth_method"]
  return {
    ...(given["client_id"] === undefined ? {} : { client_id: given["client_id"] }),
    // Kept, because the authorization server has to see and refuse it.
    ...("client_secret" in given ? { client_secret: given["client_secret"] } : {}),
    ...(typeof given["client_name"] === "string" ? { client_name: shownName(given["client_name"]) } : {}),
    redirect_uris: given["redirect_uris"],
    ...(redirects === undefined ? {} : { application_type: applicationType(redirects) }),
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method:
      typeof method !== "string" || choices?.includes("none") === true ? "none" : method
  }
}

/** Reads a registration (RFC 7591) from anyone; a problem is a sentence. */
export const registration = (body: string): { readonly client: Metadata } | { readonly wrong: string } => {
  const given = parsed(body)
  if (given === undefined) return { wrong: "The body is not a JSON object." }
  const { redirect_uris } = given
  if (Array.isArray(redirect_uris) && redirect_uris.length > 10) {
    return { wrong: `redirect_uris has ${redirect_uris.length} addresses; at most 10 are allowed.` }
  }
  const redirects = strings(redirect_uris)
  if (redirects === undefined || redirects.length === 0) {
    return { wrong: "redirect_uris is missing; give a list of the addresses that receive the answers." }
  }
  const long = redirects.find((uri) => uri.length > 500)
  if (long !== undefined) return { wrong: "A redirect_uri has more than 500 characters." }
  const { client_secret: _, client_id: __, ...client } = repairedClient(given)
  const method = client["token_endpoint_auth_method"]
  return {
    client: {
      ...client,
      token_endpoint_auth_method: authMethods.includes(String(method)) ? method : "none"
    }
  }
}

const parsed = (body: string): Metadata | undefined => {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Metadata)
      : undefined
  } catch {
    return undefined
  }
}

/** A stranger's text: one line, no direction marks, not long enough to push the rest off a screen. */
export const shownName = (name: string) =>
  name
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .trim()
    .slice(0, 80)
    .toWellFormed()
