import {
  AuthenticationError,
  CarillonError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  PermissionError
} from "@carillon/sdk"
import { CliError, type ExitCode, exitCodes } from "./CliError.ts"
import { apiKeyHint } from "./Session.ts"

/** What to tell and to return when a command failed. */
export interface Failure {
  readonly exitCode: ExitCode
  readonly text: string
}

export const toFailure = async (error: unknown, url: string): Promise<Failure> => {
  if (error instanceof CliError) {
    return { exitCode: error.exitCode, text: lines(error.message, [], error.hint, null) }
  }
  if (error instanceof CarillonError) {
    const problems = error.errors.filter((item) => item.message !== error.message)
    return {
      exitCode: exitCodeOf(error),
      text: lines(
        problems.length === 0 ? error.message : ((await titleOf(error.code)) ?? error.message),
        problems.map((item) => (item.path === "" ? item.message : `${item.path}: ${item.message}`)),
        await hintFor(error, url),
        error.requestId
      )
    }
  }
  return {
    exitCode: exitCodes.error,
    text: lines(error instanceof Error ? error.message : String(error), [], undefined, null)
  }
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
    ...(requestId === null ? [] : [`  Request id: ${requestId}`])
  ].join("\n")

const exitCodeOf = (error: CarillonError): ExitCode => {
  if (error instanceof NotFoundError) return exitCodes.notFound
  if (error instanceof AuthenticationError || error instanceof PermissionError) return exitCodes.needsAuth
  if (error instanceof ConflictError) return exitCodes.conflict
  return exitCodes.error
}

const hintFor = async (error: CarillonError, url: string): Promise<string | undefined> => {
  if (error instanceof AuthenticationError) return apiKeyHint(url)
  if (error instanceof ConnectionError) {
    return `Is the service running? Start it with npm start, or set CARILLON_URL (now ${url}).`
  }
  if (error.code === "social_account_not_found" || error.code === "social_account_disconnected") {
    return "See the accounts with: carillon accounts"
  }
  if (error instanceof NotFoundError) {
    return "See what there is with: carillon posts, carillon results, carillon accounts"
  }
  return (await rowOf(error.code))?.[2]
}

const titleOf = async (code: string) => (await rowOf(code))?.[1]

// Imported here because a command that works does not need it, and it takes longer to load than all the rest.
const rowOf = async (
  code: string
): Promise<readonly [status: number, title: string, action: string] | undefined> => {
  const { problemCodes } = await import("@carillon/domain")
  return Object.entries(problemCodes).find(([known]) => known === code)?.[1]
}
