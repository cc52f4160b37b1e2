import { EmbeddedDatabase } from "@carillon/server/sql/Embedded"
import { Effect } from "effect"
import { cpSync } from "node:fs"
import * as TestCache from "@carillon/testing/TestCache"
import * as TestDirectory from "@carillon/testing/TestDirectory"

/** A data directory with an empty database in it, deleted when the scope closes. */
export const make = Effect.gen(function* () {
  const template = yield* TestCache.kept("directory", (dataDir) =>
    Effect.provide(Effect.void, EmbeddedDatabase.layer({ dataDir }), { local: true })
  )
  const dataDir = yield* TestDirectory.make
  cpSync(template, dataDir, { recursive: true })
  return dataDir
})
