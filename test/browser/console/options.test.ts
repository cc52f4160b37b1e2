import { uprightVideo } from "@carillon/testing/UprightVideo"
import assert from "node:assert/strict"
import type { Page } from "playwright-core"
import { describe } from "vitest"
import { inspect } from "./inspect.ts"
import { test as base } from "./test.ts"

const text =
  "The evening bells ring at six, every day until Christmas. Come early: the stalls stay warm, the rye rolls too, and the " +
  "choir hums along from the bakery steps.\n\nFree, outside, no seats: https://north.example/bells\n\n#bells #advent @choir.example"

const test = base
  /** Drafts for all networks: one with pictures, one with a video. */
  .extend("made", { scope: "file" }, async ({ room: { call, connect, signIn, upload, write } }) => {
    const { id: bluesky } = await call("POST", "/v1/social-accounts", {
      platform: "bluesky",
      credentials: { identifier: "bakery.bsky.sandbox", app_password: "bell-bell-bell-bell" }
    })
    const [tiktok, instagram, pinterest, youtube] = [
      await signIn("tiktok", "options"),
      await signIn("instagram", "options"),
      await signIn("pinterest", "options"),
      await signIn("youtube", "options")
    ]
    const draft = (social_accounts: ReadonlyArray<number>, media: ReadonlyArray<string>) =>
      write({ social_accounts, media, caption: text, is_draft: true })
    const pictures = [await upload("bells.jpg"), await upload("bells-again.jpg")]
    return {
      withPictures: await draft([tiktok, instagram, pinterest, bluesky, await connect("options")], pictures),
      withVideo: await draft(
        [youtube, tiktok, instagram],
        [await upload("bells.mp4", uprightVideo(), "video/mp4")]
      )
    }
  })
  .extend("saved", ({ page, room: { stored } }) => async (id: string) => {
    await page
      .locator("[data-saved]")
      .filter({ hasText: /Saved \d/ })
      .waitFor()
    return (await stored(id)).platform_configurations
  })

const part = (page: Page) => page.locator("[data-options]")

const choose = async (page: Page, network: string) => {
  await part(page).getByRole("button", { name: network }).click()
  await page.getByRole("group", { name: `Options for ${network}` }).waitFor()
}

describe("the options of networks", () => {
  test("are stored as they were set for pictures, and leave nothing behind", async ({
    made,
    page,
    room: { at },
    saved
  }) => {
    await page.goto(at(`/posts/${made.withPictures}`))
    await part(page).getByRole("button", { name: "All options" }).click()
    await choose(page, "TikTok")
    await part(page).getByLabel("Who can see it").selectOption({ label: "Only me" })
    await part(page).getByLabel("Title").fill("Bells at dusk")
    await part(page).getByLabel("Cover photo").selectOption({ label: "Photo 2: bells-again.jpg" })
    await part(page).getByText("Allow comments", { exact: true }).click()
    await part(page).getByText("AI-generated content", { exact: true }).click()

    await choose(page, "Instagram")
    await part(page).getByRole("button", { name: "Feed", exact: true }).click()
    await part(page).getByLabel("Collaborators", { exact: true }).last().fill("choir,")
    await part(page).getByLabel("Collaborators", { exact: true }).last().fill("bakery")
    await page.keyboard.press("Enter")
    await part(page).getByLabel("First comment").fill("Doors at five.")
    await part(page)
      .getByRole("group", { name: "Also share to feed" })
      .getByRole("button", { name: "No" })
      .click()

    await choose(page, "Pinterest")
    await part(page).getByRole("checkbox", { name: "Recipes" }).check()
    await part(page).getByLabel("Link", { exact: true }).fill("https://www.north.example/bells")

    await choose(page, "Bluesky")
    await part(page).getByLabel("Languages", { exact: true }).last().fill("en,")

    const stored = await saved(made.withPictures)
    const boards = stored.pinterest.board_ids
    assert.equal(boards.length, 1)
    assert.deepEqual(stored, {
      tiktok: {
        privacy_level: "SELF_ONLY",
        title: "Bells at dusk",
        photo_cover_index: 1,
        allow_comment: false,
        is_aigc: true
      },
      instagram: {
        placement: "feed",
        collaborators: ["choir", "bakery"],
        first_comment: "Doors at five.",
        share_to_feed: false
      },
      pinterest: { board_ids: boards, link: "https://www.north.example/bells" },
      bluesky: { langs: ["en"] }
    })

    // What is taken away leaves nothing behind.
    await part(page).getByRole("button", { name: "Remove en" }).click()
    await choose(page, "TikTok")
    await part(page).getByLabel("Who can see it").selectOption({ label: "Automatic" })
    await part(page).getByLabel("Title").fill("")
    await part(page).getByText("Allow comments", { exact: true }).click()
    const { bluesky, tiktok } = await saved(made.withPictures)
    assert.deepEqual([bluesky ?? {}, tiktok], [{}, { photo_cover_index: 1, is_aigc: true }])
  })

  test("are stored as they were set for a video", async ({ made, page, room: { at }, saved }) => {
    await page.goto(at(`/posts/${made.withVideo}`))
    await part(page).getByRole("button", { name: "All options" }).click()
    await choose(page, "YouTube")
    await part(page).getByLabel("Title").fill("Bells at dusk")
    await part(page).getByRole("group", { name: "Made for kids" }).getByRole("button", { name: "No" }).click()
    await part(page).getByLabel("Tags", { exact: true }).last().fill("bells, evening bells,")
    await part(page).getByRole("button", { name: "Choose a frame: Thumbnail frame" }).click()
    await part(page).getByRole("slider", { name: "Thumbnail frame" }).press("ArrowRight")
    const { youtube } = await saved(made.withVideo)
    assert.deepEqual(youtube, {
      title: "Bells at dusk",
      made_for_kids: false,
      tags: ["bells", "evening bells"],
      video_cover_timestamp_ms: 100
    })
  })

  test("show how the post looks on each network, on each screen", async ({
    made,
    onEachScreen,
    room: { at }
  }) => {
    const seen = [
      [made.withPictures, ["TikTok", "Instagram", "Pinterest", "Bluesky", "Test network"]],
      [made.withVideo, ["YouTube", "TikTok", "Instagram"]]
    ] as const
    await onEachScreen(async (look) => {
      for (const [id, networks] of seen) {
        await look.goto(at(`/posts/${id}`))
        for (const network of networks) {
          await look.getByRole("tablist", { name: "Preview" }).getByRole("tab", { name: network }).click()
          const preview = look.getByRole("article", { name: `Preview: ${network}` })
          await preview.getByText(/bells/i).first().waitFor()
          await preview.locator("[data-shot] :is(img, video)").first().waitFor()
          await look.evaluate(
            `Promise.all([...document.querySelectorAll("article img")].map((image) => image.decode().catch(() => {})))`
          )
          await inspect(look)
        }
      }
    })
  })
})
