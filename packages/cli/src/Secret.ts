import { createInterface } from "node:readline/promises"
import { Writable } from "node:stream"
import { text } from "node:stream/consumers"
import { CliError, exitCodes } from "./CliError.ts"
import type { Terminal } from "./Session.ts"

/**
 * A password, never from the arguments, where other users and the shell's history would see it: from the
 * environment variable `CARILLON_ACCOUNT_PASSWORD`, else asked for on a terminal, else read from stdin.
 */
export const readSecret = async (terminal: Terminal, name: string): Promise<string> => {
  const given = terminal.env["CARILLON_ACCOUNT_PASSWORD"]
  const secret = given ?? (terminal.stdin.isTTY ? await ask(terminal, name) : await text(terminal.stdin))
  const trimmed = secret.replace(/\r?\n$/, "")
  if (trimmed === "") {
    throw new CliError(
      exitCodes.usage,
      `The ${name} is empty.`,
      "Type it when asked, pipe it into the command, or set CARILLON_ACCOUNT_PASSWORD."
    )
  }
  return trimmed
}

const ask = async (terminal: Terminal, name: string): Promise<string> => {
  terminal.stderr.write(`${name}: `)
  // The interface would show what is typed; it gets nowhere to show it.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const prompt = createInterface({ input: terminal.stdin, output, terminal: true })
  const aborted = new AbortController()
  prompt.once("SIGINT", () => aborted.abort())
  try {
    return await prompt.question("", { signal: aborted.signal })
  } finally {
    prompt.close()
    terminal.stderr.write("\n")
  }
}
