import { Effect, Schedule } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join, resolve } from "node:path"
import { freePort } from "./ServiceProcess.ts"

/** 74 MB that nothing else needs; its install script reports to somebody. */
const prism = "@stoplight/prism-cli@5.16.0"
/** Milliseconds until it is installed and runs. */
export const patience = 180_000

/**
 * A proxy in front of the stand-in that compares both directions with an OpenAPI description; its address. It is there when it answers
 * at this path.
 */
export const validatingProxy = Effect.fnUntraced(function* (
  description: string,
  upstream: string,
  path: string
) {
  const port = yield* freePort
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(
        "npx",
        ["-y", prism, "proxy", resolve(description), upstream, "-h", "127.0.0.1", "-p", String(port)],
        {
          stdio: "ignore",
          detached: true,
          env: {
            ...process.env,
            PATH: `${join(import.meta.dirname, "../../../node_modules/.bin")}:${process.env["PATH"]}`,
            npm_config_ignore_scripts: "true"
          }
        }
      )
    ),
    (child) =>
      Effect.promise(async () => {
        if (child.exitCode !== null) return
        const ended = once(child, "exit")
        // npx and what it has started.
        process.kill(-child.pid!, "SIGKILL")
        await ended
      })
  )
  const url = `http://127.0.0.1:${port}`
  yield* Effect.tryPromise(() => fetch(`${url}${path}`)).pipe(
    Effect.retry({
      schedule: Schedule.spaced("200 millis"),
      times: patience / 200,
      while: () => child.exitCode === null
    }),
    Effect.orDie
  )
  return url
})
