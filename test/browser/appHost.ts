// The calendar and the preview in a host: the bridge for hosts of the MCP Apps SDK, a page with a sandboxed frame of
// another origin under the policy that the resource asks for, and a person who moves a post and makes one.
// SCREENSHOTS names the folder for the pictures.
import { SandboxProcess } from "@carillon/sandbox/testing"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { AppBridge } from "@modelcontextprotocol/ext-apps/app-bridge"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { once } from "node:events"
import { mkdirSync, mkdtempSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { createServer, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { launchChromium } from "@carillon/testing/Chromium"
import { type ServiceProcess, startService } from "@carillon/testing/ServiceProcess"

const folder = process.env["SCREENSHOTS"] ?? mkdtempSync(join(tmpdir(), "carillon-app-"))
mkdirSync(folder, { recursive: true })

const screens = {
  desktop: { viewport: { width: 1000, height: 760 } },
  phone: { viewport: { width: 390, height: 760 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
  dark: { viewport: { width: 1000, height: 760 } }
} as const

const listening = async (server: Server) => {
  server.listen(0, "127.0.0.1")
  server.unref()
  await once(server, "listening")
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** One page at an address of its own. */
const serving = (html: string, policy: string | null) =>
  createServer((_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8")
    if (policy !== null) response.setHeader("content-security-policy", policy)
    response.end(html)
  })

/** As the specification of MCP Apps tells hosts to make one of what the resource declares. */
const policyOf = ({ connectDomains = [], resourceDomains = [] }: Record<string, ReadonlyArray<string>>) =>
  [
    "default-src 'none'",
    "script-src 'self' 'unsafe-inline'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: ${resourceDomains.join(" ")}`,
    `media-src 'self' data: ${resourceDomains.join(" ")}`,
    `connect-src ${connectDomains.length === 0 ? "'none'" : connectDomains.join(" ")}`
  ].join("; ")

const connected = async ({ url, key }: ServiceProcess) => {
  const client = new Client(
    { name: "a host", version: "1" },
    {
      versionNegotiation: { mode: "auto" },
      capabilities: {
        extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } }
      }
    }
  )
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } }
    })
  )
  return client
}

interface Shown {
  readonly page: Page
  readonly complaints: Array<string>
  /** What the app told the model. */
  readonly told: Array<string>
}

/** Calls the tool, and shows its answer as the tool's resource does. */
const show = async (
  client: Client,
  browser: Browser,
  screen: keyof typeof screens,
  name: string,
  args: Record<string, unknown>
): Promise<Shown> => {
  const { tools } = await client.listTools()
  const { resourceUri } = tools.find((tool) => tool.name === name)!._meta!["ui"] as { resourceUri: string }
  const [content] = (await client.readResource({ uri: resourceUri })).contents
  assert.equal(content!.mimeType, "text/html;profile=mcp-app")
  const { csp } = content!._meta!["ui"] as { csp: Record<string, ReadonlyArray<string>> }
  const app = await listening(serving((content as { text: string }).text, policyOf(csp)))
  const host = await listening(
    serving(
      `<!doctype html><meta name="viewport" content="width=device-width,initial-scale=1"><title>A host</title><style>body{margin:0}iframe{border:0;width:100%;height:100vh}</style>
<iframe sandbox="allow-scripts" title="app"></iframe>
<script>
const frame = document.querySelector("iframe")
addEventListener("message", (event) => { if (event.source === frame.contentWindow) toHost(event.data) })
const toApp = (message) => frame.contentWindow.postMessage(message, "*")
frame.src = ${JSON.stringify(app)}
</script>`,
      null
    )
  )
  const page = await (await browser.newContext(screens[screen])).newPage()
  const shown: Shown = { page, complaints: [], told: [] }
  page.on("console", (message) => {
    if (message.type() === "error") shown.complaints.push(message.text())
  })
  page.on("pageerror", (error) => shown.complaints.push(error.message))
  const bridge = new AppBridge(
    client as never,
    { name: "a host", version: "1" },
    { serverTools: {}, openLinks: {}, updateModelContext: { text: {} } },
    { hostContext: { theme: screen === "dark" ? "dark" : "light", displayMode: "inline" } }
  )
  bridge.onupdatemodelcontext = async ({ content: parts }) => {
    shown.told.push(JSON.stringify(parts))
    return {}
  }
  const initialized = new Promise<void>((resolve) => (bridge.oninitialized = () => resolve()))
  const transport = {
    start: async () => {},
    close: async () => {},
    send: async (message: unknown) => {
      await page.evaluate(`toApp(${JSON.stringify(message)})`)
    },
    onmessage: undefined as ((message: unknown) => void) | undefined
  }
  await page.exposeFunction("toHost", (message: unknown) => transport.onmessage?.(message))
  await bridge.connect(transport as never)
  await page.goto(host)
  await initialized
  assert.deepEqual(bridge.getAppVersion()?.name, "carillon")
  await bridge.sendToolInput({ arguments: args })
  await bridge.sendToolResult((await client.callTool({ name, arguments: args })) as never)
  return shown
}

const walk = async (service: ServiceProcess, browser: Browser, account: number) => {
  const client = await connected(service)
  const monday = "2090-05-01"
  const picture = (page: Page, name: string) => page.screenshot({ path: join(folder, `${name}.png`) })
  // What else the calendar shows.
  for (const [day, caption] of [
    ["02", "Rye on Tuesdays"],
    ["04", "How we mill our flour"],
    ["04", "Baking with children: a few places are left"],
    ["06", "Open until noon today"]
  ] as const) {
    const scheduled_at = `2090-05-${day}T09:00:00Z`
    await Effect.runPromise(
      service.call("POST", "/v1/posts", { social_accounts: [account], caption, scheduled_at })
    )
  }
  for (const screen of ["desktop", "phone", "dark"] as const) {
    const caption = `The first loaves, on ${screen}`
    const { body: post } = await Effect.runPromise(
      service.call("POST", "/v1/posts", {
        social_accounts: [account],
        caption,
        scheduled_at: `${monday}T07:00:00Z`
      })
    )
    const idea = `An idea, on ${screen}`
    const { body: draft } = await Effect.runPromise(
      service.call("POST", "/v1/posts", {
        social_accounts: [account],
        caption: idea,
        scheduled_at: `${monday}T08:00:00Z`,
        is_draft: true
      })
    )
    const { page, complaints, told } = await show(client, browser, screen, "show_calendar", {
      from: monday,
      to: "2090-05-07"
    })
    const frame = page.frameLocator("iframe")
    await frame.getByText(caption).waitFor()
    await picture(page, `app-calendar-${screen}`)
    await frame.getByText(caption).click()
    await frame.getByLabel("Day").fill("2090-05-03")
    await frame.getByLabel("Time").fill("08:30")
    await picture(page, `app-calendar-open-${screen}`)
    await frame.getByRole("button", { name: "Move" }).click()
    await frame.getByText("Moved to").waitFor()
    const moved = await Effect.runPromise(service.call("GET", `/v1/posts/${post.id}`))
    assert.equal(moved.body.scheduled_at, "2090-05-03T08:30:00.000Z")
    assert.match(told.join(), /The user moved the post/)

    await frame.getByText(idea).click()
    await frame.getByLabel("Time").fill("09:30")
    await frame.getByRole("button", { name: "Move" }).click()
    await frame.getByText("It is still a draft.").waitFor()
    const planned = await Effect.runPromise(service.call("GET", `/v1/posts/${draft.id}`))
    assert.deepEqual([planned.body.status, planned.body.scheduled_at], ["draft", `${monday}T09:30:00.000Z`])
    await frame.getByText(idea).click()
    await frame.getByRole("button", { name: "Schedule", exact: true }).click()
    await frame.getByText("Scheduled for").waitFor()
    const scheduled = await Effect.runPromise(service.call("GET", `/v1/posts/${draft.id}`))
    assert.deepEqual(
      [scheduled.body.status, scheduled.body.scheduled_at],
      ["scheduled", `${monday}T09:30:00.000Z`]
    )
    assert.match(told.join(), /The user moved the draft .*The user scheduled the draft/)
    assert.deepEqual(complaints, [])
    await page.context().close()

    const preview = await show(client, browser, screen, "preview_post", {
      social_accounts: [account],
      caption: `Fresh, on ${screen}`,
      scheduled_at: `${monday}T09:00:00Z`
    })
    const card = preview.page.frameLocator("iframe")
    await card.getByText(`Fresh, on ${screen}`).waitFor()
    await picture(preview.page, `app-preview-${screen}`)
    await card.getByRole("button", { name: "Schedule as shown" }).click()
    await card.getByText("It is scheduled.").waitFor()
    const { body: listed } = await Effect.runPromise(service.call("GET", "/v1/posts?q=Fresh,+on"))
    assert.equal(listed.data[0].scheduled_at, `${monday}T09:00:00.000Z`)
    assert.deepEqual(preview.complaints, [])
    await preview.page.context().close()
  }
  await client.close()
}

await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess.make()
      const service = yield* startService({ env: { SANDBOX_URL: sandbox.url } })
      const { body } = yield* service.call("POST", "/v1/social-accounts", {
        platform: "sandbox",
        credentials: { username: "bakery", password: "sandbox" }
      })
      const browser = yield* launchChromium
      yield* Effect.promise(() => walk(service, browser, body.id))
    })
  )
)
console.log(`a host shows the calendar and the preview; pictures in ${folder}`)
