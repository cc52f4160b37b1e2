import { credentialForms, platformApps, platformFacts } from "@carillon/domain"
import assert from "node:assert/strict"
import type { Page, Route } from "playwright-core"
import { describe } from "vitest"
import { inspect } from "./inspect.ts"
import { test as base } from "./test.ts"
import { toast } from "./toast.ts"

const test = base
  .extend("page", async ({ page, room: { at } }) => {
    await page.goto(at("/accounts"))
    await page.getByRole("heading", { name: "Accounts" }).waitFor()
    return page
  })
  /** A post whose page says that it waits for its account; its id. */
  .extend("blocked", ({ page, room: { at, script, write } }) => async (account: number, username: string) => {
    await script(username, [
      { on: "post", fault: "unauthorized" },
      { on: "session", fault: "unauthorized" }
    ])
    const id = await write({ social_accounts: [account], caption: "The boat is late" })
    await page.goto(at(`/posts/${id}`))
    await page.locator('[data-result][data-state="blocked"]').waitFor()
    return id
  })

const row = (page: Page, network: string, name: string) =>
  page
    .locator("[data-account]")
    .filter({ has: page.locator("[data-network]", { hasText: new RegExp(`^${network}\\b`) }) })
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

describe("the accounts", () => {
  test("are connected with what the person types", async ({ page, sandbox }) => {
    await choose(page, "Test network")
    await page.getByLabel("Name").fill("cellar")
    await page.getByLabel("Password").fill("guessed")
    await page.keyboard.press("Enter")
    await page.getByText("The password of cellar is not right").waitFor()
    await inspect(page)
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
  })

  test("are connected on each network’s own page, and have their pictures from the service", async ({
    page,
    room: { at },
    service
  }) => {
    const withApps = Object.values(platformApps)
      .filter(({ platform }) => !(platform in credentialForms))
      .map(({ platform }) => platformFacts[platform].name)
    for (const network of new Set(withApps)) {
      await choose(page, network)
      if (network === "Instagram") {
        await page.getByRole("button", { name: "A Facebook Page" }).click()
        await page.getByRole("button", { name: "Go to Facebook" }).waitFor()
        await inspect(page)
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
      assert.equal(page.url(), at("/accounts"))
    }
    const pictures = await page.evaluate<ReadonlyArray<{ src: string; width: number }>>(
      `Promise.all([...document.querySelectorAll(".avatar img")].map(async (image) => {
        await image.decode()
        return { src: image.src, width: image.naturalWidth }
      }))`
    )
    assert.ok(pictures.length >= 5)
    for (const { src, width } of pictures) {
      assert.ok(src.startsWith(`${service.url}/media/accounts/`), src)
      assert.equal(width, 160)
    }
  })

  test("are connected on the page of the server that the person names", async ({ page }) => {
    await choose(page, "Mastodon")
    await page.getByText("You go to your server, allow").waitFor()
    await page.getByLabel("Server").fill("@cellar@mastodon.example")
    await page.getByRole("button", { name: "Go to mastodon.example" }).waitFor()
    const plays = page.getByText("The test network plays Mastodon here. Nothing reaches Mastodon.")
    assert.equal(await plays.count(), 0)
    await page.getByLabel("Server").fill(`${"long-name.".repeat(8)}example`)
    await inspect(page)
    await page.getByLabel("Server").fill("https://nothing.sandbox/")
    await page.getByText("You go to nothing.sandbox, allow").waitFor()
    await page.keyboard.press("Enter")
    await page.getByRole("alert").filter({ hasText: "does not answer like a Mastodon server" }).waitFor()
    await inspect(page)
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
  })

  test("are not connected by a person who says no, and can begin again", async ({ page }) => {
    await choose(page, "TikTok")
    await page.getByRole("button", { name: "Go to TikTok" }).click()
    await page.getByRole("button", { name: "Continue to" }).click()
    await page.getByRole("button", { name: "Deny" }).click()
    await page.getByText("You did not allow this service on TikTok").waitFor()
    await inspect(page)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByRole("button", { name: "Go to TikTok" }).waitFor()
    await page.keyboard.press("Escape")
  })

  test("have a board for what they publish", async ({ page, room: { call, signIn } }) => {
    const id = await signIn("pinterest", "carver")
    await page.reload()
    const pinterest = row(page, "Pinterest", "carver")
    await pinterest.getByRole("button", { name: /No board/ }).click()
    await page.getByRole("combobox", { name: "Board" }).and(page.locator(":enabled")).waitFor()
    await inspect(page)
    await page.getByRole("combobox", { name: "Board" }).selectOption({ index: 1 })
    const name = await page.getByRole("combobox", { name: "Board" }).locator("option:checked").innerText()
    await page.getByRole("button", { name: "Save" }).click()
    await toast(page, `Posts now go to “${name}”`).waitFor()
    await pinterest.getByRole("button", { name }).waitFor()
    assert.notEqual((await call("GET", `/v1/social-accounts/${id}`)).default_board_id, null)
  })

  test("are connected again, and by the same account only", async ({
    blocked,
    page,
    room: { at, connect, signIn, storedWhen, write }
  }) => {
    const id = await connect("weaver")
    await signIn("youtube", "weaver")
    await write({
      social_accounts: [id],
      caption: "The ovens are warm",
      scheduled_at: "2031-12-05T18:00[Europe/Paris]"
    })
    // Its access ends at the network, which is noticed when something is published.
    const post = await blocked(id, "weaver")
    await page.goto(at("/accounts"))
    const broken = row(page, "Test network", "weaver").and(page.locator("[data-needs]"))
    await broken.getByText("2 scheduled posts are waiting for it").waitFor()
    await broken.getByRole("link", { name: "2 scheduled posts" }).waitFor()

    // Another account than this one says so; the same one goes on.
    await page.goto(at(`/accounts?reconnect=${id}`))
    await page.getByLabel("Name").fill("loom")
    await page.keyboard.press("Enter")
    await page.getByText("@loom is in the list now").waitFor()
    await page.getByRole("button", { name: "Try again" }).click()
    assert.equal(await page.getByLabel("Name").inputValue(), "weaver")
    await page.getByLabel("Name").press("Enter")
    await toast(page, "Reconnected @weaver").waitFor()
    await broken.waitFor({ state: "detached" })
    await row(page, "Test network", "weaver").getByText("Connected").waitFor()
    await storedWhen(post, ({ status }) => status === "published")

    // The same for a network with a page of its own.
    await page.getByRole("button", { name: "YouTube (test) @weaver: more" }).click()
    await page.getByRole("menuitem", { name: "Reconnect" }).click()
    await page.getByText("Sign in there as @weaver").waitFor()
    await page.getByRole("button", { name: "Go to YouTube" }).click()
    await allow(page, "loom")
    await page.getByText("as @loom, and @weaver was to be reconnected").waitFor()
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByRole("button", { name: "Go to YouTube" }).click()
    await allow(page, "weaver")
    await toast(page, "Reconnected @weaver").waitFor()
  })

  test("are disconnected, after the posts that will fail are told", async ({
    page,
    room: { connect, write }
  }) => {
    const account = await connect("reel")
    for (const day of ["06", "07"])
      await write({
        social_accounts: [account],
        caption: `The reel turns on the ${day}th`,
        scheduled_at: `2031-12-${day}T18:00[Europe/Paris]`
      })
    await page.reload()
    const reel = row(page, "Test network", "reel")
    await reel.getByRole("link", { name: "2 scheduled posts" }).waitFor()
    await reel.getByRole("button", { name: "Test network @reel: more" }).click()
    await page.getByRole("menuitem", { name: "Disconnect…" }).click()
    await page.getByText("2 scheduled posts will fail").waitFor()
    await page.getByRole("button", { name: "Keep it" }).and(page.locator(":focus")).waitFor()
    await inspect(page)
    await page.getByRole("button", { name: "Disconnect", exact: true }).click()
    await toast(page, "Disconnected @reel").waitFor()
    await reel.getByRole("button", { name: "Connect again" }).waitFor()
  })

  test("lead to their planned posts", async ({ page, room: { connect, write } }) => {
    await write({
      social_accounts: [await connect("baker")],
      caption: "The ovens are warm",
      scheduled_at: "2031-12-05T18:00[Europe/Paris]"
    })
    await page.reload()
    await row(page, "Test network", "baker").getByRole("link", { name: "1 scheduled post" }).click()
    await page.getByText("The ovens are warm").first().waitFor()
  })

  test("are found among as many as an agency has, on each screen", async ({
    blocked,
    onEachScreen,
    room: { at, connect }
  }) => {
    for (let shop = 1; shop <= 50; shop++) await connect(`shop-${shop}`)
    await blocked(await connect("ferry"), "ferry")
    await onEachScreen(async (look) => {
      await look.goto(at("/accounts"))
      await row(look, "Test network", "ferry").getByText("1 scheduled post is waiting for it").waitFor()
      await inspect(look)
      await look.getByLabel("Search accounts").fill("shop-4")
      await row(look, "Test network", "shop-41").waitFor()
      await look.getByLabel("Search accounts").fill("nobody")
      await look.getByText("No account matches “nobody”").waitFor()
      await look.goto(at("/accounts?connect=choose"))
      await look.getByRole("list", { name: "Networks" }).waitFor()
      await inspect(look)
      await look.goto(at("/accounts?connect=bluesky"))
      await look.getByLabel("Handle").waitFor()
      await inspect(look)
    })
  })

  test("say that they did not load, and stay without a connection", async ({
    page,
    room: { at, connect }
  }) => {
    await connect("pier")
    const rests = (route: Route) =>
      route.fulfill({
        status: 503,
        contentType: "application/json",
        body: '{"title":"x","detail":"It rests."}'
      })
    for (const asked of ["**/v1/social-accounts?**", "**/v1/social-accounts"]) await page.route(asked, rests)
    await page.goto(at("/accounts"))
    await page.getByText("The accounts did not load").waitFor()
    await inspect(page)
    await page.unrouteAll({ behavior: "wait" })
    await page.getByRole("button", { name: "Try again" }).click()
    await page.locator("[data-account]").first().waitFor()
    await page.context().setOffline(true)
    await page.getByText("No connection.").waitFor()
    await page.locator("[data-account]").first().waitFor()
    await inspect(page)
  })
})
