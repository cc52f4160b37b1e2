import { fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import type { TestContext } from "node:test"

/** A post in the ledger of the test network, as far as these tests read it. */
export interface Publication {
  readonly id: string
  readonly text: string
  readonly media: ReadonlyArray<{
    readonly content_type: string
    readonly sha256: string
    readonly alt_text: string | null
  }>
  readonly idempotency_key: string | null
  readonly details?: Readonly<Record<string, unknown>>
}

export interface TestNetwork {
  readonly url: string
  /** In the order in which they were published. */
  readonly published: (platform: string, account: string) => Promise<ReadonlyArray<Publication>>
  readonly stop: () => void
}

/** The test network in a process of its own, on a free port, all in memory. */
export const startTestNetwork = async (): Promise<TestNetwork> => {
  const { SANDBOX_DIR: _, ...environment } = process.env
  const child = fork(join(import.meta.dirname, "../../packages/sandbox/src/main.ts"), {
    env: { ...environment, SANDBOX_HOST: "127.0.0.1", SANDBOX_PORT: "0" },
    stdio: ["ignore", "ignore", "inherit", "ipc"]
  })
  const [{ failed, url }] = await once(child, "message")
  if (failed !== undefined) throw new Error(failed)
  return {
    url,
    published: async (platform, account) => {
      const ledger = await realFetch(`${url}/ledger?platform=${platform}&account=${account}`)
      return ((await ledger.json()) as { publications: ReadonlyArray<Publication> }).publications
    },
    stop: () => child.kill("SIGKILL")
  }
}

/** A `fetch` that says in the test's report what the library sent and what came. */
export const reported =
  (test: () => TestContext | undefined, to: (request: Request) => Request = (request) => request) =>
  async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init)
    const type = (request.headers.get("content-type") ?? "").split(";", 1)[0]
    const sent =
      type === "application/json"
        ? await request.clone().text()
        : type === "multipart/form-data"
          ? [...(await request.clone().formData())]
              .map(([name, value]) => `${name}=${typeof value === "string" ? value : value.type}`)
              .join("&")
          : ""
    const answer = await realFetch(to(request))
    const came = answer.ok
      ? Object.keys(JSON.parse((await answer.clone().text()) || "{}")).join(", ")
      : await answer.clone().text()
    const { pathname, search } = new URL(request.url)
    test()?.diagnostic(
      [`${request.method} ${pathname}${search}`, `${type} ${shortened(sent)}`, `${answer.status} ${came}`]
        .map((part) => part.trim())
        .join(" · ")
    )
    return answer
  }

const realFetch = globalThis.fetch

const shortened = (text: string) =>
  text
    .replaceAll(/("?(?:client_secret|password|code|token)"?[=:]"?)[^"&]*/g, "$1…")
    .replace(/^(.{600}).*$/s, "$1…")
