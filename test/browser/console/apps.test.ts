import { ownerPassword } from "@carillon/testing/OAuthBrowser"
import { Effect } from "effect"
import assert from "node:assert/strict"
import type { Response } from "playwright-core"
import { describe } from "vitest"
import { inspect } from "./inspect.ts"
import { test } from "./test.ts"

const secret = "a-s3cret-of-the-walk"

describe("the apps of networks", () => {
  test("are refused with a wrong secret, saved with the right one, used and removed", async ({
    onEachScreen,
    page,
    room: { at, signIn },
    sandbox,
    service
  }) => {
    await signIn("tiktok", "of-another-app")
    const shown = async () =>
      (await Effect.runPromise(service.call("GET", "/v1/platform-apps"))).body.data.find(
        ({ app }: { app: string }) => app === "tiktok"
      )
    assert.equal((await shown()).source, "test_network")
    const answers: Array<Promise<string>> = []
    const keep = (response: Response) => {
      if (response.url().includes("/v1/")) answers.push(response.text().catch(() => ""))
    }
    page.on("response", keep)

    await page.goto(at("/accounts"))
    await page.getByRole("link", { name: "Network apps" }).click()
    await page.getByRole("link", { name: /^TikTok/ }).click()
    await page.getByLabel("Client key").waitFor()

    // Nothing is sent before both fields are there.
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Enter the value that the network shows.").first().waitFor()
    await page.getByLabel("Client key").fill("awx7h2kq9tz3")
    await page.getByLabel("Client secret").fill("wrong")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("One of the two values is wrong. Not saved.").waitFor()
    await inspect(page)
    assert.equal((await shown()).source, "test_network")

    // The password was given too long ago, and an account has to be connected again.
    await page.route(
      "**/v1/platform-apps/tiktok",
      (route) =>
        route.fulfill({
          status: 403,
          contentType: "application/problem+json",
          body: JSON.stringify({ status: 403, code: "confirm_password", detail: "It is too long ago." })
        }),
      { times: 1 }
    )
    await page.getByLabel("Client secret").fill(secret)
    await page.getByRole("button", { name: "Test", exact: true }).click()
    await page.getByText("It works.").waitFor()
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("heading", { name: /connected again/ }).waitFor()
    await page.getByRole("button", { name: "Keep it" }).and(page.locator(":focus")).waitFor()
    await inspect(page)
    await page.getByRole("button", { name: "Replace the app" }).click()
    await page.getByLabel("Password", { exact: true }).fill("not the password")
    await page.getByRole("button", { name: "Continue" }).click()
    await page.locator(".dialog .wrong").waitFor()
    await inspect(page)
    await page.getByLabel("Password", { exact: true }).fill(ownerPassword)
    await page.keyboard.press("Enter")
    await page.getByText("The TikTok app is saved").waitFor()
    const saved = await shown()
    assert.equal(saved.source, "stored")
    assert.equal(saved.client_id, "awx7h2kq9tz3")
    assert.equal(await page.getByLabel("Client secret").inputValue(), "")

    // Without the clipboard the address is selected instead.
    await page.evaluate(
      "Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })"
    )
    await page.getByRole("button", { name: "Copy: Redirect address" }).click()
    await page.getByText("Selected. Copy it with").waitFor()
    assert.equal(
      await page.evaluate("document.activeElement.value.slice(0, document.activeElement.selectionEnd)"),
      `${service.url}/oauth/callback/tiktok`
    )

    await onEachScreen(async (look, screen) => {
      await look.goto(at("/accounts/apps"))
      await look.getByRole("link", { name: /^TikTok/ }).waitFor()
      await inspect(look)
      await look.goto(at("/accounts/apps/tiktok"))
      await look.getByText("Your app has been in use").waitFor()
      await inspect(look)
      if (screen !== "phone") return
      // With it, on the network's own page, and back.
      await look.getByRole("button", { name: "Connect an account" }).click()
      await look.getByRole("button", { name: "Continue to TikTok" }).click()
      await look.waitForURL(`${sandbox.url}/**`)
      assert.equal(new URL(look.url()).searchParams.get("client_key"), "awx7h2kq9tz3")
      await look.locator("input[name=username]").fill("north.bakery")
      await look.getByRole("button", { name: "Allow" }).click()
      await look.getByText("The account is connected").waitFor()
      await look.getByText("1 account is connected through it.").waitFor()
    })
    assert.equal((await shown()).accounts, 1)

    await page.getByRole("button", { name: "Remove this app…" }).click()
    await page.getByRole("button", { name: "Remove", exact: true }).click()
    await page.getByText("There is no app yet.").waitFor()
    await page.locator('input[name="client_id"][value=""]').waitFor()
    page.off("response", keep)
    for (const answer of await Promise.all(answers))
      assert.ok(!answer.includes(secret), "an answer has the secret")
    assert.ok(!service.output().includes(secret), "the log has the secret")
  })
})
