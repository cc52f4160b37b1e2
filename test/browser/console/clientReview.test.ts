import { inSeconds } from "@carillon/testing/Publishing"
import assert from "node:assert/strict"
import { describe } from "vitest"
import { inspect } from "./inspect.ts"
import { type Screen, screens, test } from "./test.ts"

describe("a client without an account", () => {
  test("says no on a phone, sees what changed, and says yes; editors read it as it comes", async ({
    open,
    page,
    room: { at, call, connect, upload, write }
  }) => {
    const post = await write({
      social_accounts: [await connect("reviewed"), await connect("reviewed-too")],
      caption: "Rye bread",
      media: [await upload("bread.jpg")],
      scheduled_at: inSeconds(100_000)
    })
    await page.goto(at(`/posts/${post}`))
    const ask = async () => {
      await page.getByRole("button", { name: "More", exact: true }).click()
      await page.getByRole("menuitem", { name: "Ask a client…" }).click()
      return page.getByRole("dialog", { name: "Ask a client" })
    }
    const dialog = await ask()
    await dialog.getByLabel("Whom you ask").fill("The baker")
    await dialog.getByRole("button", { name: "Make a link" }).click()
    const url = await dialog.getByLabel("Link for the client", { exact: true }).inputValue()
    await dialog.getByText("not opened yet").waitFor()
    await inspect(page)
    await dialog.getByRole("button", { name: "Done" }).click()

    for (const screen of Object.keys(screens) as Array<Screen>) {
      const look = await open(screens[screen], [])
      await look.goto(url)
      await look.getByText("Rye bread").first().waitFor()
      await inspect(look)
      await look.context().close()
    }
    const client = await open(screens.phone, [])
    const referers: Array<string> = []
    client.on("request", (request) => referers.push(request.headers()["referer"] ?? ""))
    const answer = await client.goto(url)
    const headers = await answer!.allHeaders()
    assert.match(headers["content-security-policy"]!, /default-src 'none'.*frame-ancestors 'none'/)
    assert.deepEqual([headers["referrer-policy"], headers["cache-control"]], ["no-referrer", "no-store"])
    assert.equal(await client.getByRole("article").count(), 2)
    await client.getByLabel("Comment").fill("With seeds, please")
    await client.getByRole("button", { name: "No, not like this" }).click()
    await client.getByText("Enter your name.").waitFor()
    await inspect(client)
    await client.getByLabel("Your name").fill("Bea")
    await client.getByRole("button", { name: "No, not like this" }).click()
    await client.getByText("Your no is sent.").waitFor()
    await inspect(client)

    const said = page.locator("[data-client-answers]")
    await said.getByText("With seeds, please").waitFor()
    await inspect(page)
    await call("PATCH", `/v1/posts/${post}`, { caption: "Rye bread with seeds" })
    await client.getByRole("button", { name: "Yes, as it is" }).click()
    await client.getByText("The post has changed since you looked.").waitFor()
    await client.getByText("Rye bread with seeds").first().waitFor()
    await inspect(client)
    await client.getByRole("button", { name: "Yes, as it is" }).click()
    await client.getByText("Your yes is sent.").waitFor()
    await said.getByText("Yes", { exact: true }).waitFor()
    assert.deepEqual(await client.context().cookies(), [])
    assert.deepEqual([...new Set(referers)], [""])

    const again = await ask()
    await again.getByText(/^opened/).waitFor()
    await again.getByRole("button", { name: "Revoke the link: The baker" }).click()
    await again.getByText("not opened yet").waitFor({ state: "detached" })
    await client.reload()
    await client.getByRole("heading", { name: "This link does not work" }).waitFor()
    await inspect(client)
  })

  test("approves by a yes where the settings say so", async ({ page, room: { at, call } }) => {
    await page.goto(at("/settings"))
    const approves = page.getByRole("switch", { name: "A client’s yes approves" })
    assert.equal(await approves.isChecked(), false)
    await approves.focus()
    await page.keyboard.press("Space")
    await page.getByRole("switch", { name: "A client’s yes approves", checked: true }).waitFor()
    assert.equal((await call("GET", "/v1/profile")).client_approval, true)
  })
})
