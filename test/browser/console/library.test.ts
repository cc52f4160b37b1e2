import { sixSeconds } from "@carillon/testing/Videos"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pipeline } from "node:stream"
import type { Page } from "playwright-core"
import { describe, vi } from "vitest"
import { bells } from "./bells.ts"
import { inspect } from "./inspect.ts"
import { test as base } from "./test.ts"
import { toast } from "./toast.ts"

const test = base.extend(
  "named",
  ({ room: { call } }) =>
    async (name: string) =>
      (await call("GET", "/v1/media")).data.find((one: any) => one.name === name)
)

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

const tile = (page: Page, name: string) => page.locator("[data-file]").filter({ hasText: name })

/** A file in the hands of somebody: a drop, or a paste. */
const given = (page: Page, types: ReadonlyArray<string>, name: string) =>
  page.evaluate<void>(`{
    const bytes = Uint8Array.from(atob("${bells.toString("base64")}"), (one) => one.charCodeAt(0))
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([bytes], ${JSON.stringify(name)}, { type: "image/jpeg" }))
    for (const type of ${JSON.stringify(types)}) {
      window.dispatchEvent(
        type === "paste"
          ? new ClipboardEvent("paste", { clipboardData: dataTransfer, cancelable: true })
          : new DragEvent(type, { dataTransfer, cancelable: true })
      )
    }
  }`)

const largeBytes = 200_000_000
const bytesPerSecond = 20_000_000

/** The wire between a browser and the service, which can be cut. Chromium's own emulation lets an upload under way pass. */
const wireTo = async (service: { readonly url: string }) => {
  const relay = createServer((question, answer) => {
    const { pathname, search } = new URL(question.url!)
    const onward = request(
      `${service.url}${pathname}${search}`,
      { method: question.method!, headers: question.headers },
      (from) => {
        if (answer.destroyed) from.destroy()
        else pipeline(from, answer.writeHead(from.statusCode!, from.headers), () => {})
      }
    )
    pipeline(question, onward, (broke) => {
      if (broke) answer.destroy()
    })
  })
  await once(relay.listen(0, "127.0.0.1"), "listening")
  const { port } = relay.address() as AddressInfo
  return {
    server: `http://127.0.0.1:${port}`,
    cut: () => {
      relay.close()
      relay.closeAllConnections()
    },
    mend: () => once(relay.listen(port, "127.0.0.1"), "listening")
  }
}

describe("the library", () => {
  test("has no files at first", async ({ page, room: { at } }) => {
    await page.goto(at("/library"))
    await page.getByRole("heading", { name: "No files yet" }).waitFor()
    await inspect(page)
  })

  test("takes files by its field, by a drop or a paste, and from an address", async ({
    named,
    page,
    room: { at }
  }) => {
    await page.goto(at("/library"))
    const upload = page.getByRole("button", { name: "Upload", exact: true })
    await upload.focus()
    await page.locator('input[type="file"]').setInputFiles([
      { name: "tower.jpg", mimeType: "image/jpeg", buffer: bells },
      {
        name: "choir.mp4",
        mimeType: "video/mp4",
        buffer: Buffer.from(await Effect.runPromise(sixSeconds()))
      },
      { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("Bring the ladder") }
    ])
    await tile(page, "tower.jpg").waitFor()
    // The button of the empty library is gone, and the one of the list has the focus.
    await upload.and(page.locator(":focus")).waitFor()
    await tile(page, "choir.mp4").getByText("MP4 · 0:06").waitFor()
    await page.getByText("No network accepts this kind of file.").waitFor()
    await page.getByRole("button", { name: "Remove notes.txt" }).click()
    await page.getByText("notes.txt").waitFor({ state: "detached" })
    assert.equal((await named("tower.jpg")).sha256, sha256(bells))

    // Dropped, pasted, and fetched from an address.
    await given(page, ["dragenter", "dragover"], "dropped.jpg")
    await page.getByText("Drop to upload the file").waitFor()
    await inspect(page)
    await given(page, ["drop"], "dropped.jpg")
    await tile(page, "dropped.jpg").waitFor()
    await page.getByText("Drop to upload").waitFor({ state: "detached" })
    await given(page, ["paste"], "pasted.jpg")
    await tile(page, "pasted.jpg").waitFor()
    const elsewhere = createServer((_, answer) => answer.setHeader("content-type", "image/jpeg").end(bells))
    await once(elsewhere.listen(0, "127.0.0.1"), "listening")
    await page.getByRole("button", { name: "From a link" }).click()
    await page
      .getByLabel("Address of the file")
      .fill(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/fetched.jpg`)
    await page.keyboard.press("Enter")
    await tile(page, "fetched.jpg").getByText("JPEG").waitFor()
    elsewhere.close()
    assert.equal((await named("fetched.jpg")).sha256, sha256(bells))
  })

  test("gets a large file once and whole, although the network goes in the middle of it, and then the service", async ({
    onTestFinished,
    open,
    room: { at, call },
    service
  }) => {
    const bytes = await Effect.runPromise(sixSeconds(largeBytes))
    const folder = mkdtempSync(join(tmpdir(), "carillon-library-"))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, "concert.mp4")
    writeFileSync(file, bytes)
    const wire = await wireTo(service)
    const page = await open({ proxy: { server: wire.server } })
    const network = await page.context().newCDPSession(page)
    await network.send("Network.enable")
    const reaches = (offline: boolean) =>
      network.send("Network.emulateNetworkConditions", {
        offline,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: bytesPerSecond
      })
    await reaches(false)
    await page.goto(at("/library"))
    await page.locator('input[type="file"]').setInputFiles(file)
    const way = page.locator("[data-upload]").filter({ hasText: "concert.mp4" })
    const sent = () => way.locator("progress").evaluate((bar) => (bar as unknown as { value: number }).value)
    const beyond = (percent: number) =>
      vi.waitUntil(async () => (await sent()) >= percent, { timeout: 120_000 })
    const waits = page.locator('[data-upload="cut"]').getByText("resumes by itself")
    await beyond(20)
    wire.cut()
    await reaches(true)
    await waits.waitFor()
    const before = await sent()
    assert.ok(before >= 20 && before < 100, `the bar stays where it was, at ${before}`)
    await inspect(page)
    await wire.mend()
    await reaches(false)
    await waits.waitFor({ state: "detached" })
    await beyond(50)
    await Effect.runPromise(service.kill)
    await waits.waitFor()
    await Effect.runPromise(service.start)
    await tile(page, "concert.mp4").waitFor()
    wire.cut()
    const { data } = await call("GET", "/v1/media?q=concert.mp4")
    assert.deepEqual(
      data.map(({ sha256: sum, size_bytes, status }: any) => [status, size_bytes, sum]),
      [["ready", bytes.length, sha256(bytes)]]
    )
  })

  test("keeps a description when its field is left, also for what is cut", async ({
    named,
    page,
    room: { at, upload }
  }) => {
    await upload("belfry.jpg")
    await page.goto(at("/library"))
    await tile(page, "belfry.jpg").click()
    await page.getByRole("button", { name: "Close" }).and(page.locator(":focus")).waitFor()
    const drawer = page.getByRole("complementary", { name: "File" })
    await drawer.getByLabel("Description (alt text)").fill("A clock tower at sunset, its three bells lit")
    const described = page.waitForResponse(
      (answer) => answer.request().method() === "PATCH" && answer.status() === 200
    )
    await drawer.getByLabel("Name").focus()
    await described
    assert.equal((await named("belfry.jpg")).alt_text, "A clock tower at sunset, its three bells lit")

    // Cut: a new file of the ratio, and the old one as it was.
    await page.getByRole("button", { name: "Crop" }).click()
    await page.getByRole("group", { name: /^The part to keep/ }).waitFor()
    await page.getByRole("button", { name: "4:5" }).click()
    await page.getByRole("group", { name: /^The part to keep/ }).focus()
    for (const key of ["-", "-", "ArrowLeft", "Shift+ArrowUp"]) await page.keyboard.press(key)
    await inspect(page)
    await page.getByRole("button", { name: "Crop", exact: true }).last().click()
    await tile(page, "belfry (4:5).jpg").getByText("JPEG · 4:5").waitFor()
    // It has the description of the whole one.
    await page
      .getByRole("listitem")
      .filter({ hasText: "belfry (4:5).jpg" })
      .getByRole("button", { name: /^Describe/ })
      .waitFor({ state: "detached" })
    const { alt_text, height, width } = await named("belfry (4:5).jpg")
    assert.equal(alt_text, "A clock tower at sunset, its three bells lit")
    assert.ok(Math.abs(width / height - 4 / 5) < 0.005, `${width} x ${height}`)
    assert.equal((await named("belfry.jpg")).sha256, sha256(bells))
  })

  test("shows a description that was changed elsewhere, once the page is looked at again", async ({
    page,
    room: { at, call, upload }
  }) => {
    const id = await upload("dawn.jpg")
    await page.clock.setFixedTime(Date.now())
    await page.goto(at(`/compose?media=${id}`))
    await page.getByRole("button", { name: "Describe dawn.jpg" }).waitFor()
    await call("PATCH", `/v1/media/${id}`, { alt_text: "The tower at dawn" })
    await page.clock.setFixedTime(Date.now() + 60_000)
    await page.evaluate(`window.dispatchEvent(new Event("visibilitychange"))`)
    await page.getByRole("button", { name: "Described dawn.jpg" }).waitFor()
  })

  test("filters its files, and shows all again", async ({ page, room: { at, call, upload } }) => {
    const described = await upload("described.jpg")
    await call("PATCH", `/v1/media/${described}`, { alt_text: "A tower" })
    await upload("plain.jpg")
    await upload("song.mp4", await Effect.runPromise(sixSeconds()), "video/mp4")
    await page.goto(at("/library"))
    await page.getByRole("button", { name: "Videos" }).click()
    await tile(page, "plain.jpg").waitFor({ state: "detached" })
    await tile(page, "song.mp4").waitFor()
    await page.getByRole("button", { name: /^Not described/ }).click()
    await tile(page, "plain.jpg").waitFor()
    assert.equal(await tile(page, "described.jpg").count(), 0)
    await page.getByLabel("Search names").fill("quince")
    await page.getByRole("heading", { name: "No file matches" }).waitFor()
    await inspect(page)
    await page.getByRole("button", { name: "Show all files" }).click()
    await tile(page, "described.jpg").waitFor()
  })

  test("keeps a file that a planned post needs, and names the post", async ({
    named,
    page,
    room: { at, call, connect, upload, write }
  }) => {
    const id = await upload("square.jpg")
    const post = await write({
      social_accounts: [await connect("library")],
      caption: "Bells at dusk, from the roof",
      thread: [{ media: [id] }, "And at dawn"],
      scheduled_at: "2031-02-03T18:00[Europe/Paris]"
    })
    await page.goto(at("/library"))
    await tile(page, "square.jpg").click()
    await page.getByRole("complementary", { name: "File" }).getByText("in post 2 of 3").waitFor()
    await page.getByRole("button", { name: "Delete" }).click()
    await page.getByRole("button", { name: "Keep it" }).and(page.locator(":focus")).waitFor()
    await page.getByRole("button", { name: "Delete", exact: true }).last().click()
    await page.getByRole("heading", { name: "square.jpg is still needed" }).waitFor()
    await page.getByRole("dialog").getByText("Bells at dusk, from the roof").waitFor()
    await inspect(page)
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click()
    await call("DELETE", `/v1/posts/${post}`)
    await page.getByRole("button", { name: "Delete" }).click()
    await page.getByRole("button", { name: "Delete", exact: true }).last().click()
    await toast(page, "square.jpg is deleted").waitFor()
    await tile(page, "square.jpg").waitFor({ state: "detached" })
    assert.equal(await named("square.jpg"), undefined)
  })

  test("deletes several files after one question, and keeps those that a planned post needs", async ({
    page,
    room: { at, call, connect, upload, write }
  }) => {
    const names = ["spring-1.jpg", "spring-2.jpg", "spring-3.jpg", "spring-4.jpg", "spring-5.jpg"]
    const ids: Array<string> = []
    for (const name of names) ids.push(await upload(name))
    await write({
      social_accounts: [await connect("spring")],
      caption: "Spring on the roof",
      media: [ids[1]],
      scheduled_at: "2031-04-03T18:00[Europe/Paris]"
    })
    await page.goto(at("/library?q=spring"))
    await tile(page, "spring-5.jpg").waitFor()
    await page.getByRole("button", { name: "Choose files" }).focus()
    await page.keyboard.press("Enter")
    const all = page.getByRole("button", { name: "All 5 shown" })
    await all.and(page.locator(":focus")).waitFor()
    assert.ok(await page.getByRole("button", { name: "Delete", exact: true }).isDisabled())
    // By keys: all, without the newest.
    await page.keyboard.press("Enter")
    await page.getByText("5 chosen").waitFor()
    await tile(page, "spring-5.jpg").focus()
    await page.keyboard.press("Enter")
    await page.getByText("4 chosen").waitFor()
    assert.equal(await tile(page, "spring-5.jpg").getAttribute("aria-pressed"), "false")
    await inspect(page)
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    const question = page.getByRole("alertdialog", { name: "Delete 4 files?" })
    await question.getByText("1 of them is in a post.").waitFor()
    await inspect(page)
    await question.getByRole("button", { name: "Delete", exact: true }).click()
    const answer = page.getByRole("dialog", { name: "spring-2.jpg is still needed" })
    await answer.getByText("Spring on the roof").waitFor()
    await toast(page, "3 files are deleted").waitFor()
    await answer.getByRole("button", { name: "Close" }).click()
    // What is left is chosen still.
    await page.getByText("1 chosen").waitFor()
    const left = await call("GET", "/v1/media?q=spring")
    assert.deepEqual(left.data.map(({ name }: any) => name).toSorted(), ["spring-2.jpg", "spring-5.jpg"])
    await page.getByRole("button", { name: "Done" }).click()
    await page.getByRole("button", { name: "Choose files" }).and(page.locator(":focus")).waitFor()
  })

  test("writes a post with the files that were chosen, in their order", async ({
    page,
    room: { at, upload }
  }) => {
    const [first, second, third] = [
      await upload("june-1.jpg"),
      await upload("june-2.jpg"),
      await upload("june-3.jpg")
    ]
    await page.goto(at("/library?q=june"))
    await tile(page, "june-1.jpg").click({ modifiers: ["ControlOrMeta"] })
    await page.getByText("1 chosen").waitFor()
    await tile(page, "june-3.jpg").click({ modifiers: ["Shift"] })
    await page.getByText("3 chosen").waitFor()
    await tile(page, "june-2.jpg").click()
    await tile(page, "june-2.jpg").click()
    await page.getByRole("button", { name: "Write a post" }).click()
    await page.waitForURL(/\/compose/)
    assert.equal(new URL(page.url()).searchParams.get("media"), [first, third, second].join(","))
    await page.getByRole("button", { name: "Describe june-3.jpg" }).waitFor()
  })

  test("shows its files, and where each fits, on each screen", async ({
    onEachScreen,
    room: { at, upload }
  }) => {
    await upload("roof.jpg")
    await onEachScreen(async (page) => {
      await page.goto(at("/library"))
      await page.locator("[data-file] img").first().waitFor()
      await inspect(page)
      await tile(page, "roof.jpg").click()
      await page.getByRole("complementary", { name: "File" }).getByText("Fits").waitFor()
      await inspect(page)
    })
  })
})
