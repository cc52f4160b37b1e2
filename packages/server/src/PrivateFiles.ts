import { Effect, Layer } from "effect"
import { chmod, lstat, readdir } from "node:fs/promises"
import { join } from "node:path"
import { AppConfig } from "./AppConfig.ts"

/** What the service keeps in DATA_DIR. A person may keep other things beside it. */
const ours = ["database", "database.lock", "fitted", "media", "sandbox", "secret"]

/** They may hold very many files, and have been closed with all in them as long as they exist. */
const closedEver = ["fitted", "media"]

/** What releases before left open to others is closed; what is written from now on is so from the beginning. */
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
