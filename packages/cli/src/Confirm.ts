import { CliError, exitCodes } from "./CliError.ts"
import { canAsk, prompt } from "./Prompt.ts"
import type { Terminal } from "./Terminal.ts"

/** Asks before something is lost, if somebody can answer; in a script the command is the answer. */
export const confirm = async (terminal: Terminal, question: string, yes: true | undefined): Promise<void> => {
  if (yes || !canAsk(terminal)) return
  const answer = await prompt(terminal, `${question} [y/N]`)
  if (!/^y(es)?$/i.test(answer?.trim() ?? "")) {
    throw new CliError(
      exitCodes.error,
      "Canceled; nothing was changed.",
      "Answer y to confirm, or use --yes."
    )
  }
}
