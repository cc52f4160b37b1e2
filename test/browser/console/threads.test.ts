import assert from "node:assert/strict"
import type { Page } from "playwright-core"
import { describe } from "vitest"
import { bells } from "./bells.ts"
import { inspect } from "./inspect.ts"
import { test } from "./test.ts"
import { toast } from "./toast.ts"

/** One of the posts that follow; the first of them is post 2. */
const following = (page: Page, number: number) => page.locator(`[data-item="${number - 2}"]:visible`)

const text = (page: Page, number: number) => page.getByLabel(`Text of post ${number}`)

const captions = ({ thread }: { thread: ReadonlyArray<{ caption: string }> | null }) =>
  thread?.map(({ caption }) => caption).join("|")

describe("a thread", () => {
  test("is written, breaks off, and continues after its last live post", async ({
    onEachScreen,
    page,
    room: { at, connect, script, signIn, storedWhen, textsOf }
  }) => {
    const tower = await connect("thread-tower")
    const gallery = await signIn("instagram", "thread-gallery")
    await page.goto(at(`/compose?accounts=${tower},${gallery}`))
    await page.locator("[data-writing]").fill("The bells of the tower, in three posts.")
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
    await page.locator("[data-saved]").filter({ hasText: "Saved" }).waitFor()
    const id = /\/posts\/([0-9a-f-]+)/.exec(page.url())![1]!

    // Its problems are at it, and the list leads there.
    await text(page, 3).fill("x".repeat(501))
    await following(page, 3).getByText("1 too many").waitFor()
    await inspect(page)
    await page.locator("button[data-opens-problems][aria-expanded]").click()
    await page.locator("[data-hints] button").filter({ hasText: "oldest-bell.jpg" }).click()
    await following(page, 2).locator('[data-anchor^="media:"]').and(page.locator(":focus")).waitFor()
    await page.locator("button[data-opens-problems][aria-expanded]").click()
    await page.locator('[data-problems] [data-path="thread[1].caption"]').click()
    await text(page, 3).and(page.locator(":focus")).waitFor()
    await text(page, 3).fill("The smallest one rings last.")

    // Another order, by keys, as far as the first place; and a removal that is taken back.
    await following(page, 3).getByRole("button", { name: "Move post 3 up" }).press("Enter")
    await following(page, 2)
      .getByRole("button", { name: "Move post 2 up" })
      .and(page.locator(":focus"))
      .waitFor()
    await page.keyboard.press("Enter")
    await storedWhen(id, ({ caption }) => caption === "The smallest one rings last.")
    await following(page, 2).getByRole("button", { name: "Move post 2 up" }).press("Enter")
    await following(page, 3).getByRole("button", { name: "Remove post 3" }).press("Enter")
    await toast(page, "Post 3 is removed").getByRole("button", { name: "Undo" }).click()
    await following(page, 3).getByRole("button", { name: "Move post 3 up" }).press("Enter")

    await page.getByText("Where a network has no threads, send everything as one post").click()
    await page.getByText("Instagram: everything is one post.").waitFor()
    const draft = await storedWhen(
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
    await onEachScreen(async (look) => {
      await look.goto(at(`/posts/${id}`))
      await following(look, 3).waitFor()
      await look.locator("[data-answer]").nth(1).waitFor()
      await following(look, 2).scrollIntoViewIfNeeded()
      await inspect(look)
    })

    // A network may have its own thread, or only the first post.
    await page.getByRole("tab", { name: "Instagram", exact: true }).click()
    await page.getByRole("button", { name: "Send Instagram only the first post" }).click()
    await storedWhen(id, (now) => now.platform_configurations?.instagram?.thread?.length === 0)
    await page.getByRole("button", { name: "Use the shared thread" }).click()
    await toast(page, "Instagram uses the shared thread again").waitFor()
    await storedWhen(id, (now) => now.platform_configurations?.instagram === undefined)

    // It breaks off at its second post, and goes on from there by one press.
    await script("thread-tower", [
      { on: "post", fault: "slow", ms: 0 },
      { on: "post", fault: "refuse", code: "banned_word", message: "Not this picture." }
    ])
    await page.getByRole("tab", { name: "Everywhere", exact: true }).click()
    await page.getByRole("button", { name: "Change when it goes out" }).click()
    await page.getByRole("button", { name: "Now", exact: true }).click()
    await page.keyboard.press("Escape")
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
    await onEachScreen(async (look) => {
      await look.goto(address)
      await look.getByText("Broke off: 1 of 3 are live").waitFor()
      await inspect(look)
    })
    await row.getByRole("button", { name: "Continue from there" }).click()
    await item(2, "published")
    assert.deepEqual(await textsOf("thread-tower"), [
      "The bells of the tower, in three posts.",
      "The oldest one rings at six.",
      "The smallest one rings last."
    ])
    await row.getByRole("link", { name: "Open post 3 of the thread" }).waitFor()
    await page.reload()
    await item(2, "published")
    await inspect(page)

    // The calendar says how many posts it is.
    await page.goto(at(`?view=agenda&account=${tower}`))
    await page.getByText("Sent, a thread of 3 posts").first().waitFor()
    await page.goto(at(`?view=month&account=${tower}`))
    await page.locator(`[data-post="${id}"]`, { hasText: "a thread of 3 posts" }).waitFor()
    await inspect(page)
  })
})
