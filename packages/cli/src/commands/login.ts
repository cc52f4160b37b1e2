import { Command } from "@commander-js/extra-typings"
import { CliError, exitCodes } from "../CliError.ts"
import type { MakeCommand } from "../Commands.ts"
import { configPath, defaultProfile, readConfig, writeConfig } from "../Config.ts"
import { withExamples } from "../Examples.ts"
import { clientOf, type GlobalOptions, type Terminal } from "../Session.ts"

export const loginCommand: MakeCommand = (open) =>
  withExamples(
    new Command("login").addHelpText("after", aboutKeys).action(async () => {
      const { options, output, terminal } = open.here()
      const { readSecret } = await import("../Secret.ts")
      const name = nameOf(terminal, options)
      const config = readConfig(terminal.env)
      const url =
        options.url ?? (terminal.env["CARILLON_URL"] || config.profiles[name]?.url || "http://localhost:4400")
      if (terminal.stdin.isTTY) output.note(`A key of the service at ${url}; carillon keys create makes one.`)
      const api_key = (await readSecret(terminal, "API key")).trim()
      // What does not work is not kept.
      const profile = await (await clientOf(url, api_key)).profile.get()
      writeConfig(terminal.env, { profiles: { ...config.profiles, [name]: { url, api_key } } })
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
        output.note("CARILLON_API_KEY is set and goes before it; unset it to use what was just kept.")
      }
    }),
    "login",
    "login --url https://carillon.example --profile work",
    "login < key.txt"
  )

const aboutKeys = `
Asks for an API key on a terminal, else reads it from stdin. It is tried first and then kept in the configuration file, which
only you can read. --profile keeps several; commands use the profile "default" unless --profile or CARILLON_PROFILE
says another.`

export const logoutCommand: MakeCommand = (open) =>
  withExamples(
    new Command("logout").action(async () => {
      const { options, output, terminal } = open.here()
      const name = nameOf(terminal, options)
      const { [name]: forgotten, ...profiles } = readConfig(terminal.env).profiles
      if (forgotten === undefined) {
        throw new CliError(exitCodes.notFound, `There is no profile ${JSON.stringify(name)} to forget.`)
      }
      writeConfig(terminal.env, { profiles })
      output.result(
        { profile: name, url: forgotten.url },
        () => `Forgot profile ${name}. Its key still works: carillon keys revoke ends it.`
      )
    }),
    "logout",
    "logout --profile work"
  )

const nameOf = ({ env }: Terminal, { profile }: GlobalOptions): string =>
  profile ?? (env["CARILLON_PROFILE"] || defaultProfile)
