import { type Publication, SandboxProcess } from "@carillon/sandbox/testing"
import { ManagedRuntime } from "effect"
import { createHash } from "node:crypto"
import { after, type TestContext } from "node:test"

export type { Publication }

/** The test network in a process of its own, on a free port, until the tests of the file are over. */
export const startTestNetwork = async () => {
  const runtime = ManagedRuntime.make(SandboxProcess.layer)
  after(() => runtime.dispose())
  const { on, url } = await runtime.runPromise(SandboxProcess)
  return {
    url,
    /** In the order in which they were published. */
    published: (platform: Parameters<typeof on>[0], account: string): Promise<ReadonlyArray<Publication>> =>
      runtime.runPromise(on(platform).publications(account))
  }
}

export const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

/** A `fetch` that says in the test's report what the library sent and what came. */
export const reported =
  (test: () => TestContext | undefined, to: (request: Request) => Request = (request) => request) =>
  async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init)
    // What these tests themselves ask.
    if (new URL(request.url).pathname === "/ledger") return realFetch(request)
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
