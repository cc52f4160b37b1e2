import type { Carillon } from "@carillon/sdk"
import { CliError, exitCodes } from "./CliError.ts"
import { Output } from "./Output.ts"

/** The parts of `process` that the program uses. */
export type Terminal = Pick<NodeJS.Process, "stdin" | "stdout" | "stderr" | "env">

interface GlobalOptions {
  readonly json?: true | undefined
  readonly url?: string | undefined
}

/** What a command works with. */
export interface Session {
  readonly client: Carillon
  readonly output: Output
  readonly terminal: Terminal
}

/** Makes the session of a command that was chosen, so that `--help` needs no API key and loads no client. */
export type OpenSession = () => Promise<Session>

export const openSession = async (terminal: Terminal, { json, url }: GlobalOptions): Promise<Session> => {
  const baseUrl = serviceUrl(terminal, url)
  const apiKey = terminal.env["CARILLON_API_KEY"]
  if (!apiKey) throw new CliError(exitCodes.needsAuth, "There is no API key.", apiKeyHint(baseUrl))
  const { Carillon } = await import("@carillon/sdk")
  return {
    client: new Carillon({ apiKey, baseUrl }),
    output: new Output(terminal, json === true || !terminal.stdout.isTTY),
    terminal
  }
}

export const apiKeyHint = (url: string): string =>
  `Set CARILLON_API_KEY to a key of the service at ${url}; it prints one when it starts for the first time.`

export const serviceUrl = (terminal: Terminal, url: string | undefined): string =>
  url ?? (terminal.env["CARILLON_URL"] || "http://localhost:4400")
