import { Command, Option } from "@commander-js/extra-typings"
import { CliError, exitCodes } from "../CliError.ts"
import type { MakeCommand } from "../MakeCommand.ts"
import { changeProfiles, configPath, defaultProfile, readConfig, type StoredTokens } from "../Config.ts"
import { withExamples } from "../Examples.ts"
import { clientOf, type GlobalOptions, type LocalSession } from "../Session.ts"
import type { Terminal } from "../Terminal.ts"

export const loginCommand: MakeCommand = (open) =>
  withExamples(
    new Command("login")
      .option("--with-key", "ask for an API key instead of signing in with the browser")
      .addOption(
        new Option(
          "--device",
          "show a code, for a browser on any machine (by itself where there is no browser to open)"
        ).conflicts("withKey")
      )
      .option("--no-browser", "print the page's address, for a browser on this machine, and open nothing")
      .addHelpText("after", aboutKeys)
      .action(async ({ browser, device, withKey }) => {
        const { options, output, terminal } = open.local()
        const name = nameOf(terminal, options)
        const config = readConfig(terminal.env)
        const url =
          options.url ??
          (terminal.env["CARILLON_URL"] || config.profiles[name]?.url || "http://localhost:4400")
        const credential: { readonly tokens: StoredTokens } | { readonly api_key: string } =
          device || (terminal.stdin.isTTY && !withKey)
            ? { tokens: await signInTo(url, { output, terminal }, device === true, browser) }
            : { api_key: await askForKey() }
        // A credential that does not work is not stored.
        const profile = await (
          await clientOf(url, "tokens" in credential ? credential.tokens.access_token : credential.api_key)
        ).profile.get()
        changeProfiles(terminal.env, (profiles) => ({ ...profiles, [name]: { url, ...credential } }))
        output.result(
          {
            profile: name,
            url,
            workspace: profile.workspace,
            scopes: profile.scopes,
            path: configPath(terminal.env)
          },
          () => `Logged in to ${url}, workspace ${profile.workspace.name}, as profile ${name}.`
        )
        if (terminal.env["CARILLON_API_KEY"]) {
          output.note("CARILLON_API_KEY is set and takes precedence; unset it to use this login.")
        }

        async function askForKey(): Promise<string> {
          const { readSecret } = await import("../Secret.ts")
          if (terminal.stdin.isTTY) {
            output.note(`Give an API key of the service at ${url}. carillon keys create makes one.`)
          }
          return (await readSecret(terminal, "API key")).trim()
        }
      }),
    "login",
    "login --device",
    "login --url https://carillon.example --profile work",
    "login < key.txt"
  )

/** Signs in with this machine's browser, or with a code for one elsewhere. */
const signInTo = async (
  url: string,
  session: Pick<LocalSession, "output" | "terminal">,
  withCode: boolean,
  mayOpen: boolean
): Promise<StoredTokens> => {
  const { noBrowserBecause } = await import("../Browser.ts")
  const because = mayOpen ? noBrowserBecause(session.terminal.env) : undefined
  if (withCode || because !== undefined) {
    if (!withCode) session.output.note(`There is no browser to open here: ${because}.`)
    const { signInWithCode } = await import("../DeviceSignIn.ts")
    return signInWithCode(url, session.output)
  }
  const { signIn } = await import("../SignIn.ts")
  return signIn(url, session, mayOpen)
}

const aboutKeys = `
On a terminal it opens the service's page in your browser: sign in there and choose what the command line may do.
Where there is no browser to open, as over SSH, and with --device, it shows an address and a code for a browser on any
machine. Without a terminal, and with --with-key, it takes an API key, which is read from stdin where there is no
terminal. What was given is tried first and then kept in the configuration file, which only you can read. --profile
keeps several; commands use the profile "default" unless --profile or CARILLON_PROFILE says another.`

export const logoutCommand: MakeCommand = (open) =>
  withExamples(
    new Command("logout").action(async () => {
      const { options, output, terminal } = open.local()
      const name = nameOf(terminal, options)
      const forgotten = readConfig(terminal.env).profiles[name]
      if (forgotten === undefined) {
        throw new CliError(exitCodes.notFound, `There is no profile ${JSON.stringify(name)} to forget.`)
      }
      const revoked =
        forgotten.tokens === undefined ? null : await revoke(forgotten.url, forgotten.tokens.refresh_token)
      changeProfiles(terminal.env, ({ [name]: _, ...others }) => others)
      output.result({ profile: name, url: forgotten.url, revoked }, () => {
        if (revoked === null) {
          return `Forgot profile ${name}. Its key still works: carillon keys revoke ends it.`
        }
        return revoked
          ? `Logged out of ${forgotten.url}, profile ${name}.`
          : `Forgot profile ${name}, but the service could not be told: end it under ${forgotten.url}/connected-apps.`
      })
    }),
    "logout",
    "logout --profile work"
  )

const nameOf = ({ env }: Terminal, { profile }: GlobalOptions): string =>
  profile ?? (env["CARILLON_PROFILE"] || defaultProfile)

const revoke = async (url: string, token: string): Promise<boolean> => {
  const { askForTokens } = await import("../Tokens.ts")
  return askForTokens(url, "revoke", { token }).then(
    ({ ok }) => ok,
    () => false
  )
}
