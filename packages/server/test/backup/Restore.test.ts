import { AppConfig } from "@carillon/server/AppConfig"
import { chunksOf, type NewPart, writeArchive } from "@carillon/server/backup/Archive"
import { backupFormat, backupKeyPurpose, secretCheck } from "@carillon/server/backup/BackupManifest"
import { restore, RestoreRefused } from "@carillon/server/backup/Restore"
import { sealSecret } from "@carillon/server/backup/SealedSecret"
import { derive } from "@carillon/server/crypto/Secrets"
import { migrations } from "@carillon/server/sql/Migrations"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import * as DatabaseClock from "@carillon/server/sql/DatabaseClock"
import * as TestDirectory from "@carillon/testing/TestDirectory"
import * as TestSql from "@carillon/testing/TestSql"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Redacted, References } from "effect"
import { SqlClient } from "effect/sql"
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { gzipSync } from "node:zlib"

const ours = "the secret of the instance that is lost"
const theirs = "the secret of somebody with a writable bucket"
const passphrase = "four bells in the north tower"

const tables = [{ name: "workspaces", columns: ["id", "name", "created_at"], rows: 1, sequences: {} }]
const row =
  '{"id":"0191f0a0-0000-7000-8000-000000000001","name":"North","created_at":"2030-01-01T00:00:00Z"}\n'

interface Made {
  /** Of the instance that makes it. */
  readonly secret?: string
  /** Under which it is sealed; null: the secret is not in it. */
  readonly words?: string | null
  readonly about?: object
  readonly rows?: Buffer
}

/** A backup of one workspace, written to the directory. */
const archive = (
  directory: string,
  { about = {}, rows = Buffer.from(row), secret = ours, words = passphrase }: Made
) =>
  Effect.promise(async () => {
    const sealed = words === null ? null : await sealSecret(Redacted.make(secret), Redacted.make(words))
    const part = (name: string, bytes: Buffer): NewPart => ({
      name,
      size_bytes: bytes.length,
      content: () => chunksOf([bytes])
    })
    const parts = async function* () {
      yield part("tables/workspaces.jsonl.gz", gzipSync(rows))
      if (sealed !== null) yield part("secret.json", Buffer.from(JSON.stringify(sealed)))
    }
    const manifest = {
      kind: "carillon backup",
      format: backupFormat,
      made_at: "2030-01-01T00:00:00.000Z",
      database: "embedded",
      migrations: Object.keys(migrations).map((key) => ({
        migration_id: Number(key.slice(0, 4)),
        name: key.slice(5)
      })),
      tables,
      media: { included: false, left_out: [] },
      secret: {
        included: sealed !== null,
        check: secretCheck({ key: (purpose) => derive(ours, purpose) })
      },
      ...about
    }
    const path = join(directory, "backup.tar")
    writeFileSync(path, await buffer(writeArchive(parts(), () => manifest, derive(secret, backupKeyPurpose))))
    return path
  })

/** What comes of it in an empty instance, which has this secret or none. */
const restored = Effect.fnUntraced(function* (made: Made, secret?: string, withoutSecret = false) {
  const directory = yield* TestDirectory.make
  const dataDir = join(directory, "data")
  const passphraseFile = join(directory, "passphrase")
  writeFileSync(passphraseFile, passphrase)
  const file = yield* archive(directory, made)
  const config = ConfigProvider.fromUnknown({
    DATA_DIR: dataDir,
    ...(secret === undefined ? {} : { CARILLON_SECRET: secret })
  })
  const said = yield* restore({ file, passphraseFile, withoutSecret }).pipe(
    Effect.map((done): string => done.secret),
    Effect.catchIf(
      (failure) => failure instanceof RestoreRefused,
      ({ message }) => Effect.succeed(message)
    ),
    Effect.orDie,
    Effect.provide(AppConfig.layer.pipe(Layer.provide(ConfigProvider.layer(config))), { local: true })
  )
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`select tablename from pg_tables
    where schemaname = current_schema() and tablename <> 'migrations'`
  return { said, tables: found.length, files: existsSync(dataDir) ? readdirSync(dataDir) : [] }
}, Effect.scoped)

/** As it was before. */
const emptied = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.andThen(sql`drop schema public cascade`, sql`create schema public`)
)

const named = (name: string, more: object = {}) => ({
  about: { tables: [...tables, { name, columns: ["id"], rows: 0, sequences: {}, ...more }] }
})

const notOurs = /was changed after it was made, or somebody else made it/
const notWritten = /its manifest is not one that this release writes/

const refused: ReadonlyArray<readonly [string, Made, RegExp, string?]> = [
  ["of a stranger who knows the passphrase, where the secret is", { secret: theirs }, notOurs, ours],
  [
    "of a stranger with a passphrase of their own",
    { secret: theirs, words: "of a stranger" },
    /is not the passphrase of this backup/
  ],
  [
    "without its secret",
    { secret: theirs, words: null },
    /nobody can tell whether it was changed.*--without-secret/
  ],
  ["without its secret, where there is another", { words: null }, /nobody can tell whether/, theirs],
  ["with changed rows, where the secret is", { secret: theirs, words: null }, notOurs, ours],
  [
    "in another format",
    { about: { format: 3 } },
    /format 3, this one reads 2\)\. Restore it with that release/
  ],
  [
    "from before 0.1.0",
    { about: { migrations: [{ migration_id: 1, name: "first" }] } },
    /by a Carillon before 0\.1\.0\. .*`carillon export`.*`carillon import` \(docs\/upgrading\.md#from-before-010\)/
  ],
  ["with a table of PostgreSQL's own", named("pg_authid"), notWritten],
  ["with a table that is a statement", named('posts"; drop table posts'), notWritten],
  ["with a table of another schema", named("pg_catalog.pg_authid"), notWritten],
  ["with a sequence that is a statement", named("targets", { sequences: { id: "1); drop" } }), notWritten],
  [
    "with a table that there was not",
    named("schemata"),
    /its manifest names schemata, which no release of Carillon had then/
  ],
  ["with the table of migrations", named("migrations"), /its manifest names migrations, /],
  [
    "with a column that there was not",
    named("posts", { columns: ["xmin"] }),
    /its manifest names posts\.xmin, /
  ],
  [
    "with an endless row",
    { rows: Buffer.alloc(70 * 1024 * 1024, "x") },
    /a row has more than 67108864 characters/
  ]
]

const Below = DatabaseClock.layer.pipe(
  Layer.provideMerge(Wakeup.layer),
  Layer.provideMerge(TestSql.layerWith({})),
  Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "None"))
)

layer(Below, { excludeTestServices: true, timeout: "180 seconds" })("a backup", (it) => {
  it.effect.each(refused)("%s is refused, and nothing is written", ([, made, sentence, secret]) =>
    Effect.gen(function* () {
      const { said, tables, files } = yield* restored(made, secret)
      assert.match(said, sentence)
      assert.strictEqual(tables, 0)
      // Only the schema tells some names from others; the secret is there by then.
      if (!/names|a row/.test(said)) assert.notInclude(files, "secret")
    })
  )

  it.effect("is restored with its passphrase, with its secret, and unchecked where that is asked for", () =>
    Effect.gen(function* () {
      const opened = yield* restored({})
      assert.strictEqual(opened.said, "opened")
      assert.isAbove(opened.tables, 20)
      assert.include(opened.files, "secret")
      yield* emptied
      assert.strictEqual((yield* restored({ words: null }, ours)).said, "same")
      yield* emptied
      assert.strictEqual((yield* restored({ secret: theirs, words: null }, undefined, true)).said, "lost")
    })
  )
})
