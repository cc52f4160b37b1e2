import { createInterface } from "node:readline/promises"
import { Writable } from "node:stream"
import { text } from "node:stream/consumers"
import { CliError, exitCodes } from "./CliError.ts"
import type { Terminal } from "./Terminal.ts"

/**
 * A secret, never from the arguments, where other users and the shell's history would see it: from the
 * environment variable, else asked for on a terminal, else read from stdin.
 */
export const readSecret = async (terminal: Terminal, name: string, variable?: string): Promise<string> => {
  const given = variable === undefined ? undefined : terminal.env[variable]
  const secret = given ?? (terminal.stdin.isTTY ? await ask(terminal, name) : await text(terminal.stdin))
  const trimmed = secret.replace(/\r?\n$/, "")
  if (trimmed === "") {
    throw new CliError(
      exitCodes.usage,
      `The ${name} is empty.`,
      `Type it when asked${variable === undefined ? "" : `, set ${variable}`}, or pipe it into the command.`
    )
  }
  return trimmed
}

const ask = async (terminal: Terminal, name: string): Promise<string> => {
  // The interface would show what is typed; it gets nowhere to show it.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const prompt = createInterface({ input: terminal.stdin, output, terminal: true })
  // Only now, when the terminal has stopped to show what is typed by itself.
  terminal.stderr.write(`${name}: `)
  const aborted = new AbortController()
  prompt.once("SIGINT", () => aborted.abort())
  try {
    return await prompt.question("", { signal: aborted.signal })
  } finally {
    prompt.close()
    terminal.stderr.write("\n")
  }
}
