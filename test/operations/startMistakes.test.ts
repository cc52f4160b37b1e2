import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { listening } from "../../packages/server/test/http/TestServer.ts"
import { runToEnd } from "@carillon/testing/ServiceProcess"
import * as SmallDisk from "@carillon/testing/SmallDisk"
import * as TestDirectory from "@carillon/testing/TestDirectory"

interface Mistake {
  readonly env: Record<string, string>
  readonly says: string | RegExp
  /** Who starts it; none: this user. */
  readonly user?: number
}

const nobody = 65_534
const othersMayRead =
  spawnSync("test", ["-r", join(import.meta.dirname, "../../packages/server/src/main.ts")], { uid: nobody })
    .status === 0

const postgres = { CARILLON_SECRET: "0123456789abcdef0123456789abcdef" }

/** Only what a process shows; packages/server/test/AppConfig.test.ts has the other values. */
const mistakes: Readonly<Record<string, Effect.Effect<Mistake, never, Scope.Scope>>> = {
  "DATA_DIR is a file": Effect.map(TestDirectory.make, (directory) => {
    const file = join(directory, "file")
    writeFileSync(file, "")
    return { env: { DATA_DIR: file }, says: `DATA_DIR is "${file}", which is a file` }
  }),
  ...(SmallDisk.withoutDisk === null && {
    "the disk of DATA_DIR is full": Effect.gen(function* () {
      const disk = yield* SmallDisk.make(1)
      yield* disk.fill
      const path = join(disk.path, "data")
      return {
        env: { DATA_DIR: path },
        says: `DATA_DIR is "${path}", whose disk is full. Free at least 32 MiB on it`
      }
    })
  }),
  ...(othersMayRead && {
    "DATA_DIR is another user's": Effect.map(TestDirectory.make, (directory) => {
      const path = join(directory, "data")
      mkdirSync(path)
      chmodSync(directory, 0o755)
      return {
        env: { DATA_DIR: path },
        user: nobody,
        says: /where the user \S+ \(65534\) cannot write\. Make this user the owner: chown -R 65534 \S+data\n/
      }
    })
  }),
  "there is no such name for the database": Effect.succeed({
    env: { ...postgres, DATABASE_URL: "postgres://carillon:hidden@127.0.0.1:1/carillon" },
    says: "PostgreSQL at 127.0.0.1:1/carillon cannot be used: connect ECONNREFUSED 127.0.0.1:1. Check DATABASE_URL"
  }),
  "DATABASE_URL is malformed": Effect.succeed({
    env: { ...postgres, DATABASE_URL: "carillon:hidden@here" },
    says: "DATABASE_URL is not a PostgreSQL URL. It looks like postgres://user:password@host:5432/database"
  }),
  "the port is taken": Effect.map(listening(createServer()), ({ port }) => ({
    env: { PORT: String(port) },
    says: `Port ${port} is in use, perhaps by another Carillon. Stop it, or choose another: PORT=`
  })),
  "HOST is another machine's": Effect.succeed({
    env: { HOST: "192.0.2.1" },
    says: 'HOST is "192.0.2.1", which is not an address of this machine.'
  }),
  "another process runs the test network": Effect.map(listening(createServer()), ({ port }) => ({
    env: { CARILLON_SANDBOX: "on", SANDBOX_PORT: String(port) },
    says: new RegExp(
      `CARILLON_SANDBOX is on, but the test network did not start: Port ${port} is in use.*SANDBOX_URL`
    )
  })),
  "the name of the secret is misspelt": Effect.succeed({
    env: { CARILON_SECRET: "hidden" },
    says: "The environment has CARILON_SECRET, which Carillon does not read; did you mean CARILLON_SECRET?"
  }),
  "the name of the database is misspelt": Effect.succeed({
    env: { DATABSE_URL: "postgres://carillon:hidden@127.0.0.1:1/carillon" },
    says: "The environment has DATABSE_URL, which Carillon does not read; did you mean DATABASE_URL? Rename it, or remove it."
  }),
  "the level of the log is none": Effect.succeed({
    env: { LOG_LEVEL: "loud" },
    says: 'LOG_LEVEL is "loud". Expected'
  }),
  "traces are to go nowhere": Effect.succeed({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: "jaeger" },
    says: 'OTEL_EXPORTER_OTLP_ENDPOINT is "jaeger". Expected a valid URL string.'
  })
}

describe("a start ends with one sentence and no stack when", () => {
  for (const [what, mistake] of Object.entries(mistakes)) {
    it.live(what, () =>
      Effect.gen(function* () {
        const { env, says, user } = yield* mistake
        const DATA_DIR = join(yield* TestDirectory.make, "data")
        const { code, output } = yield* runToEnd({ DATA_DIR, ...env }, user)
        assert.strictEqual(code, 1, output)
        if (typeof says === "string") assert.include(output, `Carillon stopped. ${says}`)
        else assert.match(output, says)
        assert.notMatch(output, /\n +at |\[object|SchemaError|hidden/)
        assert.lengthOf(output.trim().split("\n"), 1)
      })
    )
  }
})
