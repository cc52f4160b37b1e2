import { PGlite } from "@electric-sql/pglite"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { brotliCompress, brotliDecompress, constants } from "node:zlib"

const path = join(import.meta.dirname, "empty-database.tar.br")

/** A database as initdb makes it, as an archive that PGlite loads: initdb inside PGlite takes five seconds. */
export const readEmptyDatabase = async () =>
  // PGlite 0.5.16 hangs on an archive that is compressed.
  new Blob([Uint8Array.from(await promisify(brotliDecompress)(await readFile(path)))])

// `node packages/server/src/sql/EmptyDatabase.ts` writes the archive again, as each new version of PGlite needs it.
if (import.meta.main) {
  const pglite = await PGlite.create()
  const archive = await pglite.dumpDataDir("none")
  await pglite.close()
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS }
  await writeFile(path, await promisify(brotliCompress)(await archive.arrayBuffer(), { params }))
}
