import { EmbeddedDatabase } from "@carillon/server/sql/Embedded"
import { Effect } from "effect"
import { cpSync, rmSync } from "node:fs"
import { join } from "node:path"
import * as TestDirectory from "../../../../../test/support/TestDirectory.ts"

/** Made once per test file, because it takes seconds. */
const template = Effect.runSync(
  Effect.cached(
    Effect.gen(function* () {
      const cache = join(import.meta.dirname, "../../../../../node_modules/.cache/carillon")
      const dataDir = join(cache, `initialised-${process.pid}`)
      rmSync(dataDir, { recursive: true, force: true })
      yield* Effect.provide(Effect.void, EmbeddedDatabase.layer({ dataDir }), { local: true })
      process.once("exit", () => rmSync(dataDir, { recursive: true, force: true }))
      return dataDir
    })
  )
)

/** A data directory with an empty database in it, deleted when the scope closes. */
export const make = Effect.gen(function* () {
  const dataDir = yield* TestDirectory.make
  cpSync(yield* template, dataDir, { recursive: true })
  return dataDir
})
