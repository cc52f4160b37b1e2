import { createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { extract } from "tar-stream"
import { CliError, exitCodes } from "./CliError.ts"

const known = /^[\w-]+\/(media\/[\w-]+|workspace\.json|(?:accounts|posts|media)\.jsonl)$/

/** Unpacks an export that a browser has saved into a folder beside it, which it answers. */
export const unpackExport = async (file: string): Promise<string> => {
  const directory = file.replace(/\.tar$/, "")
  if (directory === file) {
    throw new CliError(
      exitCodes.usage,
      `${file} is not an export: it is neither a folder nor a .tar file.`,
      "Create one with: carillon export <folder>"
    )
  }
  if (existsSync(directory)) {
    throw new CliError(
      exitCodes.usage,
      `${directory} exists already, so ${file} is not unpacked.`,
      `If it has this export, use it: carillon import ${directory}`
    )
  }
  const unfinished = `${directory}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(join(unfinished, "media"), { recursive: true, mode: 0o700 })
  const archive = extract()
  createReadStream(file)
    .once("error", (error) => archive.destroy(error))
    .pipe(archive)
  try {
    for await (const entry of archive) {
      const { name, type } = entry.header
      const [, path] = known.exec(name) ?? []
      if (path === undefined || type !== "file") throw new Error(`it contains ${JSON.stringify(name)}`)
      await pipeline(entry, createWriteStream(join(unfinished, path), { mode: 0o600, flags: "wx" }))
    }
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw new CliError(
      exitCodes.error,
      `Cannot unpack ${file}: ${(error as Error).message}.`,
      "Export the workspace again."
    )
  }
  renameSync(unfinished, directory)
  return directory
}
