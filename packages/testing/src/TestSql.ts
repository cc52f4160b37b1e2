import { EmbeddedDatabase } from "@carillon/server/sql/Embedded"
import { readEmptyDatabase } from "@carillon/server/sql/EmptyDatabase"
import { type Migrations, migrations } from "@carillon/server/sql/Migrations"
import * as Postgres from "@carillon/server/sql/Postgres"
import { Database, migrate } from "@carillon/server/sql/Sql"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { openAsBlob } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as TestCache from "./TestCache.ts"

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
      Layer.suspend(() =>
        kind === "embedded" ? embedded(Effect.flatMap(empty, EmbeddedDatabase.inMemory)) : postgres
      )
    ),
    Layer.provideMerge(thisDatabase)
  )

/** The same with the real migrations. */
export const layer = Layer.suspend(() =>
  kind === "embedded" ? Layer.merge(embedded(migratedServer), thisDatabase) : layerWith(migrations)
)

const thisDatabase = Layer.succeed(Database, { kind, full: Effect.succeed(false), stopped: Effect.never })

const empty = Effect.promise(readEmptyDatabase)

/** In a directory, which nobody replaces while it is read, as they might a file. */
const migrated = Effect.gen(function* () {
  const directory = yield* TestCache.kept("dump", (path) =>
    Effect.flatMap(EmbeddedDatabase.dump(migrate(migrations)), (dump) =>
      Effect.promise(async () => {
        await mkdir(path)
        await writeFile(join(path, "migrated.tar"), dump.stream())
      })
    )
  )
  return yield* Effect.promise(() => openAsBlob(join(directory, "migrated.tar")))
})

type Server = ReturnType<typeof EmbeddedDatabase.inMemory>

const embedded = (server: Server) => EmbeddedDatabase.layerMemory(server).pipe(Layer.orDie)

const ofWorker = Scope.makeUnsafe()
const idle: Array<Effect.Success<Server>> = []

/** What tells a schema from the migrated one. */
const schema = `select (select count(*) from pg_class) as relations,
  (select max(xmin::text::bigint) from pg_attribute) as columns,
  (select max(xmin::text::bigint) from pg_constraint) as constraints,
  (select max(xmin::text::bigint) from pg_trigger) as triggers,
  (select max(xmin::text::bigint) from pg_proc) as functions`

const emptyTables = `do $$
  declare name text; filled boolean;
  begin
    for name in select relname from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'migrations'
    loop
      execute format('select exists (select from %I)', name) into filled;
      if filled then execute format('truncate %I cascade', name); end if;
    end loop;
    for name in select sequencename from pg_sequences where last_value is not null loop
      execute format('alter sequence %I restart', name);
    end loop;
  end $$`

let migratedSchema = ""

/** With the real migrations. A worker keeps those that are not in use, emptied: loading one costs six times as much. */
const migratedServer: Server = Effect.acquireRelease(
  Effect.gen(function* () {
    const kept = idle.pop()
    if (kept !== undefined) return kept
    const server = yield* Effect.flatMap(migrated, EmbeddedDatabase.inMemory).pipe(
      Scope.provide(ofWorker),
      Effect.orDie
    )
    migratedSchema = yield* Effect.promise(() => schemaOf(server))
    return server
  }),
  (server) =>
    Effect.promise(async () => {
      await server.exec("rollback")
      if ((await schemaOf(server)) !== migratedSchema) return server.close()
      await server.exec(emptyTables)
      idle.push(server)
    })
)

const schemaOf = async (server: Effect.Success<Server>) => JSON.stringify((await server.query(schema)).rows)

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
