import { ownerName, ownerPassword, welcomeLink } from "@carillon/testing/OAuthBrowser"
import { startService } from "@carillon/testing/ServiceProcess"
import { Effect, Exit, Scope } from "effect"
import assert from "node:assert/strict"
import { describe } from "vitest"
import { inspect } from "./inspect.ts"
import { looks } from "./looks.ts"
import { screens, test as base } from "./test.ts"
import { toast } from "./toast.ts"

const test = base
  /** A service that nobody has used, on plain http at a name: no secure context, in which a browser has less to offer. */
  .extend("fresh", { scope: "file" }, async ({ sandbox }, { onCleanup }) => {
    const scope = Scope.makeUnsafe()
    onCleanup(() => Effect.runPromise(Scope.close(scope, Exit.void)))
    const service = await startService({
      host: "carillon.test",
      env: { SANDBOX_URL: sandbox.url, CARILLON_CONSOLE: "on" }
    }).pipe(Scope.provide(scope), Effect.runPromise)
    return { ...service, url: service.publicUrl }
  })

describe("the first run", () => {
  test("leads from the first link to a post that is out", async ({ fresh, open }) => {
    const { body } = await Effect.runPromise(fresh.call("GET", "/v1/social-accounts?limit=100"))
    for (const { id } of body.data) await Effect.runPromise(fresh.call("DELETE", `/v1/social-accounts/${id}`))
    const page = await open({ timezoneId: "Europe/Berlin" }, [])
    await page.goto(welcomeLink(fresh))
    await page.getByRole("textbox", { name: "Name" }).fill(ownerName)
    await page.getByLabel("Password").fill(ownerPassword)
    await page.getByLabel("Time zone").selectOption("UTC")
    await page.keyboard.press("Enter")
    const step = page.locator("[aria-current=step]")
    await step.filter({ hasText: "Connect an account" }).waitFor()
    const session = await page.context().cookies()
    for (const [screen, options] of Object.entries(screens)) {
      const look = await open({ ...options, timezoneId: "Europe/Berlin" }, session)
      await look.goto(`${fresh.url}/app`)
      await look.getByText("only you see it").waitFor()
      await inspect(look)
      if (screen === "desk") assert.deepEqual(await looks(look, "first-run"), [])
      await look.context().close()
    }

    // The clock of this computer is the one to plan by.
    const reloaded = page.waitForEvent("load")
    await page.getByRole("button", { name: "Use Berlin time" }).click()
    await reloaded
    await step.waitFor()
    assert.equal((await Effect.runPromise(fresh.call("GET", "/v1/profile"))).body.timezone, "Europe/Berlin")
    assert.equal(await page.getByRole("button", { name: "Use Berlin time" }).count(), 0)

    // Put aside, and taken back.
    await page.getByRole("button", { name: "Hide this" }).click()
    await page.getByRole("grid", { name: "Calendar" }).waitFor()
    await page.locator("[data-toast]").getByRole("button", { name: "Undo" }).click()

    // One press connects, and the focus goes on.
    await page.getByRole("button", { name: "Connect: Test network" }).click()
    await page.getByRole("link", { name: "Write a post" }).and(page.locator(":focus")).waitFor()
    await page.keyboard.press("Enter")
    await page.locator("[data-writing]").fill("Good morning from the bakery")
    await page.getByRole("button", { name: "Change when it goes out" }).click()
    await page.getByRole("button", { name: "Now", exact: true }).click()
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Publish now" }).click()
    // The button says something else before the post is sent.
    await page.waitForURL(/\/posts\//)
    await page.goto(`${fresh.url}/app`)
    await page.getByText("“Good morning from the bakery” is out.").waitFor()
    const there = await page.getByRole("link", { name: "See it there" }).getAttribute("href")
    assert.match(await (await fetch(there!)).text(), /Good morning from the bakery/)
    await inspect(page)
    await page.getByRole("button", { name: "Go to the calendar" }).click()
    await page.getByRole("grid", { name: "Calendar" }).waitFor()

    // It does not come again: not in this browser, and not in another.
    await page.reload()
    await page.getByRole("grid", { name: "Calendar" }).waitFor()
    const other = await open({}, session)
    await other.goto(`${fresh.url}/app`)
    await other.getByRole("grid", { name: "Calendar" }).waitFor()
  })

  test("leaves a calendar whose posts move where the page is no secure context", async ({ fresh, open }) => {
    await Effect.runPromise(
      Effect.gen(function* () {
        yield* fresh.call("PATCH", "/v1/profile", { timezone: "Europe/Paris" })
        const { body: account } = yield* fresh.call("POST", "/v1/social-accounts", {
          platform: "sandbox",
          credentials: { username: "fresh", password: "sandbox" }
        })
        yield* fresh.call("POST", "/v1/posts", {
          social_accounts: [account.id],
          caption: "The one that moves",
          scheduled_at: "2030-12-12T18:00[Europe/Paris]"
        })
      })
    )
    const page = await open({}, [])
    await page.goto(`${fresh.url}/sign-in`)
    await page.getByLabel("Name").fill(ownerName)
    await page.getByLabel("Password").fill(ownerPassword)
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/app/)
    assert.equal(await page.evaluate("isSecureContext"), false)
    await page.goto(`${fresh.url}/app?view=month&date=2030-12-12`)
    await page.locator("[data-post]").dragTo(page.locator('[data-cell][data-day="2030-12-14"]'))
    await toast(page, "Moved to Sat 14 Dec, 18:00").waitFor()
    await page.getByRole("button", { name: "Undo" }).click()
    await toast(page, "Moved back").waitFor()
    await page.locator('[data-day="2030-12-12"][data-post]').waitFor()
  })
})
