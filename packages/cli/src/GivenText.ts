import { readFile } from "node:fs/promises"
import { buffer } from "node:stream/consumers"
import { CliError, exitCodes } from "./CliError.ts"
import type { PostFlags } from "./PostOptions.ts"
import type { Terminal } from "./Terminal.ts"

/** The text of a file, or of stdin where the file is `-`. What is not UTF-8 would be published garbled. */
export const readText = async (file: string, { stdin }: Terminal): Promise<string> => {
  const from = file === "-" ? "stdin" : file
  const bytes = file === "-" ? await buffer(stdin) : await readFile(file)
  let start = 0
  for (let line = 1; start < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, start)
    const next = end === -1 ? bytes.length : end + 1
    if (!isText(bytes.subarray(start, next))) {
      throw new CliError(
        exitCodes.usage,
        `Line ${line} of ${from} is not text in UTF-8.`,
        "Save it as UTF-8 and run the command again. Nothing was posted."
      )
    }
    start = next
  }
  return new TextDecoder().decode(bytes)
}

/** UTF-16 of plain letters is valid UTF-8 too, with a NUL beside each. */
const isText = (bytes: Uint8Array) => {
  try {
    return !new TextDecoder("utf-8", { fatal: true }).decode(bytes).includes("\0")
  } catch {
    return false
  }
}

/**
 * The text of a post: the argument, or stdin where that is `-`. Without an argument, piped text is the text of a post that
 * would have neither text nor media; otherwise, a loop that reads lines from stdin would lose them.
 */
export const captionOf = async (
  given: string | undefined,
  terminal: Terminal,
  { media }: PostFlags = { media: [] }
): Promise<string | undefined> => {
  const piped = given === undefined && media === undefined && !terminal.stdin.isTTY
  if (given !== "-" && !piped) return given
  const text = (await readText("-", terminal)).replace(/[\r\n]+$/, "")
  if (text !== "" || piped) return text === "" ? undefined : text
  throw new CliError(exitCodes.usage, "stdin is empty, so the post has no text.")
}
