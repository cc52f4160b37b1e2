import { Effect, Layer } from "effect"
import { mkdir, rm, stat, writeFile } from "node:fs/promises"
import { userInfo } from "node:os"
import { dirname, join } from "node:path"
import { AppConfig } from "./AppConfig.ts"
import { ConfigInvalid } from "./ConfigValues.ts"

/** Makes DATA_DIR, and refuses one in which nothing can be stored. */
export const tryOutDirectory = (dataDir: string) =>
  Effect.tryPromise({
    try: () => tryOut(dataDir),
    catch: (error) =>
      new ConfigInvalid({ message: `DATA_DIR is ${JSON.stringify(dataDir)}, ${why(dataDir, error)}` })
  })

/** Before anything else is opened. */
export const DataDirectoryLayer = Layer.effectDiscard(
  Effect.flatMap(AppConfig, ({ dataDir }) => tryOutDirectory(dataDir))
)

/** Root passes every check of permissions, and a disk may be full or read-only: only a write tells. */
const tryOut = async (dataDir: string) => {
  await makeDirectory(dataDir)
  const file = join(dataDir, `writable.${process.pid}`)
  try {
    await writeFile(file, "\n".repeat(4096), { mode: 0o600 })
  } finally {
    await rm(file, { force: true })
  }
}

/** Node's own way to make the parents too never ends in a file system that takes none, such as /proc. */
const makeDirectory = async (path: string): Promise<void> => {
  try {
    if (!(await stat(path)).isDirectory()) throw Object.assign(new Error(), { code: "ENOTDIR" })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || dirname(path) === path) throw error
    await makeDirectory(dirname(path))
    await mkdir(path, { mode: 0o700 }).catch((failure: NodeJS.ErrnoException) => {
      // Another process was faster.
      if (failure.code !== "EEXIST") throw failure
    })
  }
}

const why = (dataDir: string, error: unknown) => {
  const { code = "", message, path = dataDir } = error as NodeJS.ErrnoException
  switch (code) {
    case "ENOTDIR":
      return "which is a file, or has a file in its path; it must be a directory. Move the file away, or choose another directory."
    case "EROFS":
      return "which is on a read-only disk. Mount it writable, or choose another directory."
    case "ENOSPC":
    case "EDQUOT":
      return "whose disk is full. Free at least 32 MiB on it, or choose another directory."
    case "EACCES":
    case "EPERM": {
      const { username, uid } = userInfo()
      return `where the user ${username} (${uid}) cannot write. Make this user the owner: chown -R ${uid} ${dirname(path) === dataDir ? dataDir : path}`
    }
    default:
      return `which cannot be used: ${message}. Choose a directory on a local disk that this user can write to.`
  }
}
