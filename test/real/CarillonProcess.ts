import { spawn, type ChildProcess } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { takePort } from "@carillon/testing/FreePort"
import { until } from "@carillon/testing/Until"

const repository = join(import.meta.dirname, "../..")

export interface PostResult {
  readonly social_account_id: number
  readonly platform: string
  readonly status: string
  readonly success: boolean
  readonly published_at: string | null
  readonly platform_data: { readonly id: string; readonly url: string; readonly username: string } | null
  readonly error: unknown
}

export interface Post {
  readonly id: string
  readonly status: string
  readonly scheduled_at: string | null
}

/** The service as a user starts it, in a process of its own, spoken to over HTTP only. */
export interface CarillonProcess {
  /** One call to the public API; fails with the answer's own words unless it has the status that is expected. */
  readonly call: <A>(status: number, method: string, path: string, body?: unknown) => Promise<A>
  readonly upload: (bytes: Buffer, mimeType: string, name: string) => Promise<string>
  /** The one result of a post, once it is terminal. */
  readonly result: (postId: string, withinMs: number) => Promise<PostResult>
  /** The process ends this instant, as in a power failure; the data stays. */
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
  /** Ends the process and removes its data. */
  readonly stop: () => Promise<void>
  /** Everything that it has written to its output, in every life. */
  readonly log: () => string
}

/** The service's source, or its file in TEST_BUNDLE, which starts sooner. */
const program =
  process.env.TEST_BUNDLE === undefined
    ? "packages/server/src/main.ts"
    : join(process.env.TEST_BUNDLE, "main.js")

const startWithinMs = 600_000
const stopWithinMs = 60_000
const terminal = new Set(["published", "failed", "unconfirmed"])

export const startCarillon = async (settings: Readonly<Record<string, string>>): Promise<CarillonProcess> => {
  const port = await takePort()
  const data = await mkdtemp(join(tmpdir(), "carillon-real-"))
  const apiKey = `crl_real_${randomBytes(24).toString("hex")}`
  const origin = `http://127.0.0.1:${port}`
  const environment = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: String(port),
    HOST: "127.0.0.1",
    DATA_DIR: data,
    CARILLON_BOOTSTRAP_API_KEY: apiKey,
    CARILLON_SANDBOX: "off",
    CARILLON_CONSOLE: "off",
    CARILLON_ALLOW_PRIVATE_HOSTS: "on",
    LOG_FORMAT: "json",
    ...settings
  }
  let child: ChildProcess | undefined
  let log = ""

  const running = () => child !== undefined && child.exitCode === null && child.signalCode === null
  const end = async (signal: NodeJS.Signals) => {
    if (child === undefined || !running()) return
    const ended = once(child, "exit")
    child.kill(signal)
    await ended
  }

  const start = async () => {
    const started = spawn(process.execPath, [program], {
      cwd: repository,
      stdio: ["ignore", "pipe", "pipe"],
      env: environment
    })
    child = started
    for (const stream of [started.stdout, started.stderr]) stream.on("data", (chunk) => (log += chunk))
    await until(
      "GET /readyz to answer 200",
      startWithinMs,
      async () => {
        if (!running())
          throw new Error(
            `the service ended with ${started.exitCode} before it was ready:\n${log.slice(-2000)}`
          )
        const response = await fetch(`${origin}/readyz`).catch(() => undefined)
        await response?.body?.cancel()
        return response?.status === 200 ? true : undefined
      },
      () => log.slice(-2000)
    )
  }

  const answerOf = async (status: number, what: string, response: Response): Promise<unknown> => {
    const text = await response.text()
    if (response.status !== status) {
      const words = response.status >= 500 ? `\nThe end of the service's log:\n${log.slice(-4000)}` : ""
      throw new Error(`${what} answered ${response.status} instead of ${status}: ${text}${words}`)
    }
    return JSON.parse(text)
  }

  const call = async <A>(status: number, method: string, target: string, body?: unknown): Promise<A> => {
    const init: RequestInit = { method, headers: { authorization: `Bearer ${apiKey}` } }
    const sent =
      body === undefined
        ? init
        : {
            ...init,
            headers: { ...init.headers, "content-type": "application/json" },
            body: JSON.stringify(body)
          }
    const response = await fetch(new URL(target, origin), sent)
    return (await answerOf(status, `${method} ${target}`, response)) as A
  }

  const stop = async () => {
    const patience = setTimeout(() => child?.kill("SIGKILL"), stopWithinMs)
    await end("SIGTERM")
    clearTimeout(patience)
    await rm(data, { recursive: true, force: true })
  }

  process.once("exit", () => child?.kill("SIGKILL"))
  await start().catch(async (reason) => {
    await stop()
    throw reason
  })
  return {
    call,
    upload: async (bytes, mimeType, name) => {
      const reserved = await call<{ media_id: string; upload_url: string; complete_url: string }>(
        201,
        "POST",
        "/v1/media/create-upload-url",
        { mime_type: mimeType, size_bytes: bytes.length, name }
      )
      const sent = await fetch(reserved.upload_url, {
        method: "PUT",
        headers: { "content-type": mimeType },
        body: new Uint8Array(bytes)
      })
      await answerOf(200, "PUT upload_url", sent)
      await call(200, "POST", reserved.complete_url)
      return reserved.media_id
    },
    result: async (postId, withinMs) => {
      let seen: ReadonlyArray<PostResult> = []
      return until(
        `the result of post ${postId}`,
        withinMs,
        async () => {
          const query = new URLSearchParams({ post_id: postId })
          seen = (await call<{ data: Array<PostResult> }>(200, "GET", `/v1/post-results?${query}`)).data
          const [only, ...more] = seen
          if (more.length > 0)
            throw new Error(`one account, but ${seen.length} results: ${JSON.stringify(seen)}`)
          return only !== undefined && terminal.has(only.status) ? only : undefined
        },
        () => seen
      )
    },
    kill: () => end("SIGKILL"),
    start,
    stop,
    log: () => log
  }
}
