import { layer } from "@carillon/server/sql/Sql"
import { Context, Effect, Layer, Option, Redacted, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { takePort } from "./FreePort.ts"
import * as TestCache from "./TestCache.ts"
import { freshPostgresUrl, kind } from "./TestSql.ts"

const repository = join(import.meta.dirname, "../../..")

const bundle = process.env["TEST_BUNDLE"]

/** A program of the server: its source, or its file in TEST_BUNDLE, the folder that `scripts/bundle.ts` writes. */
export const program = (name: "main" | "migrate" | "restore") =>
  bundle === undefined ? `packages/server/src/${name}.ts` : join(bundle, `${name}.js`)

interface Answer<A = any> {
  readonly status: number
  readonly headers: Headers
  readonly body: A
}

/** Calls with one key. */
export interface ServiceCalls {
  readonly key: string
  /** One call with the key; the JSON answer whatever its status. */
  call<A = any>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>
  ): Effect.Effect<Answer<A>>
  /** Reserve and PUT; the media id. */
  upload(bytes: Uint8Array, mimeType: string, name: string): Effect.Effect<string>
}

export const bootstrapKey = "test-bootstrap-key-of-the-suite"

/** The service as a process of its own, spoken to over HTTP only, with the bootstrap key. */
export interface ServiceProcess extends ServiceCalls {
  readonly url: string
  /** PUBLIC_URL */
  readonly publicUrl: string
  readonly dataDir: string
  /** The environment that leads another process to the same database. */
  readonly database: Readonly<Record<string, string>>
  /** SIGKILL: the process ends this instant, the data stays. */
  readonly kill: Effect.Effect<void>
  /** SIGTERM; the exit code. */
  readonly terminate: Effect.Effect<number | null>
  /** A signal to the process, at once. */
  readonly signal: (signal: NodeJS.Signals) => void
  /** Until the process has ended, however it did. */
  readonly ended: Effect.Effect<void>
  /** Starts it again on the same data and port. */
  readonly start: Effect.Effect<void>
  readonly output: () => string
  /** Bytes: what the process holds in memory now, and the most that it ever held (Linux). */
  readonly memory: () => { readonly now: number; readonly peak: number }
}

export const freePort = Effect.promise(takePort)

export interface ServiceOptions {
  /** Further environment, for example SANDBOX_URL. */
  readonly env?: Record<string, string | undefined>
  /** The name in its public address, which has to lead to this machine. 127.0.0.1 if it is not given. */
  readonly host?: string
  /** Environment that names its database; a new database if it is not given. */
  readonly database?: Readonly<Record<string, string>>
  /** Its data directory; one with a migrated database if it is not given. Removed at the end in any case. */
  readonly dataDir?: string
}

/** The same tests run on both databases: TEST_DATABASE_URL chooses. */
const databases: Record<typeof kind, Effect.Effect<Record<string, string>, never, Scope.Scope>> = {
  embedded: Effect.succeed({}),
  postgres: Effect.map(freshPostgresUrl(), (url) => ({
    DATABASE_URL: Redacted.value(url),
    CARILLON_SECRET: "0123456789abcdef0123456789abcdef"
  }))
}

/** A data directory with a migrated database, to be copied. */
export const migratedDirectory = TestCache.kept("migrated", (dataDir) =>
  Layer.build(layer({ dataDir, databaseUrl: Option.none() })).pipe(Effect.scoped, Effect.orDie)
)

export const callsWith = (url: string, key: string): ServiceCalls => {
  const call: ServiceCalls["call"] = (method, path, body, headers = {}) =>
    Effect.promise(async () => {
      const response = await fetch(path.startsWith("http") ? path : url + path, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers
        },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
      })
      const text = await response.text()
      return {
        status: response.status,
        headers: response.headers,
        body: text === "" ? undefined : JSON.parse(text)
      }
    })

  const upload = Effect.fnUntraced(function* (bytes: Uint8Array, mimeType: string, name: string) {
    const { body } = yield* call("POST", "/v1/media/create-upload-url", {
      mime_type: mimeType,
      size_bytes: bytes.length,
      name
    })
    yield* Effect.promise(async () => {
      const response = await fetch(body.upload_url, {
        method: "PUT",
        headers: { "content-type": mimeType },
        body: Uint8Array.from(bytes)
      })
      if (response.status !== 200) throw new Error(await response.text())
    })
    return body.media_id as string
  })
  return { key, call, upload }
}

export const startService = Effect.fnUntraced(function* (
  options: ServiceOptions = {}
): Effect.fn.Return<ServiceProcess, never, Scope.Scope> {
  const port = yield* freePort
  const url = `http://127.0.0.1:${port}`
  const publicUrl = `http://${options.host ?? "127.0.0.1"}:${port}`
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "carillon-"))
  if (options.dataDir === undefined && options.database === undefined && kind === "embedded") {
    cpSync(yield* migratedDirectory, dataDir, { recursive: true })
  }
  const database = options.database ?? (yield* databases[kind])
  const env = {
    PATH: process.env["PATH"] ?? "",
    TZ: "UTC",
    PORT: String(port),
    PUBLIC_URL: publicUrl,
    DATA_DIR: dataDir,
    CARILLON_BOOTSTRAP_API_KEY: bootstrapKey,
    CARILLON_CONSOLE: "off",
    CARILLON_SANDBOX: "off",
    CARILLON_ALLOW_PRIVATE_HOSTS: "on",
    LOG_FORMAT: "json",
    ...database,
    ...options.env
  }
  let child: ChildProcess
  let output = ""

  const start = Effect.promise(async () => {
    child = spawn(process.execPath, [program("main"), "--end-with-parent"], {
      cwd: repository,
      env,
      stdio: ["ignore", "pipe", "pipe"]
    })
    const ready = Promise.withResolvers<void>()
    const hear = (chunk: Buffer) => {
      output += chunk
      if (String(chunk).includes("Carillon is running.")) ready.resolve()
    }
    child.stdout!.on("data", hear)
    child.stderr!.on("data", hear)
    // Later than its exit: what it said last is read by then.
    child.once("close", (code) =>
      ready.reject(new Error(`the service ended with ${code} at its start:\n${output}`))
    )
    await ready.promise
  })

  const end = (signal: NodeJS.Signals) =>
    Effect.promise(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      child.kill(signal)
      await once(child, "exit")
      return child.exitCode
    })

  yield* Effect.acquireRelease(start, () =>
    Effect.andThen(
      end("SIGKILL"),
      Effect.sync(() => rmSync(dataDir, { recursive: true, force: true }))
    )
  )
  return {
    ...callsWith(url, bootstrapKey),
    url,
    publicUrl,
    dataDir,
    database,
    kill: Effect.asVoid(end("SIGKILL")),
    terminate: end("SIGTERM"),
    signal: (signal) => void child.kill(signal),
    ended: Effect.callback((resume) => {
      const awaited = child
      const end = () => resume(Effect.void)
      if (awaited.exitCode !== null || awaited.signalCode !== null) return end()
      awaited.once("exit", end)
      return Effect.sync(() => awaited.off("exit", end))
    }),
    start,
    output: () => output,
    memory: () => {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8")
      const bytes = (name: string) =>
        Number(new RegExp(`^${name}:\\s*(\\d+) kB`, "m").exec(status)![1]) * 1024
      return { now: bytes("VmRSS"), peak: bytes("VmHWM") }
    }
  }
})

/** One service for a block of tests. */
export class Service extends Context.Service<Service, ServiceProcess>()("@carillon/test/Service") {
  static readonly layer = (options: ServiceOptions = {}) => Layer.effect(Service, startService(options))
}

/** A start that is expected to fail, perhaps of another user: its exit code and what it said. */
export const runToEnd = (env: Record<string, string>, uid?: number) =>
  Effect.promise(async () => {
    const PORT = String(await takePort())
    const child = spawn(process.execPath, [program("main")], {
      cwd: repository,
      env: { PATH: process.env["PATH"] ?? "", CARILLON_SANDBOX: "off", PORT, ...env },
      ...(uid === undefined ? {} : { uid }),
      stdio: ["ignore", "pipe", "pipe"]
    })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk))
    const [code] = (await once(child, "close")) as [number | null]
    return { code, output }
  })
