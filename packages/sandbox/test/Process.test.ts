import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, type Scope } from "effect"
import { type ChildProcess, fork, spawn } from "node:child_process"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import type { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { clientOf, json } from "./PlatformClient.ts"

const main = fileURLToPath(import.meta.resolve("@carillon/sandbox/main"))

const environment = (variables: Record<string, string>) => ({
  ...process.env,
  SANDBOX_PORT: "0",
  ...variables
})

/** A child of this test, gone with it. */
const held = <P extends ChildProcess>(start: () => P): Effect.Effect<P, never, Scope.Scope> =>
  Effect.acquireRelease(Effect.sync(start), (child) => Effect.sync(() => child.kill("SIGKILL")))

const exitOf = (child: ChildProcess) =>
  Effect.callback<number | null>((resume) => {
    child.once("exit", (code) => resume(Effect.succeed(code)))
  })

const firstWords = (child: ChildProcess) =>
  Effect.callback<string>((resume) => {
    child.stdout!.once("data", (chunk: Buffer) => resume(Effect.succeed(chunk.toString())))
  })

const endOf = (stream: Readable) =>
  Effect.callback<void>((resume) => {
    stream.once("end", () => resume(Effect.void)).resume()
  })

const firstMessage = (child: ChildProcess) =>
  Effect.callback<any>((resume) => {
    child.once("message", (message) => resume(Effect.succeed(message)))
  })

const session = (url: string) =>
  Effect.promise(
    async () => (await fetch(`${url}/api/session`, json({ username: "demo", password: "sandbox" }))).status
  )

describe("the process of the test network", { concurrent: true }, () => {
  it.effect("says where it is in one line, and then takes connections", () =>
    Effect.gen(function* () {
      const child = yield* held(() => spawn(process.execPath, [main], { env: environment({}) }))
      const words = yield* firstWords(child)
      assert.match(words, /^sandbox ready http:\/\/127\.0\.0\.1:\d+\n$/)
      assert.strictEqual(yield* session(words.trim().split(" ").at(-1)!), 201)
    })
  )

  it.effect("ends with code 0 on SIGTERM, after it has answered what was still waiting by script", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess.make()
      const posting = yield* Effect.gen(function* () {
        const client = yield* clientOf("demo")
        yield* sandbox.script("demo", [{ on: "post", fault: "slow", ms: 600_000 }])
        return yield* Effect.forkChild(client.post({ text: "Hello" }))
      }).pipe(Effect.provideService(SandboxProcess, sandbox))
      yield* sandbox.waitForPublications("demo", 1)

      assert.strictEqual(yield* sandbox.stop, 0)
      assert.strictEqual((yield* Fiber.join(posting)).status, 201)
      yield* sandbox.restart
      assert.lengthOf(yield* sandbox.publications("demo"), 1)
    })
  )

  it.effect("says which port is taken", () =>
    Effect.gen(function* () {
      const taken = yield* Effect.acquireRelease(
        Effect.callback<ReturnType<typeof createServer>>((resume) => {
          const server = createServer().listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
        }),
        (server) => Effect.sync(() => server.close())
      )
      const { port } = taken.address() as AddressInfo
      const child = yield* held(() =>
        spawn(process.execPath, [main], { env: environment({ SANDBOX_PORT: String(port) }) })
      )
      const said = text(child.stderr)
      assert.strictEqual(yield* exitOf(child), 1)
      assert.include(yield* Effect.promise(() => said), `Port ${port} is in use`)
    })
  )

  it.effect.each([
    { what: "a port that is none", variables: { SANDBOX_PORT: "70000" }, says: "SANDBOX_PORT" },
    {
      what: "a directory that cannot be",
      variables: { SANDBOX_DIR: "/dev/null/sandbox" },
      says: "/dev/null/sandbox"
    }
  ])("the test network does not start with $what", ({ variables, says }) =>
    Effect.gen(function* () {
      const child = yield* held(() => spawn(process.execPath, [main], { env: environment(variables) }))
      const said = text(child.stderr)
      assert.strictEqual(yield* exitOf(child), 1)
      assert.include(yield* Effect.promise(() => said), says)
    })
  )

  it.effect("ends when the process that started it is killed", () =>
    Effect.gen(function* () {
      const parent = yield* held(() =>
        spawn(process.execPath, [
          "--eval",
          `require("node:child_process").fork(${JSON.stringify(main)}, {
            execArgv: [],
            env: { ...process.env, SANDBOX_PORT: "0" }
          })`
        ])
      )
      assert.match(yield* firstWords(parent), /^sandbox ready /)
      // The pipe is the sandbox's too: it ends when both are gone.
      const ended = yield* Effect.forkChild(endOf(parent.stdout), { startImmediately: true })
      parent.kill("SIGKILL")
      yield* Fiber.join(ended)
    })
  )

  it.effect("ends when the process that started it lets go of it", () =>
    Effect.gen(function* () {
      const child = yield* held(() =>
        fork(main, { env: environment({}), stdio: ["ignore", "ignore", "inherit", "ipc"] })
      )
      const { ready, url } = yield* firstMessage(child)
      assert.isTrue(ready)
      assert.strictEqual(yield* session(url), 201)
      const exit = yield* Effect.forkChild(exitOf(child), { startImmediately: true })
      child.disconnect()
      assert.strictEqual(yield* Fiber.join(exit), 0)
    })
  )

  it.effect("leaves Ctrl-C to the process that started it", () =>
    Effect.gen(function* () {
      const child = yield* held(() =>
        fork(main, { env: environment({}), stdio: ["ignore", "ignore", "inherit", "ipc"] })
      )
      const { url } = yield* firstMessage(child)
      child.kill("SIGINT")
      assert.strictEqual(yield* session(url), 201)
      const exit = yield* Effect.forkChild(exitOf(child), { startImmediately: true })
      child.disconnect()
      assert.strictEqual(yield* Fiber.join(exit), 0)
    })
  )
})
