import { createHash, randomBytes } from "node:crypto"
import { browse } from "./Browser.ts"
import { CliError, exitCodes } from "./CliError.ts"
import type { StoredTokens } from "./Config.ts"
import { issuerOf } from "./Issuer.ts"
import { startLoopbackServer } from "./LoopbackServer.ts"
import type { LocalSession } from "./Session.ts"
import { askForTokens, clientId, toTokens } from "./Tokens.ts"

/** As long as the service keeps a consent page open. */
const patience = 30 * 60_000

/** Signs in on the service's own page with PKCE (RFC 8252); the browser comes back to a port of this machine. */
export const signIn = async (
  url: string,
  { output, terminal }: Pick<LocalSession, "output" | "terminal">,
  mayOpen: boolean
): Promise<StoredTokens> => {
  const issuer = await issuerOf(url)
  const state = randomBytes(16).toString("base64url")
  const back = await startLoopbackServer("/callback", (given) => given.get("state") === state)
  try {
    const verifier = randomBytes(32).toString("base64url")
    const page = `${issuer}/oauth/authorize?${new URLSearchParams({
      response_type: "code",
      client_id: clientId,
      redirect_uri: back.url,
      state,
      resource: `${issuer}/v1`,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256"
    })}`
    const isOpen = mayOpen && (await browse(page, terminal))
    if (isOpen) output.note(`Opening this page in your browser; sign in there:\n${page}`)
    else output.ask(`Open this page in a browser on this machine:\n${page}`)
    const answer = await back.outcome(patience)
    const code = answer.get("code")
    if (answer.get("iss") !== issuer || code === null) {
      throw new CliError(
        exitCodes.needsAuth,
        answer.get("error") === "access_denied"
          ? "The sign-in was denied."
          : "The sign-in was not completed.",
        "Nothing was saved. Try again: carillon login"
      )
    }
    const { body, ok, status } = await askForTokens(url, "token", {
      grant_type: "authorization_code",
      code,
      redirect_uri: back.url,
      code_verifier: verifier
    })
    if (ok) return toTokens(body)
    throw new CliError(
      exitCodes.needsAuth,
      `The service did not issue tokens: ${String(body["error_description"] ?? `it responded with ${status}`)}`,
      "Try again: carillon login"
    )
  } finally {
    back.close()
  }
}
