import { SandboxProcess } from "@carillon/sandbox/testing"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it as test, layer } from "@effect/vitest"
import { Effect, Layer, Schedule, type Scope } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { freePort } from "./ServiceProcess.ts"

/** 74 MB that nothing else needs; its install script reports to somebody. */
const prism = "@stoplight/prism-cli@5.16.0"
/** Milliseconds until it is installed and runs. */
const patience = 180_000

/**
 * A proxy in front of the stand-in that compares both directions with an OpenAPI description; its address. It is there when it answers
 * at this path.
 */
const validatingProxy = Effect.fnUntraced(function* (description: string, upstream: string, path: string) {
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

const Network = Layer.merge(SandboxProcess.layer, NodeHttpClient.layerUndici)

/**
 * A test that holds a network's own description against everything that `walk` sends with its client and the stand-in answers.
 * The description is the network's to give out: whoever runs this fetches it and names the file. Without it the test is skipped.
 */
export const heldAgainstDescription = <E>(
  {
    network,
    variable,
    api,
    path,
    answers
  }: {
    readonly network: string
    /** The variable that names the file. */
    readonly variable: string
    /** Where the description's paths begin on the test network. */
    readonly api: string
    /** A path that answers as soon as the proxy is there. */
    readonly path: string
    /** At least these, so that the walk is known to have come by. */
    readonly answers: ReadonlyArray<string>
  },
  walk: (client: HttpClient.HttpClient) => Effect.Effect<void, E, SandboxProcess | Scope.Scope>
) => {
  const file = process.env[variable] ?? ""
  const title = `${network}'s own description`
  const claim = "has nothing against what the adapter sends and the stand-in answers"
  if (!existsSync(file)) {
    const reason = file === "" ? `${variable} names no file` : `there is no file ${file}`
    describe(title, () => test.skip(`${claim} (${reason})`, () => undefined))
    return
  }
  layer(Network, { excludeTestServices: true })(title, (it) => {
    it.effect(
      claim,
      () =>
        Effect.gen(function* () {
          const upstream = `${(yield* SandboxProcess).url}/${api}`
          const proxy = yield* validatingProxy(file, upstream, path)
          const violations: Array<unknown> = []
          const seen: Array<string> = []
          yield* walk(
            (yield* HttpClient.HttpClient).pipe(
              HttpClient.tap(({ headers, request, status }) =>
                Effect.sync(() => {
                  if (!request.url.startsWith(proxy)) return
                  seen.push(`${request.method} ${status}`)
                  const found = headers["sl-violations"]
                  if (found !== undefined) violations.push(request.url, JSON.parse(found))
                })
              ),
              HttpClient.mapRequest((request) =>
                HttpClientRequest.setUrl(request, request.url.replace(upstream, proxy))
              )
            )
          )
          assert.deepStrictEqual(violations, [])
          assert.includeMembers(seen, [...answers])
        }),
      patience + 60_000
    )
  })
}
