import { assert, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { listening } from "../../packages/server/test/http/TestServer.ts"
import { inDatabaseOf } from "@carillon/testing/DatabaseOf"
import { inSeconds } from "@carillon/testing/Publishing"
import { startService } from "@carillon/testing/ServiceProcess"
import { kind } from "@carillon/testing/TestSql"
import { SqlClient } from "effect/sql"

type Doctor = readonly [string, ...ReadonlyArray<string>]
const ofServer: Doctor = ["npm", "run", "-s", "doctor", "--"]
const ofClient: Doctor = [process.execPath, "packages/cli/carillon.js", "doctor"]

const examine = (env: Record<string, string>, [program, ...args] = ofServer) =>
  Effect.promise(async () => {
    const doctor = spawn(program, [...args, "--json"], {
      cwd: join(import.meta.dirname, "../.."),
      env: { PATH: process.env["PATH"] ?? "", HOME: env["DATA_DIR"]!, ...env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    const [[code], said, complained] = await Promise.all([
      once(doctor, "close"),
      text(doctor.stdout),
      text(doctor.stderr)
    ])
    assert.match(said, /^\{/, complained)
    const { ok, checks } = JSON.parse(said)
    const of = (name: string): Record<"level" | "found" | "advice", string> =>
      checks.find(({ check }: { readonly check: string }) => check === name) ?? {}
    const problems = checks.flatMap(({ check, level }: { readonly check: string; readonly level: string }) =>
      level === "problem" ? [check] : []
    )
    assert.strictEqual(ok, problems.length === 0)
    return { code, of, problems }
  })

it.live("doctor looks at a service that runs and at one that does not, and ends with 1 for a problem", () =>
  Effect.gen(function* () {
    const backups = { BACKUP_EVERY: "1 hour", BACKUP_TO: "/dev/null/backups" }
    const service = yield* startService({ env: backups })
    yield* Effect.repeat(service.call("GET", "/v1/backups"), {
      until: ({ body }) => body.last !== null && body.last.ended_at !== null,
      schedule: Schedule.spaced("100 millis")
    })
    yield* service.call("POST", "/v1/api-keys", {
      name: "newsletter",
      scopes: ["posts:read"],
      expires_at: inSeconds(86_400)
    })
    const env = {
      DATA_DIR: service.dataDir,
      PORT: new URL(service.url).port,
      PUBLIC_URL: service.url,
      CARILLON_BOOTSTRAP_API_KEY: service.key,
      LINKEDIN_VERSION: "202501",
      ...backups,
      ...service.database
    }
    const failed = /^the backup of \d{4}-\S+Z failed: .*ENOTDIR.*; none has been made yet$/
    const running = yield* examine(env)
    // The test server does not flush, which is a problem.
    assert.deepStrictEqual(running.problems, kind === "embedded" ? [] : ["database"])
    assert.strictEqual(running.code, running.problems.length)
    assert.strictEqual(running.of("service").found, `${service.url} is ready`)
    assert.strictEqual(running.of("PUBLIC_URL").found, `${service.url} leads to this instance`)
    assert.strictEqual(running.of("LINKEDIN_VERSION").level, "warning")
    assert.strictEqual(running.of("backups").level, "warning")
    assert.match(running.of("backups").found, failed)
    const client = { ...env, CARILLON_URL: service.url, CARILLON_API_KEY: service.key }
    assert.deepStrictEqual((yield* examine(client, ofClient)).of("backups"), running.of("backups"))
    const { body: narrow } = yield* service.call("POST", "/v1/api-keys", {
      name: "reader",
      scopes: ["posts:read", "accounts:read"]
    })
    const reader = yield* examine({ ...client, CARILLON_API_KEY: narrow.key }, ofClient)
    assert.match(reader.of("API key").found, /reader/)
    assert.notProperty(reader.of("backups"), "found")
    const stranger = yield* examine({ ...env, CARILLON_API_KEY: "crl_nobody" })
    if (kind === "embedded") assert.match(stranger.of("database").found, /Not checked: /)
    assert.match(running.of("disk").found, /free in .*, where media are kept too$/)
    assert.match(
      running.of("database").found,
      kind === "embedded"
        ? /^embedded, PostgreSQL 18.*, fsync on/
        : /^PostgreSQL \d.*, fsync \w+, synchronous_commit on$/
    )

    const other = yield* listening(createServer((_, response) => response.end("{}")))
    const elsewhere = yield* examine({ ...env, PUBLIC_URL: `http://127.0.0.1:${other.port}` })
    assert.strictEqual(elsewhere.code, 1)
    assert.match(elsewhere.of("PUBLIC_URL").found, /is not this instance$/)

    assert.strictEqual(yield* service.terminate, 0)
    // The token of the one is renewed; its access ends long after. The other's ends although its token does not.
    yield* inDatabaseOf({ service, database: service.database })(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`
          insert into social_accounts (workspace_id, platform, remote_id, username, status, connected_at, created_at,
            token_expires_at, refresh_at, access_expires_at)
          select id, 'tiktok', username, username, 'connected', now(), now(), token, refresh, access
          from workspaces, (values
            ('renewed', now() + interval '2 hours', now() + interval '1 hour', now() + interval '90 days'),
            ('ends', null, null, now() + interval '3 days')) as ends (username, token, refresh, access)`
      })
    )
    const stopped = yield* examine(env)
    assert.strictEqual(stopped.of("service").level, "warning")
    assert.match(stopped.of("service").found, /is not running at .* \(ECONNREFUSED\)/)
    assert.match(stopped.of("migrations").found, /^up to date \(\d{4}_/)
    assert.strictEqual(stopped.of("backups").level, "warning")
    assert.match(stopped.of("backups").found, failed)
    assert.match(stopped.of("key newsletter").found, /^ends on \d{4}-/)
    assert.notProperty(stopped.of("tiktok/@renewed"), "found")
    assert.strictEqual(stopped.of("tiktok/@ends").level, "warning")
    assert.match(stopped.of("tiktok/@ends").found, /^its access ends on \d{4}-/)
    if (kind === "embedded") {
      assert.match(
        stopped.of("database").found,
        /^embedded, PostgreSQL 18.*, fsync on, synchronous_commit on$/
      )
      assert.strictEqual(stopped.code, 0)
    }

    yield* inDatabaseOf({ service, database: service.database })(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`insert into migrations (migration_id, name) values (9999, 'future')`
      })
    )
    const newer = yield* examine(env)
    assert.strictEqual(newer.code, 1)
    assert.match(newer.of("migrations").found, /written by a newer Carillon/)

    rmSync(service.dataDir, { recursive: true })
    writeFileSync(service.dataDir, "")
    const file = yield* examine(env)
    assert.strictEqual(file.code, 1)
    assert.match(file.of("DATA_DIR").found, /which is a file/)
    const wrong = yield* examine({ ...env, PUBLIC_URL: "carillon.example" })
    assert.strictEqual(wrong.code, 1)
    assert.match(wrong.of("configuration").found, /PUBLIC_URL is "carillon\.example"/)
  })
)
