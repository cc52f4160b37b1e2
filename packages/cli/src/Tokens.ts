import { CliError, exitCodes } from "./CliError.ts"
import { readConfig, type StoredTokens, writeConfig } from "./Config.ts"
import { httpFetch } from "./HttpFetch.ts"
import type { Terminal } from "./Session.ts"

/** How the service knows this program, without a registration. */
export const clientId = "carillon-cli"

/** A form to one of the service's own OAuth endpoints: tokens go to the address that they are kept for. */
export const askForTokens = async (
  url: string,
  endpoint: "token" | "revoke",
  fields: Record<string, string>
) => {
  const answer = await httpFetch(`${url.replace(/\/+$/, "")}/oauth/${endpoint}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: String(new URLSearchParams({ client_id: clientId, ...fields })),
    signal: AbortSignal.timeout(30_000)
  })
  const text = await answer.text()
  return { ok: answer.ok, status: answer.status, body: parsed(text) }
}

export const toTokens = (body: Readonly<Record<string, unknown>>): StoredTokens => {
  const { access_token, expires_in, refresh_token } = body
  if (
    typeof access_token !== "string" ||
    typeof refresh_token !== "string" ||
    typeof expires_in !== "number"
  ) {
    throw new CliError(
      exitCodes.error,
      "The service gave no tokens.",
      "Is it Carillon, and not older than this program?"
    )
  }
  return {
    access_token,
    refresh_token,
    expires_at: new Date(Date.now() + expires_in * 1000).toISOString()
  }
}

/** So that a command does not start with a token that ends while it runs. */
const margin = 5 * 60_000

/**
 * An access token that works for a while. The new tokens are kept before they are used. Of two commands that renew at
 * once both get tokens of their own, because the service takes the old refresh token once more for a while: whichever
 * is kept last is good.
 */
export const accessToken = async (
  env: Terminal["env"],
  url: string,
  { profile, tokens }: { readonly profile: string; readonly tokens: StoredTokens }
): Promise<string> => {
  if (isFresh(tokens)) return tokens.access_token
  const { body, ok, status } = await askForTokens(url, "token", {
    grant_type: "refresh_token",
    refresh_token: tokens.refresh_token
  })
  const { profiles } = readConfig(env)
  const kept = profiles[profile]
  if (ok) {
    const renewed = toTokens(body)
    // Not where somebody logged out or in meanwhile.
    if (kept?.tokens !== undefined && kept.url.replace(/\/+$/, "") === url.replace(/\/+$/, "")) {
      writeConfig(env, { profiles: { ...profiles, [profile]: { ...kept, tokens: renewed } } })
    }
    return renewed.access_token
  }
  // Another command was faster, and longer ago than the service is patient.
  if (
    kept?.tokens !== undefined &&
    kept.tokens.refresh_token !== tokens.refresh_token &&
    isFresh(kept.tokens)
  ) {
    return kept.tokens.access_token
  }
  if (body["error"] === "invalid_grant") {
    throw new CliError(
      exitCodes.needsAuth,
      "The sign-in has ended: it was ended under Connected apps, or not used for too long.",
      `Sign in again: carillon login${profile === "default" ? "" : ` --profile ${profile}`}`
    )
  }
  throw new CliError(
    exitCodes.error,
    `The sign-in could not be renewed: ${String(body["error_description"] ?? `the service answered ${status}`)}`,
    "Give the command again."
  )
}

const isFresh = ({ expires_at }: StoredTokens) => Date.parse(expires_at) - Date.now() > margin

const parsed = (text: string): Readonly<Record<string, unknown>> => {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
