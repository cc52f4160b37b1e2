import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { listening } from "../packages/server/test/http/TestServer.ts"
import { inDatabaseOf } from "@carillon/testing/DatabaseOf"
import { inSeconds } from "@carillon/testing/Publishing"
import { startService } from "@carillon/testing/ServiceProcess"
import { kind } from "@carillon/testing/TestSql"
import { SqlClient } from "effect/sql"

const examine = (env: Record<string, string>) =>
  Effect.promise(async () => {
    const doctor = spawn("npm", ["run", "-s", "doctor", "--", "--json"], {
      cwd: join(import.meta.dirname, ".."),
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
    const service = yield* startService()
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
      ...service.database
    }
    const running = yield* examine(env)
    // The test server does not flush, which is a problem.
    assert.deepStrictEqual(running.problems, kind === "embedded" ? [] : ["database"])
    assert.strictEqual(running.code, running.problems.length)
    assert.strictEqual(running.of("service").found, `${service.url} is ready`)
    assert.strictEqual(running.of("PUBLIC_URL").found, `${service.url} leads to this instance`)
    assert.match(running.of("disk").found, /free in .*, where media are kept too$/)
    assert.match(
      running.of("database").found,
      kind === "embedded"
        ? /open to the running service alone/
        : /^PostgreSQL \d.*, fsync \w+, synchronous_commit on$/
    )

    const other = yield* listening(createServer((_, response) => response.end("{}")))
    const elsewhere = yield* examine({ ...env, PUBLIC_URL: `http://127.0.0.1:${other.port}` })
    assert.strictEqual(elsewhere.code, 1)
    assert.match(elsewhere.of("PUBLIC_URL").found, /is not this instance$/)

    assert.strictEqual(yield* service.terminate, 0)
    const stopped = yield* examine(env)
    assert.strictEqual(stopped.of("service").level, "warning")
    assert.match(stopped.of("service").found, /does not run at .* \(ECONNREFUSED\)/)
    assert.match(stopped.of("migrations").found, /^up to date \(\d{4}_/)
    assert.match(stopped.of("key newsletter").found, /^ends on \d{4}-/)
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
