import { DateTime, Effect, type Scope } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { cpus, loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { freePort } from "@carillon/testing/ServiceProcess"

export interface Child {
  readonly process: ChildProcess
  readonly pid: number
  /** The first message of the child, or undefined for one that says it is ready in words. */
  readonly ready: any
  /** The end of its output. */
  readonly output: () => string
  /** SIGTERM, until it has ended; only then is a CPU profile written. */
  readonly terminate: Effect.Effect<void>
}

interface ChildOptions {
  readonly env?: Record<string, string>
  readonly args?: ReadonlyArray<string>
  readonly execArgv?: ReadonlyArray<string>
  /** Words on standard output that mean ready; none: its first message does. */
  readonly says?: string
}

/** A Node process that ends with the scope. */
export const startChild = (
  module: string,
  { env = {}, args = [], execArgv = [], says }: ChildOptions = {}
): Effect.Effect<Child, never, Scope.Scope> => {
  const start = Effect.promise(async () => {
    const child = fork(module, args, {
      env: { PATH: process.env["PATH"] ?? "", ...env },
      execArgv: [...execArgv],
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      serialization: "advanced"
    })
    let output = ""
    const ready = Promise.withResolvers<unknown>()
    const hear = (chunk: Buffer) => {
      output = (output + chunk).slice(-10_000)
      if (says !== undefined && output.includes(says)) ready.resolve(undefined)
    }
    child.stdout!.on("data", hear)
    child.stderr!.on("data", hear)
    if (says === undefined) child.once("message", ready.resolve)
    child.once("exit", (code) => ready.reject(new Error(`${module} ended with ${code}:\n${output}`)))
    return { child, ready: await ready.promise, output: () => output }
  })
  const end = (child: ChildProcess, signal: NodeJS.Signals) =>
    Effect.promise(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill(signal)
      await once(child, "exit")
    })
  return Effect.acquireRelease(start, ({ child }) => end(child, "SIGKILL")).pipe(
    Effect.map(({ child, ready, output }) => ({
      process: child,
      pid: child.pid!,
      ready,
      output,
      terminate: end(child, "SIGTERM")
    }))
  )
}

/** Sends one message to a child of this folder and waits for its one answer. */
export const ask = <A>({ process: child, output }: Child, question: object): Effect.Effect<A> =>
  Effect.callback<A>((resume) => {
    const stop = () => void child.off("message", answered).off("exit", ended)
    const answered = (answer: A) => {
      stop()
      resume(Effect.succeed(answer))
    }
    const ended = (code: number | null) =>
      resume(Effect.die(new Error(`a helper process ended with ${code}:\n${output()}`)))
    child.on("message", answered).on("exit", ended)
    child.send(question)
    return Effect.sync(stop)
  })

export const temporaryDirectory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "carillon-bench-"))),
  (directory) => Effect.promise(() => rm(directory, { recursive: true, force: true }))
)

export interface Service extends Child {
  readonly url: string
  readonly bootstrapKey: string
}

/** The real service. `cpuProf`: the folder for a profile, written when it is terminated. */
export const startService = Effect.fnUntraced(function* (options: {
  readonly dataDir: string
  readonly sandboxUrl: string
  readonly databaseUrl: string | undefined
  readonly cpuProf: string | undefined
}) {
  const port = yield* freePort
  const url = `http://127.0.0.1:${port}`
  const bootstrapKey = "bench-bootstrap-key-of-a-run"
  const child = yield* startChild(fileURLToPath(import.meta.resolve("@carillon/server/main")), {
    says: "Carillon is running.",
    execArgv: options.cpuProf === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${options.cpuProf}`],
    env: {
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: options.dataDir,
      CARILLON_BOOTSTRAP_API_KEY: bootstrapKey,
      SANDBOX_URL: options.sandboxUrl,
      LOG_FORMAT: "json",
      MAX_DOCUMENT_BYTES: String(5 * 1024 ** 3),
      RATE_LIMIT_READS: "0",
      RATE_LIMIT_WRITES: "0",
      ...(options.databaseUrl === undefined
        ? {}
        : { DATABASE_URL: options.databaseUrl, CARILLON_SECRET: "0123456789abcdef0123456789abcdef" })
    }
  })
  return { ...child, url, bootstrapKey } satisfies Service
})

/** The test network keeps its ledger in memory, because its own cost is not measured. */
export const startSandbox = Effect.map(
  startChild(fileURLToPath(import.meta.resolve("@carillon/sandbox/main")), { env: { SANDBOX_PORT: "0" } }),
  (child) => ({ ...child, url: child.ready.url as string })
)

export const startHelper = (
  name:
    | "BareServer"
    | "BareStreams"
    | "BareTimer"
    | "BareUpload"
    | "DoomedEngine"
    | "FastifyServer"
    | "LoadGenerator"
    | "UploadGenerator",
  env: Record<string, string> = {}
) => startChild(join(import.meta.dirname, `${name}.ts`), { env })

/** Linux counts in hundredths of a second (sysconf _SC_CLK_TCK, 100 on every platform that Node has). */
const tick = 10_000

/** Microseconds of CPU that a process has used, with those of its children that have ended; NaN outside Linux. */
export const cpuMicros = (pid: number): Effect.Effect<number> =>
  Effect.promise(() =>
    readStat(pid).then(
      ({ times }) => times.reduce((sum, ticks) => sum + ticks, 0) * tick,
      () => Number.NaN
    )
  )

/** The same for a process and its living children: PostgreSQL, one process per connection. */
export const cpuMicrosOfTree = (pid: number): Effect.Effect<number> =>
  Effect.promise(async () => {
    const names = await readdir("/proc").catch(() => [])
    const stats = await Promise.allSettled(names.filter((name) => /^\d+$/.test(name)).map(readStat))
    return stats
      .flatMap((stat) => (stat.status === "fulfilled" ? [stat.value] : []))
      .filter((stat) => stat.pid === pid || stat.parent === pid)
      .flatMap(({ times }) => times)
      .reduce((sum, ticks) => sum + ticks * tick, 0)
  })

/** Resident memory in MiB; NaN outside Linux. */
export const residentMemory = (pid: number) =>
  Effect.promise(async () => {
    const text = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "")
    return Number(/^VmRSS:\s+(\d+)/m.exec(text)?.[1]) / 1024
  })

const readStat = async (pid: number | string) => {
  const text = await readFile(`/proc/${pid}/stat`, "utf8")
  // The second field is the name in parentheses, and may itself hold anything.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  return { pid: Number(pid), parent: Number(fields[1]), times: fields.slice(11, 15).map(Number) }
}

/** The circumstances that the figures depend on, besides the code. */
export const circumstances = Effect.map(DateTime.now, (now) => {
  const [model] = cpus()
  const day = DateTime.formatIsoDateUtc(now)
  return `${day}, Node ${process.version}, ${cpus().length} x ${model?.model.trim()}, load average ${loadavg()[0]!.toFixed(1)}`
})
