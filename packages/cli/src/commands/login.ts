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
      .option("--with-key", "use an API key instead of the browser")
      .addOption(
        new Option(
          "--device",
          "sign in with a code on any device (default where no browser can be opened)"
        ).conflicts("withKey")
      )
      .option("--no-browser", "print the sign-in URL instead of opening it")
      .addHelpText("after", explanation)
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
            output.note(`Enter an API key for the service at ${url}. Create one with: carillon keys create`)
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
    if (!withCode) session.output.note(`Cannot open a browser here: ${because}.`)
    const { signInWithCode } = await import("../DeviceSignIn.ts")
    return signInWithCode(url, session.output)
  }
  const { signIn } = await import("../SignIn.ts")
  return signIn(url, session, mayOpen)
}

const explanation = `
On a terminal, login opens the service's page in your browser: sign in there and choose what the
command line may do. With --device, or where no browser can be opened (over SSH, for example), it
shows a URL and a code instead, for a browser on any device.

With --with-key, login prompts for an API key. Without a terminal, it reads one from stdin.

Credentials are checked, then saved in the configuration file, which only you can read. To save
several, use --profile. Commands use the profile "default" unless --profile or CARILLON_PROFILE names
another.`

export const logoutCommand: MakeCommand = (open) =>
  withExamples(
    new Command("logout").action(async () => {
      const { options, output, terminal } = open.local()
      const name = nameOf(terminal, options)
      const forgotten = readConfig(terminal.env).profiles[name]
      if (forgotten === undefined) {
        throw new CliError(exitCodes.notFound, `There is no profile ${JSON.stringify(name)}.`)
      }
      const revoked =
        forgotten.tokens === undefined ? null : await revoke(forgotten.url, forgotten.tokens.refresh_token)
      changeProfiles(terminal.env, ({ [name]: _, ...others }) => others)
      output.result({ profile: name, url: forgotten.url, revoked }, () => {
        if (revoked === null) {
          return `Removed profile ${name}. Its API key still works; revoke it with: carillon keys revoke <id>`
        }
        return revoked
          ? `Logged out of ${forgotten.url}, profile ${name}.`
          : `Removed profile ${name}, but the service did not confirm the logout. End the access at ${forgotten.url}/connected-apps.`
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
