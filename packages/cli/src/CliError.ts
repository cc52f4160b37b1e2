/** The exit codes. */
export const exitCodes = {
  ok: 0,
  error: 1,
  usage: 2,
  notFound: 3,
  needsAuth: 4,
  conflict: 5,
  someFailed: 6
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** A failure that this program found itself: the reason, what to do, and each problem where there are several. */
export class CliError extends Error {
  override readonly name = "CliError"
  readonly exitCode: ExitCode
  readonly hint: string | undefined
  readonly problems: ReadonlyArray<string>

  constructor(exitCode: ExitCode, message: string, hint?: string, problems: ReadonlyArray<string> = []) {
    super(message)
    this.exitCode = exitCode
    this.hint = hint
    this.problems = problems
  }
}
