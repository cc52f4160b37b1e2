import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { execFile } from "node:child_process"
import { join } from "node:path"
import { inDatabaseOf } from "@carillon/testing/DatabaseOf"
import { connect, create, inSeconds, settled } from "@carillon/testing/Publishing"
import { Service, type ServiceProcess, startService } from "@carillon/testing/ServiceProcess"
import * as SmallDisk from "@carillon/testing/SmallDisk"
import { kind } from "@carillon/testing/TestSql"

const everyTenth = Schedule.spaced("100 millis")

const readyz = (service: ServiceProcess, status: number) =>
  service.call("GET", "/readyz").pipe(
    Effect.repeat({ until: (answer) => answer.status === status, schedule: everyTenth, times: 600 }),
    Effect.tap((answer) => Effect.sync(() => assert.strictEqual(answer.status, status)))
  )

const carillon = (service: ServiceProcess, command: string) =>
  Effect.promise(
    () =>
      new Promise<string>((resolve) =>
        execFile(
          process.execPath,
          [join(import.meta.dirname, "../../packages/cli/carillon.js"), command],
          {
            env: {
              PATH: process.env["PATH"],
              HOME: service.dataDir,
              CARILLON_URL: service.url,
              CARILLON_API_KEY: service.key
            }
          },
          (_, stdout, stderr) => resolve(stdout + stderr)
        )
      )
  )

const onTheEmbeddedDatabase = Effect.gen(function* () {
  const disk = yield* SmallDisk.make(160)
  const sandbox = yield* SandboxProcess.make()
  const dataDir = join(disk.path, "data")
  const service = yield* startService({ dataDir, env: { SANDBOX_URL: sandbox.url } })
  yield* Effect.gen(function* () {
    const account = yield* connect("no-room")
    const later = { social_accounts: [account], scheduled_at: "2100-01-01T00:00:00Z" }
    const fill = (number: number) =>
      service.call("POST", "/v1/posts", { ...later, caption: `${number} `.padEnd(500, "x") })
    yield* disk.fill
    const { body } = yield* readyz(service, 503)
    assert.match(body.detail, /disk of the database is full.*continues by itself/)
    for (const command of ["status", "doctor"]) {
      assert.match(yield* carillon(service, command), /disk of the database is full/)
    }

    // What fits into pages that are there is stored as ever, and waits until its outcome can be stored too.
    const due = yield* service.call("POST", "/v1/posts", { social_accounts: [account], caption: "Due" })
    const begun = due.status === 201 ? 1 : 0
    let number = 0
    let answer = yield* fill(number)
    while (answer.status === 201) answer = yield* fill(++number)
    assert.deepStrictEqual([answer.status, answer.body.code], [507, "storage_full"], service.output())
    assert.strictEqual((yield* service.call("GET", "/v1/posts")).body.meta.total, begun + number)

    const freed = Date.parse(inSeconds(0))
    yield* disk.free
    yield* readyz(service, 200)
    const post = yield* create({ social_accounts: [account], caption: "With room" })
    assert.strictEqual((yield* settled(post.id)).status, "published")
    if (begun > 0) assert.strictEqual((yield* settled(due.body.id)).status, "published")
    const publications = yield* sandbox.publications("no-room")
    assert.lengthOf(publications, begun + 1)
    for (const { received_at } of publications) assert.isAtLeast(Date.parse(String(received_at)), freed)
    assert.strictEqual((yield* service.call("GET", "/v1/posts")).body.meta.total, begun + number + 1)
  }).pipe(Effect.provideService(Service, service), Effect.provideService(SandboxProcess, sandbox))
})

/** As the server says it. */
const refuses = (table: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql.unsafe(`create or replace function no_room() returns trigger language plpgsql as
      $$ begin raise exception using errcode = '53100', message = 'could not extend file'; end $$`)
    yield* sql.unsafe(
      `create trigger no_room before insert or update on ${table} for each row execute function no_room()`
    )
  })

const takes = (table: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql.unsafe(`drop trigger no_room on ${table}`)
  })

const onPostgres = Effect.gen(function* () {
  const sandbox = yield* SandboxProcess.make()
  const service = yield* startService({ env: { SANDBOX_URL: sandbox.url } })
  const within = inDatabaseOf({ service, database: service.database })
  yield* Effect.gen(function* () {
    const account = yield* connect("no-room")
    const due = yield* create({ social_accounts: [account], caption: "Due", scheduled_at: inSeconds(2) })
    yield* within(refuses("targets"))
    yield* within(refuses("posts"))
    const refused = yield* service.call("POST", "/v1/posts", { social_accounts: [account], caption: "None" })
    assert.deepStrictEqual([refused.status, refused.body.code], [507, "storage_full"])
    const { body } = yield* readyz(service, 503)
    assert.match(body.detail, /disk of the database is full/)
    // The engine has tried to take what is due.
    yield* Effect.suspend(() =>
      /failed; restarting[^\n]*could not extend file/.test(service.output())
        ? Effect.void
        : Effect.fail("not yet")
    ).pipe(Effect.retry({ schedule: everyTenth, times: 1200 }))
    assert.lengthOf(yield* sandbox.publications("no-room"), 0)

    yield* within(takes("targets"))
    yield* within(takes("posts"))
    assert.strictEqual((yield* settled(due.id)).status, "published")
    assert.lengthOf(yield* sandbox.publications("no-room"), 1)
    yield* readyz(service, 200)
  }).pipe(Effect.provideService(Service, service), Effect.provideService(SandboxProcess, sandbox))
})

describe("a disk that is full", () => {
  const skipped = kind === "embedded" ? SmallDisk.withoutDisk : null
  it.live.skipIf(skipped !== null)(
    `refuses what needs room with 507, says so where people look, and goes on by itself${skipped === null ? "" : ` (${skipped})`}`,
    () => (kind === "embedded" ? onTheEmbeddedDatabase : onPostgres)
  )
})
