import {
  allAskedOf,
  callWith,
  connectApp,
  ownerName,
  ownerPassword,
  signedInBrowser
} from "@carillon/testing/OAuthBrowser"
import assert from "node:assert/strict"
import { describe } from "vitest"
import { inspect } from "./inspect.ts"
import { sessionOf, test } from "./test.ts"
import { toast } from "./toast.ts"

describe("the settings", () => {
  test("show what an app may do, change it, and disconnect the app, by keyboard alone", async ({
    page,
    room: { at, call, connect },
    service
  }) => {
    const account = await connect("of-the-app")
    await page.goto(at("/settings/connected-apps"))
    await page.getByRole("heading", { name: "No app is connected" }).waitFor()
    await inspect(page)
    const { id } = await call("GET", "/v1/profile")
    const { tokens } = await connectApp(await signedInBrowser(service), {
      resource: `${service.url}/v1`,
      choose: (html) => [
        ...allAskedOf(html).filter(([name]) => name !== "accounts" && name !== "account"),
        ["workspace", id],
        ["accounts", "all"]
      ]
    })
    const profile = async () => (await callWith(service.url, tokens.access_token, "/v1/profile")).body
    assert.ok((await profile()).scopes.includes("posts:publish"))
    await page.reload()
    await page.getByText("Publish at once").waitFor()
    await inspect(page)
    await page.getByRole("link", { name: /Test app/ }).focus()
    await page.keyboard.press("Enter")
    const publish = page.getByLabel("Publish at once")
    assert.equal(await publish.isChecked(), true)
    await publish.focus()
    await page.keyboard.press("Space")
    await page.getByRole("switch", { name: "Only some accounts" }).focus()
    await page.keyboard.press("Space")
    await page.getByRole("checkbox", { name: /of-the-app/ }).focus()
    await page.keyboard.press("Space")
    await page.getByRole("switch", { name: "Hold everything for my approval" }).focus()
    await page.keyboard.press("Space")
    await inspect(page)
    await page.getByRole("button", { name: "Save" }).focus()
    await page.keyboard.press("Enter")
    await toast(page, "Saved.").waitFor()
    const { credential, scopes } = await profile()
    assert.deepEqual(
      [credential.social_accounts, credential.needs_approval, scopes.includes("posts:publish")],
      [[account], true, false]
    )
    await page.getByRole("button", { name: "Disconnect Test app" }).focus()
    await page.keyboard.press("Enter")
    await page.getByRole("alertdialog").getByRole("button", { name: "Disconnect" }).focus()
    await page.keyboard.press("Enter")
    await page.getByText("You disconnected it").waitFor()
    assert.equal((await callWith(service.url, tokens.access_token)).status, 401)
  })

  test("give each agent's line to copy, with this instance's address", async ({ open, room, service }) => {
    const page = await open({ permissions: ["clipboard-read", "clipboard-write"] })
    const url = `${service.url}/mcp`
    await page.goto(`${service.url}/connect`)
    assert.equal(new URL(page.url()).pathname, "/app/settings/connect-app")
    await page.goto(room.at("/settings/connect-app"))
    for (const [app, line] of [
      ["Gemini CLI", `gemini mcp add --scope user --transport http carillon ${url}`],
      ["Zed", JSON.stringify({ context_servers: { carillon: { url } } }, null, 2)],
      ["Goose", /^extensions:\n {2}carillon:\n.* uri: http\S+\/mcp\n/s]
    ] as const) {
      await page.getByText(app, { exact: true }).click()
      await page
        .getByRole("button", { name: `Copy: For ${app}` })
        .first()
        .click()
      await page.getByRole("button", { name: `Copied: For ${app}` }).waitFor()
      const copied = await page.evaluate<string>("navigator.clipboard.readText()")
      if (typeof line === "string") assert.equal(copied, line)
      else assert.match(copied, line)
      await inspect(page)
    }
  })

  test("sign out of another browser, change the password, and sign out here", async ({
    open,
    room: { at },
    service
  }) => {
    const mine = await sessionOf(service)
    const lent = await signedInBrowser(service)
    const page = await open({}, mine)
    await page.goto(`${service.url}/account`)
    assert.equal(new URL(page.url()).pathname, "/app/settings/account")
    await page.goto(at("/settings/account"))
    await page.getByText("this browser").waitFor()
    await inspect(page)
    const before = await page.getByRole("button", { name: /^Sign out A browser/ }).count()
    await page
      .getByRole("button", { name: /^Sign out A browser/ })
      .first()
      .click()
    await toast(page, "is signed out").waitFor()
    assert.equal(await page.getByRole("button", { name: /^Sign out A browser/ }).count(), before - 1)

    const change = async (from: string, to: string) => {
      await page.getByLabel("Current password").fill(from)
      await page.getByLabel("New password").fill(to)
      await page.keyboard.press("Enter")
    }
    await change("a wrong password", "four words that differ")
    await page.getByText("The current password is wrong.").waitFor()
    await inspect(page)
    await change(ownerPassword, "short")
    await page.getByText("The password has 5 characters.").waitFor()
    await change(ownerPassword, "four words that differ")
    await toast(page, "The password is changed.").waitFor()
    assert.notEqual((await lent.visit("/app/settings/account")).status, 200)
    await change("four words that differ", ownerPassword)
    await page.getByLabel("Current password").and(page.locator('[value=""]')).waitFor()

    await page.getByRole("button", { name: "Sign out", exact: true }).click()
    await page.getByLabel("Name").fill(ownerName)
    await page.getByLabel("Password").fill(ownerPassword)
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/app/)

    // From any page, too.
    await page.getByRole("button", { name: /account and settings$/ }).click()
    await page.getByRole("menuitem", { name: "Sign out" }).click()
    await page.waitForURL(/\/sign-in/)
  })
})
