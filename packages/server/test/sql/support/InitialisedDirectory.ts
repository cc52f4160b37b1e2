import { EmbeddedDatabase } from "@carillon/server/sql/Embedded"
import { Effect } from "effect"
import { cpSync } from "node:fs"
import * as TestCache from "../../../../../test/support/TestCache.ts"
import * as TestDirectory from "../../../../../test/support/TestDirectory.ts"

/** A data directory with an empty database in it, deleted when the scope closes. */
export const make = Effect.gen(function* () {
  const template = yield* TestCache.kept("directory", (dataDir) =>
    Effect.provide(Effect.void, EmbeddedDatabase.layer({ dataDir }), { local: true })
  )
  const dataDir = yield* TestDirectory.make
  cpSync(template, dataDir, { recursive: true })
  return dataDir
})
