// Apps that others wrote, and a person at a real browser: a client of each SDK, mcp-remote and the Inspector register, the person signs
// in and consents, the app works, is disconnected, and is refused when it asks again; and the person hands one of them a
// file on the upload page. SCREENSHOTS names the folder for the pictures.
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import sharp from "sharp"
import { launchChromium } from "@carillon/testing/Chromium"
import { ownerName, ownerPassword, welcomeLink } from "@carillon/testing/OAuthBrowser"
import { answers, disconnects, spoilAccessTokens } from "@carillon/testing/PersonAtBrowser"
import { memory, type SdkSession, sdkNames, sdks } from "@carillon/testing/SdkClients"
import { until } from "@carillon/testing/Until"
import { freePort, type ServiceProcess, startService } from "@carillon/testing/ServiceProcess"
import { waitingApp } from "@carillon/testing/WaitingApp"
import { withInspector } from "./inspectorClient.ts"

const remote = "mcp-remote@0.15.1"
/** The SDK gives a request a minute, for which a machine may stand still. */
const patience = 300_000

const folder = process.env["SCREENSHOTS"] ?? mkdtempSync(join(tmpdir(), "carillon-clients-"))
mkdirSync(folder, { recursive: true })

const becomesOwner = async (service: ServiceProcess, browser: Browser) => {
  const page = await browser.newPage()
  await page.goto(welcomeLink(service))
  await page.getByRole("textbox", { name: "Name" }).fill(ownerName)
  await page.getByLabel("Password").fill(ownerPassword)
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { name: "Account" }).waitFor()
  await page.close()
}

/** The agent asks for a file, and the person chooses it on the page that the agent shows. */
const handsOver = async (session: SdkSession, page: Page) => {
  const asked = await session.call("create_media_upload", {})
  const { media_id, browser_upload_page: address } = asked.structuredContent
  const buffer = await sharp({ create: { width: 640, height: 480, channels: 3, background: "#7a4b12" } })
    .png()
    .toBuffer()
  await page.goto(address)
  const said = page.getByRole("status")
  for (const [file, words] of [
    [{ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("Bells") }, "this kind of file"],
    [{ name: "none.png", mimeType: "image/png", buffer: Buffer.alloc(0) }, "The file is empty"],
    [{ name: "bell.mp4", mimeType: "video/mp4", buffer }, "not what its name says"]
  ] as const) {
    await page.getByLabel("Picture, video or PDF").setInputFiles(file)
    await page.getByRole("button", { name: "Send the file" }).click()
    await said.getByText(words).waitFor()
  }
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
  await page.getByRole("heading", { name: "The file has arrived" }).waitFor()
}

/** An app that began with little is told what it lacks, and the person is asked for that too. */
const asksForMore = async (service: ServiceProcess, page: Page, name: (typeof sdkNames)[number]) => {
  const app = await waitingApp()
  const sdk = sdks(service.url)[name]
  // The first SDK asks a person again only where it has nothing to refresh.
  const { kept, provider } = memory({
    redirect: app.redirect,
    keepsRefreshToken: name !== "the first SDK"
  })
  const allowed = async (step: string) => {
    const picture = `${name.replaceAll(" ", "-")}-${step}`
    await sdk.finish(
      provider,
      await answers(page, kept.address!.href, "Allow", { pictures: folder, picture })
    )
  }
  await assert.rejects(sdk.connect(provider))
  kept.address!.searchParams.set("scope", "accounts:read")
  await allowed("little")
  const session = await sdk.connect(provider)
  await assert.rejects(session.call("list_media", {}))
  assert.match(kept.address!.searchParams.get("scope")!, /media:read/)
  await allowed("more")
  assert.ok((await session.call("list_media", {})).structuredContent.media)
  await session.close()
  app.close()
}

const withSdk = async (service: ServiceProcess, page: Page, name: (typeof sdkNames)[number]) => {
  const app = await waitingApp()
  const sdk = sdks(service.url)[name]
  const { kept, provider } = memory({ redirect: app.redirect })
  await assert.rejects(sdk.connect(provider))
  const picture = name.replaceAll(" ", "-")
  await sdk.finish(provider, await answers(page, kept.address!.href, "Allow", { pictures: folder, picture }))
  const session = await sdk.connect(provider)
  const { structuredContent } = await session.call("list_accounts", {})
  assert.deepEqual(structuredContent.accounts, [])
  await handsOver(session, page)
  const before = kept.tokens.refresh_token
  kept.tokens = { ...kept.tokens, access_token: "A".repeat(43) }
  await session.call("list_posts", {})
  assert.notEqual(kept.tokens.refresh_token, before)
  await asksForMore(service, page, name)
  // The one that was used last is another app's.
  await disconnects(service, page)
  await session.call("list_posts", {})
  await disconnects(service, page)
  await assert.rejects(session.call("list_accounts", {}))
  await session.close().catch(() => {})
  delete kept.address
  delete kept.tokens
  await assert.rejects(sdk.connect(provider))
  const refused = await answers(page, kept.address!.href, "Deny", {
    pictures: folder,
    picture: `${picture}-again`
  })
  assert.equal(refused.searchParams.get("error"), "access_denied")
  app.close()
}

/** mcp-remote, and an MCP client that knows nothing of sign-ins behind it. */
const startMcpRemote = (service: ServiceProcess, port: number, config: string) => {
  // Not by npx, which would leave it alive when it is killed itself.
  const program = execFileSync("npx", ["-y", "-p", remote, "-c", "command -v mcp-remote"], {
    encoding: "utf8"
  })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program.trim(), `${service.url}/mcp`, String(port), "--transport", "http-only", "--allow-http"],
    // It finds no browser to open, and prints the address.
    env: { ...(process.env as Record<string, string>), MCP_REMOTE_CONFIG_DIR: config, DISPLAY: "" },
    stderr: "pipe"
  })
  let said = ""
  transport.stderr!.on("data", (chunk) => (said += String(chunk)))
  const client = new Client({ name: "behind mcp-remote", version: "1" })
  return {
    client,
    said: () => said,
    addresses: () => [...new Set(said.match(/http\S+\/oauth\/authorize\?\S+(?=\n)/g) ?? [])],
    connect: () => client.connect(transport as never, { timeout: patience }),
    call: async (name: string) =>
      (await client.callTool({ name, arguments: {} }, undefined, { timeout: patience }))
        .structuredContent as Record<string, unknown>,
    /** It waits for the person's answer, for the second time or a later one. */
    listensAgain: (times: number) =>
      until("mcp-remote listening again", patience, () => said.split("callback server running").at(times))
  }
}

const withMcpRemote = async (service: ServiceProcess, page: Page, port: number) => {
  const config = mkdtempSync(join(tmpdir(), "carillon-mcp-remote-"))
  let one = startMcpRemote(service, port, config)
  const address = (index: number) =>
    until("an address from mcp-remote", patience, () => one.addresses()[index])
  const named = (picture: string) => ({ pictures: folder, picture })
  try {
    const connected = one.connect()
    // It begins with little.
    const first = new URL(await address(0))
    first.searchParams.set("scope", "accounts:read posts:read")
    await answers(page, first.href, "Allow", named("mcp-remote"))
    await connected
    assert.deepEqual((await one.call("list_accounts"))["accounts"], [])
    const more = one.call("list_media")
    const asked = await address(1)
    assert.match(new URL(asked).searchParams.get("scope") ?? "", /media:read/)
    await one.listensAgain(2)
    await answers(page, asked, "Allow", named("mcp-remote-more"))
    assert.ok(Array.isArray((await more)["media"]))

    await one.client.close()
    assert.ok(spoilAccessTokens(config) > 0, "mcp-remote keeps no access token where it was looked for")
    one = startMcpRemote(service, port, config)
    await one.connect()
    assert.deepEqual((await one.call("list_posts"))["posts"], [])
    assert.deepEqual(one.addresses(), [])

    await disconnects(service, page)
    // It asks the person again, and waits for the answer.
    const again = one.call("list_accounts").then(
      () => "it was let in",
      () => "it was not let in"
    )
    const last = await address(0)
    await one.listensAgain(1)
    const refused = await answers(page, last, "Deny", named("mcp-remote-again"))
    assert.equal(refused.searchParams.get("error"), "access_denied")
    await one.client.close()
    assert.equal(await again, "it was not let in")
  } catch (cause) {
    throw new Error(`mcp-remote said:\n${one.said()}`, { cause })
  } finally {
    await one.client.close()
    rmSync(config, { recursive: true, force: true })
  }
}

await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const service = yield* startService()
      const browser = yield* launchChromium
      const ports = [yield* freePort, yield* freePort] as const
      yield* Effect.promise(async () => {
        await becomesOwner(service, browser)
        for (const name of sdkNames) {
          const page = await browser.newPage()
          await withSdk(service, page, name)
          await page.close()
          console.log(
            `${name}: signed in, consented to, worked, took a file, refreshed, asked for more, disconnected, refused`
          )
        }
        await withMcpRemote(service, await browser.newPage(), ports[0])
        console.log(
          "mcp-remote: signed in, consented to, worked, asked for more, refreshed, disconnected, refused"
        )
        await withInspector(service, await browser.newPage(), ports[1], folder)
        console.log(
          "the Inspector: signed in, consented to, worked, refreshed, asked for more, disconnected, refused"
        )
      })
    })
  )
)
console.log(`apps of others are connected in the browser; pictures in ${folder}`)
