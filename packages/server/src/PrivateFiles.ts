import { Effect, Layer } from "effect"
import { chmod, lstat, readdir } from "node:fs/promises"
import { join } from "node:path"
import { AppConfig } from "./AppConfig.ts"

/** The service's own entries in DATA_DIR. A person may keep other things beside them. */
const ours = ["database", "database.lock", "first-key", "fitted", "media", "sandbox", "secret"]

/** Directories that may hold very many files; their files were closed to others from the first release on. */
const closedEver = ["fitted", "media"]

/** Closes files that earlier releases left open to others; new files are closed when they are made. */
export const PrivateFilesLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    process.umask(0o077)
    const { dataDir } = yield* AppConfig
    const mended = Effect.tryPromise(() => Promise.all(ours.map((name) => close(dataDir, name))))
    yield* Effect.ignore(mended, { log: "Warn" })
  })
)

const close = async (parent: string, entry: string): Promise<void> => {
  const path = join(parent, entry)
  try {
    const { mode } = await lstat(path)
    const directory = (mode & 0o170000) === 0o040000
    if (!directory && (mode & 0o170000) !== 0o100000) return
    const open = (mode & 0o077) !== 0
    if (open) await chmod(path, mode & 0o700)
    if (!directory || (!open && closedEver.includes(entry))) return
    for (const name of await readdir(path)) await close(path, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error
  }
}
