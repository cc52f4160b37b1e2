import { receiver, until } from "@carillon/testing/Receiver"
import { Effect, Exit, Scope } from "effect"
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { describe, onTestFinished } from "vitest"
import { inspect } from "./inspect.ts"
import { test } from "./test.ts"

describe("the settings", () => {
  test("change the zone of the workspace, after a question", async ({ page, room: { at, call } }) => {
    const zone = async () => (await call("GET", "/v1/profile")).timezone
    const choose = async (typed: string, place: string) => {
      await page.getByRole("combobox", { name: "Time zone" }).fill(typed)
      await page.getByRole("option", { name: place }).click()
      await page.getByRole("heading", { name: `Change to ${place} time?` }).waitFor()
    }
    await page.goto(at("/settings"))
    await choose("tok", "Tokyo")
    await page.getByRole("button", { name: "Keep Paris time" }).click()
    await page.getByRole("heading", { name: "Change to Tokyo time?" }).waitFor({ state: "detached" })
    assert.equal(await zone(), "Europe/Paris")
    await choose("tok", "Tokyo")
    const reloaded = page.waitForEvent("load")
    await page.getByRole("button", { name: "Use Tokyo time" }).click()
    await reloaded
    assert.equal(await zone(), "Asia/Tokyo")
    await page.goto(at("/queue"))
    await page.getByText("Tokyo time").first().waitFor()
    await call("PATCH", "/v1/profile", { timezone: "Europe/Paris" })
  })

  test("change how late a post may go out", async ({ page, room: { at, call } }) => {
    await page.goto(at("/settings"))
    const late = page.getByLabel("How late a post may go out")
    assert.equal(await late.inputValue(), "86400")
    const saved = page.waitForResponse((response) => response.request().method() === "PATCH")
    await late.selectOption({ label: "Up to an hour" })
    await saved
    assert.equal((await call("GET", "/v1/profile")).lateness_limit_seconds, 3600)
    await call("PATCH", "/v1/profile", { lateness_limit_seconds: 120 })
    await page.reload()
    assert.equal(await late.locator("option:checked").textContent(), "Up to 2 minutes")
  })

  test("keep a theme in this browser", async ({ page, room: { at } }) => {
    await page.goto(at("/settings"))
    const ground = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor")
    const light = await ground()
    await page.getByRole("button", { name: "Dark" }).click()
    assert.notEqual(await ground(), light)
    const dark = await ground()
    await page.reload()
    await page.getByRole("heading", { name: "Settings" }).waitFor()
    assert.equal(await ground(), dark)
    await page.getByRole("button", { name: "System" }).click()
    assert.equal(await ground(), light)
  })

  test("keep the first day of the week and single-letter shortcuts in this browser", async ({
    page,
    room: { at, connect, write }
  }) => {
    await write({ social_accounts: [await connect("settings")], caption: "A draft", is_draft: true })
    await page.goto(at("/settings"))
    await page.getByLabel("The week begins on").selectOption({ label: "Saturday" })
    await page.getByText("Single-letter shortcuts").click()
    await page.goto(at("?view=month&date=2030-12-04"))
    assert.equal(await page.getByRole("columnheader").first().textContent(), "Sat")
    await page.keyboard.press("2")
    await page.getByRole("button", { name: "Month" }).and(page.locator("[aria-current]")).waitFor()
  })

  test("make a key for one account, show it once, and delete it", async ({
    page,
    room: { at, connect },
    service
  }) => {
    const mine = await connect("of-the-key")
    await connect("of-others")
    await page.goto(at("/settings/api-keys"))
    await page.getByRole("button", { name: "Create a key" }).click()
    const form = page.getByRole("dialog")
    await form.getByRole("button", { name: "Create a key" }).click()
    await form.getByText("Enter a name.").waitFor()
    await form.getByLabel("Name").fill("newsletter")
    await form.getByText("Only some accounts").click()
    await form.getByRole("button", { name: "Create a key" }).click()
    await form.getByText("Choose an account.").waitFor()
    await form.getByRole("checkbox", { name: "@of-the-key" }).check()
    await inspect(page)
    await form.getByLabel("Expires").selectOption({ label: "In 30 days" })
    await form.getByRole("button", { name: "Create a key" }).click()
    const shown = page.getByRole("alertdialog")
    const key = await shown.getByLabel("API key", { exact: true }).inputValue()
    await shown.getByRole("button", { name: "I have copied it" }).click()

    const ask = () =>
      fetch(`${service.url}/v1/social-accounts`, { headers: { authorization: `Bearer ${key}` } })
    const { data } = (await (await ask()).json()) as { readonly data: ReadonlyArray<{ readonly id: number }> }
    assert.deepEqual(
      data.map(({ id }) => id),
      [mine]
    )
    await page.reload()
    await page
      .getByText(/publishes, uploads media, reads accounts · 1 account · last used today, .* · expires/)
      .waitFor()
    assert.ok(!(await page.content()).includes(key))
    await page.getByRole("button", { name: "Delete the key “newsletter”" }).click()
    await page.getByRole("button", { name: "Delete the key", exact: true }).click()
    await page.getByText("The key is deleted.").waitFor()
    assert.equal((await ask()).status, 401)
  })

  test("add a webhook, try it, pause it and send again what was missed", async ({
    page,
    room: { at, connect, write }
  }) => {
    const scope = Scope.makeUnsafe()
    onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
    const hook = await Effect.runPromise(Effect.provideService(receiver(), Scope.Scope, scope))
    await page.goto(at("/settings/webhooks"))
    await page.getByText("No webhooks").waitFor()
    await page.getByRole("button", { name: "Add a webhook" }).click()
    const form = page.getByRole("dialog")
    await form.getByLabel("Address").fill(hook.url)
    await form.getByRole("button", { name: "Add a webhook" }).click()
    const shown = page.getByRole("alertdialog")
    assert.match(await shown.getByLabel("Signing secret", { exact: true }).inputValue(), /^whsec_/)
    await shown.getByRole("button", { name: "I have copied it" }).click()

    await page.getByRole("link", { name: hook.url }).click()
    await page.getByRole("button", { name: "Send a test" }).click()
    await page.getByText("The test was answered with 200.").waitFor()
    const delivery = page.locator("[data-delivery]")
    await delivery
      .filter({ hasText: "webhook.test" })
      .and(page.locator("[data-delivery=delivered]"))
      .waitFor()
    await delivery.getByText("Message and answer").click()
    await delivery.getByText('{"type":"webhook.test"').waitFor()
    await delivery.getByText("answer 200").waitFor()

    hook.answerWith(() => 410)
    const caption = "Told to nobody"
    await write({ social_accounts: [await connect("hooked")], caption })
    await Effect.runPromise(until(() => hook.received.length > 1))
    await page.getByRole("button", { name: "State: All" }).click()
    await page.getByRole("menuitemradio", { name: "Failed" }).click()
    await page.locator("[data-delivery=failed]").filter({ hasText: "answered 410" }).waitFor()
    hook.answerWith(() => 200)
    await page.getByRole("button", { name: "Resume" }).click()
    await page.locator("[data-delivery=failed]").getByRole("button", { name: "Send again" }).click()
    await page.getByText("Sent again.").waitFor()
    await inspect(page)
    await page.getByRole("button", { name: "Replace the secret" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Replace the secret" }).click()
    await page.getByRole("alertdialog").getByLabel("Signing secret", { exact: true }).waitFor()
    await page.getByRole("button", { name: "I have copied it" }).click()
    await page.getByRole("button", { name: "Change", exact: true }).click()
    await form.getByLabel("What it is for").fill("The newsletter")
    await form.getByRole("button", { name: "Save" }).click()
    await page.getByText("The newsletter").waitFor()
    await page.getByRole("button", { name: "Delete" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click()
    await page.getByText("No webhooks").waitFor()
  })

  test("set where people are told, try it and stop it, without showing the address", async ({
    page,
    room: { at, call }
  }) => {
    const scope = Scope.makeUnsafe()
    onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
    const hook = await Effect.runPromise(Effect.provideService(receiver(), Scope.Scope, scope))
    await page.goto(at("/settings/notifications"))
    const save = page.getByRole("button", { name: "Save" })
    await save.click()
    await page.getByText("Enter an address.").waitFor()
    const address = page.getByLabel("Address")
    const format = page.getByLabel("Format")
    await address.fill("https://discord.com/api/webhooks/1/secret")
    await page.getByText("The address says so.").waitFor()
    assert.equal(await format.inputValue(), "discord")
    await address.fill(`${hook.url}/s3cret`)
    await save.click()
    await page.getByText("Choose what the address understands.").waitFor()
    await inspect(page)
    await format.selectOption({ label: "Mattermost" })
    await save.click()
    await page.getByText("There was nothing to tell yet.").waitFor()

    await page.getByRole("button", { name: "Send a test" }).click()
    await page.getByText("The test was answered with 200").waitFor()
    assert.match(JSON.parse(hook.received[0]!.body).text, /^This is a test/)
    hook.answerWith((_, response) => void response.writeHead(404).end("Cannot POST /hook/s3cret"))
    await page.getByRole("button", { name: "Send a test" }).click()
    await page.getByText("The test was answered with 404").waitFor()
    await page.getByText("Cannot POST …").waitFor()
    await page.reload()
    await page.getByText("There was nothing to tell yet.").waitFor()
    await page.getByText("An account must be connected again").click()
    const saved = page.waitForResponse((response) => response.request().method() === "PUT")
    await save.click()
    await saved
    assert.deepEqual((await call("GET", "/v1/notifications")).events, [
      "post.result",
      "post.approval_requested"
    ])
    assert.ok(!(await page.content()).includes("s3cret"))
    await inspect(page)
    await page.getByRole("button", { name: "Stop the messages" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Stop the messages" }).click()
    await page.getByText("Nobody is told any more.").waitFor()
    assert.equal((await call("GET", "/v1/notifications")).url, null)
  })

  test("show who did what, and give it to a spreadsheet", async ({ page, room: { at, call } }) => {
    await call("POST", "/v1/api-keys", { name: "=cmd|' /C calc'!A0", scopes: ["posts:read"] })
    await page.goto(at("/settings/audit"))
    await page.getByText("created the key =cmd|' /C calc'!A0").waitFor()
    await page.getByRole("button", { name: "Kind: Everything" }).click()
    await page.getByRole("menuitemradio", { name: "API keys" }).click()
    await page.getByText("connected the account").first().waitFor({ state: "detached" })
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download as CSV" }).click()
    ])
    const [head, ...table] = readFileSync(await download.path(), "utf8").split("\r\n")
    assert.equal(
      head,
      "\ufeffat,actor_type,actor_id,actor_name,action,subject_type,subject_id,subject_name,address"
    )
    const lines = table.slice(0, -1)
    assert.ok(lines.every((line) => line.includes(",api_key.")))
    assert.ok(lines.some((line) => line.includes(",'=cmd|' /C calc'!A0,")))
  })

  test("show what the service finds of itself, to an owner in every workspace", async ({
    page,
    room: { at, call }
  }) => {
    await call("POST", "/v1/api-keys", {
      name: "last days",
      scopes: ["posts:read"],
      expires_at: new Date(Date.now() + 86_400_000).toISOString()
    })
    await page.goto(at("/settings/instance"))
    const found = page.locator("[data-level=warning]").filter({ hasText: "key last days" })
    await found.getByText("Create another in time").waitFor()
    await page.locator("[data-level=ok]").filter({ hasText: "leads to this instance" }).waitFor()
    await inspect(page)
    const again = page.waitForResponse((response) => response.url().endsWith("/v1/instance/checks"))
    await page.getByRole("button", { name: "Check again" }).click()
    assert.equal((await again).status(), 200)
  })

  test("make a backup of the whole service, for an owner in every workspace", async ({
    page,
    room: { at }
  }) => {
    await page.goto(at("/settings/backups"))
    await page.getByText("The service makes none.").waitFor()
    await page.getByLabel("Passphrase").fill("short")
    await page.getByText("Enter at least 12 characters, or none.").waitFor()
    await page.getByLabel("Passphrase").fill("correct horse battery staple")
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download a backup" }).click()
    ])
    assert.match(download.suggestedFilename(), /^carillon-.*\.tar$/)
    assert.ok(readFileSync(await download.path()).includes("manifest.json"))
  })

  test("are there on each screen", async ({ onEachScreen, room: { at, call }, service }) => {
    await call("POST", "/v1/api-keys", { name: "reports", scopes: ["posts:read"] })
    const { id } = await call("POST", "/v1/webhooks", { url: service.url, events: ["post.failed"] })
    await call("PUT", "/v1/notifications", { url: service.url, format: "json" })
    await onEachScreen(async (page) => {
      for (const [path, ready] of [
        ["", "Keyboard shortcuts"],
        ["/api-keys", "never used"],
        ["/notifications", "Where you are told"],
        ["/webhooks", "1 event"],
        [`/webhooks/${id}`, "Nothing has been sent yet."],
        ["/audit", "Download as CSV"],
        ["/instance", "Largest files"],
        ["/backups", "The service makes none."]
      ] as const) {
        await page.goto(at(`/settings${path}`))
        await page.getByText(ready).first().waitFor()
        await inspect(page)
      }
    })
  })
})
