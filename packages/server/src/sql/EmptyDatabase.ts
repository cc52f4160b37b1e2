import { PGlite } from "@electric-sql/pglite"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { brotliCompress, brotliDecompress, constants } from "node:zlib"
import { extract } from "tar-stream"

const path = join(import.meta.dirname, "empty-database.tar.br")

const unpacked = async () => promisify(brotliDecompress)(await readFile(path))

/** A database as initdb makes it, as an archive that PGlite loads: initdb inside PGlite takes five seconds. */
export const readEmptyDatabase = async () =>
  // PGlite 0.5.16 hangs on an archive that is compressed.
  new Blob([Uint8Array.from(await unpacked())])

/** The same as files: to have PGlite write them takes a second more. */
export const writeEmptyDatabase = async (directory: string) => {
  const archive = extract()
  archive.end(await unpacked())
  for await (const entry of archive) {
    const { name, type } = entry.header
    const to = join(directory, name)
    if (type !== "directory") await writeFile(to, entry, { mode: 0o600 })
    else {
      await mkdir(to, { mode: 0o700 })
      entry.resume()
    }
  }
}

// `node packages/server/src/sql/EmptyDatabase.ts` writes the archive again, as each new version of PGlite needs it.
if (import.meta.main) {
  const pglite = await PGlite.create()
  const archive = await pglite.dumpDataDir("none")
  await pglite.close()
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS }
  await writeFile(path, await promisify(brotliCompress)(await archive.arrayBuffer(), { params }))
}
