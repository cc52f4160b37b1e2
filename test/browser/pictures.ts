// Takes a picture of every room and state of the console on each screen, the same to the pixel each time:
//   node test/browser/pictures.ts FOLDER [--only PATTERN]
// Compares the pictures of two builds, and lays what differs side by side into OUT:
//   node test/browser/pictures.ts --compare BEFORE AFTER [OUT]
import { SandboxProcess } from "@carillon/sandbox/testing"
import { launchChromium } from "@carillon/testing/Chromium"
import { type PlainBrowser, signedInBrowser } from "@carillon/testing/OAuthBrowser"
import { type ServiceProcess, startService } from "@carillon/testing/ServiceProcess"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Browser, BrowserContext, Page, Request, ViewportSize } from "playwright-core"
import { compare } from "./pictures/compare.ts"
import { begins, caller, seed, timezone } from "./pictures/seed.ts"
import { firstSteps, type State, states as statesOf } from "./pictures/states.ts"
import { restingNetwork } from "./restingNetwork.ts"

const here = import.meta.dirname

const common = { timezoneId: timezone, locale: "en-GB", reducedMotion: "reduce" } as const

/** Desks are seen in the dark and as tablets too. */
const screens = {
  phone: { ...common, viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  desk: { ...common, viewport: { width: 1280, height: 860 } }
}
type Screen = keyof typeof screens

/** The address of a service and the seconds of a clock differ from run to run. */
const steadyTexts = `(() => {
  const steady = (text) => text.replaceAll(/(localhost|127\\.0\\.0\\.1):\\d+/g, "$1:4400").replaceAll(/(\\d\\d:\\d\\d):\\d\\d/g, "$1:00")
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
    if (steady(text.data) !== text.data) text.data = steady(text.data)
  for (const field of document.querySelectorAll("input")) if (/:\\d{5}/.test(field.value)) field.value = steady(field.value)
})()`

const imagesDecoded = `document.fonts.ready.then(() => Promise.all([...document.images]
  .filter((image) => image.checkVisibility())
  .map((image) => ((image.loading = "eager"), image.decode().catch(() => undefined)))))`

/** All that is on the page. Its sizes tell what has no trace in the text. */
const content = `[document.documentElement.outerHTML,
  ...Array.from(document.querySelectorAll("body *"), (one) => Object.values(one.getBoundingClientRect().toJSON()))].join()`

/** Until the page asks for nothing, has all its files, and is twice the same. */
const rest = async (page: Page, asked: ReadonlySet<Request>) => {
  let last = ""
  for (let looks = 0; looks < 200; looks++) {
    while (asked.size > 0) await page.waitForTimeout(20)
    await page.evaluate(imagesDecoded)
    await page.evaluate(steadyTexts)
    const next = await page.evaluate<string>(content)
    if (next === last) return
    last = next
    await page.waitForTimeout(100)
  }
  throw new Error("the page does not come to rest")
}

/** How much higher the page would be without what scrolls in it. */
const hidden = `Math.max(0, ...[...document.querySelectorAll("main, main :not(textarea)")]
  .filter((one) => ["auto", "scroll"].includes(getComputedStyle(one).overflowY))
  .map(({ clientHeight, scrollHeight }) => scrollHeight - clientHeight))`

interface World {
  readonly service: ServiceProcess
  readonly owner: PlainBrowser
  readonly folder: string
  /** What the browser has kept of earlier visits. */
  readonly kept: Readonly<Record<string, string>>
  /** What each account offers. A network lets nobody ask as often as it is shown. */
  readonly offers: Map<string, Promise<unknown>>
}

/** A browser on a kind of screen, signed in. It keeps the files of the console, so that each visit costs less. */
const signedIn = async (browser: Browser, { kept, offers, owner, service }: World, screen: Screen) => {
  const context = await browser.newContext(screens[screen])
  await restingNetwork(context)
  await context.addCookies(
    [...owner.cookies].map(([name, value]) => ({ name, value, url: service.publicUrl }))
  )
  await context.addInitScript(`if (sessionStorage.getItem("visited") === null) {
    sessionStorage.setItem("visited", "yes")
    localStorage.clear()
    Object.assign(localStorage, ${JSON.stringify(kept)})
  }`)
  await context.clock.setFixedTime(Date.parse(begins) + 60_000)
  await context.route("**/v1/social-accounts/*/options*", async (route) => {
    const url = route.request().url()
    if (!offers.has(url)) offers.set(url, (await route.fetch()).json())
    await route.fulfill({ json: await offers.get(url) })
  })
  return context
}

/** Chromium refuses a page now and then, where others open and close at the same moment. */
const newPage = async (context: BrowserContext, tries = 10): Promise<Page> => {
  try {
    return await context.newPage()
  } catch (error) {
    if (tries === 0 || !String(error).includes("Failed to open a new tab")) throw error
    return newPage(context, tries - 1)
  }
}

/** The pictures of a state on a kind of screen; its name if it could not be opened. */
const visit = async (
  context: BrowserContext,
  { folder, service }: World,
  { name, open, path, whole }: State,
  screen: Screen
) => {
  const page = await newPage(context)
  const asked = new Set<Request>()
  page.on("request", (request) => {
    if (request.resourceType() !== "eventsource") asked.add(request)
  })
  page.on("requestfinished", (request) => void asked.delete(request))
  page.on("requestfailed", (request) => void asked.delete(request))
  const see = async (how: string, size: ViewportSize) => {
    await page.setViewportSize(size)
    await rest(page, asked)
    let { height } = size
    // What is seen then may bring more.
    for (let times = whole === true ? 3 : 0; times > 0; times--) {
      height += await page.evaluate<number>(hidden)
      await page.setViewportSize({ ...size, height })
      await rest(page, asked)
    }
    await page.screenshot({
      path: join(folder, `${name}-${how}.png`),
      animations: "disabled",
      caret: "hide"
    })
  }
  try {
    const { viewport } = screens[screen]
    await page.goto(`${service.publicUrl}/app${path}`)
    await open(page)
    await see(screen, viewport)
    if (screen === "phone") return []
    await page.emulateMedia({ colorScheme: "dark" })
    await see("dark", viewport)
    await page.emulateMedia({ colorScheme: "light" })
    await see("tablet", { width: 768, height: 1024 })
    return []
  } catch (error) {
    await page.screenshot({ path: join(folder, `failed/${name}-${screen}.png`) }).catch(() => {})
    console.log(`${name}-${screen} FAILED: ${String(error).split("\n").slice(0, 4).join(" ")}`)
    return [`${name}-${screen}`]
  } finally {
    await page.close()
    await context.setOffline(false)
  }
}

/** Visits those whose names match `only`, some beside each other; what could not be opened. */
const visitAll = async (
  browser: Browser,
  world: World,
  all: ReadonlyArray<State>,
  { atOnce, only }: { readonly atOnce: number; readonly only: RegExp }
) => {
  const failed: Array<string> = []
  const states = all.values()
  const someOfThem = async () => {
    const [phone, desk] = [await signedIn(browser, world, "phone"), await signedIn(browser, world, "desk")]
    for (const state of states) {
      await state.before?.()
      if (!only.test(state.name)) continue
      const onPhone = state.on === "desk" ? [] : visit(phone, world, state, "phone")
      if (state.alone === true) await onPhone
      const onDesk = state.on === "phone" ? [] : visit(desk, world, state, "desk")
      failed.push(...(await onPhone), ...(await onDesk))
      console.log(`${state.name} at ${Math.round(performance.now() / 1_000)} s`)
    }
    await Promise.all([phone.close(), desk.close()])
  }
  await Promise.all(Array.from({ length: atOnce }, someOfThem))
  return failed
}

/** A service on the slow clock, its owner, and a test network of its own. */
const start = Effect.gen(function* () {
  const sandbox = yield* SandboxProcess.make()
  const service = yield* startService({
    host: "localhost",
    env: {
      ...slowly,
      SANDBOX_URL: sandbox.url,
      PLATFORMS_URL: sandbox.url,
      CARILLON_CONSOLE: "on",
      SANDBOX_SETTLE_WAIT: "10 millis"
    }
  })
  yield* service.call("PATCH", "/v1/profile", { timezone })
  const owner = yield* Effect.promise(() => signedInBrowser({ ...service, url: service.publicUrl }))
  return { service, owner, sandbox }
})

const slowly = {
  CLOCK_BEGINS: begins,
  NODE_OPTIONS: `--import ${join(here, "pictures/slowClock.ts")}`
}

const takePictures = (folder: string, only: RegExp) =>
  Effect.gen(function* () {
    mkdirSync(join(folder, "failed"), { recursive: true })
    // The service builds it at its start too, and pages wait for that.
    execFileSync(process.execPath, [join(here, "../../packages/console/build.ts")], { stdio: "inherit" })
    const browser = yield* launchChromium
    Object.assign(process.env, slowly)
    const fresh = yield* start
    const used = yield* start
    return yield* Effect.promise(async () => {
      const call = caller(fresh.service)
      const { data } = await call("GET", "/v1/workspaces")
      const kept = { [`carillon.first-steps.${data[0].id}`]: "begun" }
      const failed = await visitAll(
        browser,
        { ...fresh, folder, kept, offers: new Map() },
        firstSteps(call),
        {
          atOnce: 1,
          only
        }
      )
      const world = await seed(used)
      failed.push(
        ...(await visitAll(browser, { ...used, folder, kept: {}, offers: new Map() }, statesOf(world), {
          atOnce: 4,
          only
        }))
      )
      return failed
    })
  })

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { compare: { type: "boolean" }, only: { type: "string", default: "" } }
})
const [folder, other, out] = positionals
if (folder === undefined || (values.compare === true && other === undefined)) {
  console.error("Name a folder for the pictures, or --compare and two folders of pictures.")
  process.exit(2)
}
const wrong =
  values.compare === true
    ? await compare(folder, other!, out)
    : await Effect.runPromise(Effect.scoped(takePictures(folder, new RegExp(values.only))))
if (wrong.length > 0) {
  console.error(
    `${wrong.length} pictures ${values.compare === true ? "differ" : "are missing"}:\n${wrong.join("\n")}`
  )
  process.exitCode = 1
}
