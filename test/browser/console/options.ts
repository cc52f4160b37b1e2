import type { ServiceProcess } from "@carillon/testing/ServiceProcess"
import { uprightVideo } from "@carillon/testing/UprightVideo"
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import type { Walk } from "./results.ts"
import { run } from "./run.ts"

const text =
  "The evening bells ring at six, every day until Christmas. Come early: the stalls stay warm, the rye rolls too, and the " +
  "choir hums along from the bakery steps.\n\nFree, outside, no seats: https://north.example/bells\n\n#bells #advent @choir.example"

const connectBluesky = async (service: ServiceProcess): Promise<number> => {
  const { body, status } = await run(
    service.call("POST", "/v1/social-accounts", {
      platform: "bluesky",
      credentials: { identifier: "bakery.bsky.sandbox", app_password: "bell-bell-bell-bell" }
    })
  )
  assert.equal(status, 201, JSON.stringify(body))
  return body.id
}

/** Drafts for all networks: one with pictures, one with a video. */
const drafts = async (service: ServiceProcess) => {
  const bells = readFileSync(new URL("../../../examples/media/bells.jpg", import.meta.url))
  const pictures = [
    await run(service.upload(bells, "image/jpeg", "bells.jpg")),
    await run(service.upload(bells, "image/jpeg", "bells-again.jpg"))
  ]
  const video = await run(service.upload(uprightVideo(), "video/mp4", "bells.mp4"))
  await connectBluesky(service)
  const { body } = await run(service.call("GET", "/v1/social-accounts?limit=100"))
  const of = (...platforms: ReadonlyArray<string>) =>
    platforms.map(
      (wanted) => body.data.find(({ platform }: { platform: string }) => platform === wanted).id as number
    )
  const create = async (social_accounts: ReadonlyArray<number>, media: ReadonlyArray<string>) =>
    (await run(service.call("POST", "/v1/posts", { social_accounts, media, caption: text, is_draft: true })))
      .body.id as string
  return {
    withPictures: await create(of("tiktok", "instagram", "pinterest", "bluesky", "sandbox"), pictures),
    withVideo: await create(of("youtube", "tiktok", "instagram"), [video])
  }
}

const part = (page: Page) => page.locator("#part-options")

const choose = async (page: Page, network: string) => {
  await part(page).getByRole("button", { name: network }).click()
  await page.getByRole("group", { name: `Options for ${network}` }).waitFor()
}

const unfold = (page: Page) =>
  part(page)
    .getByRole("button", { name: /more options?$/ })
    .click()

const saved = async (page: Page, service: ServiceProcess, id: string) => {
  await page
    .locator(".saved")
    .filter({ hasText: /Saved \d/ })
    .waitFor()
  return (await run(service.call("GET", `/v1/posts/${id}`))).body.platform_configurations
}

/** Options of every kind are set, stored as they were set, and taken away again. */
const setsOptions = async (page: Page, service: ServiceProcess) => {
  const made = await drafts(service)
  await page.goto(`${service.url}/app/posts/${made.withPictures}`)

  await choose(page, "TikTok")
  await part(page).getByLabel("Who can see it").selectOption({ label: "Only me" })
  await part(page).getByLabel("Title").fill("Bells at dusk")
  await unfold(page)
  await part(page).getByLabel("Cover photo").selectOption({ label: "Photo 2: bells-again.jpg" })
  await part(page).getByText("Allow comments", { exact: true }).click()
  await part(page).getByText("AI-generated content", { exact: true }).click()

  await choose(page, "Instagram")
  await part(page).getByRole("button", { name: "Feed", exact: true }).click()
  await unfold(page)
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
  await unfold(page)
  await part(page).getByLabel("Link", { exact: true }).fill("https://www.north.example/bells")

  await choose(page, "Bluesky")
  await unfold(page)
  await part(page).getByLabel("Languages", { exact: true }).last().fill("en,")

  const stored = await saved(page, service, made.withPictures)
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
  const { bluesky, tiktok } = await saved(page, service, made.withPictures)
  assert.deepEqual([bluesky ?? {}, tiktok], [{}, { photo_cover_index: 1, is_aigc: true }])

  await page.goto(`${service.url}/app/posts/${made.withVideo}`)
  await choose(page, "YouTube")
  await part(page).getByLabel("Title").fill("Bells at dusk")
  await part(page).getByRole("group", { name: "Made for kids" }).getByRole("button", { name: "No" }).click()
  await unfold(page)
  await part(page).getByLabel("Tags", { exact: true }).last().fill("bells, evening bells,")
  await part(page).getByRole("button", { name: "Choose a frame: Thumbnail frame" }).click()
  await part(page).getByRole("slider", { name: "Thumbnail frame" }).press("ArrowRight")
  const { youtube } = await saved(page, service, made.withVideo)
  assert.deepEqual(youtube, {
    title: "Bells at dusk",
    made_for_kids: false,
    tags: ["bells", "evening bells"],
    video_cover_timestamp_ms: 100
  })
  return made
}

/** The options of each network that can be connected, and how a post looks there. */
export const options = async ({ inspect, onEachScreen, page, service }: Walk) => {
  const made = await setsOptions(page, service)
  const seen = [
    ["pictures", made.withPictures, ["TikTok", "Instagram", "Pinterest", "Bluesky", "Test network"]],
    ["video", made.withVideo, ["YouTube", "TikTok", "Instagram"]]
  ] as const
  await onEachScreen(async (look, screen) => {
    for (const [what, id, networks] of seen) {
      await look.goto(`${service.url}/app/posts/${id}`)
      for (const network of networks) {
        await look.getByRole("tablist", { name: "Preview" }).getByRole("tab", { name: network }).click()
        const preview = look.getByRole("article", { name: `Preview: ${network}` })
        await preview.getByText(/bells/i).first().waitFor()
        await preview.locator(".medium img, .medium video").first().waitFor()
        await look.evaluate(
          `Promise.all([...document.querySelectorAll(".preview img")].map((image) => image.decode().catch(() => {})))`
        )
        await inspect(look, `preview-${network.toLowerCase().replace(" ", "-")}-${what}-${screen}`)
      }
    }
  })
}
