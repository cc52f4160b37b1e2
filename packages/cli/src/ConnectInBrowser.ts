import type { StartConnect } from "@carillon/sdk"
import { browse } from "./Browser.ts"
import { chooseAccounts, tellConnected } from "./ChooseAccounts.ts"
import { CliError, exitCodes } from "./CliError.ts"
import { startLoopbackServer } from "./LoopbackServer.ts"
import type { Session } from "./Session.ts"

/**
 * Connects an account on the platform's own page. The browser comes back to a port of this machine with the outcome.
 * Without a terminal nobody is there to sign in, so the result is the page's address, unless `chosen` says what then to choose.
 */
export const connectInBrowser = async (
  session: Session,
  request: StartConnect,
  { chosen = [], mayOpen }: { readonly chosen?: ReadonlyArray<string> | undefined; readonly mayOpen: boolean }
): Promise<void> => {
  const { client, output, terminal } = session
  if (!terminal.stderr.isTTY && chosen.length === 0) {
    const started = await client.accounts.startConnect(request)
    output.note(`After the sign-in, finish with: carillon accounts choose ${started.pending_id}`)
    return output.result(started, () => started.authorize_url)
  }
  const back = await startLoopbackServer("/done")
  try {
    const { authorize_url, expires_at } = await client.accounts.startConnect({
      ...request,
      redirect_url: back.url
    })
    const isOpen = mayOpen && (await browse(authorize_url, terminal))
    output.note(
      `${isOpen ? "Opening this page in your browser; sign in there" : "Open this page in a browser on this machine"}:\n${authorize_url}`
    )
    const answer = await back.outcome(Date.parse(expires_at) - Date.now())
    const pending = answer.get("pending")
    if (answer.get("status") === "pending" && pending !== null) {
      return await chooseAccounts(session, pending, chosen)
    }
    if (answer.get("status") !== "connected") {
      throw new CliError(
        exitCodes.error,
        answer.get("message") ?? `${request.platform} was not connected.`,
        `Try again: carillon accounts connect ${[request.platform, ...Object.values(request.fields ?? {})].join(" ")}`
      )
    }
    const accounts = await Promise.all(
      answer.getAll("social_account_id").map((id) => client.accounts.get(Number(id)))
    )
    tellConnected(output, accounts)
    for (const { default_privacy_level, id, platform } of accounts) {
      // TikTok wants a person to choose it, without a preselection.
      if (platform === "tiktok" && default_privacy_level === null)
        output.note(
          `Choose who sees posts that set no privacy_level. List the levels with: carillon accounts options ${id}\n` +
            `Set the default with: carillon accounts set ${id} --default-audience <level>`
        )
    }
  } finally {
    back.close()
  }
}
