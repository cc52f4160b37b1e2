import { migrations } from "@carillon/server/sql/Migrations"
import { layerWith } from "@carillon/server/sql/Sql"
import { assert, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { runToEnd, startService } from "@carillon/testing/ServiceProcess"
import * as TestDirectory from "@carillon/testing/TestDirectory"
import { freshPostgresUrl, kind } from "@carillon/testing/TestSql"

const repository = join(import.meta.dirname, "../..")
const [last, ...before] = Object.entries(migrations).toReversed()
const lastName = last![0]

it.live("an upgrade is shown before it runs, logged when it runs, and a newer database is refused", () =>
  Effect.gen(function* () {
    const dataDir = yield* TestDirectory.make
    const url = kind === "postgres" ? Option.some(yield* freshPostgresUrl()) : Option.none()
    const database: Record<string, string> = Option.match(url, {
      onNone: () => ({}),
      onSome: (value) => ({
        DATABASE_URL: Redacted.value(value),
        CARILLON_SECRET: "0123456789abcdef0123456789abcdef"
      })
    })
    const env = { PATH: process.env["PATH"] ?? "", HOME: dataDir, DATA_DIR: dataDir, ...database }
    const migrate = (...args: Array<string>) => {
      const { status, stdout, stderr } = spawnSync("npm", ["run", "-s", "migrate", "--", ...args], {
        cwd: repository,
        env,
        encoding: "utf8"
      })
      return { status, stdout, stderr }
    }
    const inDatabase = <A, E>(
      record: Record<string, (typeof migrations)[keyof typeof migrations]>,
      effect: Effect.Effect<A, E, SqlClient.SqlClient>
    ) => Effect.provide(effect, layerWith({ dataDir, databaseUrl: url }, record), { local: true })

    if (kind === "embedded") {
      const none = migrate("--dry-run")
      assert.strictEqual(none.status, 0, none.stderr)
      assert.match(
        none.stdout,
        /^There is no database in \S+ yet; the first start creates it\. Nothing was done\.\n$/
      )
    }
    yield* inDatabase(Object.fromEntries(before.toReversed()), Effect.void)

    for (let look = 0; look < 2; look++) {
      const shown = migrate("--dry-run")
      assert.strictEqual(shown.status, 0, shown.stderr)
      assert.match(
        shown.stdout,
        new RegExp(
          `last migration is ${before[0]![0]}\\. 1 migration would run; nothing was changed\\.\n {2}${lastName} \\w`
        )
      )
    }
    const service = yield* startService({ dataDir, database })
    assert.include(service.output(), `migration ${lastName} `)
    if (kind === "embedded") assert.match(migrate("--dry-run").stderr, /in use by another Carillon process/)
    assert.strictEqual(yield* service.terminate, 0)
    assert.match(migrate().stdout, /^The database was up to date; nothing was done\.\n$/)

    yield* inDatabase(
      {},
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`insert into migrations (migration_id, name) values (9999, 'future')`
      })
    )
    const newer = new RegExp(
      `its last migration is 9999_future, .* is ${lastName}\\. Start the newer version again, or restore`
    )
    const refused = yield* runToEnd({ DATA_DIR: dataDir, ...database })
    assert.strictEqual(refused.code, 1)
    assert.match(refused.output, newer)
    assert.notMatch(refused.output, /\n +at /)
    const looked = migrate("--dry-run")
    assert.strictEqual(looked.status, 1)
    assert.match(looked.stderr, newer)
    assert.match(migrate("--dry").stderr, /Unknown option '--dry'.*npm run migrate \[-- --dry-run\]/s)
  })
)
