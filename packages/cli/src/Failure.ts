import {
  AuthenticationError,
  CarillonError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  PermissionError
} from "@carillon/sdk"
import { Unusable } from "@carillon/domain/plan"
import { CliError, type ExitCode, exitCodes } from "./CliError.ts"
import { readConfig } from "./Config.ts"
import { apiKeyHint, type GlobalOptions, targetOf } from "./Session.ts"
import type { Terminal } from "./Terminal.ts"

/** The message and the exit code of a failed command. */
export interface Failure {
  readonly exitCode: ExitCode
  readonly text: string
}

export const toFailure = async (
  error: unknown,
  terminal: Terminal,
  options: GlobalOptions
): Promise<Failure> => {
  if (error instanceof CliError) {
    return { exitCode: error.exitCode, text: lines(error.message, error.problems, error.hint, null) }
  }
  if (error instanceof Unusable) {
    const others = error.others.map(({ message }) => message)
    return { exitCode: exitCodeOf(error), text: lines(error.message, others, error.advice, null) }
  }
  if (error instanceof CarillonError) {
    const problems = error.errors.filter((item) => item.message !== error.message)
    return {
      exitCode: exitCodeOf(error),
      text: lines(
        problems.length === 0 ? error.message : ((await titleOf(error.code)) ?? error.message),
        problems.map((item) => (item.path === "" ? item.message : `${item.path}: ${item.message}`)),
        await hintFor(error, urlOf(terminal, options)),
        error.requestId
      )
    }
  }
  return {
    exitCode: exitCodes.error,
    text: lines(error instanceof Error ? error.message : String(error), [], undefined, null)
  }
}

/** The named profile may not exist yet: a login makes it. */
const urlOf = ({ env }: Terminal, { profile, ...options }: GlobalOptions): string => {
  const exists = profile === undefined || profile in readConfig(env).profiles
  return targetOf(env, exists ? { ...options, profile } : options).url
}

const lines = (
  message: string,
  problems: ReadonlyArray<string>,
  hint: string | undefined,
  requestId: string | null
) =>
  [
    `carillon: ${message}`,
    ...problems.map((problem) => `  - ${problem}`),
    ...(hint === undefined ? [] : [`  ${hint}`]),
    ...(requestId === null ? [] : [`  Request ID: ${requestId}`])
  ].join("\n")

export const exitCodeOf = (error: unknown): ExitCode => {
  if (error instanceof CliError) return error.exitCode
  if (error instanceof Unusable) return error.isMissing ? exitCodes.notFound : exitCodes.usage
  if (error instanceof NotFoundError) return exitCodes.notFound
  if (error instanceof AuthenticationError || error instanceof PermissionError) return exitCodes.needsAuth
  if (error instanceof ConflictError) return exitCodes.conflict
  return exitCodes.error
}

const hintFor = async (error: CarillonError, url: string): Promise<string | undefined> => {
  if (error instanceof AuthenticationError) return apiKeyHint(url)
  if (error instanceof ConnectionError) {
    return `Is the service running? Start it with npm start or carillon-server, or set CARILLON_URL (currently ${url}).`
  }
  const command = commandFor[error.code]
  if (command !== undefined) return command
  if (error instanceof NotFoundError) {
    return "List what exists with: carillon posts, carillon results or carillon accounts"
  }
  return (await rowOf(error.code))?.[2]
}

/** Advice where this program has a better way than the API's page. */
const commandFor: Readonly<Record<string, string>> = {
  social_account_not_found: "List accounts with: carillon accounts",
  social_account_disconnected: "List accounts with: carillon accounts",
  account_not_allowed: "List the accounts you may use with: carillon accounts",
  media_not_found: "List media with: carillon media list",
  queue_not_configured:
    'Set up the queue with: carillon queue set "mon-fri 09:00", or use --at instead of --queue.',
  queue_full: "Add slots with: carillon queue set, or use --at instead of --queue.",
  stale_version: "Somebody else changed it at the same time. Review the change, then run the command again.",
  webhook_paused: "Resume it first: carillon webhooks resume <id>",
  key_in_use: "Revoke it with another key.",
  missing_scope: "See your scopes with: carillon whoami"
}

const titleOf = async (code: string) => (await rowOf(code))?.[1]

// Imported here because a command that succeeds does not need it, and it takes longer to load than all the rest.
const rowOf = async (
  code: string
): Promise<readonly [status: number, title: string, action: string] | undefined> => {
  const { problemCodes } = await import("@carillon/domain")
  return Object.entries(problemCodes).find(([known]) => known === code)?.[1]
}
