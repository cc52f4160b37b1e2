import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { open, rename, rm } from "node:fs/promises"
import { join } from "node:path"

/** Where the first key waits for the operator when no terminal shows it: logs are kept, and read by others. */
export const firstKeyFile = (dataDir: string) => join(dataDir, "first-key")

/** Whole or not at all, and for its owner alone. */
export const writeFirstKey = (dataDir: string, key: string) =>
  Effect.promise(async () => {
    const unfinished = `${firstKeyFile(dataDir)}.unfinished`
    await rm(unfinished, { force: true })
    const file = await open(unfinished, "wx", 0o600)
    try {
      await file.writeFile(`${key}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, firstKeyFile(dataDir))
  })

/** The id of the key in the file; none: there is no file. */
export const firstKeyId = (dataDir: string): string | undefined => {
  try {
    return readFileSync(firstKeyFile(dataDir), "utf8").split("_")[1] ?? ""
  } catch {
    return undefined
  }
}

export const removeFirstKey = (dataDir: string) =>
  Effect.ignore(
    Effect.tryPromise(() => rm(firstKeyFile(dataDir), { force: true })),
    { log: "Warn" }
  )
