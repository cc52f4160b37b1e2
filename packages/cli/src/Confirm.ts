import { CliError, exitCodes } from "./CliError.ts"
import type { Terminal } from "./Terminal.ts"
import { printable } from "@carillon/domain/OneLine"

/** Asks before something is lost, if somebody can answer; in a script the command is the answer. */
export const confirm = async (
  { stderr, stdin }: Terminal,
  question: string,
  yes: true | undefined
): Promise<void> => {
  if (yes || !stdin.isTTY || !stderr.isTTY) return
  const { createInterface } = await import("node:readline/promises")
  const prompt = createInterface({ input: stdin, output: stderr })
  const given = new AbortController()
  // Ctrl-C and the end of the input mean no.
  prompt.once("SIGINT", () => given.abort())
  prompt.once("close", () => given.abort())
  const answer = await prompt
    .question(`${printable(question)} [y/N] `, { signal: given.signal })
    .catch(() => "")
  prompt.close()
  if (!/^y(es)?$/i.test(answer.trim())) {
    throw new CliError(
      exitCodes.error,
      "Canceled; nothing was changed.",
      "Answer y to confirm, or use --yes."
    )
  }
}
