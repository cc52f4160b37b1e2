import { printable } from "@carillon/domain/OneLine"
import type { Terminal } from "./Terminal.ts"

/** Whether a person can be asked. */
export const canAsk = ({ stderr, stdin }: Terminal): boolean => stdin.isTTY && stderr.isTTY

/** A person's line; undefined: they pressed Ctrl-C, or the input has ended. */
export const prompt = async ({ stderr, stdin }: Terminal, question: string): Promise<string | undefined> => {
  const { createInterface } = await import("node:readline/promises")
  const lines = createInterface({ input: stdin, output: stderr })
  const given = new AbortController()
  lines.once("SIGINT", () => given.abort())
  lines.once("close", () => given.abort())
  const answer = await lines
    .question(`${printable(question)} `, { signal: given.signal })
    .catch(() => undefined)
  lines.close()
  return answer
}
