import { textOfFile } from "@carillon/domain/plan"
import { readFile } from "node:fs/promises"
import { buffer } from "node:stream/consumers"
import { CliError, exitCodes } from "./CliError.ts"
import type { PostFlags } from "./PostOptions.ts"
import type { Terminal } from "./Terminal.ts"

/** The text of a file, or of stdin where the file is `-`. What is not UTF-8 would be published garbled. */
export const readText = async (file: string, { stdin }: Terminal): Promise<string> => {
  const from = file === "-" ? "stdin" : file
  const bytes = file === "-" ? await buffer(stdin) : await readFile(file)
  return textOfFile(bytes, from)
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
