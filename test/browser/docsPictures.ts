// Takes every picture of docs/pictures anew, from a service and a test network of its own: a month that is planned, a post of
// which everything that can happen has happened, and what an app asks for. It looks a month ahead, so that all days are to come.
import { SandboxProcess } from "@carillon/sandbox/testing"
import { launchChromium } from "@carillon/testing/Chromium"
import {
  authorizePath,
  callWith,
  ownerName,
  ownerPassword,
  pkce,
  register,
  token,
  welcomeLink
} from "@carillon/testing/OAuthBrowser"
import { type ServiceProcess, startService } from "@carillon/testing/ServiceProcess"
import { waitingApp } from "@carillon/testing/WaitingApp"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, BrowserContextOptions, Cookie, Page } from "playwright-core"
import sharp from "sharp"
import { restingNetwork } from "./restingNetwork.ts"

const run = Effect.runPromise
const here = import.meta.dirname
const folder = join(here, "../../docs/pictures")
const bells = readFileSync(join(here, "../../examples/media/bells.jpg"))
const timezone = "Europe/Paris"

const common = { timezoneId: timezone, locale: "en-GB" }
const screens: Readonly<Record<string, BrowserContextOptions>> = {
  "": { ...common, viewport: { width: 1280, height: 860 } },
  "-dark": { ...common, viewport: { width: 1280, height: 860 }, colorScheme: "dark" },
  "-phone": {
    ...common,
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true
  }
}

const millisOfDay = 86_400_000
const today = Date.now() - (Date.now() % millisOfDay)
const dayOf = (millis: number) => new Date(millis).toISOString().slice(0, 10)
/** The next month, and the first Monday that is at least two days ahead. */
const month = dayOf(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1)).slice(0, 8)
const monday = today + ((8 - new Date(today).getUTCDay()) % 7 || 7) * millisOfDay

const captions = [
  "Carols under the tower at five",
  "Jam of the month is quince",
  "Advent begins at the square",
  "Saturday market is open",
  "Rye and walnut, back for the winter",
  "Bells at dusk, every evening",
  "The market, all day",
  "Chestnut cake is back",
  "Open late on Thursday",
  "The choir sings at six",
  "Gingerbread workshop",
  "Order your Christmas bread",
  "Open until noon"
]

/** As the service is found after an installation, whatever its port is here. */
const atUsualPort = `(() => {
  const usual = (text) => text.replaceAll(/(localhost):\\d+/g, "$1:4400")
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
    if (/localhost:\\d/.test(text.data)) text.data = usual(text.data)
  for (const field of document.querySelectorAll("input")) if (/localhost:\\d/.test(field.value)) field.value = usual(field.value)
})()`

const settled = async (page: Page) => {
  await page.waitForLoadState("networkidle")
  // Its pages allow no script of a string, by which Playwright would wait.
  await page.evaluate(`document.fonts.ready.then(() => Promise.all([...document.images]
    .filter((image) => image.checkVisibility() && image.getBoundingClientRect().top < innerHeight)
    .map((image) => image.decode().catch(() => undefined))))`)
  await page.evaluate(atUsualPort)
}

interface World {
  readonly browser: Browser
  readonly service: ServiceProcess
  readonly sandbox: SandboxProcess["Service"]
  readonly cookies: ReadonlyArray<Cookie>
}

/** A page of the console, on each screen. */
const onScreens = async (
  { browser, cookies, service }: World,
  name: string,
  path: string,
  ready: (page: Page) => Promise<void>
) => {
  for (const [screen, options] of Object.entries(screens)) {
    const context = await browser.newContext(options)
    await restingNetwork(context)
    await context.addCookies(cookies)
    const page = await context.newPage()
    await page.goto(`${service.url}/app${path}`)
    await ready(page)
    await settled(page)
    const picture = await page.screenshot()
    await sharp(picture)
      .webp({ quality: 82, effort: 6 })
      .toFile(join(folder, `console/${name}${screen}.webp`))
    await context.close()
    console.log(`${name}${screen}`)
  }
}

/** A page for people without a script, as long as it is. */
const wholePage = async (page: Page, name: string) => {
  await settled(page)
  const height = await page.evaluate<number>("document.documentElement.scrollHeight")
  await page.setViewportSize({ width: 800, height })
  await page.screenshot({ path: join(folder, `${name}.png`) })
  await page.setViewportSize({ width: 800, height: 900 })
  console.log(name)
}

const call = async (service: ServiceProcess, method: string, path: string, body?: unknown) => {
  const answer = await run(service.call(method, path, body))
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

const connect = async (service: ServiceProcess, username: string): Promise<number> =>
  (
    await call(service, "POST", "/v1/social-accounts", {
      platform: "sandbox",
      credentials: { username, password: "sandbox" }
    })
  ).id

/** The owner of a new service, who has been nowhere but at the first steps. */
const signUp = async (browser: Browser, service: ServiceProcess) => {
  const context = await browser.newContext(screens[""]!)
  const page = await context.newPage()
  await page.goto(welcomeLink(service))
  await page.getByRole("textbox", { name: "Name" }).fill(ownerName)
  await page.getByLabel("Password").fill(ownerPassword)
  await page.keyboard.press("Enter")
  await page.getByText("Write something").waitFor()
  const cookies = await context.cookies()
  await context.close()
  return cookies
}

/** What the console shows; the id of the post with an outcome of each kind. */
const fill = async ({ sandbox, service }: World) => {
  const names = [
    "bakery",
    "mill",
    "quay-none",
    "harbour",
    "tower",
    "northshop",
    "orchard",
    "closed",
    "granary"
  ]
  const ids = new Map<string, number>()
  for (const name of names) ids.set(name, await connect(service, name))
  const id = (name: string) => ids.get(name)!
  const { data } = await call(service, "GET", "/v1/social-accounts?limit=100")
  const demo = (platform: string): number => data.find((one: any) => one.username === `${platform}-demo`).id
  const media = await run(service.upload(bells, "image/jpeg", "bells.jpg"))
  await call(service, "PATCH", `/v1/media/${media}`, {
    alt_text: "A clock tower at sunset, its three bells lit from within"
  })
  for (const [name, width, height] of [
    ["tower-at-dusk.jpg", 960, 1200],
    ["square.jpg", 1200, 1200],
    ["evening-sky.jpg", 1600, 800]
  ] as const)
    await run(service.upload(await sharp(bells).resize(width, height).jpeg().toBuffer(), "image/jpeg", name))
  const post = (body: object): Promise<{ readonly id: string }> => call(service, "POST", "/v1/posts", body)

  const days = ["mon", "tue", "wed", "thu", "fri"]
  await call(service, "PUT", "/v1/queue", {
    slots: days.flatMap((day) => ["11:00", "16:00"].map((time) => ({ day, time })))
  })
  for (const [hour, caption] of [
    ["11:00", "Soup of the week is pumpkin"],
    ["16:00", "Baking class: two places left"]
  ])
    await post({
      social_accounts: [id("bakery")],
      caption,
      scheduled_at: `${dayOf(monday + millisOfDay)}T${hour}[${timezone}]`
    })
  for (const [index, caption] of captions.entries()) {
    const day = String(1 + index * 2).padStart(2, "0")
    const illustrated = index % 3 === 0
    await post({
      social_accounts: [
        id("bakery"),
        ...(index % 2 === 0 ? [id("northshop")] : []),
        ...(illustrated ? [demo("instagram")] : [])
      ],
      caption,
      ...(illustrated ? { media: [media] } : {}),
      scheduled_at: `${month}${day}T${String(9 + ((index * 5) % 10)).padStart(2, "0")}:30[${timezone}]`
    })
  }
  for (const [time, caption] of [
    ["08:00", "Stollen, first of the year"],
    ["12:00", "Soup of the day"],
    ["18:00", "Doors at half past six"]
  ])
    await post({
      social_accounts: [id("mill")],
      caption,
      scheduled_at: `${month}11T${time}[${timezone}]`
    })
  await post({
    social_accounts: [id("bakery")],
    caption: "Between the years: some of us",
    is_draft: true,
    scheduled_at: `${month}28T10:00[${timezone}]`
  })

  await run(
    sandbox.script("mill", [
      { on: "post", fault: "refuse", code: "banned_word", message: "The word “free” is not allowed here." }
    ])
  )
  await run(sandbox.script("quay-none", [{ on: "post", fault: "effect_then_lost_reply", times: 2 }]))
  await run(
    sandbox.script("harbour", [
      { on: "post", fault: "unauthorized" },
      { on: "session", fault: "unauthorized" }
    ])
  )
  await run(sandbox.script("tower", [{ on: "post", fault: "rate_limited", retry_after: 7_200 }]))
  await run(sandbox.script("closed", [{ on: "post", fault: "forbidden", times: 2 }]))
  const rehearsal = await post({
    social_accounts: ["bakery", "mill", "quay-none", "harbour", "tower"].map(id),
    caption:
      "A glimpse of Tuesday’s rehearsal, the choir at full height.\nThe whole of it on Friday at seven, doors at half past six. #choir #advent",
    media: [media],
    account_configurations: [
      { account_id: id("mill"), caption: "The choir at full height, and the entrance is free." }
    ]
  })
  for (const caption of ["Lunch: soup and a roll", "Two places free at the workshop"])
    await post({ social_accounts: [id("closed")], caption })
  await post({ social_accounts: [id("orchard")], caption: "Apples until Saturday" })
  for (const [name, hours, caption] of [
    ["harbour", 26, "Bells at dusk, from the roof"],
    ["harbour", 50, "Rye and walnut is back"],
    ["granary", 74, "Flour from the new harvest"]
  ] as const)
    await post({
      social_accounts: [id(name)],
      caption,
      scheduled_at: new Date(Date.now() + hours * 3_600_000).toISOString()
    })
  await call(service, "DELETE", `/v1/social-accounts/${id("granary")}`)
  return { rehearsal: rehearsal.id, media, writes: [id("northshop"), demo("instagram"), demo("tiktok")] }
}

const rooms = async (world: World) => {
  await onScreens(world, "first-steps", "", (page) => page.getByText("Write something").waitFor())
  const { media, rehearsal, writes } = await fill(world)
  await onScreens(world, "result", `/posts/${rehearsal}`, async (page) => {
    for (const state of ["failed", "doubt", "blocked", "waiting", "live"])
      await page.locator(`[data-result][data-state="${state}"]`).waitFor()
  })
  await onScreens(world, "weeks", `?view=weeks&date=${month}01`, (page) =>
    page.locator("[data-post]").first().waitFor()
  )
  await onScreens(world, "activity", "/activity", async (page) => {
    await page.getByText("2 posts did not go out").waitFor()
    await page.getByText("fails then unless").waitFor()
  })
  await onScreens(world, "library", `/library?file=${media}`, (page) =>
    page.getByRole("complementary", { name: "File" }).getByText("Fits").waitFor()
  )
  await onScreens(world, "queue", `/queue?date=${dayOf(monday)}`, (page) =>
    page.locator("[data-slot]").first().waitFor()
  )
  await onScreens(world, "accounts", "/accounts", (page) =>
    page.getByRole("button", { name: "Reconnect" }).first().waitFor()
  )
  await onScreens(world, "apps", "/accounts/apps/tiktok", (page) =>
    page.getByText("Register the app").waitFor()
  )
  await onScreens(world, "settings", "/settings", (page) =>
    page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor()
  )
  // Last, because each leaves a draft.
  const compose = `/compose?accounts=${writes.join(",")}&media=${media}&at=${month}04T09:00`
  await onScreens(world, "compose", compose, async (page) => {
    await page
      .locator("[data-writing]")
      .fill(
        "The evening bells ring at six, every day until Christmas. Come early: the stalls stay warm, the rye rolls too.\n\nFree, outside, no seats. #bells #advent"
      )
    await page
      .locator("[data-saved]")
      .filter({ hasText: /Saved \d/ })
      .waitFor()
    await page.getByRole("button", { name: /^Schedule for/ }).waitFor()
  })
}

/** An app that asks for leave, and for a post of it. */
const apps = async ({ browser, cookies, service }: World) => {
  const context = await browser.newContext({
    ...common,
    viewport: { width: 800, height: 900 },
    javaScriptEnabled: false
  })
  await context.addCookies(cookies)
  const page = await context.newPage()
  const app = await waitingApp()
  const { body } = await register(service.url, { client_name: "Desk Helper", redirect_uris: [app.redirect] })
  const { challenge, verifier } = pkce()
  await page.goto(
    service.url +
      authorizePath({
        client_id: body.client_id,
        redirect_uri: app.redirect,
        code_challenge: challenge,
        code_challenge_method: "S256",
        resource: `${service.url}/v1`,
        state: "s"
      })
  )
  await page.getByRole("heading", { name: "Desk Helper wants to use your Carillon" }).waitFor()
  await wholePage(page, "consent")
  await page.getByLabel("Hold everything for my approval").check()
  await page.getByRole("button", { name: "Allow" }).click()
  const back = await app.came
  app.close()
  const { body: exchanged } = await token(service.url, {
    grant_type: "authorization_code",
    client_id: body.client_id,
    code: back.searchParams.get("code")!,
    redirect_uri: app.redirect,
    code_verifier: verifier
  })
  const { data } = await call(service, "GET", "/v1/social-accounts?limit=100")
  const [bakery, northshop] = ["bakery", "northshop"].map(
    (name) => data.find((one: any) => one.username === name).id
  )
  const media = (await call(service, "GET", "/v1/media?q=bells")).data[0].id
  const { status } = await callWith(service.url, exchanged.access_token, "/v1/posts", {
    method: "POST",
    body: JSON.stringify({
      social_accounts: [bakery, northshop],
      caption: "The first loaves are out of the oven.\nWe open at seven, as every day.",
      media: [media],
      account_configurations: [
        { account_id: northshop, caption: "Fresh bread at the market from eight, until it is gone." }
      ],
      scheduled_at: `${month}01T07:00[${timezone}]`
    })
  })
  if (status !== 201) throw new Error(`the app's post was answered ${status}`)
  await page.goto(`${service.url}/approvals`)
  await wholePage(page, "approvals")
  await context.close()

  const reader = await browser.newContext({ ...common, viewport: { width: 1280, height: 900 } })
  await reader.addCookies(cookies)
  const reference = await reader.newPage()
  await reference.goto(`${service.url}/docs`)
  await reference.getByRole("heading", { name: "Create a post" }).first().waitFor()
  await reference.screenshot({ path: join(folder, "reference.png") })
  await reader.close()
}

// The service builds it at its start too, and pages wait for that.
execFileSync(process.execPath, [join(here, "../../packages/console/build.ts")], { stdio: "inherit" })

await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess.make()
      const started = yield* startService({
        host: "localhost",
        env: { SANDBOX_URL: sandbox.url, PLATFORMS_URL: sandbox.url, CARILLON_CONSOLE: "on" }
      })
      const service = { ...started, url: started.publicUrl }
      yield* service.call("PATCH", "/v1/profile", { timezone })
      const browser = yield* launchChromium
      yield* Effect.promise(async () => {
        const world = { browser, service, sandbox, cookies: await signUp(browser, service) }
        await rooms(world)
        await apps(world)
      })
    })
  )
)

// The calendar in a chat is one of the pictures of that walk.
const walked = mkdtempSync(join(tmpdir(), "carillon-app-"))
execFileSync(process.execPath, [join(here, "appHost.ts")], {
  env: { ...process.env, SCREENSHOTS: walked },
  stdio: "inherit"
})
copyFileSync(join(walked, "app-card-desktop.png"), join(folder, "calendar.png"))
rmSync(walked, { recursive: true })
console.log(`the pictures are in ${folder}; look at each of them`)
