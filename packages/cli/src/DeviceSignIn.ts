import { setTimeout as wait } from "node:timers/promises"
import { CliError, exitCodes } from "./CliError.ts"
import type { StoredTokens } from "./Config.ts"
import { issuerOf } from "./Issuer.ts"
import type { Output } from "./Output.ts"
import { askForTokens, toTokens } from "./Tokens.ts"

/** The service's answer to a sign-in: the code to show and how to poll; times in seconds. */
interface DeviceCode {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete?: string
  readonly expires_in: number
  readonly interval?: number
}

const tryAgain = "Nothing was saved. Try again: carillon login --device"

/** Signs in with a browser on any machine (RFC 8628): shows a code, and polls until a person has answered it. */
export const signInWithCode = async (url: string, output: Output): Promise<StoredTokens> => {
  const code = await begin(url)
  const { expires_in, interval = 5, user_code, verification_uri, verification_uri_complete } = code
  const interrupted = () => {
    output.note("Canceled; nothing was saved.")
    process.exit(130)
  }
  // Before the code is shown, because somebody may press Ctrl-C from then on.
  process.once("SIGINT", interrupted)
  output.ask(
    [
      "Open this page in a browser on any device and sign in there:",
      `  ${verification_uri}`,
      `Then enter this code: ${user_code}`,
      ...(verification_uri_complete === undefined
        ? []
        : ["Or open this page, which already has the code:", `  ${verification_uri_complete}`])
    ].join("\n")
  )
  try {
    return await untilAnswered(url, code.device_code, Date.now() + expires_in * 1000, interval)
  } finally {
    process.removeListener("SIGINT", interrupted)
  }
}

const begin = async (url: string): Promise<DeviceCode> => {
  const { body, ok, status } = await askForTokens(url, "device", { resource: `${await issuerOf(url)}/v1` })
  if (ok && typeof body["device_code"] === "string") return body as unknown as DeviceCode
  if (status === 404) {
    throw new CliError(
      exitCodes.error,
      `The service at ${url} does not support sign-in with a code.`,
      "Sign in with a browser on this machine (carillon login --no-browser) or an API key (carillon login --with-key)."
    )
  }
  throw new CliError(
    exitCodes.error,
    `The service did not issue a code: ${String(body["error_description"] ?? `it responded with ${status}`)}`,
    "Try again later: carillon login --device"
  )
}

const untilAnswered = async (
  url: string,
  device_code: string,
  ends: number,
  interval: number
): Promise<StoredTokens> => {
  for (let seconds = interval; Date.now() < ends;) {
    await wait(seconds * 1000)
    const answer = await askForTokens(url, "token", {
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      device_code
    }).catch(() => undefined)
    // There was no answer, or a proxy's: the code is still good.
    if (answer === undefined || answer.status >= 500 || answer.status === 429) {
      seconds = Math.min(seconds * 2, 60)
      continue
    }
    if (answer.ok) return toTokens(answer.body)
    const { error, error_description } = answer.body
    if (error === "slow_down") seconds += 5
    else if (error !== "authorization_pending") throw refusal(error, error_description)
  }
  throw refusal("expired_token", undefined)
}

const refusal = (error: unknown, description: unknown): CliError => {
  const message =
    error === "access_denied"
      ? "The sign-in was denied."
      : error === "expired_token"
        ? "The code expired before it was entered."
        : `The service did not issue tokens: ${String(description ?? error)}`
  return new CliError(exitCodes.needsAuth, message, tryAgain)
}
