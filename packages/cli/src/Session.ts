import type { Carillon, ClientOptions } from "@carillon/sdk"
import { CliError, exitCodes } from "./CliError.ts"
import { configPath, defaultProfile, readConfig, sameService, type StoredTokens } from "./Config.ts"
import { httpFetch } from "./HttpFetch.ts"
import { Output } from "./Output.ts"
import type { Terminal } from "./Terminal.ts"

/** The options that every command has. */
export interface GlobalOptions {
  readonly json?: true | undefined
  readonly quiet?: true | undefined
  readonly url?: string | undefined
  readonly profile?: string | undefined
}

/** The service that a command speaks to, its key, and where the key is from. */
export interface Target {
  readonly url: string
  readonly apiKey: string | undefined
  readonly keyFrom: string
  /** A stored sign-in instead of a key, and its profile. */
  readonly signIn: { readonly profile: string; readonly tokens: StoredTokens } | undefined
}

/** The parts that a command works with. */
export interface Session {
  readonly client: Carillon
  readonly output: Output
  readonly terminal: Terminal
  readonly target: Target
}

/** The parts of a command that may have no key. */
export interface LocalSession {
  readonly output: Output
  readonly terminal: Terminal
  readonly options: GlobalOptions
}

/** Makes the session once a command is chosen, so that `--help` needs no API key and loads no client. */
export interface OpenSession {
  (): Promise<Session>
  /** A session without the service. */
  readonly local: () => LocalSession
}

export const sessionFactory = (terminal: Terminal, options: () => GlobalOptions): OpenSession => {
  const local = (): LocalSession => {
    const { json, quiet } = options()
    return {
      output: new Output(terminal, { json: json === true || !terminal.stdout.isTTY, quiet: quiet === true }),
      terminal,
      options: options()
    }
  }
  const open = async (): Promise<Session> => {
    const target = targetOf(terminal.env, options())
    const credential = await credentialOf(terminal, target)
    if (credential === undefined) {
      throw new CliError(
        exitCodes.needsAuth,
        "You are not signed in, and no API key is set.",
        apiKeyHint(target.url)
      )
    }
    return { ...local(), target, client: await clientOf(target.url, credential) }
  }
  return Object.assign(open, { local })
}

type Credential = NonNullable<ClientOptions["apiKey"]>

/** The key, or the source of access tokens that are still valid. */
export const credentialOf = async (terminal: Terminal, target: Target): Promise<Credential | undefined> => {
  if (target.signIn === undefined) return target.apiKey
  const { tokenSource } = await import("./Tokens.ts")
  return tokenSource(terminal.env, target.url, target.signIn)
}

export const clientOf = async (url: string, apiKey: Credential): Promise<Carillon> => {
  const { Carillon } = await import("@carillon/sdk")
  return new Carillon({ apiKey, baseUrl: url, fetch: httpFetch })
}

/** Flags come before the environment, and that before the configuration file. */
export const targetOf = (env: Terminal["env"], options: GlobalOptions): Target => {
  const asked = options.profile ?? (env["CARILLON_PROFILE"] || undefined)
  const { profiles } = readConfig(env)
  const stored = profiles[asked ?? defaultProfile]
  if (asked !== undefined && stored === undefined) {
    throw new CliError(
      exitCodes.usage,
      `There is no profile ${JSON.stringify(asked)} in ${configPath(env)}.`,
      `Create it with: carillon login --profile ${asked}`
    )
  }
  // A profile on the command line overrides the whole environment.
  const flagged = options.profile === undefined ? undefined : stored
  const url = options.url ?? flagged?.url ?? (env["CARILLON_URL"] || stored?.url || "http://localhost:4400")
  const given = flagged === undefined ? env["CARILLON_API_KEY"] || undefined : undefined
  if (given !== undefined) return { url, apiKey: given, keyFrom: "CARILLON_API_KEY", signIn: undefined }
  // A key goes to its own service only.
  const own = stored !== undefined && sameService(stored.url, url) ? stored : undefined
  return {
    url,
    apiKey: own?.api_key,
    keyFrom: configPath(env),
    signIn: own?.tokens && { profile: asked ?? defaultProfile, tokens: own.tokens }
  }
}

export const apiKeyHint = (url: string): string =>
  `Sign in to the service at ${url} with carillon login, or set CARILLON_API_KEY. ` +
  "When the service starts for the first time, it says where an API key is."
