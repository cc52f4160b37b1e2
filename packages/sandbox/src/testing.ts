import { Context, Data, Effect, Layer, Schema, type Scope } from "effect"
import { FetchHttpClient, HttpBody, HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { type ChildProcess, fork } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Fault, FaultScript } from "./Faults.ts"
import { Publication, RequestRecord } from "./Ledger.ts"
import { Credentials } from "./network/Network.ts"
import type { PlatformId } from "./Platforms.ts"

export type { Fault } from "./Faults.ts"
export type { PlatformId } from "./Platforms.ts"
export type { Publication, RequestRecord } from "./Ledger.ts"

/** The account had too few publications when the time was over. */
export class NotPublished extends Data.TaggedError("NotPublished")<{ readonly message: string }> {}

export interface SandboxOptions {
  /** The directory of its ledger; by default one that is made and removed with it. */
  readonly directory?: string
  /** By default any free port. */
  readonly port?: number
}

/** A test's view and control of a platform. */
export interface PlatformControl {
  /** Replaces the rest of the account's script. */
  script(username: string, faults: ReadonlyArray<Fault>): Effect.Effect<void>
  /** The rest of the account's script. */
  pendingFaults(username: string): Effect.Effect<ReadonlyArray<Fault>>
  /** In the order in which they were published. */
  publications(username?: string): Effect.Effect<ReadonlyArray<Publication>>
  /** In the order in which they arrived. */
  requests(username?: string): Effect.Effect<ReadonlyArray<RequestRecord>>
  /** All publications of the account once there are at least `count`; waits 60 seconds by default. */
  waitForPublications(
    username: string,
    count: number,
    timeout_ms?: number
  ): Effect.Effect<ReadonlyArray<Publication>, NotPublished>
}

/**
 * The test network in a process of its own, with real sockets, on a free port. Failures of the process or its control
 * are defects.
 *
 * ```ts
 * layer(SandboxProcess.layer)("publishing", (it) => {
 *   it.effect("survives a lost reply", () =>
 *     Effect.gen(function* () {
 *       const sandbox = yield* SandboxProcess
 *       yield* sandbox.script("demo", [{ on: "post", fault: "effect_then_lost_reply" }])
 *       // ... let the service publish to `sandbox.url` as demo
 *       assert.lengthOf(yield* sandbox.waitForPublications("demo", 1), 1)
 *     })
 *   )
 * })
 * ```
 */
export class SandboxProcess extends Context.Service<
  SandboxProcess,
  PlatformControl & {
    /** Without a trailing slash. Stays the same over restarts. */
    readonly url: string
    readonly directory: string
    /** A new token of the account, which is opened if it is new. */
    signIn(username: string): Effect.Effect<string>
    /** The same for an account of another platform of the test network. */
    on(platform: PlatformId): PlatformControl
    /** Forgets everything but the accounts and their sessions. */
    readonly reset: Effect.Effect<void>
    /** Sends SIGKILL; ends when the process is gone. */
    readonly kill: Effect.Effect<void>
    /** Sends SIGTERM; gives the exit code. */
    readonly stop: Effect.Effect<number | null>
    /** Starts it again on the same port and directory. */
    readonly restart: Effect.Effect<void>
  }
>()("@carillon/sandbox/testing/SandboxProcess") {
  static readonly make = (
    options: SandboxOptions = {}
  ): Effect.Effect<SandboxProcess["Service"], never, Scope.Scope> => Effect.suspend(() => make(options))

  /** With its own directory, which goes with the layer. */
  static readonly layer = Layer.effect(SandboxProcess, SandboxProcess.make())
}

const signedIn = HttpClientResponse.schemaBodyJson(Schema.Struct({ access_token: Schema.String }))
const faults = HttpClientResponse.schemaBodyJson(Schema.Struct({ faults: FaultScript }))
const publications = HttpClientResponse.schemaBodyJson(
  Schema.Struct({ publications: Schema.Array(Publication) })
)
const requests = HttpClientResponse.schemaBodyJson(Schema.Struct({ requests: Schema.Array(RequestRecord) }))
const refused = HttpClientResponse.schemaBodyJson(
  Schema.Struct({ error: Schema.Struct({ code: Schema.String, message: Schema.String }) })
)

const make = Effect.fnUntraced(function* (options: SandboxOptions) {
  const directory = options.directory ?? (yield* temporaryDirectory)
  let { child, url } = yield* start(directory, options.port ?? 0)
  yield* Effect.addFinalizer(() => end(child, "SIGKILL"))

  const client = (yield* HttpClient.HttpClient).pipe(
    HttpClient.mapRequest(HttpClientRequest.prependUrl(url)),
    HttpClient.filterStatusOk
  )

  const control = (platform: PlatformId): PlatformControl => {
    const scriptOf = (username: string) =>
      `/control/accounts/${encodeURIComponent(username)}/faults?platform=${platform}`
    const of = (username: string | undefined) => ({
      urlParams: { platform, ...(username === undefined ? {} : { account: username }) }
    })

    return {
      script: Effect.fn("SandboxProcess.script")(function* (username, script) {
        yield* client.put(scriptOf(username), { body: HttpBody.jsonUnsafe(script) })
      }, Effect.orDie),
      pendingFaults: Effect.fn("SandboxProcess.pendingFaults")(function* (username) {
        return (yield* faults(yield* client.get(scriptOf(username)))).faults
      }, Effect.orDie),
      publications: Effect.fn("SandboxProcess.publications")(function* (username) {
        return (yield* publications(yield* client.get("/ledger", of(username)))).publications
      }, Effect.orDie),
      requests: Effect.fn("SandboxProcess.requests")(function* (username) {
        return (yield* requests(yield* client.get("/ledger/requests", of(username)))).requests
      }, Effect.orDie),
      waitForPublications: Effect.fn("SandboxProcess.waitForPublications")(
        function* (username, count, timeout_ms = 60_000) {
          const answer = yield* client
            .get("/ledger/wait", { urlParams: { platform, account: username, count, timeout_ms } })
            .pipe(
              Effect.catchReason("HttpClientError", "StatusCodeError", ({ response }) =>
                Effect.flatMap(refused(response), ({ error }) => new NotPublished({ message: error.message }))
              )
            )
          return (yield* publications(answer)).publications
        },
        Effect.catchTag(["HttpClientError", "SchemaError"], Effect.die)
      )
    }
  }

  return SandboxProcess.of({
    url,
    directory,
    signIn: Effect.fn("SandboxProcess.signIn")(function* (username) {
      const credentials = Credentials.make({ username, password: "sandbox" })
      const session = yield* client.post("/api/session", { body: HttpBody.jsonUnsafe(credentials) })
      return (yield* signedIn(session)).access_token
    }, Effect.orDie),
    ...control("sandbox"),
    on: control,
    reset: client.post("/control/reset").pipe(Effect.asVoid, Effect.orDie),
    kill: Effect.suspend(() => end(child, "SIGKILL")).pipe(Effect.asVoid),
    stop: Effect.suspend(() => end(child, "SIGTERM")),
    restart: Effect.suspend(() => start(directory, Number(new URL(url).port))).pipe(
      Effect.map((started) => {
        child = started.child
      })
    )
  })
}, Effect.provide(FetchHttpClient.layer))

const temporaryDirectory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "carillon-sandbox-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

const bundle = process.env["TEST_BUNDLE"]
const program =
  bundle === undefined ? fileURLToPath(new URL("./main.ts", import.meta.url)) : join(bundle, "sandbox.js")

const start = (directory: string, port: number) =>
  Effect.callback<{ readonly child: ChildProcess; readonly url: string }>((resume) => {
    const child = fork(program, {
      env: { ...process.env, SANDBOX_HOST: "127.0.0.1", SANDBOX_PORT: String(port), SANDBOX_DIR: directory },
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"]
    })
    const gone = (code: number | null) =>
      resume(Effect.die(`the test network ended with ${code} before it was ready`))
    child.once("exit", gone)
    child.once("message", (message) => {
      child.off("exit", gone)
      resume(Effect.succeed({ child, url: (message as { readonly url: string }).url }))
    })
  })

const end = (child: ChildProcess, signal: NodeJS.Signals) =>
  Effect.callback<number | null>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.succeed(child.exitCode))
    child.once("exit", (code) => resume(Effect.succeed(code)))
    child.kill(signal)
  })
