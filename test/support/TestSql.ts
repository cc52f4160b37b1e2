import { EmbeddedDatabase } from "@carillon/server/sql/Embedded"
import { type Migrations, migrations } from "@carillon/server/sql/Migrations"
import * as Postgres from "@carillon/server/sql/Postgres"
import { Database, migrate } from "@carillon/server/sql/Sql"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")

const testDatabaseUrl = process.env.TEST_DATABASE_URL ?? ""

/** Which database the tests run on: for choosing a list of tests, never for a branch inside of one. */
export const kind = testDatabaseUrl === "" ? "embedded" : "postgres"

/**
 * A database of its own with the given migrations done, gone when the layer closes: PGlite in memory, or a database
 * made on the server of TEST_DATABASE_URL.
 */
export const layerWith = (record: Migrations) =>
  Layer.effectDiscard(migrate(record)).pipe(
    Layer.provideMerge(
      Layer.merge(
        Layer.suspend(() => (kind === "embedded" ? embedded : postgres)),
        Layer.succeed(Database, { kind, stopped: Effect.never })
      )
    )
  )

/** The same with the real migrations. */
export const layer = layerWith(migrations)

/** An initialised database, kept between runs: making one takes seconds, loading it takes a fraction of one. */
const template = Effect.gen(function* () {
  const installed = join(root, "packages/server/node_modules/@electric-sql/pglite/package.json")
  const { version } = JSON.parse(yield* Effect.promise(() => readFile(installed, "utf8")))
  const path = join(root, `node_modules/.cache/carillon/pglite-${version}.tar`)
  const kept = yield* Effect.promise(() => readFile(path).catch(() => undefined))
  if (kept !== undefined) return new Blob([kept])

  const made = yield* EmbeddedDatabase.dumpEmpty
  yield* Effect.promise(async () => {
    await mkdir(join(path, ".."), { recursive: true })
    // Test files run at once and each may be the first.
    const unfinished = `${path}.${process.pid}`
    await writeFile(unfinished, made.stream())
    await rename(unfinished, path)
  })
  return made
})

const embedded = Layer.unwrap(Effect.map(template, EmbeddedDatabase.layerMemory)).pipe(Layer.orDie)

const administrate = (statement: string) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    yield* sql.unsafe(statement)
  }).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(testDatabaseUrl) }), { local: true }),
    Effect.orDie
  )

/** The URL of a new database on the server of TEST_DATABASE_URL, dropped when the scope closes. */
export const freshPostgresUrl = Effect.fn("TestSql.freshPostgresUrl")(function* (
  encoding = "ENCODING 'UTF8'"
) {
  const name = `carillon_test_${SecureRandom.uuidV4Unsafe().replaceAll("-", "")}`
  yield* Effect.acquireRelease(administrate(`CREATE DATABASE ${name} TEMPLATE template0 ${encoding}`), () =>
    administrate(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  )
  const url = new URL(testDatabaseUrl)
  url.pathname = name
  // The test clock may be moved by hours while a connection is being opened.
  url.searchParams.set("connect_timeout", "0")
  return Redacted.make(url.href)
})

const postgres = Layer.unwrap(
  Effect.map(freshPostgresUrl(), (databaseUrl) => Postgres.layer({ databaseUrl }))
).pipe(Layer.orDie)
