// Apps that others wrote, and a person at a real browser: a client of each SDK and mcp-remote register, the person signs
// in and consents, the app works, is disconnected, and is refused when it asks again; and the person hands one of them a
// file on the upload page. SCREENSHOTS names the folder for the pictures.
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import sharp from "sharp"
import { launchChromium } from "../support/Chromium.ts"
import { ownerName, ownerPassword, welcomeLink } from "../support/OAuthBrowser.ts"
import { memory, type SdkSession, sdkNames, sdks } from "../support/SdkClients.ts"
import { freePort, type ServiceProcess, startService } from "../support/ServiceProcess.ts"
import { waitingApp } from "../support/WaitingApp.ts"

const remote = "mcp-remote@0.15.1"

const folder = process.env["SCREENSHOTS"] ?? mkdtempSync(join(tmpdir(), "carillon-clients-"))
mkdirSync(folder, { recursive: true })

const becomesOwner = async (service: ServiceProcess, browser: Browser) => {
  const page = await browser.newPage()
  await page.goto(welcomeLink(service))
  await page.getByLabel("Name").fill(ownerName)
  await page.getByLabel("Password").fill(ownerPassword)
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { name: "Connect an app" }).waitFor()
  await page.close()
}

/** What the person does on the pages that an app opens; where the app is answered. */
const answers = async (page: Page, address: string, decision: "Allow" | "Deny", picture: string) => {
  const { origin } = new URL(address)
  await page.goto(address)
  const consent = page.getByRole("heading", { name: "wants to use your Carillon" })
  const signIn = page.getByRole("heading", { name: "Sign in" })
  await consent.or(signIn).waitFor()
  if (await signIn.isVisible()) {
    await page.getByLabel("Name").fill(ownerName)
    await page.getByLabel("Password").fill(ownerPassword)
    await page.keyboard.press("Enter")
    await consent.waitFor()
  }
  await page.screenshot({ path: join(folder, `${picture}.png`), fullPage: true })
  const leaving = page.waitForRequest(
    (request) => request.isNavigationRequest() && new URL(request.url()).origin !== origin
  )
  await page.getByRole("button", { name: decision }).click()
  const left = await leaving
  assert.ok(await left.response(), "the app does not answer the browser")
  await page.waitForURL((url) => url.origin !== origin)
  return new URL(left.url())
}

const disconnects = async (service: ServiceProcess, page: Page) => {
  await page.goto(`${service.url}/connected-apps`)
  await page.getByRole("link", { name: "Change or disconnect" }).first().click()
  await page.getByRole("button", { name: /^Disconnect / }).click()
  await page.getByText("You disconnected it").first().waitFor()
}

const until = async <A>(what: string, look: () => A | undefined): Promise<A> => {
  const limit = Date.now() + 60_000
  for (;;) {
    const found = look()
    if (found !== undefined) return found
    assert.ok(Date.now() < limit, `in a minute there was not ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** The agent asks for a file, and the person chooses it on the page that the agent shows. */
const handsOver = async (session: SdkSession, page: Page) => {
  const asked = await session.call("create_media_upload", {})
  const { media_id, browser_upload_page: address } = asked.structuredContent
  const buffer = await sharp({ create: { width: 640, height: 480, channels: 3, background: "#7a4b12" } })
    .png()
    .toBuffer()
  await page.goto(address)
  await page
    .getByLabel("Picture, video or PDF")
    .setInputFiles({ name: "bell.png", mimeType: "image/png", buffer })
  await page.screenshot({ path: join(folder, "upload.png") })
  await page.getByRole("button", { name: "Send the file" }).click()
  await page.getByText("The file has arrived.").waitFor()
  await page.screenshot({ path: join(folder, "uploaded.png") })
  const { structuredContent } = await session.call("complete_media_upload", { media_id })
  assert.deepEqual(
    [structuredContent.status, structuredContent.name, structuredContent.width],
    ["ready", "bell.png", 640]
  )
  await page.reload()
  await page.getByRole("heading", { name: "The file is there" }).waitFor()
}

const withSdk = async (service: ServiceProcess, page: Page, name: (typeof sdkNames)[number]) => {
  const app = await waitingApp()
  const sdk = sdks(service.url)[name]
  const { kept, provider } = memory({ redirect: app.redirect })
  await assert.rejects(sdk.connect(provider))
  const picture = name.replaceAll(" ", "-")
  await sdk.finish(provider, await answers(page, kept.address!.href, "Allow", picture))
  const session = await sdk.connect(provider)
  const { structuredContent } = await session.call("list_accounts", {})
  assert.deepEqual(structuredContent.accounts, [])
  await handsOver(session, page)
  await disconnects(service, page)
  await assert.rejects(session.call("list_accounts", {}))
  await session.close().catch(() => {})
  delete kept.address
  delete kept.tokens
  await assert.rejects(sdk.connect(provider))
  const refused = await answers(page, kept.address!.href, "Deny", `${picture}-again`)
  assert.equal(refused.searchParams.get("error"), "access_denied")
  app.close()
}

const withMcpRemote = async (service: ServiceProcess, page: Page, port: number) => {
  const config = mkdtempSync(join(tmpdir(), "carillon-mcp-remote-"))
  const transport = new StdioClientTransport({
    command: "npx",
    args: ["-y", remote, `${service.url}/mcp`, String(port), "--transport", "http-only", "--allow-http"],
    // It finds no browser to open, and prints the address.
    env: { ...(process.env as Record<string, string>), MCP_REMOTE_CONFIG_DIR: config, DISPLAY: "" },
    stderr: "pipe"
  })
  let said = ""
  transport.stderr!.on("data", (chunk) => (said += String(chunk)))
  const addresses = () => [...new Set(said.match(/http\S+\/oauth\/authorize\?\S+(?=\n)/g) ?? [])]
  const client = new Client({ name: "behind mcp-remote", version: "1" })
  try {
    const connected = client.connect(transport as never)
    const address = await until("an address from mcp-remote", () => addresses()[0])
    await answers(page, address, "Allow", "mcp-remote")
    await connected
    const { structuredContent } = await client.callTool({ name: "list_accounts", arguments: {} })
    assert.deepEqual((structuredContent as any).accounts, [])
    await disconnects(service, page)
    // It asks the person again, and waits for the answer.
    const again = client.callTool({ name: "list_accounts", arguments: {} }).then(
      () => "it was let in",
      () => "it was not let in"
    )
    const second = await until("a second address from mcp-remote", () => addresses()[1])
    await until("mcp-remote listening again", () => said.split("callback server running").at(2))
    const refused = await answers(page, second, "Deny", "mcp-remote-again")
    assert.equal(refused.searchParams.get("error"), "access_denied")
    await client.close()
    assert.equal(await again, "it was not let in")
  } catch (cause) {
    throw new Error(`mcp-remote said:\n${said}`, { cause })
  } finally {
    await client.close()
    rmSync(config, { recursive: true, force: true })
  }
}

await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const service = yield* startService()
      const browser = yield* launchChromium
      const port = yield* freePort
      yield* Effect.promise(async () => {
        await becomesOwner(service, browser)
        for (const name of sdkNames) {
          const page = await browser.newPage()
          await withSdk(service, page, name)
          await page.close()
          console.log(`${name}: signed in, consented to, worked, took a file, disconnected, refused`)
        }
        await withMcpRemote(service, await browser.newPage(), port)
        console.log("mcp-remote: signed in, consented to, worked, disconnected, refused")
      })
    })
  )
)
console.log(`apps of others are connected in the browser; pictures in ${folder}`)
