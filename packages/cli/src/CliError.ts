/** What the shell sees. */
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

/** A failure that this program found itself. */
export class CliError extends Error {
  override readonly name = "CliError"
  readonly exitCode: ExitCode
  readonly hint: string | undefined

  constructor(exitCode: ExitCode, message: string, hint?: string) {
    super(message)
    this.exitCode = exitCode
    this.hint = hint
  }
}
