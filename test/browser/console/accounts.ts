import { credentialForms, platformApps, platformFacts } from "@carillon/domain"
import type { SandboxProcess } from "@carillon/sandbox/testing"
import type { ServiceProcess } from "@carillon/testing/ServiceProcess"
import { Effect } from "effect"
import assert from "node:assert/strict"
import type { Browser, BrowserContextOptions, Cookie, Page } from "playwright-core"
import { run } from "./run.ts"
import { toast } from "./toast.ts"

interface Walk {
  readonly browser: Browser
  readonly cookies: ReadonlyArray<Cookie>
  readonly service: ServiceProcess
  readonly sandbox: SandboxProcess["Service"]
  readonly screens: Readonly<Record<string, BrowserContextOptions>>
  /** A picture, axe, and no sideways scroll. */
  readonly inspect: (page: Page, name: string) => Promise<void>
}

const row = (page: Page, network: string, name: string) =>
  page
    .locator("[data-account]")
    .filter({ hasText: network })
    .filter({ hasText: `@${name}` })

const choose = async (page: Page, network: string) => {
  await page.getByRole("button", { name: "Connect an account" }).click()
  await page
    .getByRole("dialog")
    .getByRole("button", { name: new RegExp(`^${network}`) })
    .click()
}

/** Past the page that says who asks, and on the network's own page, on the test network. */
const allow = async (page: Page, name: string) => {
  await page.getByRole("button", { name: "Continue to" }).click()
  await page.getByRole("textbox", { name: "Account" }).fill(name)
  await page.getByRole("button", { name: "Allow" }).click()
}

const idOf = async (service: ServiceProcess, platform: string, username: string): Promise<number> =>
  (await run(service.call("GET", `/v1/social-accounts?platform=${platform}&username=${username}`))).body
    .data[0].id

/** A post whose page says that it waits for its account. */
const blocked = async (service: ServiceProcess, page: Page, account: number, caption: string) => {
  const { body } = await run(service.call("POST", "/v1/posts", { social_accounts: [account], caption }))
  await page.goto(`${service.url}/app/posts/${body.id}`)
  await page.locator('[data-result][data-state="blocked"]').waitFor()
}

const connects = async ({ inspect, sandbox, service }: Walk, page: Page) => {
  // With what the person types.
  await choose(page, "Test network")
  await page.getByLabel("Name").fill("cellar")
  await page.getByLabel("Password").fill("guessed")
  await page.keyboard.press("Enter")
  await page.getByText("The password of cellar is not right").waitFor()
  await inspect(page, "accounts-wrong-password")
  await page.getByLabel("Password").fill("sandbox")
  await page.keyboard.press("Enter")
  await toast(page, "Connected @cellar").waitFor()
  await row(page, "Test network", "cellar").getByText("Connected").waitFor()
  // Its own name says enough.
  assert.equal(await row(page, "Test network", "cellar").getByText("Test", { exact: true }).count(), 0)

  await choose(page, "Bluesky")
  await page.getByLabel("Handle").fill("cellar.invalid")
  await page.getByLabel("App password").fill("aaaa-bbbb-cccc-dddd")
  await page.keyboard.press("Enter")
  // A toast is an alert too, and the form takes no second Enter while it asks.
  await page.getByRole("dialog").getByRole("alert").waitFor()
  await page.getByLabel("Handle").fill("cellar.bsky.sandbox")
  await page.getByRole("button", { name: "The account is on its own server" }).click()
  await page.getByLabel("Server").fill(sandbox.url)
  await page.getByLabel("App password").fill("aaaa-bbbb-cccc")
  await page.keyboard.press("Enter")
  await page.getByRole("alert").filter({ hasText: "app password" }).waitFor()
  await page.getByLabel("App password").fill("aaaa-bbbb-cccc-dddd")
  await page.keyboard.press("Enter")
  await toast(page, "Connected @cellar.bsky.sandbox").waitFor()
  await row(page, "Bluesky", "cellar.bsky.sandbox").getByText("Connected").waitFor()

  await choose(page, "Bluesky")
  await page.getByRole("button", { name: "Other networks" }).click()
  await page
    .getByRole("button", { name: /^Bluesky/ })
    .and(page.locator(":focus"))
    .waitFor()
  await page.getByRole("button", { name: "Cancel" }).click()

  // On the network's own page.
  const withApps = Object.values(platformApps)
    .filter(({ platform }) => !(platform in credentialForms))
    .map(({ platform }) => platformFacts[platform].name)
  for (const network of new Set(withApps)) {
    await choose(page, network)
    if (network === "Instagram") {
      await page.getByRole("button", { name: "A Facebook Page" }).click()
      await page.getByRole("button", { name: "Go to Facebook" }).waitFor()
      await inspect(page, "accounts-logins")
      await page.getByRole("button", { name: "Instagram", exact: true }).click()
    }
    // Who goes there knows that it is not the network.
    await page
      .getByRole("dialog")
      .getByText(`The test network plays ${network} here. Nothing reaches ${network}.`)
      .waitFor()
    await page.getByRole("button", { name: `Go to ${network}` }).click()
    await allow(page, "cellar")
    await toast(page, "Connected @cellar").waitFor()
    if (network === "TikTok") await choosesAudience(page)
    await row(page, network, "cellar").getByText("Connected").waitFor()
    await row(page, network, "cellar").getByText("Test", { exact: true }).waitFor()
    assert.equal(page.url(), `${service.url}/app/accounts`)
  }

  // On the page of the server that the person names.
  await choose(page, "Mastodon")
  await page.getByText("You go to your server, allow").waitFor()
  await page.getByLabel("Server").fill("@cellar@mastodon.example")
  await page.getByRole("button", { name: "Go to mastodon.example" }).waitFor()
  const plays = page.getByText("The test network plays Mastodon here. Nothing reaches Mastodon.")
  assert.equal(await plays.count(), 0)
  await page.getByLabel("Server").fill(`${"long-name.".repeat(8)}example`)
  await inspect(page, "accounts-long-server")
  await page.getByLabel("Server").fill("https://nothing.sandbox/")
  await page.getByText("You go to nothing.sandbox, allow").waitFor()
  await page.keyboard.press("Enter")
  await page.getByRole("alert").filter({ hasText: "does not answer like a Mastodon server" }).waitFor()
  await inspect(page, "accounts-wrong-server")
  await page.getByLabel("Server").fill("mastodon.sandbox")
  await plays.waitFor()
  await page.keyboard.press("Enter")
  await allow(page, "cellar")
  await toast(page, "Connected @cellar@mastodon.sandbox").waitFor()
  await choose(page, "Mastodon")
  await page.getByRole("button", { name: "Use an access token instead" }).click()
  await page.getByLabel("Server").fill("mastodon.sandbox")
  await page.getByLabel("Access token").fill("cellar.sandbox")
  await page.keyboard.press("Enter")
  await toast(page, "Connected @cellar@mastodon.sandbox").last().waitFor()
  await row(page, "Mastodon", "cellar@mastodon.sandbox").getByText("Connected").waitFor()

  // A person who says no is told so, and can begin again.
  await choose(page, "TikTok")
  await page.getByRole("button", { name: "Go to TikTok" }).click()
  await page.getByRole("button", { name: "Continue to" }).click()
  await page.getByRole("button", { name: "Deny" }).click()
  await page.getByText("You did not allow this service on TikTok").waitFor()
  await inspect(page, "accounts-refused")
  await page.getByRole("button", { name: "Try again" }).click()
  await page.getByRole("button", { name: "Go to TikTok" }).waitFor()
  await page.keyboard.press("Escape")

  // Every picture comes from the service.
  const pictures = await page.evaluate<ReadonlyArray<{ src: string; width: number }>>(
    `[...document.querySelectorAll(".avatar img")].map(({ src, naturalWidth: width }) => ({ src, width }))`
  )
  assert.ok(pictures.length >= 5)
  for (const { src, width } of pictures) {
    assert.ok(src.startsWith(`${service.url}/media/accounts/`), src)
    assert.equal(width, 160)
  }
}

/** TikTok wants the person to choose it, with nothing chosen before. */
const choosesAudience = async (page: Page) => {
  const audience = page.getByRole("combobox", { name: "Who can see them" })
  await audience.and(page.locator(":enabled")).waitFor()
  assert.equal(await audience.locator("option:checked").innerText(), "No default audience")
  await audience.selectOption({ label: "Friends" })
  await page.getByRole("button", { name: "Save" }).click()
  await toast(page, "Posts are now for “Friends”").waitFor()
  await row(page, "TikTok", "cellar").getByRole("button", { name: "Friends" }).waitFor()
}

const choosesBoard = async ({ inspect, service }: Walk, page: Page) => {
  const pinterest = row(page, "Pinterest", "cellar")
  await pinterest.getByRole("button", { name: /No board/ }).click()
  await page.getByRole("combobox", { name: "Board" }).and(page.locator(":enabled")).waitFor()
  await inspect(page, "accounts-board")
  await page.getByRole("combobox", { name: "Board" }).selectOption({ index: 1 })
  const name = await page.getByRole("combobox", { name: "Board" }).locator("option:checked").innerText()
  await page.getByRole("button", { name: "Save" }).click()
  await toast(page, `Posts now go to “${name}”`).waitFor()
  await pinterest.getByRole("button", { name }).waitFor()
  const { body } = await run(
    service.call("GET", `/v1/social-accounts/${await idOf(service, "pinterest", "cellar")}`)
  )
  assert.notEqual(body.default_board_id, null)
}

const reconnects = async ({ sandbox, service }: Walk, page: Page) => {
  // Its access ends at the network, which is noticed when something is published.
  const id = await idOf(service, "sandbox", "cellar")
  await run(
    service.call("POST", "/v1/posts", {
      social_accounts: [id],
      caption: "The ovens are warm",
      scheduled_at: "2031-12-05T18:00[Europe/Paris]"
    })
  )
  await run(
    sandbox.script("cellar", [
      { on: "post", fault: "unauthorized" },
      { on: "session", fault: "unauthorized" }
    ])
  )
  await blocked(service, page, id, "Rye is out of the oven")
  await page.goto(`${service.url}/app/accounts`)
  const broken = page.getByRole("region", { name: "Test network @cellar" })
  await broken.getByText("2 scheduled posts are waiting for it").waitFor()
  await broken.getByRole("link", { name: "See the 2 posts" }).waitFor()

  // Another account than this one says so; the same one goes on.
  await page.goto(`${service.url}/app/accounts?reconnect=${id}`)
  await page.getByLabel("Name").fill("loom")
  await page.keyboard.press("Enter")
  await page.getByText("@loom is in the list now").waitFor()
  await page.getByRole("button", { name: "Try again" }).click()
  assert.equal(await page.getByLabel("Name").inputValue(), "cellar")
  await page.getByLabel("Name").press("Enter")
  await toast(page, "Reconnected @cellar").waitFor()
  await broken.waitFor({ state: "detached" })
  await row(page, "Test network", "cellar").getByText("Connected").waitFor()
  await run(Effect.orDie(sandbox.waitForPublications("cellar", 1)))
  assert.equal(await idOf(service, "sandbox", "cellar"), id)

  // The same for a network with a page of its own.
  await page.getByRole("button", { name: "YouTube (test) @cellar: more" }).click()
  await page.getByRole("menuitem", { name: "Reconnect" }).click()
  await page.getByText("Sign in there as @cellar").waitFor()
  await page.getByRole("button", { name: "Go to YouTube" }).click()
  await allow(page, "loom")
  await page.getByText("as @loom, and @cellar was to be reconnected").waitFor()
  await page.getByRole("button", { name: "Try again" }).click()
  await page.getByRole("button", { name: "Go to YouTube" }).click()
  await allow(page, "cellar")
  await toast(page, "Reconnected @cellar").waitFor()
}

const disconnects = async ({ inspect, service }: Walk, page: Page) => {
  const id = await idOf(service, "sandbox", "loom")
  for (const day of ["06", "07"]) {
    await run(
      service.call("POST", "/v1/posts", {
        social_accounts: [id],
        caption: `The loom turns on the ${day}th`,
        scheduled_at: `2031-12-${day}T18:00[Europe/Paris]`
      })
    )
  }
  await page.reload()
  const loom = row(page, "Test network", "loom")
  await loom.getByRole("link", { name: "2 posts" }).waitFor()
  await loom.getByRole("button", { name: "Test network @loom: more" }).click()
  await page.getByRole("menuitem", { name: "Disconnect…" }).click()
  await page.getByText("2 scheduled posts will fail").waitFor()
  await page.getByRole("button", { name: "Keep it" }).and(page.locator(":focus")).waitFor()
  await inspect(page, "accounts-disconnect")
  await page.getByRole("button", { name: "Disconnect", exact: true }).click()
  await toast(page, "Disconnected @loom").waitFor()
  await loom.getByRole("button", { name: "Connect again" }).waitFor()

  // The number of planned posts leads to them.
  await row(page, "Test network", "cellar").getByRole("link", { name: "1 post" }).click()
  await page.getByText("The ovens are warm").first().waitFor()
}

/** The room of accounts: every network is connected, and connected again, and what goes with that. */
export const accounts = async (walk: Walk) => {
  const { browser, cookies, inspect, sandbox, screens, service } = walk
  const complaints: Array<string> = []
  const opened = async (options: BrowserContextOptions | undefined) => {
    const context = await browser.newContext(options)
    await context.addCookies([...cookies])
    const page = await context.newPage()
    // The person goes to a network; the page itself asks nobody else.
    page.on("request", (request) => {
      const { origin } = new URL(request.url())
      if (!request.isNavigationRequest() && page.url().startsWith(service.url) && origin !== service.url)
        complaints.push(`asked ${request.url()}`)
    })
    page.on("console", (message) => {
      const ours = page.url().startsWith(service.url)
      if (
        ours &&
        ["error", "warning"].includes(message.type()) &&
        !message.text().startsWith("Failed to load")
      )
        complaints.push(message.text())
    })
    page.on("pageerror", ({ message }) => complaints.push(message))
    return page
  }

  const page = await opened(screens["desk"])
  await page.goto(`${service.url}/app/accounts`)
  await page.getByRole("heading", { name: "Accounts" }).waitFor()
  await connects(walk, page)
  await choosesBoard(walk, page)
  await reconnects(walk, page)
  await disconnects(walk, page)

  // One that needs a person, and as many as an agency has.
  const connect = (username: string) =>
    run(
      service.call("POST", "/v1/social-accounts", {
        platform: "sandbox",
        credentials: { username, password: "sandbox" }
      })
    )
  for (let shop = 1; shop <= 50; shop++) await connect(`shop-${shop}`)
  const { id } = (await connect("ferry")).body
  await run(
    sandbox.script("ferry", [
      { on: "post", fault: "unauthorized" },
      { on: "session", fault: "unauthorized" }
    ])
  )
  await blocked(service, page, id, "The boat is late")

  for (const [screen, options] of Object.entries(screens)) {
    const look = await opened(options)
    await look.goto(`${service.url}/app/accounts`)
    await look.getByRole("region", { name: "Test network @ferry" }).waitFor()
    await look.getByText("1 scheduled post is waiting for it").waitFor()
    await inspect(look, `accounts-${screen}`)
    await look.getByLabel("Search accounts").fill("shop-4")
    await row(look, "Test network", "shop-41").waitFor()
    await look.getByLabel("Search accounts").fill("nobody")
    await look.getByText("No account matches “nobody”").waitFor()
    await look.goto(`${service.url}/app/accounts?connect=choose`)
    await look.getByRole("list", { name: "Networks" }).waitFor()
    await inspect(look, `accounts-connect-${screen}`)
    await look.goto(`${service.url}/app/accounts?connect=bluesky`)
    await look.getByLabel("Handle").waitFor()
    await inspect(look, `accounts-bluesky-${screen}`)
    await look.context().close()
  }

  // What cannot be read says so, and what has been read stays without a connection.
  const broken = await opened(screens["desk"])
  await broken.route("**/v1/social-accounts?**", (route) =>
    route.fulfill({
      status: 503,
      contentType: "application/json",
      body: '{"title":"x","detail":"It rests."}'
    })
  )
  await broken.route("**/v1/social-accounts", (route) =>
    route.fulfill({
      status: 503,
      contentType: "application/json",
      body: '{"title":"x","detail":"It rests."}'
    })
  )
  await broken.goto(`${service.url}/app/accounts`)
  await broken.getByText("The accounts did not load").waitFor()
  await inspect(broken, "accounts-error")
  await broken.unrouteAll({ behavior: "wait" })
  await broken.getByRole("button", { name: "Try again" }).click()
  await broken.locator("[data-account]").first().waitFor()
  await broken.context().setOffline(true)
  await broken.getByText("No connection.").waitFor()
  await broken.locator("[data-account]").first().waitFor()
  await inspect(broken, "accounts-offline")
  await broken.context().close()

  assert.deepEqual(complaints, [])
  await page.context().close()
}
