import { createInterface } from "node:readline/promises"
import { Writable } from "node:stream"
import { text } from "node:stream/consumers"
import { CliError, exitCodes } from "./CliError.ts"
import type { Terminal } from "./Terminal.ts"

/**
 * Reads a secret from the environment variable, else from a prompt on a terminal, else from stdin. It is never an
 * argument: other users and the shell's history would see it.
 */
export const readSecret = async (terminal: Terminal, name: string, variable?: string): Promise<string> => {
  const given = variable === undefined ? undefined : terminal.env[variable]
  const secret = given ?? (terminal.stdin.isTTY ? await ask(terminal, name) : await text(terminal.stdin))
  const trimmed = secret.replace(/\r?\n$/, "")
  if (trimmed === "") {
    throw new CliError(
      exitCodes.usage,
      `The ${name} is empty.`,
      `Enter it at the prompt${variable === undefined ? "" : `, set ${variable}`}, or pipe it to stdin.`
    )
  }
  return trimmed
}

const ask = async (terminal: Terminal, name: string): Promise<string> => {
  // The interface would echo what is typed; this stream drops it.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const prompt = createInterface({ input: terminal.stdin, output, terminal: true })
  // Only now, when the terminal itself no longer echoes.
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
