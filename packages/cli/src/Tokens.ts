import { hostname } from "node:os"
import { CliError, exitCodes } from "./CliError.ts"
import { changeProfiles, defaultProfile, readConfig, sameService, type StoredTokens } from "./Config.ts"
import { httpFetch } from "./HttpFetch.ts"
import type { Terminal } from "./Terminal.ts"

/** The client id of this program, which needs no registration. */
export const clientId = "carillon-cli"

/** Sends a form to one of the service's own OAuth endpoints, at the address that the tokens are stored for. */
export const askForTokens = async (
  url: string,
  endpoint: "device" | "token" | "revoke",
  fields: Record<string, string>
) => {
  const answer = await httpFetch(`${url.replace(/\/+$/, "")}/oauth/${endpoint}`, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      accept: "application/json",
      // The page that asks the person shows it.
      "user-agent": `carillon on ${hostname().replace(/[^\x21-\x7e]/g, "?")}`
    },
    body: String(new URLSearchParams({ client_id: clientId, ...fields })),
    signal: AbortSignal.timeout(30_000)
  }).catch(() => {
    throw new CliError(
      exitCodes.error,
      `The service at ${url} did not respond.`,
      "Is it running? Check with: carillon doctor"
    )
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
      "The service did not issue tokens.",
      "Check that the URL leads to a Carillon service at least as recent as this command line."
    )
  }
  return {
    access_token,
    refresh_token,
    expires_at: new Date(Date.now() + expires_in * 1000).toISOString()
  }
}

/** A token is renewed this long before its end, so that no request arrives after it. */
const margin = 5 * 60_000

/**
 * Gives the access token of a sign-in; renews it near its end or after it was refused. New tokens are stored before
 * they are used. A command that runs for hours first looks for tokens that another one has stored: the refresh token that
 * it read at its start may have been exchanged long ago, and would then count as stolen.
 */
export const tokenSource = (
  env: Terminal["env"],
  url: string,
  { profile, tokens }: { readonly profile: string; readonly tokens: StoredTokens }
): ((refused?: string) => Promise<string>) => {
  let present = tokens
  let renewing: Promise<StoredTokens> | undefined
  const keptNow = (profiles = readConfig(env).profiles) => {
    const kept = profiles[profile]
    return kept !== undefined && sameService(kept.url, url) ? kept.tokens : undefined
  }
  const renew = async (): Promise<StoredTokens> => {
    const kept = keptNow()
    if (kept === undefined) throw ended(profile)
    if (kept.access_token !== present.access_token && isFresh(kept)) return kept
    const { body, ok, status } = await askForTokens(url, "token", {
      grant_type: "refresh_token",
      refresh_token: kept.refresh_token
    })
    if (ok) {
      const renewed = toTokens(body)
      // Not if somebody logged in or out meanwhile, or another command renewed them: those are good as well.
      changeProfiles(env, (profiles) =>
        keptNow(profiles)?.refresh_token === kept.refresh_token
          ? { ...profiles, [profile]: { ...profiles[profile]!, tokens: renewed } }
          : profiles
      )
      return renewed
    }
    // Another command was faster, and longer ago than the service tolerates.
    const others = keptNow()
    if (others !== undefined && others.refresh_token !== kept.refresh_token && isFresh(others)) return others
    if (body["error"] === "invalid_grant") throw ended(profile)
    throw new CliError(
      exitCodes.error,
      `The sign-in could not be renewed: ${String(body["error_description"] ?? `the service responded with ${status}`)}`,
      "Run the command again."
    )
  }
  return async (refused) => {
    if (isFresh(present) && present.access_token !== refused) return present.access_token
    // Requests that find out together wait for one renewal.
    renewing ??= renew().finally(() => (renewing = undefined))
    present = await renewing
    return present.access_token
  }
}

const ended = (profile: string) =>
  new CliError(
    exitCodes.needsAuth,
    "The sign-in has ended: it was revoked, logged out, or unused for too long.",
    `Sign in again: carillon login${profile === defaultProfile ? "" : ` --profile ${profile}`}`
  )

const isFresh = ({ expires_at }: StoredTokens) => Date.parse(expires_at) - Date.now() > margin

const parsed = (text: string): Readonly<Record<string, unknown>> => {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
