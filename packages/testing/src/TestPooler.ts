import { Effect, Redacted, type Scope } from "effect"
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "./ServiceProcess.ts"
import * as TestDirectory from "./TestDirectory.ts"

export interface Pooler {
  /** The way through it to the same database. */
  readonly url: string
  /** SIGKILL: every connection through it breaks. */
  readonly kill: Effect.Effect<void>
  readonly start: Effect.Effect<void>
}

/** PgBouncer in front of a server, with two connections to it; gone when the scope closes. */
export const make = Effect.fnUntraced(function* (
  server: Redacted.Redacted,
  settings: Readonly<Record<string, string>> = {}
): Effect.fn.Return<Pooler, never, Scope.Scope> {
  const directory = yield* TestDirectory.make
  const port = yield* freePort
  const url = new URL(Redacted.value(server))
  const users = join(directory, "users")
  const config = join(directory, "pgbouncer.ini")
  writeFileSync(users, `"${url.username}" "${url.password}"\n`)
  const all = {
    listen_addr: "127.0.0.1",
    listen_port: String(port),
    unix_socket_dir: "",
    auth_type: "scram-sha-256",
    auth_file: users,
    pool_mode: "transaction",
    default_pool_size: "2",
    ...settings
  }
  writeFileSync(
    config,
    [
      "[databases]",
      `* = host=${url.hostname} port=${url.port}`,
      "[pgbouncer]",
      ...Object.entries(all).map(([name, value]) => `${name} = ${value}`)
    ].join("\n")
  )
  chmodSync(directory, 0o755)

  let child: ChildProcess
  const start = Effect.promise(async () => {
    child = spawn("pgbouncer", [config], { stdio: ["ignore", "ignore", "pipe"], ...other })
    const up = Promise.withResolvers<void>()
    let said = ""
    child.stderr!.on("data", (chunk) => {
      said += chunk
      if (said.includes("process up")) up.resolve()
    })
    child.once("error", up.reject)
    child.once("exit", () => up.reject(new Error(`pgbouncer ended at its start:\n${said}`)))
    await up.promise
  })
  const kill = Effect.promise(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill("SIGKILL")
    await once(child, "exit")
  })
  yield* Effect.acquireRelease(start, () => kill)
  url.port = String(port)
  return { url: url.href, kill, start }
})

/** PgBouncer refuses to run as root. */
const other =
  process.getuid!() === 0
    ? {
        uid: Number(execFileSync("id", ["-u", "postgres"])),
        gid: Number(execFileSync("id", ["-g", "postgres"]))
      }
    : {}
