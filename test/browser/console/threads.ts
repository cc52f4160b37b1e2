import { connectInBrowser } from "@carillon/testing/ConsentVisit"
import { Service } from "@carillon/testing/ServiceProcess"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import type { Walk } from "./results.ts"
import { run } from "./run.ts"
import { toast } from "./toast.ts"

const bells = readFileSync(new URL("../../../examples/media/bells.jpg", import.meta.url))

/** One of the posts that follow; the first of them is post 2. */
const following = (page: Page, number: number) => page.locator(`[data-item="${number - 2}"]:visible`)

const text = (page: Page, number: number) => page.getByLabel(`Text of post ${number}`)

/** A thread from its first word to a retry that continues after its last live post. */
export const threads = async ({ inspect, onEachScreen, page, sandbox, service }: Walk) => {
  const connect = async (platform: string, credentials: object): Promise<number> => {
    const { body } = await run(service.call("POST", "/v1/social-accounts", { platform, credentials }))
    assert.equal(body.status, "connected", JSON.stringify(body))
    return body.id
  }
  const tower = await connect("sandbox", { username: "thread-tower", password: "sandbox" })
  const [gallery] = await run(
    Effect.provideService(connectInBrowser("instagram", "thread-gallery"), Service, service)
  )
  const post = async (id: string) => (await run(service.call("GET", `/v1/posts/${id}`))).body
  const stored = async (id: string, holds: (post: any) => boolean) => {
    for (;;) {
      const now = await post(id)
      if (holds(now)) return now
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const captions = ({ thread }: { thread: ReadonlyArray<{ caption: string }> | null }) =>
    thread?.map(({ caption }) => caption).join("|")

  // What another walk began to write would come back.
  await page.evaluate(
    "Object.keys(localStorage).filter((key) => key.startsWith('carillon.written')).forEach((key) => localStorage.removeItem(key))"
  )
  await page.goto(`${service.url}/app/compose?accounts=${tower},${gallery}`)
  await page.locator("textarea.writing").fill("The bells of the tower, in three posts.")
  const add = page.getByRole("button", { name: "Add a post below" })
  for (const [number, words] of [
    [2, "The oldest one rings at six."],
    [3, "The smallest one rings last."]
  ] as const) {
    await add.click()
    // What was added has the focus, so that it can be written at once.
    await text(page, number).and(page.locator(":focus")).waitFor()
    await page.keyboard.type(words)
  }
  await following(page, 2)
    .locator("input[type=file]")
    .setInputFiles({ name: "oldest-bell.jpg", mimeType: "image/jpeg", buffer: bells })
  await following(page, 2).locator("img").waitFor()
  await page.getByText("Instagram has no threads, so this cannot go there.").waitFor()
  await page.locator(".saved").filter({ hasText: "Saved" }).waitFor()
  const id = /\/posts\/([0-9a-f-]+)/.exec(page.url())![1]!

  // Its problems are at it, and the list leads there.
  await text(page, 3).fill("x".repeat(501))
  await following(page, 3).getByText("1 too many").waitFor()
  await inspect(page, "thread-problems")
  await page.locator(".problem-button").click()
  await page.locator(".problem-list .hints button").filter({ hasText: "oldest-bell.jpg" }).click()
  await following(page, 2).locator('[data-anchor^="media:"]').and(page.locator(":focus")).waitFor()
  await page.locator(".problem-button").click()
  await page.locator('.problem-list [data-path="thread[1].caption"]').click()
  await text(page, 3).and(page.locator(":focus")).waitFor()
  await text(page, 3).fill("The smallest one rings last.")

  // Another order, by keys, as far as the first place; and a removal that is taken back.
  await following(page, 3).getByRole("button", { name: "Move post 3 up" }).press("Enter")
  await following(page, 2)
    .getByRole("button", { name: "Move post 2 up" })
    .and(page.locator(":focus"))
    .waitFor()
  await page.keyboard.press("Enter")
  await stored(id, ({ caption }) => caption === "The smallest one rings last.")
  await following(page, 2).getByRole("button", { name: "Move post 2 up" }).press("Enter")
  await following(page, 3).getByRole("button", { name: "Remove post 3" }).press("Enter")
  await toast(page, "Post 3 is removed").getByRole("button", { name: "Undo" }).click()
  await following(page, 3).getByRole("button", { name: "Move post 3 up" }).press("Enter")

  await page.getByText("Where a network has no threads, send everything as one post").click()
  await page.getByText("Instagram: everything is one post.").waitFor()
  const draft = await stored(
    id,
    (now) => now.thread_fallback === "join" && captions(now)?.startsWith("The oldest") === true
  )
  assert.equal(draft.caption, "The bells of the tower, in three posts.")
  assert.equal(captions(draft), "The oldest one rings at six.|The smallest one rings last.")
  assert.deepEqual(
    draft.thread.map(({ media }: { media: ReadonlyArray<string> }) => media.length),
    [1, 0]
  )

  // The draft keeps it, and its preview shows it.
  await onEachScreen(async (look, screen) => {
    await look.goto(`${service.url}/app/posts/${id}`)
    await following(look, 3).waitFor()
    await look.locator(".preview .answer").nth(1).waitFor()
    await following(look, 2).scrollIntoViewIfNeeded()
    await inspect(look, `thread-${screen}`)
  })

  // A network may have its own thread, or only the first post.
  await page.getByRole("tab", { name: "Instagram", exact: true }).click()
  await page.getByRole("button", { name: "Send Instagram only the first post" }).click()
  await stored(id, (now) => now.platform_configurations?.instagram?.thread?.length === 0)
  await page.getByRole("button", { name: "Use the shared thread" }).click()
  await toast(page, "Instagram uses the shared thread again").waitFor()
  await stored(id, (now) => now.platform_configurations?.instagram === undefined)

  // It breaks off at its second post, and goes on from there by one press.
  await run(
    sandbox.script("thread-tower", [
      { on: "post", fault: "slow", ms: 0 },
      { on: "post", fault: "refuse", code: "banned_word", message: "Not this picture." }
    ])
  )
  await page.getByRole("tab", { name: "Everywhere", exact: true }).click()
  await page.getByRole("button", { name: "Now", exact: true }).click()
  await page.getByRole("button", { name: "Publish now" }).click()
  const row = page.locator("[data-result]").filter({ hasText: "@thread-tower" })
  const item = (index: number, status: string) =>
    row.locator(`[data-item="${index}"][data-status="${status}"]`).waitFor()
  await row.getByText("Broke off: 1 of 3 are live").waitFor()
  await item(0, "published")
  await item(1, "failed")
  await row.getByText("Not sent").waitFor()
  await row.getByText("“Not this picture.”").waitFor()
  const address = page.url()
  await onEachScreen(async (look, screen) => {
    await look.goto(address)
    await look.getByText("Broke off: 1 of 3 are live").waitFor()
    await inspect(look, `thread-broken-${screen}`)
  })
  await row.getByRole("button", { name: "Continue from there" }).click()
  await item(2, "published")
  const live = await run(sandbox.publications("thread-tower"))
  assert.deepEqual(
    live.map(({ text }) => text),
    [
      "The bells of the tower, in three posts.",
      "The oldest one rings at six.",
      "The smallest one rings last."
    ]
  )
  await row.getByRole("link", { name: "Open post 3 of the thread" }).waitFor()
  await page.reload()
  await item(2, "published")
  await inspect(page, "thread-live")

  // The calendar says how many posts it is.
  await page.goto(`${service.url}/app?view=agenda&account=${tower}`)
  await page.getByText("Sent, a thread of 3 posts").first().waitFor()
  await page.goto(`${service.url}/app?view=month&account=${tower}`)
  await page.locator(`[data-post="${id}"] .thread-sign`).waitFor()
  await inspect(page, "thread-month")
}
