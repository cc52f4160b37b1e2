import { CliError, exitCodes } from "./CliError.ts"
import { httpFetch } from "./HttpFetch.ts"

/** The address of the service's pages: its PUBLIC_URL. */
export const issuerOf = async (url: string): Promise<string> => {
  const answer = await httpFetch(`${url.replace(/\/+$/, "")}/.well-known/oauth-authorization-server`, {
    signal: AbortSignal.timeout(30_000)
  })
  const { issuer } = answer.ok ? JSON.parse(await answer.text()) : { issuer: undefined }
  if (typeof issuer === "string" && /^https?:\/\//.test(issuer)) return issuer
  throw new CliError(
    exitCodes.error,
    `The service at ${url} does not support sign-in.`,
    "Use an API key instead: carillon login --with-key"
  )
}
