import { allAskedOf, callWith, connectApp, ownerName, signedInBrowser } from "@carillon/testing/OAuthBrowser"
import { inSeconds } from "@carillon/testing/Publishing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import type { Page } from "playwright-core"
import { describe } from "vitest"
import { inspect } from "./inspect.ts"
import { test as base } from "./test.ts"
import { toast } from "./toast.ts"

const run = Effect.runPromise

/** What an app that is held writes in the service's first workspace, which the consent page offers. */
const test = base.extend("held", { scope: "file" }, async ({ sandbox, service }) => {
  await run(sandbox.reset)
  const call = async (method: string, path: string, sent?: unknown) => {
    const { body, status } = await run(service.call(method, path, sent))
    assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }
  const { id } = await call("POST", "/v1/social-accounts", {
    platform: "sandbox",
    credentials: { username: "held", password: "sandbox" }
  })
  const { tokens } = await connectApp(await signedInBrowser(service), {
    resource: `${service.url}/v1`,
    choose: (html) => [...allAskedOf(html), ["approval", "yes"]]
  })
  return {
    at: (path: string) => `${service.url}/app${path}`,
    /** The app changes what it asked about. */
    change: (post: string, caption: string) =>
      callWith(service.url, tokens.access_token, `/v1/posts/${post}`, {
        method: "PATCH",
        body: JSON.stringify({ caption })
      }),
    stored: (post: string) => call("GET", `/v1/posts/${post}`),
    ask: async (caption: string, more: object = {}): Promise<string> => {
      const { body, status } = await callWith(service.url, tokens.access_token, "/v1/posts", {
        method: "POST",
        body: JSON.stringify({ social_accounts: [id], caption, ...more })
      })
      assert.equal(status, 201, JSON.stringify(body))
      return body.id
    }
  }
})

const later = () => ({ scheduled_at: inSeconds(100_000) })

const cause = (page: Page, caption: string) => page.locator("[data-cause]").filter({ hasText: caption })

const approve = { name: "Approve", exact: true }

describe("a post that waits for approval", () => {
  test("is approved in Activity, at the time that its app asked for", async ({ held, page }) => {
    const post = await held.ask("Bells on Friday", later())
    await page.goto(held.at("/activity"))
    await inspect(page)
    await cause(page, "Bells on Friday").getByRole("button", approve).click()
    await toast(page, "Approved. It goes out").waitFor()
    await cause(page, "Bells on Friday").waitFor({ state: "detached" })
    const { approval, status } = await held.stored(post)
    assert.deepEqual([status, approval.decided_by.name], ["scheduled", ownerName])
  })

  test("goes out at once only if a person says so", async ({ held, page }) => {
    const post = await held.ask("Buy now")
    await page.goto(held.at("/activity"))
    await cause(page, "Buy now").getByRole("button", { name: "Approve…" }).click()
    await page.getByRole("heading", { name: "When does it go out?" }).waitFor()
    await inspect(page)
    await page.getByRole("button", { name: "Cancel" }).click()
    assert.equal((await held.stored(post)).approval.status, "waiting")
    await cause(page, "Buy now").getByRole("button", { name: "Approve…" }).click()
    await page.getByRole("button", { name: "Publish now" }).click()
    await cause(page, "Buy now").waitFor({ state: "detached" })
    assert.equal((await held.stored(post)).approval.status, "approved")
  })

  test("is refused in Activity with a reason that its app reads", async ({ held, page }) => {
    const post = await held.ask("On a Sunday", later())
    await page.goto(held.at("/activity"))
    await cause(page, "On a Sunday").getByRole("button", { name: "Refuse…" }).click()
    await page.getByLabel("Reason").fill("Not on a Sunday.")
    await page.getByRole("button", { name: "Refuse", exact: true }).click()
    await cause(page, "On a Sunday").waitFor({ state: "detached" })
    const { approval, status } = await held.stored(post)
    assert.deepEqual([status, approval.status, approval.reason], ["draft", "refused", "Not on a Sunday."])
  })

  test("is decided on its card in the calendar", async ({ held, page }) => {
    const post = await held.ask("From the card", later())
    await page.goto(held.at("?view=agenda"))
    await page.locator(`[data-post="${post}"]`).click()
    await page.getByRole("dialog").getByText("asks to publish this").waitFor()
    await inspect(page)
    await page.getByRole("button", { name: "Refuse…" }).click()
    await page.getByLabel("Reason").waitFor()
    await page.getByRole("button", { name: "Cancel" }).click()
    await page.getByRole("button", approve).click()
    await toast(page, "Approved. It goes out").waitFor()
    await page.locator(".popover").waitFor({ state: "detached" })
    assert.equal((await held.stored(post)).status, "scheduled")
  })

  test("is shown again before it is approved if its app has changed it", async ({ held, page }) => {
    const post = await held.ask("The first words", later())
    await page.goto(held.at(`/posts/${post}`))
    await page.getByText("asks to publish this").waitFor()
    assert.equal((await held.change(post, "The other words")).status, 200)
    await page.getByRole("button", approve).click()
    const dialog = page.getByRole("alertdialog")
    await dialog.getByText("The other words").waitFor()
    assert.equal((await held.stored(post)).approval.status, "waiting")
    await inspect(page)
    await dialog.getByRole("button", { name: "Use theirs" }).click()
    await page
      .getByRole("textbox", { name: "Text", exact: true })
      .and(page.getByText("The other words"))
      .waitFor()
    await page.getByRole("button", approve).click()
    await toast(page, "Approved. It goes out").waitFor()
    const { approval, caption } = await held.stored(post)
    assert.deepEqual([approval.status, caption], ["approved", "The other words"])
  })

  test("goes out as a person has written it in the composer", async ({ held, onEachScreen, page }) => {
    const post = await held.ask("In the composer", later())
    await onEachScreen(async (look) => {
      await look.goto(held.at(`/posts/${post}`))
      await look.getByText("asks to publish this").waitFor()
      await inspect(look)
    })
    await page.goto(held.at(`/posts/${post}`))
    await page.getByText("asks to publish this").waitFor()
    assert.equal(await page.getByRole("button", { name: /^Schedule for/ }).count(), 0)
    await page.locator("[data-writing]").fill("In the composer, by hand")
    await page.getByRole("button", approve).click()
    await toast(page, "Approved. It goes out").waitFor()
    await page.waitForURL(/\/app\/?(\?.*)?$/)
    const { caption, status } = await held.stored(post)
    assert.deepEqual([status, caption], ["scheduled", "In the composer, by hand"])
  })

  test("tells whoever is second who decided, and what", async ({ held, open, page }) => {
    const post = await held.ask("Two at once", later())
    const second = await open()
    for (const one of [page, second]) {
      await one.goto(held.at("/activity"))
      await cause(one, "Two at once").getByRole("button", approve).waitFor()
    }
    // What the second person sees is not read again before they decide.
    await second.route("**/v1/posts?*", (route) => route.abort())
    await cause(page, "Two at once").getByRole("button", { name: "Refuse…" }).click()
    await page.getByRole("button", { name: "Refuse", exact: true }).click()
    await cause(page, "Two at once").waitFor({ state: "detached" })
    await cause(second, "Two at once").getByRole("button", approve).click()
    await toast(second, `${ownerName} refused it first`).waitFor()
    assert.equal((await held.stored(post)).approval.status, "refused")
  })
})
