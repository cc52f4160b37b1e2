import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { AppConfig } from "./AppConfig.ts"

const fileIn = (dataDir: string) => join(dataDir, "address")

/** Keeps the address in DATA_DIR, for a command that does not have the environment of the service. */
export const keepAddress = Effect.gen(function* () {
  const { dataDir, publicUrl } = yield* AppConfig
  const kept = Effect.tryPromise(() => writeFile(fileIn(dataDir), `${publicUrl}\n`, { mode: 0o600 }))
  yield* Effect.ignore(kept, { log: "Warn" })
})

/** The address that the service was last started with. */
export const addressKeptIn = (dataDir: string): string | undefined => {
  try {
    return readFileSync(fileIn(dataDir), "utf8").trim()
  } catch {
    return undefined
  }
}
