import { SandboxProcess } from "@carillon/sandbox/testing"
import { verifyArchive } from "@carillon/server/backup/Archive"
import { BackupManifest } from "@carillon/server/backup/BackupManifest"
import { migrations } from "@carillon/server/sql/Migrations"
import { layerWith } from "@carillon/server/sql/Sql"
import { printed } from "@carillon/testing/CommandLine"
import { connectAccount } from "@carillon/testing/ConnectedAccount"
import { contentOf, linesOf } from "@carillon/testing/ExportedContent"
import { inSeconds, settled } from "@carillon/testing/Publishing"
import { program, runToEnd, Service, startService } from "@carillon/testing/ServiceProcess"
import * as TestDirectory from "@carillon/testing/TestDirectory"
import { freshPostgresUrl, kind } from "@carillon/testing/TestSql"
import { assert, it } from "@effect/vitest"
import { Effect, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { spawnSync } from "node:child_process"
import { cpSync, createReadStream, readdirSync } from "node:fs"
import { join } from "node:path"
import { secret } from "../upgrade/secret.ts"

const repository = join(import.meta.dirname, "../..")
const archives = join(repository, "test/upgrade")
const lastName = Object.keys(migrations).at(-1)!

/** A new, empty instance: its environment, and what is done in its database while it does not run. */
const place = Effect.gen(function* () {
  const dataDir = yield* TestDirectory.make
  const url = kind === "postgres" ? Option.some(yield* freshPostgresUrl()) : Option.none()
  const database: Record<string, string> = Option.match(url, {
    onNone: () => ({}),
    onSome: (value) => ({ DATABASE_URL: Redacted.value(value) })
  })
  const env = { PATH: process.env["PATH"] ?? "", HOME: dataDir, DATA_DIR: dataDir, CARILLON_SECRET: secret }
  const run = (name: "migrate" | "restore", ...args: ReadonlyArray<string>) =>
    spawnSync(process.execPath, [program(name), ...args], {
      cwd: repository,
      env: { ...env, ...database },
      encoding: "utf8"
    })
  const inDatabase = <A, E>(
    record: Partial<typeof migrations>,
    effect: Effect.Effect<A, E, SqlClient.SqlClient>
  ) => Effect.provide(effect, layerWith({ dataDir, databaseUrl: url }, record), { local: true })
  const started = (more: Record<string, string> = {}) =>
    startService({ dataDir, database, env: { CARILLON_SECRET: secret, ...more } })
  const starts = Effect.suspend(() => runToEnd({ ...env, ...database }))
  return { run, inDatabase, started, starts }
})

/** Every row of every table, as text. */
const rows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' order by 1`
  return yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(
      sql<{
        row: string
      }>`select xmin::text || ctid::text || t::text as row from ${sql(name)} t order by ctid`,
      (found) => [name, found.map(({ row }) => row)] as const
    )
  )
})

const migration = (id: number, name: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`insert into migrations (migration_id, name) values (${id}, ${name})`
  )

it.live("an upgrade is shown before it runs, and a newer database is refused", () =>
  Effect.gen(function* () {
    const { run, inDatabase, started, starts } = yield* place
    if (kind === "embedded") {
      const none = run("migrate", "--dry-run")
      assert.strictEqual(none.status, 0, none.stderr)
      assert.match(
        none.stdout,
        /^There is no database in \S+ yet; the first start creates it\. Nothing was done\.\n$/
      )
    }
    yield* inDatabase({}, Effect.void)
    for (let look = 0; look < 2; look++) {
      const shown = run("migrate", "--dry-run")
      assert.strictEqual(shown.status, 0, shown.stderr)
      assert.match(
        shown.stdout,
        new RegExp(
          `last migration is none\\. \\d+ migrations? would run; nothing was changed\\.\n.* {2}${lastName} \\w`,
          "s"
        )
      )
    }
    const service = yield* started()
    if (kind === "embedded")
      assert.match(run("migrate", "--dry-run").stderr, /in use by another Carillon process/)
    assert.strictEqual(yield* service.terminate, 0)
    assert.match(run("migrate").stdout, /^The database was up to date; nothing was done\.\n$/)

    yield* inDatabase({}, migration(9999, "future"))
    const newer = new RegExp(
      `its last migration is 9999_future, .* is ${lastName}\\. Start the newer version again, or restore`
    )
    const refused = yield* starts
    assert.strictEqual(refused.code, 1)
    assert.match(refused.output, newer)
    assert.notMatch(refused.output, /\n +at /)
    const looked = run("migrate", "--dry-run")
    assert.strictEqual(looked.status, 1)
    assert.match(looked.stderr, newer)
    assert.match(run("migrate", "--dry").stderr, /Unknown option '--dry'.*npm run migrate \[-- --dry-run\]/s)
  })
)

/** What no instance has, or what a backup leaves out: a second member, a link that was used, the schedule of backups. */
const mayBeEmpty = ["backup_runs", "memberships", "owner_links"]

const versions = readdirSync(archives).filter((name) => name.endsWith(".tar"))

it.live.each(versions)("an instance of %s goes on with the code of today", (version) =>
  Effect.gen(function* () {
    const file = join(archives, version)
    const manifest = yield* Effect.promise(() => verifyArchive(createReadStream(file))).pipe(
      Effect.flatMap(Schema.decodeUnknownEffect(BackupManifest))
    )
    const stored = new Map(manifest.tables.map(({ name, rows }) => [name, rows]))
    assert.deepStrictEqual(
      [...stored].flatMap(([name, rows]) => (rows === 0 ? [name] : [])),
      mayBeEmpty
    )

    const { run, started } = yield* place
    const restored = run("restore", file)
    assert.strictEqual(restored.status, 0, restored.stderr)
    const sandbox = yield* SandboxProcess.make()
    const service = yield* started({ SANDBOX_URL: sandbox.url })
    const read = Effect.fnUntraced(function* (path: string) {
      const { body, status } = yield* service.call("GET", path)
      assert.strictEqual(status, 200, `${path}: ${JSON.stringify(body)}`)
      return body
    })
    const list = (path: string) =>
      Effect.map(read(`${path}?limit=200`), ({ data }): ReadonlyArray<any> => data)

    const posts = yield* list("/v1/posts")
    assert.lengthOf(posts, stored.get("posts")!)
    let results = 0
    for (const { id } of posts) results += (yield* read(`/v1/posts/${id}`)).results.length
    assert.strictEqual(results, stored.get("targets"))
    for (const { id } of yield* list("/v1/post-results")) yield* read(`/v1/post-results/${id}`)
    const accounts = yield* list("/v1/social-accounts")
    assert.lengthOf(accounts, stored.get("social_accounts")!)
    for (const { id } of accounts) yield* read(`/v1/social-accounts/${id}`)
    for (const { id } of yield* list("/v1/media")) {
      const { status, url } = yield* read(`/v1/media/${id}`)
      if (status !== "ready") continue
      const file = yield* Effect.promise(() => fetch(url))
      assert.strictEqual(file.status, 200)
    }
    let deliveries = 0
    for (const { id } of yield* list("/v1/webhooks"))
      deliveries += (yield* list(`/v1/webhooks/${id}/deliveries`)).length
    assert.isAtLeast(deliveries, stored.get("webhook_deliveries")!)
    assert.lengthOf(yield* list("/v1/workspaces"), stored.get("workspaces")!)
    for (const path of [
      "api-keys",
      "audit",
      "backups",
      "instance",
      "platform-apps",
      "profile",
      "queue",
      "queue/slots"
    ])
      yield* read(`/v1/${path}`)
    yield* read("/v1/posts/calendar?from=2099-01-01&to=2099-01-31")

    const due = posts.find(({ caption }) => caption === "Due one day")
    yield* service.call("PATCH", `/v1/posts/${due.id}`, { scheduled_at: inSeconds(1) })
    const { status } = yield* Effect.provideService(settled(due.id), Service, service)
    assert.strictEqual(status, "published")
    yield* service.terminate
    yield* service.start
    yield* read("/readyz")
    const published = yield* sandbox.on("mastodon").publications("upgrade")
    assert.deepStrictEqual(
      published.map(({ text }) => text),
      ["Due one day"]
    )
  })
)

const before = join(archives, "before-0.1.0")
const sentence =
  /before 0\.1\.0.*`carillon export`.*`carillon import` \(docs\/upgrading\.md#from-before-010\)/

it.live("a database and a backup from before 0.1.0 are refused, and stay as they are", () =>
  Effect.gen(function* () {
    const { inDatabase, run, starts } = yield* place
    const restored = run("restore", join(before, "backup.tar"))
    assert.strictEqual(restored.status, 1)
    assert.match(restored.stderr, sentence)
    assert.match(restored.stderr.trim(), /^Nothing was restored\. [^\n]+$/)

    // The tables were the same; only the names of what made them were others.
    yield* inDatabase(
      migrations,
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
          with gone as (delete from migrations) insert into migrations (migration_id, name)
          values (57, 'published_by_account')`
      )
    )
    const stored = yield* inDatabase({}, rows)
    const refused = yield* starts
    assert.strictEqual(refused.code, 1)
    assert.match(refused.output, sentence)
    for (const args of [[], ["--dry-run"]]) {
      const migrated = run("migrate", ...args)
      assert.strictEqual(migrated.status, 1)
      assert.match(migrated.stderr, sentence)
    }
    assert.deepStrictEqual(yield* inDatabase({}, rows), stored)
  })
)

it.live("an export from before 0.1.0 is imported with all posts and media", () =>
  Effect.gen(function* () {
    const sandbox = yield* SandboxProcess.make()
    const service = yield* startService({ env: { SANDBOX_URL: sandbox.url } })
    const home = yield* TestDirectory.make
    const [folder, again] = [join(home, "export"), join(home, "again")]
    cpSync(join(before, "export"), folder, { recursive: true })
    const posts = linesOf(folder, "posts.jsonl")
    yield* Effect.gen(function* () {
      const used = new Set(posts.flatMap(({ social_accounts }) => social_accounts))
      const accounts = linesOf(folder, "accounts.jsonl").filter(({ id }) => used.has(id))
      for (const { platform, username } of accounts)
        yield* connectAccount(platform, usernameOf(platform, username))
      const imported = yield* printed(home, "import", folder, "--published")
      assert.deepInclude(imported, { failed: [], left_out: 0, missing_accounts: [] })
      assert.lengthOf(imported.imported, posts.length)
      yield* printed(home, "export", again)
      assert.deepStrictEqual(contentOf(again), contentOf(folder))
    }).pipe(Effect.provideService(Service, service))
  })
)

/** The name by which a person connects an account. */
const usernameOf = (platform: string, username: string) =>
  platform === "bluesky" || platform === "mastodon" ? username.split(/[.@]/)[0]! : username
