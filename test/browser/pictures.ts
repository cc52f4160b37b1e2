// Takes a picture of every room and state of the console on each screen, the same to the pixel each time:
//   node test/browser/pictures.ts FOLDER [--only TEXT]
// Compares the pictures of two builds, and lays what differs side by side into OUT:
//   node test/browser/pictures.ts --compare BEFORE AFTER [OUT]
import { SandboxProcess } from "@carillon/sandbox/testing"
import { launchChromium } from "@carillon/testing/Chromium"
import { type PlainBrowser, signedInBrowser } from "@carillon/testing/OAuthBrowser"
import { type ServiceProcess, startService } from "@carillon/testing/ServiceProcess"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Browser, BrowserContextOptions, Page, Request, ViewportSize } from "playwright-core"
import { compare } from "./pictures/compare.ts"
import { begins, caller, seed, timezone } from "./pictures/seed.ts"
import { firstSteps, type State, states } from "./pictures/states.ts"

const here = import.meta.dirname

const common = { timezoneId: timezone, locale: "en-GB", reducedMotion: "reduce" } as const

/** Each is a visit of its own, which may be seen in several ways. */
const visits: Readonly<
  Record<"phone" | "desk", BrowserContextOptions & { readonly viewport: ViewportSize }>
> = {
  phone: { ...common, viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  desk: { ...common, viewport: { width: 1280, height: 860 } }
}

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

/** The page once it asks for nothing, has all its files, and looks twice the same. */
const pictureOf = async (page: Page, asked: ReadonlySet<Request>) => {
  let last = Buffer.alloc(0)
  for (let tries = 0; tries < 40; tries++) {
    while (asked.size > 0) await page.waitForTimeout(20)
    await page.evaluate(imagesDecoded)
    await page.evaluate(steadyTexts)
    const next = await page.screenshot({ animations: "disabled", caret: "hide" })
    if (next.equals(last)) return next
    last = next
    await page.waitForTimeout(50)
  }
  throw new Error("it does not come to rest")
}

/** How much higher the page would be without what scrolls in it. */
const hidden = `Math.max(0, ...[...document.querySelectorAll("main, main *")]
  .filter((one) => ["auto", "scroll"].includes(getComputedStyle(one).overflowY))
  .map(({ clientHeight, scrollHeight }) => scrollHeight - clientHeight))`

interface World {
  readonly browser: Browser
  readonly service: ServiceProcess
  readonly owner: PlainBrowser
  readonly folder: string
  /** What the browser has kept of earlier visits. */
  readonly kept: Readonly<Record<string, string>>
}

/** The pictures of a state on a kind of screen, in a browser that has seen nothing yet. */
const visit = async (
  { browser, folder, kept, owner, service }: World,
  { name, open, path, whole = false }: State,
  screen: keyof typeof visits
) => {
  const { viewport, ...options } = visits[screen]
  const context = await browser.newContext({ ...options, viewport })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  try {
    await context.addCookies(
      [...owner.cookies].map(([name, value]) => ({ name, value, url: service.publicUrl }))
    )
    await context.addInitScript(`try { Object.assign(localStorage, ${JSON.stringify(kept)}) } catch {}`)
    await context.clock.setFixedTime(Date.parse(begins) + 60_000)
    const asked = new Set<Request>()
    page.on("request", (request) => {
      if (request.resourceType() !== "eventsource") asked.add(request)
    })
    page.on("requestfinished", (request) => void asked.delete(request))
    page.on("requestfailed", (request) => void asked.delete(request))
    await page.goto(`${service.publicUrl}/app${path}`)
    await open(page)
    const seen = async (how: string, size: ViewportSize) => {
      await page.setViewportSize(size)
      if (whole) {
        const more = await page.evaluate<number>(hidden)
        await page.setViewportSize({ ...size, height: Math.min(size.height + more, 6_000) })
      }
      writeFileSync(join(folder, `${name}-${how}.png`), await pictureOf(page, asked))
    }
    await seen(screen, viewport)
    if (screen === "phone") return
    await page.emulateMedia({ colorScheme: "dark" })
    await seen("dark", viewport)
    await page.emulateMedia({ colorScheme: "light" })
    await seen("tablet", { width: 768, height: 1024 })
  } catch (error) {
    await page.screenshot({ path: join(folder, `failed/${name}-${screen}.png`) }).catch(() => {})
    console.log(`${name}-${screen} FAILED: ${String(error).split("\n").slice(0, 4).join(" ")}`)
    return `${name}-${screen}`
  } finally {
    await context.close()
  }
}

/** Visits those whose names hold `only`, some at a time; what could not be opened. */
const visitAll = async (world: World, all: ReadonlyArray<State>, only: string, atOnce = 1) => {
  const failed: Array<string> = []
  const rest = all.values()
  const some = async () => {
    for (const state of rest) {
      await state.before?.()
      if (!state.name.includes(only)) continue
      const phone = state.on === "desk" ? undefined : visit(world, state, "phone")
      if (state.alone === true) await phone
      const desk = state.on === "phone" ? undefined : visit(world, state, "desk")
      failed.push(...[await phone, await desk].filter((name) => name !== undefined))
      console.log(`${state.name} at ${Math.round(performance.now() / 1_000)} s`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, some))
  return failed
}

/** A service on the slow clock, and its owner. */
const start = Effect.fnUntraced(function* (url: string) {
  const service = yield* startService({
    host: "localhost",
    env: {
      ...slowly,
      SANDBOX_URL: url,
      PLATFORMS_URL: url,
      CARILLON_CONSOLE: "on",
      SANDBOX_SETTLE_WAIT: "10 millis"
    }
  })
  yield* service.call("PATCH", "/v1/profile", { timezone })
  const owner = yield* Effect.promise(() => signedInBrowser({ ...service, url: service.publicUrl }))
  return { service, owner }
})

const slowly = {
  CLOCK_BEGINS: begins,
  NODE_OPTIONS: `--import ${join(here, "pictures/slowClock.ts")}`
}

const takePictures = (folder: string, only: string) =>
  Effect.gen(function* () {
    mkdirSync(join(folder, "failed"), { recursive: true })
    // The service builds it at its start too, and pages wait for that.
    execFileSync(process.execPath, [join(here, "../../packages/console/build.ts")], { stdio: "inherit" })
    const browser = yield* launchChromium
    Object.assign(process.env, slowly)
    const sandbox = yield* SandboxProcess.make()
    const fresh = yield* start(sandbox.url)
    const used = yield* start(sandbox.url)
    return yield* Effect.promise(async () => {
      const call = caller(fresh.service)
      const { data } = await call("GET", "/v1/workspaces")
      const kept = { [`carillon.first-steps.${data[0].id}`]: "begun" }
      const failed = await visitAll({ ...fresh, browser, folder, kept }, firstSteps(call), only)
      const world = await seed(used.service, sandbox, used.owner)
      failed.push(...(await visitAll({ ...used, browser, folder, kept: {} }, states(world), only, 3)))
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
    : await Effect.runPromise(Effect.scoped(takePictures(folder, values.only)))
if (wrong.length > 0) {
  console.error(
    `${wrong.length} pictures ${values.compare === true ? "differ" : "are missing"}:\n${wrong.join("\n")}`
  )
  process.exitCode = 1
}
