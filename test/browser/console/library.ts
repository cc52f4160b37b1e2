import type { ServiceProcess } from "@carillon/testing/ServiceProcess"
import { sixSeconds } from "@carillon/testing/Videos"
import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pipeline } from "node:stream"
import type { Page } from "playwright-core"
import { run } from "./run.ts"
import { toast } from "./toast.ts"

type Inspect = (page: Page, name: string) => Promise<void>

const bells = readFileSync(join(import.meta.dirname, "../../../examples/media/bells.jpg"))

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
const bytesPerSecond = 40_000_000

/** The wire between a browser and the service, which can be cut. Chromium's own emulation lets an upload under way pass. */
const wireTo = async (service: ServiceProcess) => {
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
  const { port } = await new Promise<AddressInfo>((resolve) =>
    relay.listen(0, "127.0.0.1", () => resolve(relay.address() as AddressInfo))
  )
  return {
    server: `http://127.0.0.1:${port}`,
    cut: () => {
      relay.close()
      relay.closeAllConnections()
    },
    mend: () => once(relay.listen(port, "127.0.0.1"), "listening")
  }
}

/** A large file arrives once and whole, although the network goes in the middle of it, and then the service. */
const broken = async (walk: Page, service: ServiceProcess, folder: string, inspect: Inspect) => {
  const bytes = await run(sixSeconds(largeBytes))
  const file = join(folder, "concert.mp4")
  writeFileSync(file, bytes)
  const wire = await wireTo(service)
  const context = await walk
    .context()
    .browser()!
    .newContext({ proxy: { server: wire.server }, viewport: walk.viewportSize() })
  await context.addCookies(await walk.context().cookies())
  const page = await context.newPage()
  const network = await context.newCDPSession(page)
  await network.send("Network.enable")
  const reaches = (offline: boolean) =>
    network.send("Network.emulateNetworkConditions", {
      offline,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: bytesPerSecond
    })
  await reaches(false)
  await page.goto(`${service.url}/app/library`)
  await page.locator('.bar input[type="file"]').setInputFiles(file)
  const way = page.locator(".shot.uploading").filter({ hasText: "concert.mp4" })
  const sent = () => way.locator("progress").evaluate((bar) => (bar as unknown as { value: number }).value)
  const beyond = async (percent: number) => {
    while ((await sent()) < percent) await page.waitForEvent("request", { timeout: 100 }).catch(() => {})
  }
  const waits = page.locator(".shot.cut").getByText("resumes by itself")
  await beyond(20)
  wire.cut()
  await reaches(true)
  await waits.waitFor()
  const before = await sent()
  assert.ok(before >= 20 && before < 100, `the bar stays where it was, at ${before}`)
  await inspect(page, "library-cut")
  await wire.mend()
  await reaches(false)
  await waits.waitFor({ state: "detached" })
  await beyond(50)
  await run(service.kill)
  await waits.waitFor()
  await run(service.start)
  await tile(page, "concert.mp4").waitFor()
  wire.cut()
  await context.close()
  const { data } = (await run(service.call("GET", "/v1/media?q=concert.mp4"))).body
  assert.deepEqual(
    data.map(({ sha256: sum, size_bytes, status }: any) => [status, size_bytes, sum]),
    [["ready", bytes.length, sha256(bytes)]]
  )
}

/** The library: every way in, a description, a cut, filters, and a delete that is refused. */
export const library = async (page: Page, service: ServiceProcess, account: number, inspect: Inspect) => {
  const folder = mkdtempSync(join(tmpdir(), "carillon-library-"))
  const list = async (query = "") => (await run(service.call("GET", `/v1/media${query}`))).body.data
  const named = async (name: string) => (await list()).find((one: any) => one.name === name)
  const settled = (method: string) =>
    page.waitForResponse((answer) => answer.request().method() === method && answer.status() === 200)

  await page.route("**/v1/media?*", (route) =>
    route.fulfill({ json: { data: [], meta: { total: 0, offset: 0, limit: 60, next: null } } })
  )
  await page.goto(`${service.url}/app/library`)
  await page.getByRole("heading", { name: "No files yet" }).waitFor()
  await inspect(page, "library-empty")
  await page.unrouteAll({ behavior: "wait" })
  await page.reload()

  // By the field: two files and one that no network takes.
  const picture = join(folder, "tower.jpg")
  writeFileSync(picture, bells)
  const video = join(folder, "choir.mp4")
  writeFileSync(video, await run(sixSeconds()))
  const text = join(folder, "notes.txt")
  writeFileSync(text, "Bring the ladder")
  await page.locator('.bar input[type="file"]').setInputFiles([picture, video, text])
  await tile(page, "tower.jpg").waitFor()
  await tile(page, "choir.mp4").getByText("MP4 · 0:06").waitFor()
  await page.getByText("No network accepts this kind of file.").waitFor()
  await page.getByRole("button", { name: "Remove notes.txt" }).click()
  await page.getByText("notes.txt").waitFor({ state: "detached" })
  assert.equal((await named("tower.jpg")).sha256, sha256(bells))

  // Dropped, pasted, and fetched from an address.
  await given(page, ["dragenter", "dragover"], "dropped.jpg")
  await page.getByText("Drop to upload the file").waitFor()
  await inspect(page, "library-drop")
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

  await broken(page, service, folder, inspect)
  await page.reload()

  // Described: saved when the field is left.
  await tile(page, "tower.jpg").click()
  await page.getByRole("button", { name: "Close" }).and(page.locator(":focus")).waitFor()
  const drawer = page.getByRole("complementary", { name: "File" })
  await drawer.getByLabel("Description (alt text)").fill("A clock tower at sunset, its three bells lit")
  const described = settled("PATCH")
  await drawer.getByLabel("Name").focus()
  await described
  assert.equal((await named("tower.jpg")).alt_text, "A clock tower at sunset, its three bells lit")

  // Cut: a new file of the ratio, and the old one as it was.
  await page.getByRole("button", { name: "Crop" }).click()
  await page.locator(".crop-box").waitFor()
  await page.getByRole("button", { name: "4:5" }).click()
  await page.locator(".crop-box").focus()
  for (const key of ["-", "-", "ArrowLeft", "Shift+ArrowUp"]) await page.keyboard.press(key)
  await inspect(page, "library-crop")
  await page.getByRole("button", { name: "Crop", exact: true }).last().click()
  await tile(page, "tower (4:5).jpg").getByText("JPEG · 4:5").waitFor()
  // It has the description of the whole one.
  await page
    .locator(".shot")
    .filter({ hasText: "tower (4:5).jpg" })
    .getByRole("button", { name: /^Describe/ })
    .waitFor({ state: "detached" })
  const { alt_text, height, width } = await named("tower (4:5).jpg")
  assert.equal(alt_text, "A clock tower at sunset, its three bells lit")
  assert.ok(Math.abs(width / height - 4 / 5) < 0.005, `${width} x ${height}`)
  assert.equal((await named("tower.jpg")).sha256, sha256(bells))

  // Filters, with the address.
  await page.keyboard.press("Escape")
  await page.getByRole("button", { name: "Videos" }).click()
  await tile(page, "tower.jpg").waitFor({ state: "detached" })
  await tile(page, "choir.mp4").waitFor()
  await page.getByRole("button", { name: /^Not described/ }).click()
  await tile(page, "pasted.jpg").waitFor()
  assert.equal(
    await page
      .locator("[data-file]")
      .filter({ hasText: /^tower\.jpg/ })
      .count(),
    0
  )
  await page.getByLabel("Search names").fill("quince")
  await page.getByRole("heading", { name: "No file matches" }).waitFor()
  await inspect(page, "library-no-match")
  await page.getByRole("button", { name: "Show all files" }).click()
  await tile(page, "dropped.jpg").waitFor()

  // A file that a planned post needs stays, and the post is named.
  const { id } = await named("dropped.jpg")
  const { body: post } = await run(
    service.call("POST", "/v1/posts", {
      social_accounts: [account],
      caption: "Bells at dusk, from the roof",
      thread: [{ media: [id] }, "And at dawn"],
      scheduled_at: "2031-02-03T18:00[Europe/Paris]"
    })
  )
  await tile(page, "dropped.jpg").click()
  await drawer.getByText("in post 2 of 3").waitFor()
  await page.getByRole("button", { name: "Delete" }).click()
  await page.getByRole("button", { name: "Keep it" }).and(page.locator(":focus")).waitFor()
  await page.getByRole("button", { name: "Delete", exact: true }).last().click()
  await page.getByRole("heading", { name: "dropped.jpg is still needed" }).waitFor()
  await page.getByRole("dialog").getByText("Bells at dusk, from the roof").waitFor()
  await inspect(page, "library-kept")
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click()
  await run(service.call("DELETE", `/v1/posts/${post.id}`))
  await page.getByRole("button", { name: "Delete" }).click()
  await page.getByRole("button", { name: "Delete", exact: true }).last().click()
  await toast(page, "dropped.jpg is deleted").waitFor()
  await tile(page, "dropped.jpg").waitFor({ state: "detached" })
  assert.equal(await named("dropped.jpg"), undefined)
  rmSync(folder, { recursive: true })
}

/** The files of a post: from the library, in another order, described, cut, taken off. */
export const mediaField = async (page: Page, service: ServiceProcess, inspect: Inspect) => {
  const folder = mkdtempSync(join(tmpdir(), "carillon-field-"))
  const picture = join(folder, "roof.jpg")
  writeFileSync(picture, bells)
  const files = (await run(service.call("GET", "/v1/media?q=tower.jpg"))).body.data
  await page.goto(
    `${service.url}/app/compose?media=${files.find(({ name }: { name: string }) => name === "tower.jpg").id}`
  )
  const names = () => page.locator(".media-tile .name").allTextContents()
  await page.locator(".media-tile").getByText("Described").waitFor()
  await page.getByRole("button", { name: "From the library" }).click()
  for (const name of ["pasted.jpg", "choir.mp4"])
    await page.getByRole("dialog").locator("[data-file]").filter({ hasText: name }).click()
  await inspect(page, "media-picker")
  await page.getByRole("button", { name: "Add 2" }).click()
  await page.locator(".media-tile").nth(2).waitFor()
  assert.deepEqual(await names(), ["tower.jpg", "pasted.jpg", "choir.mp4"])

  // Picked up, carried, left, and put down with the keyboard; each is said.
  const said = page.locator(".media-field [role=status]")
  await page.getByRole("button", { name: "Move tower.jpg, 1 of 3" }).focus()
  for (const key of ["Enter", "ArrowRight", "Escape"]) await page.keyboard.press(key)
  await said.getByText("It stays where it was.").waitFor({ state: "attached" })
  assert.deepEqual(await names(), ["tower.jpg", "pasted.jpg", "choir.mp4"])
  for (const key of ["Enter", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key)
  await said.getByText("Place 3 of 3").waitFor({ state: "attached" })
  await page.keyboard.press("Enter")
  await page.getByRole("button", { name: "Move tower.jpg, 3 of 3" }).and(page.locator(":focus")).waitFor()
  assert.deepEqual(await names(), ["pasted.jpg", "choir.mp4", "tower.jpg"])
  // By pointer.
  await page
    .locator(".media-tile")
    .nth(2)
    .dragTo(page.locator(".media-tile").first(), { targetPosition: { x: 12, y: 50 } })
  await page.getByRole("button", { name: "Move tower.jpg, 1 of 3" }).waitFor()
  assert.deepEqual(await names(), ["tower.jpg", "pasted.jpg", "choir.mp4"])

  // Described one after the other.
  await page.getByRole("button", { name: "Describe all" }).click()
  await page.getByLabel("What pasted.jpg shows").fill("The same tower")
  await inspect(page, "media-describe")
  await page.getByRole("button", { name: "Next" }).click()
  await page.getByLabel("What choir.mp4 shows").fill("A choir sings on the bakery steps")
  await page.getByRole("button", { name: "Done" }).click()
  await page.getByRole("dialog").waitFor({ state: "detached" })
  assert.equal(await page.locator(".media-tile").getByText("Described").count(), 3)

  // Cut: the new file takes the place of the old one. Uploaded: it comes last.
  await page.getByRole("button", { name: "Crop pasted.jpg" }).click()
  await page.locator(".crop-box").waitFor()
  await page.getByRole("button", { name: "1:1", exact: true }).click()
  await page.getByRole("button", { name: "Crop", exact: true }).last().click()
  await page.locator(".media-tile").nth(1).getByRole("button", { name: "Crop pasted (1:1).jpg" }).waitFor()
  await page.locator('.media-field input[type="file"]').setInputFiles(picture)
  await page.locator(".media-tile").nth(3).getByRole("button", { name: "Crop roof.jpg" }).waitFor()
  assert.deepEqual(await names(), ["tower.jpg", "pasted (1:1).jpg", "choir.mp4", "roof.jpg"])
  await page.getByRole("button", { name: "More for choir.mp4" }).click()
  await page.getByRole("menuitem", { name: "Remove" }).click()
  await page.getByRole("button", { name: "Move choir.mp4" }).waitFor({ state: "detached" })
  await toast(page, "choir.mp4 removed").getByRole("button", { name: "Undo" }).click()
  await page.getByRole("button", { name: "Move choir.mp4, 3 of 4" }).waitFor()
  rmSync(folder, { recursive: true })
}
