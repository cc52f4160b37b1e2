import type { Fault, SandboxProcess } from "@carillon/sandbox/testing"
import { launchChromium } from "@carillon/testing/Chromium"
import { connectInBrowser } from "@carillon/testing/ConsentVisit"
import { signedInBrowser } from "@carillon/testing/OAuthBrowser"
import { callsWith, Service, type ServiceProcess, startService } from "@carillon/testing/ServiceProcess"
import { sandboxOfAll, startedOnce } from "@carillon/testing/SharedService"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { mkdirSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import { test as base, vi } from "vitest"
import { bells } from "./bells.ts"

export const screens = {
  desk: { viewport: { width: 1280, height: 860 } },
  dark: { viewport: { width: 1280, height: 860 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
} satisfies Record<string, BrowserContextOptions>

export type Screen = keyof typeof screens

const run = Effect.runPromise

/**
 * A request that was refused, or cut off by a test; a header that Chromium heeds on https only; and a measure of speed: a
 * file that a slow page uses seconds after it was preloaded.
 */
const expected =
  /^Failed to load resource|^The Cross-Origin-Opener-Policy header has been ignored|was preloaded using link preload but not used/

const browserOfAll = startedOnce(launchChromium)

const serviceOfAll = startedOnce(
  Effect.flatMap(sandboxOfAll, ({ url }) =>
    startService({ env: { SANDBOX_URL: url, PLATFORMS_URL: url, CARILLON_CONSOLE: "on" } })
  )
)

/** What a browser has to have kept for somebody to be signed in. */
export const sessionOf = async (service: Pick<ServiceProcess, "url" | "output">) =>
  [...(await signedInBrowser(service)).cookies].map(([name, value]) => ({ name, value, url: service.url }))

/** A service that has just started shows another page first, which reloads. */
const consoleStands = async (service: ServiceProcess, session: Awaited<ReturnType<typeof sessionOf>>) => {
  const cookie = session.map(({ name, value }) => `${name}=${value}`).join("; ")
  await vi.waitUntil(
    async () => !(await fetch(`${service.url}/app/`, { headers: { cookie } })).headers.has("refresh"),
    { timeout: 120_000 }
  )
}

/** A new workspace, and what a test asks of it. */
const roomOf = async (sandbox: SandboxProcess["Service"], service: ServiceProcess) => {
  const session = await sessionOf(service)
  await consoleStands(service, session)
  await run(sandbox.reset)
  const { body } = await run(
    service.call("POST", "/v1/workspaces", { name: "Bakery", timezone: "Europe/Paris" })
  )
  const calls = callsWith(service.url, body.api_key.key)
  const call = async (method: string, path: string, sent?: unknown) => {
    const answer = await run(calls.call(method, path, sent))
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const stored = (id: string) => call("GET", `/v1/posts/${id}`)
  return {
    call,
    session,
    /** The address of a page of the console, in this workspace. */
    at: (path: string) => {
      const address = new URL(`/app${path}`, service.url)
      address.searchParams.set("w", body.id)
      return address.href
    },
    /** An account of the test network. */
    connect: async (username: string): Promise<number> =>
      (
        await call("POST", "/v1/social-accounts", {
          platform: "sandbox",
          credentials: { username, password: "sandbox" }
        })
      ).id,
    /** An account of a network that the test network plays. */
    signIn: async (platform: string, username: string) =>
      (
        await run(
          Effect.provideService(connectInBrowser(platform, username), Service, { ...service, ...calls })
        )
      )[0]!,
    script: (username: string, faults: ReadonlyArray<Fault>) => run(sandbox.script(username, faults)),
    textsOf: async (username: string) => (await run(sandbox.publications(username))).map(({ text }) => text),
    upload: (name: string, bytes: Uint8Array = bells, mimeType = "image/jpeg") =>
      run(calls.upload(bytes, mimeType, name)),
    write: async (post: object): Promise<string> => (await call("POST", "/v1/posts", post)).id,
    stored,
    /** The post, once this is true of it. */
    storedWhen: (id: string, holds: (post: any) => boolean) =>
      vi.waitUntil(
        async () => {
          const post = await stored(id)
          return holds(post) && post
        },
        { timeout: 120_000 }
      )
  }
}

export type Room = Awaited<ReturnType<typeof roomOf>>

/**
 * A test of the console. The browser, the service and the test network are those of the Vitest worker, in which one file
 * runs after the other: a test may end the service if it starts it again. A file has a workspace of its own, and a test network
 * that has forgotten what others published.
 */
export const test = base
  .extend("browser", { scope: "worker" }, () => run(browserOfAll))
  .extend("sandbox", { scope: "worker" }, () => run(sandboxOfAll))
  .extend("service", { scope: "worker" }, () => run(serviceOfAll))
  .extend("room", { scope: "file" }, ({ sandbox, service }) => roomOf(sandbox, service))
  .extend("open", async ({ browser, room, sandbox, task }, { onCleanup }) => {
    const contexts = new Set<BrowserContext>()
    const complaints: Array<string> = []
    onCleanup(async () => {
      const failed = task.result?.state === "fail" || complaints.length > 0
      if (failed) {
        const folder = process.env["SCREENSHOTS"] ?? tmpdir()
        mkdirSync(folder, { recursive: true })
        const kept = mkdtempSync(join(folder, "carillon-console-"))
        for (const [number, context] of [...contexts].entries()) {
          for (const [index, page] of context.pages().entries())
            await page.screenshot({ path: join(kept, `${number}-${index}.png`) }).catch(() => undefined)
          await context.tracing.stop({ path: join(kept, `${number}.zip`) })
        }
        complaints.push(
          `The pictures and traces are in ${kept}; npx playwright-core show-trace ${kept}/0.zip`
        )
      }
      for (const context of contexts) await context.close()
      if (failed) throw new Error(complaints.join("\n"))
    })
    /** A page of somebody who is signed in, which may complain of nothing and ask nobody but the service. */
    return async (
      options: BrowserContextOptions = {},
      session: Parameters<BrowserContext["addCookies"]>[0] = room.session
    ): Promise<Page> => {
      const context = await browser.newContext({ ...screens.desk, ...options })
      contexts.add(context)
      context.once("close", () => contexts.delete(context))
      await context.tracing.start({ snapshots: true })
      await context.addCookies(session)
      const isOurs = (page: Page | null) => page !== null && !page.url().startsWith(sandbox.url)
      context.on("console", (message) => {
        const isComplaint = ["error", "warning"].includes(message.type()) && isOurs(message.page())
        if (isComplaint && !expected.test(message.text())) complaints.push(message.text())
      })
      context.on("weberror", (error) => complaints.push(error.error().message))
      context.on("request", (request) => {
        // The person goes to a network; the page itself asks nobody else.
        if (request.isNavigationRequest() || /^(data|blob):/.test(request.url())) return
        const page = request.frame().page()
        if (isOurs(page) && new URL(request.url()).origin !== new URL(page.url()).origin)
          complaints.push(`asked ${request.url()}`)
      })
      return context.newPage()
    }
  })
  .extend("page", ({ open }) => open({ timezoneId: "Europe/Paris" }))
  .extend("onEachScreen", ({ open }) => async (visit: (page: Page, screen: Screen) => Promise<void>) => {
    for (const screen of Object.keys(screens) as Array<Screen>) {
      const page = await open(screens[screen])
      await visit(page, screen)
      await page.context().close()
    }
  })
