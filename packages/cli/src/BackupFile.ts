import { createHash } from "node:crypto"
import { createReadStream, createWriteStream } from "node:fs"
import { rename, rm, stat } from "node:fs/promises"
import { text } from "node:stream/consumers"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { extract } from "tar-stream"
import { CliError, exitCodes } from "./CliError.ts"

/** What a whole backup says of itself. */
interface BackupManifest {
  readonly made_at: string
  readonly tables: ReadonlyArray<{ readonly name: string; readonly rows: number }>
  readonly media: {
    readonly included: boolean
    readonly left_out: ReadonlyArray<{ readonly id: string; readonly reason: string }>
  }
  readonly secret: { readonly included: boolean }
  readonly parts: ReadonlyArray<{ readonly name: string; readonly sha256: string }>
}

/** Saves a backup under another name, and gives it its own when it is whole and on the disk. */
export const save = async (bytes: ReadableStream<Uint8Array>, file: string) => {
  const unfinished = `${file}.unfinished`
  try {
    await pipeline(
      Readable.fromWeb(bytes as Parameters<typeof Readable.fromWeb>[0]),
      createWriteStream(unfinished, { mode: 0o600, flush: true })
    ).catch((error: NodeJS.ErrnoException) => {
      throw error.syscall === undefined || error.code === "ECONNRESET"
        ? broken(error.message)
        : new CliError(exitCodes.error, `Cannot save the backup: ${error.message}.`)
    })
    const manifest = await verifyBackup(unfinished)
    const { size } = await stat(unfinished)
    await rename(unfinished, file)
    return { manifest, size_bytes: size }
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** Reads a backup from the disk and compares each part with its manifest. */
const verifyBackup = async (path: string): Promise<BackupManifest> => {
  const archive = extract()
  createReadStream(path)
    .once("error", (error) => archive.destroy(error))
    .pipe(archive)
  const found = new Map<string, string>()
  let manifest: BackupManifest | undefined
  try {
    for await (const entry of archive) {
      const { name } = entry.header
      if (name === "manifest.json") {
        manifest = JSON.parse(await text(Readable.from(entry)))
        continue
      }
      const hash = createHash("sha256")
      for await (const bytes of entry as AsyncIterable<Uint8Array>) hash.update(bytes)
      found.set(name, hash.digest("hex"))
    }
  } catch (error) {
    throw broken((error as Error).message)
  }
  if (manifest === undefined) throw broken("it was cut off")
  const bad = manifest.parts.find(({ name, sha256 }) => found.get(name) !== sha256)
  if (bad !== undefined) throw broken(`the checksum of ${bad.name} does not match`)
  return manifest
}

const broken = (why: string) =>
  new CliError(
    exitCodes.error,
    `The backup is incomplete or damaged: ${why}.`,
    "Nothing was saved. Check the service's log and run the command again."
  )
