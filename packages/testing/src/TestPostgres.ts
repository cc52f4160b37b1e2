import { Effect, Redacted } from "effect"
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import * as TestDirectory from "./TestDirectory.ts"

const script = join(import.meta.dirname, "postgres.sh")

const run = (...args: ReadonlyArray<string>) =>
  Effect.map(
    Effect.promise(() => promisify(execFile)(script, args)),
    ({ stdout }) => stdout.trim()
  )

/** A PostgreSQL server of the test's own, which it may stop and start; gone when the scope closes. */
export const make = Effect.gen(function* () {
  const parent = yield* TestDirectory.make
  const directory = join(parent, "postgres")
  yield* Effect.promise(() => promisify(execFile)("chmod", ["755", parent]))
  const start = run("start", directory)
  const url = yield* Effect.acquireRelease(start, () => run("remove", directory))
  return {
    url: Redacted.make(url),
    start,
    /** `immediate` leaves the data as a crash does. */
    stop: (mode: "fast" | "immediate") => run("stop", directory, mode),
    /** SIGKILL to the server's first process. */
    kill: Effect.sync(() => {
      const [pid] = readFileSync(join(directory, "data/postmaster.pid"), "utf8").split("\n")
      process.kill(Number(pid), "SIGKILL")
    }),
    /** A standby that follows the server until it is promoted. */
    standby: Effect.gen(function* () {
      const beside = join(parent, "standby")
      const standbyUrl = yield* Effect.acquireRelease(run("follow", beside, directory), () =>
        run("remove", beside)
      )
      return { url: Redacted.make(standbyUrl), promote: run("promote", beside) }
    })
  }
})
