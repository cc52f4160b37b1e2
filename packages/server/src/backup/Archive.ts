import { Data } from "effect"
import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import { once } from "node:events"
import { Readable, type Writable } from "node:stream"
import { text } from "node:stream/consumers"
import { type Entry, extract, pack } from "tar-stream"

/** The file cannot be used. The message says why. */
export class ArchiveInvalid extends Data.TaggedError("ArchiveInvalid")<{ readonly message: string }> {}

/** A file of an archive. Its size is known before its bytes. */
export interface NewPart {
  readonly name: string
  readonly size_bytes: number
  readonly content: () => AsyncIterable<Uint8Array>
}

export interface PartDigest {
  readonly name: string
  readonly size_bytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

export interface FoundPart {
  readonly name: string
  readonly size_bytes: number
  /** To be read to its end, or not at all. */
  readonly content: AsyncIterable<Uint8Array>
}

/** The last file of an archive. Without it the archive is not whole. */
export const manifestName = "manifest.json"

/** What every manifest has; `about` of `writeArchive` is beside it. */
export interface Manifest {
  readonly parts: ReadonlyArray<PartDigest>
  /** Hexadecimal: HMAC-SHA-256 over all the rest of the manifest, under the key of whoever made it. */
  readonly mac: string
  readonly [about: string]: unknown
}

/** JSON keeps the order of its fields, so what is read back is spelled as it was. */
const macOf = (key: Uint8Array, manifest: object) =>
  createHmac("sha256", key).update(JSON.stringify(manifest)).digest()

/** Whether the holder of the key made this manifest, and nobody has changed it since. */
export const isSignedWith = (key: Uint8Array, { mac, ...manifest }: Manifest): boolean =>
  typeof mac === "string" &&
  /^[0-9a-f]{64}$/.test(mac) &&
  timingSafeEqual(Buffer.from(mac, "hex"), macOf(key, manifest))

/** A manifest has about 150 bytes for each part. */
const largestManifest = 256 * 1024 * 1024

/**
 * An archive that `tar` opens: the parts as they come, and a manifest with the size and the SHA-256 of each. `about` is
 * asked for when the last part is written, and signed with the key.
 */
export const writeArchive = (
  parts: AsyncIterable<NewPart>,
  about: () => object,
  key: Uint8Array
): Readable => {
  const archive = pack()
  const mtime = new Date()
  const closed = new Promise<never>((_, reject) =>
    archive.once("close", () => reject(new Error("nobody reads the archive any more")))
  )
  closed.catch(() => {})

  const add = async ({ name, size_bytes, content }: NewPart): Promise<PartDigest> => {
    const hash = createHash("sha256")
    const entry: Writable = archive.entry({ name, size: size_bytes, mode: 0o600, mtime })
    // The archive fails with it, and says so.
    entry.on("error", () => {})
    let written = 0
    for await (const bytes of content()) {
      written += bytes.length
      if (written > size_bytes) break
      hash.update(bytes)
      if (!entry.write(bytes)) await Promise.race([once(entry, "drain"), closed])
    }
    if (written !== size_bytes)
      throw new Error(`${name} does not have the ${size_bytes} bytes that it should have`)
    entry.end()
    return { name, size_bytes, sha256: hash.digest("hex") }
  }

  const fill = async () => {
    const digests: Array<PartDigest> = []
    for await (const part of parts) digests.push(await add(part))
    const unsigned = { ...about(), parts: digests }
    const mac = macOf(key, unsigned).toString("hex")
    const manifest = Buffer.from(`${JSON.stringify({ ...unsigned, mac }, null, 1)}\n`)
    await add({ name: manifestName, size_bytes: manifest.length, content: () => chunksOf([manifest]) })
    archive.finalize()
  }
  fill().catch((error: unknown) => archive.destroy(error instanceof Error ? error : new Error(String(error))))
  return Readable.from(archive, { objectMode: false })
}

/** The files of an archive one after the other, without a check of their bytes. Ends the source. */
export async function* partsOf(source: Readable): AsyncGenerator<FoundPart> {
  const archive = extract()
  source.once("error", (error) => archive.destroy(error)).pipe(archive)
  try {
    for await (const entry of archive) {
      const { name, size = 0, type } = entry.header
      if (type === "directory") {
        entry.resume()
        continue
      }
      const plain = name.replace(/^\.\//, "")
      if (type !== "file" || !/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(plain) || plain.length > 200) {
        throw new ArchiveInvalid({
          message: `It is not a Carillon backup: it contains ${JSON.stringify(name.slice(0, 200))}.`
        })
      }
      let read = false
      const content = async function* () {
        read = true
        try {
          yield* entry as AsyncIterable<Uint8Array>
        } catch (error) {
          throw explained(error)
        }
      }
      yield { name: plain, size_bytes: size, content: content() }
      if (!read) await skipped(entry)
    }
  } catch (error) {
    throw explained(error)
  } finally {
    source.destroy()
  }
}

/** Errors of the file system stay as they are. */
const explained = (error: unknown) => {
  const { syscall, message } = error as NodeJS.ErrnoException
  if (error instanceof ArchiveInvalid || syscall !== undefined) return error
  return new ArchiveInvalid({
    message: /end of data|was destroyed/.test(message)
      ? "It is truncated."
      : `It is not a tar archive, or it is damaged: ${message}.`
  })
}

/** Reads a whole archive and compares every part with the manifest. */
export const verifyArchive = async (source: Readable): Promise<Manifest> => {
  const found = new Map<string, PartDigest>()
  let manifest: Manifest | undefined
  for await (const { name, size_bytes, content } of partsOf(source)) {
    if (name === manifestName) {
      manifest = await manifestIn(size_bytes, content)
      continue
    }
    if (found.has(name)) throw new ArchiveInvalid({ message: `It contains ${name} twice.` })
    const hash = createHash("sha256")
    for await (const bytes of content) hash.update(bytes)
    found.set(name, { name, size_bytes, sha256: hash.digest("hex") })
  }
  if (manifest === undefined)
    throw new ArchiveInvalid({ message: `It is truncated: ${manifestName} is missing.` })
  for (const { name, sha256 } of manifest.parts) {
    const part = found.get(name)
    if (part === undefined) throw new ArchiveInvalid({ message: `It is incomplete: ${name} is missing.` })
    if (part.sha256 !== sha256) {
      throw new ArchiveInvalid({
        message: `It is damaged: the bytes of ${name} do not match its checksum.`
      })
    }
    found.delete(name)
  }
  for (const name of found.keys())
    throw new ArchiveInvalid({ message: `It contains ${name}, which its manifest does not list.` })
  return manifest
}

const manifestIn = async (size: number, content: AsyncIterable<Uint8Array>): Promise<Manifest> => {
  if (size > largestManifest)
    throw new ArchiveInvalid({ message: `Its ${manifestName} has ${size} bytes, which is too many.` })
  try {
    const manifest: Manifest = JSON.parse(await text(Readable.from(content)))
    const whole =
      Array.isArray(manifest.parts) &&
      manifest.parts.every(({ name, sha256 }) => typeof name === "string" && typeof sha256 === "string")
    if (whole) return manifest
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new ArchiveInvalid({ message: `Its ${manifestName} is damaged.` })
}

/** Bytes as the content of a part. */
export async function* chunksOf(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks
}

const skipped = async (entry: Entry) => {
  for await (const _ of entry);
}
