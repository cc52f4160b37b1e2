import type { SandboxProcess } from "@carillon/sandbox/testing"
import type { ServiceProcess } from "@carillon/testing/ServiceProcess"
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser, Cookie, Page } from "playwright-core"
import { run } from "./run.ts"

interface Walk {
  readonly browser: Browser
  readonly cookies: ReadonlyArray<Cookie>
  readonly service: ServiceProcess
  readonly sandbox: SandboxProcess["Service"]
  /** Where the pictures go; none: they are not taken. */
  readonly pictures: string | undefined
}

/** About as wide as those of phones and Macs, and a fifth wider. Debian has both. */
const fonts = { narrow: "Liberation Sans", wide: "DejaVu Sans" }
const widths = [360, 390, 430, 768, 1024, 1280]

/** CONSOLE_WALKS=some: a phone's width in the narrow font, and a desk's in the wide one. */
const looked: ReadonlyArray<readonly [width: number, font: keyof typeof fonts]> =
  process.env["CONSOLE_WALKS"] === "some"
    ? [
        [390, "narrow"],
        [1280, "wide"]
      ]
    : widths.flatMap((width) => (["narrow", "wide"] as const).map((font) => [width, font] as const))

/**
 * The words that are broken over two lines although one line would hold them, and those that stick out of what they are in,
 * in every text of the page that is seen. A day of a tablet's month, or a lane of a phone's week, may have no room for a word of a caption.
 */
const misplacedWords = `(() => {
  const found = new Set()
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const inside = text.parentElement
    if (inside.closest("script, style, textarea, option, svg, .unseen, .mark, .tile") !== null) continue
    if (!inside.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    for (const { 0: word, index } of text.data.matchAll(/[\\p{Script=Latin}\\p{M}\\p{N}_@’'"“”(),:;!?]+/gu)) {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      const lines = [...range.getClientRects()].filter(({ width }) => width > 0)
      const named = (one) => one.tagName.toLowerCase() + "." + one.className
      if (word.length <= 30 && new Set(lines.map(({ top }) => Math.round(top))).size > 1) found.add(word + " breaks in " + named(inside))
      for (let around = inside; around !== document.body; around = around.parentElement) {
        const { display, overflowX, position } = getComputedStyle(around)
        if (overflowX !== "visible") break
        const { left, right } = around.getBoundingClientRect()
        if (!/^inline$|contents/.test(display) && lines.some((line) => line.left < left - 1 || line.right > right + 1)) {
          found.add(word + " sticks out of " + named(around))
          break
        }
        if (position === "absolute" || position === "fixed") break
      }
    }
  }
  return [...found]
})()`

/** Boxes that end in an ellipsis and hold more than one thing: what comes last, such as an outcome after a caption, is cut off. */
const cutOff = `[...document.querySelectorAll("body *")].flatMap((box) => {
  const { textOverflow, webkitLineClamp } = getComputedStyle(box)
  const isCut =
    (textOverflow === "ellipsis" && box.scrollWidth > box.clientWidth + 1) ||
    (webkitLineClamp !== "none" && box.scrollHeight > box.clientHeight + 1)
  if (!isCut || !box.checkVisibility() || box.matches("input, textarea, select")) return []
  const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
  const parents = new Set()
  let last = ""
  while (texts.nextNode() !== null) {
    const { data, parentElement } = texts.currentNode
    if (data.trim() === "" || parentElement.closest(".unseen") !== null) continue
    parents.add(parentElement)
    last = data.trim()
  }
  return parents.size > 1 ? [last + " is cut off in " + box.tagName.toLowerCase() + "." + box.className] : []
})`

/** What scrolls sideways and is not meant to. */
const sideways = `(() => {
  const meant = ".filters, .shows, .text-tabs"
  return [document.documentElement, ...document.querySelectorAll("body *")]
    .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.checkVisibility() && !one.matches(meant))
    .filter((one) => one === document.documentElement || ["auto", "scroll"].includes(getComputedStyle(one).overflowX))
    .map((one) => one.tagName.toLowerCase() + "." + one.className + ", " + (one.scrollWidth - one.clientWidth) + " px")
})()`

/** The same page in the fonts at the widths: no word is broken that need not be, and nothing scrolls sideways. */
export const looks = async (page: Page, name: string, pictures: string | undefined) => {
  const found: Array<string> = []
  for (const [width, font] of looked) {
    await page.setViewportSize({ width, height: width < 600 ? 844 : 860 })
    const wrong = await page.evaluate<ReadonlyArray<string>>(
      `document.documentElement.style.setProperty("--font", ${JSON.stringify(fonts[font])}),
       new Promise((resolve) => requestAnimationFrame(() => resolve([${misplacedWords}, ${cutOff}, ${sideways}].flat())))`
    )
    found.push(...wrong.map((what) => `${name} at ${width} px, ${font}: ${what}`))
    if (pictures !== undefined)
      await page.screenshot({ path: join(pictures, `${name}-${width}-${font}.png`) })
  }
  return found
}

const call = async (service: ServiceProcess, method: string, path: string, body?: unknown) =>
  (await run(service.call(method, path, body))).body

/** An account of the test network. */
const connect = async (service: ServiceProcess, username: string): Promise<number> =>
  (
    await call(service, "POST", "/v1/social-accounts", {
      platform: "sandbox",
      credentials: { username, password: "sandbox" }
    })
  ).id

/** What has come of each kind: live, refused, unheard, an account that must be connected again, a word as long as a line. */
const fill = async ({ sandbox, service }: Walk) => {
  const picture = await run(
    service.upload(
      readFileSync(new URL("../../../examples/media/bells.jpg", import.meta.url)),
      "image/jpeg",
      "bells-in-the-old-tower-of-saint-gertrude.jpg"
    )
  )
  const long = await connect(service, `the-${"long-".repeat(6)}name`)
  const [live, mill, quay, ferry] = await Promise.all(
    ["orchard", "grindstone", "pier-none", "steamer"].map((name) => connect(service, name))
  )
  await run(
    sandbox.script("grindstone", [
      { on: "post", fault: "refuse", code: "banned_word", message: "The word “free” is not allowed here." }
    ])
  )
  await run(sandbox.script("pier-none", [{ on: "post", fault: "effect_then_lost_reply" }]))
  await run(
    sandbox.script("steamer", [
      { on: "post", fault: "unauthorized" },
      { on: "session", fault: "unauthorized" }
    ])
  )
  const caption = "Advent opens on the square: bells, bread and the choir at full height, from six until nine"
  const post = await call(service, "POST", "/v1/posts", {
    social_accounts: [live, mill, quay, ferry, long],
    caption,
    media: [picture]
  })
  const planned = await call(service, "POST", "/v1/posts", {
    social_accounts: [live, long],
    caption: `${"Donaudampfschifffahrtsgesellschaftskapitän".repeat(2)} and more`,
    scheduled_at: "2030-12-05T09:00[Europe/Paris]"
  })
  // One that was disconnected and is missed.
  const gone = await connect(service, "granary")
  await call(service, "POST", "/v1/posts", {
    social_accounts: [gone],
    caption: "The granary opens tomorrow",
    scheduled_at: "2030-12-06T09:00[Europe/Paris]"
  })
  await call(service, "DELETE", `/v1/social-accounts/${gone}`)
  // One of a network that the test network plays: it has a mark that takes place.
  const [played] = (await call(service, "GET", "/v1/social-accounts?platform=instagram")).data
  return { post: post.id as string, planned: planned.id as string, accounts: [live, played.id] }
}

/** Every room, and what opens in it, in a narrow and a wide font at the widths of phones, tablets and desks. */
export const inFonts = async (walk: Walk) => {
  const { browser, cookies, pictures, service } = walk
  const { accounts, planned, post } = await fill(walk)
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
  await context.addCookies([...cookies])
  const page = await context.newPage()
  const [narrow, wide] = await page.evaluate<
    [number, number]
  >(`${JSON.stringify(Object.values(fonts))}.map((family) => {
    const pen = document.createElement("canvas").getContext("2d")
    pen.font = "20px '" + family + "', monospace"
    return pen.measureText("Carillon rings at six").width
  })`)
  assert.ok(narrow < wide * 0.95, `${fonts.narrow} and ${fonts.wide} are not both installed`)
  const found: Array<string> = []

  const visit = async (name: string, path: string, ready: string) => {
    await page.setViewportSize({ width: 1280, height: 860 })
    await page.goto(`${service.url}/app${path}`)
    await page.locator(ready).first().waitFor()
    await page.waitForLoadState("networkidle")
    found.push(...(await looks(page, name, pictures)))
  }

  for (const view of ["month", "week", "agenda"])
    await visit(view, `?view=${view}&date=2030-12-04`, "[data-post]")
  await visit("result", `/posts/${post}`, '[data-result][data-state="doubt"]')
  await visit("activity", "/activity", "[data-cause]")
  await visit("library", "/library", "[data-file] img")
  await visit("queue", "/queue?date=2030-12-02", ".slot-card")
  await visit("settings", "/settings", "h2")
  await visit("accounts", "/accounts", "[data-account]")
  await visit("connect", "/accounts?connect=choose", ".dialog li")
  await visit("consent", "/accounts?connect=instagram", ".dialog .button.main")
  await visit("form", "/accounts?connect=bluesky", ".dialog input")
  await visit("apps", "/accounts/apps", 'a[href*="tiktok"]')
  await visit("app", "/accounts/apps/tiktok", "input")
  await visit("compose", `/compose?accounts=${accounts.join()}`, "textarea.writing")
  await visit("planned", `/posts/${planned}`, "textarea.writing")

  // What opens over a room.
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.goto(`${service.url}/app?view=agenda&date=2030-12-04`)
  await page.locator("[data-post]").first().click()
  await page.getByRole("dialog").waitFor()
  found.push(...(await looks(page, "card", pictures)))

  await context.close()
  assert.deepEqual(found, [])
}
