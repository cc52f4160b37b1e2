#!/usr/bin/env node
/**
 * What the console costs, beside its budgets: `node bench/console.ts [posts]`. The sizes of its chunks; then, in Chromium
 * against a service with so many posts in one month and 60 accounts, the first paint, the calendar, a change of the month,
 * and typing with ten accounts. CHROMIUM names the browser.
 */
import { launchChromium } from "@carillon/testing/Chromium"
import { ownerName, ownerPassword, welcomeLink } from "@carillon/testing/OAuthBrowser"
import { type ServiceProcess, startService } from "@carillon/testing/ServiceProcess"
import { SandboxProcess } from "@carillon/sandbox/testing"
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { restingNetwork } from "../test/browser/restingNetwork.ts"
import { median, percentile, sorted, table } from "./Figures.ts"

const posts = Number(process.argv[2] ?? 10_000)
const accounts = 60
const loads = 5
const site = join(import.meta.dirname, "../packages/console/dist/site")
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`
const milliseconds = (value: number) => `${Math.round(value)} ms`

const gzipped = (file: string) => statSync(join(site, "assets", `${file}.gz`)).size

/** The chunks that a chunk needs before it runs, itself among them. */
const needed = (file: string, found = new Set<string>()): ReadonlySet<string> => {
  if (found.has(file)) return found
  found.add(file)
  const source = readFileSync(join(site, "assets", file), "utf8")
  for (const [, other] of source.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) needed(other!, found)
  return found
}

const sum = (files: Iterable<string>) => [...files].reduce((size, file) => size + gzipped(file), 0)

/** What is loaded until the calendar shows, and what each room adds to that. */
const sizes = () => {
  const page = readFileSync(join(site, "index.html"), "utf8")
  const files = readdirSync(join(site, "assets")).filter((file) => /\.(js|css)$/.test(file))
  const chunk = (name: string) => files.find((file) => file.startsWith(`${name}-`) && file.endsWith(".js"))!
  const entry = [...page.matchAll(/assets\/([^"]+\.(?:js|css))/g)].map(([, file]) => file!)
  const first = new Set(entry.filter((file) => file.endsWith(".js")).flatMap((file) => [...needed(file)]))
  // Menus and dialogs of every room, right after the first paint.
  const always = new Set(
    [...first, ...["menus", "ChoiceMenu", "PostPopover", "MoveDialog"].map(chunk)].flatMap((file) => [
      ...needed(file)
    ])
  )
  const styles = entry.filter((file) => file.endsWith(".css"))
  /** What a chunk needs besides what is there. */
  const more = (name: string, there: Iterable<string>) => {
    const known = new Set(there)
    return sum([...needed(chunk(name))].filter((file) => !known.has(file)))
  }
  const rooms = ["PostRoom", "Library", "Queue", "Activity", "AccountsRoom", "Settings"]
  return [
    ["first screen, script, gzip", kilobytes(sum(first)), "165 KB"],
    ["menus and dialogs after it, gzip", kilobytes(sum(always) - sum(first)), ""],
    ["first screen, styles, gzip", kilobytes(sum(styles)), "14 KB"],
    [
      "rules of the networks after the composer, gzip",
      kilobytes(more("rules", [...always, ...needed(chunk("PostRoom"))])),
      ""
    ],
    ...rooms.map((room) => [
      `${room}, more script, gzip`,
      kilobytes(more(room, always)),
      room === "PostRoom" ? "90 KB" : "40 KB"
    ])
  ]
}

const seed = Effect.fnUntraced(function* (service: ServiceProcess) {
  const ids: Array<number> = []
  for (let index = 0; index < accounts; index++) {
    const { body } = yield* service.call("POST", "/v1/social-accounts", {
      platform: "sandbox",
      credentials: { username: `bakery${index}`, password: "sandbox" }
    })
    ids.push(body.id)
  }
  yield* Effect.forEach(
    Array.from({ length: posts }, (_, index) => index),
    (index) =>
      service.call("POST", "/v1/posts", {
        social_accounts: [0, 1, 2].slice(0, 1 + (index % 3)).map((step) => ids[(index + step) % accounts]),
        caption: `The evening bells ring at six, and the stall is open until eight (${index})`,
        scheduled_at: new Date(
          Date.UTC(2030, 11, 1 + (index % 31), 8 + (index % 12), index % 60)
        ).toISOString()
      }),
    { concurrency: 32, discard: true }
  )
})

/** Milliseconds from the start of the navigation. */
const paints = (page: Page) =>
  page.evaluate<number>(
    "performance.getEntriesByType('paint').find(({ name }) => name === 'first-contentful-paint').startTime"
  )

const month = "view=month&date=2030-12-04"

const measure = async (service: ServiceProcess, browser: Browser) => {
  const first = await browser.newContext({ viewport: { width: 1280, height: 860 } })
  await restingNetwork(first)
  const page = await first.newPage()
  await page.goto(welcomeLink(service))
  await page.getByRole("textbox", { name: "Name" }).fill(ownerName)
  await page.getByLabel("Password").fill(ownerPassword)
  await page.keyboard.press("Enter")
  await page.getByRole("navigation", { name: "Pages" }).first().waitFor()
  const cookies = await first.cookies()

  const painted: Array<number> = []
  const usable: Array<number> = []
  for (let load = 0; load < loads; load++) {
    const cold = await browser.newContext({ viewport: { width: 1280, height: 860 } })
    await restingNetwork(cold)
    await cold.addCookies(cookies)
    const fresh = await cold.newPage()
    await fresh.goto(`${service.url}/app?${month}`, { waitUntil: "commit" })
    await fresh.locator("[data-post]").first().waitFor()
    usable.push(await fresh.evaluate<number>("performance.now()"))
    painted.push(await paints(fresh))
    await cold.close()
  }

  await page.addInitScript(
    "globalThis.longest = 0; new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration) }).observe({ type: 'longtask', buffered: true })"
  )
  const answered = page.waitForResponse((response) => response.url().includes("/v1/posts/calendar"))
  await page.goto(`${service.url}/app?${month}`)
  const answer = await answered
  const bytes = (await answer.body()).length
  const { responseEnd, requestStart } = answer.request().timing()
  await page.locator("[data-post]").first().waitFor()
  const nodes = await page.evaluate<number>("document.querySelectorAll('*').length")

  const turns: Array<number> = []
  for (const [key, title] of [
    ["ArrowLeft", "November 2030"],
    ["ArrowRight", "December 2030"],
    ["ArrowRight", "January 2031"],
    ["ArrowLeft", "December 2030"]
  ] as const) {
    const before = await page.evaluate<number>("performance.now()")
    await page.keyboard.press(key)
    await page.getByRole("heading", { name: title }).waitFor()
    await page.waitForLoadState("networkidle")
    turns.push((await page.evaluate<number>("performance.now()")) - before - 500)
  }
  const longest = await page.evaluate<number>("globalThis.longest")
  return [
    ["first contentful paint, cold browser", milliseconds(median(painted)), "300 ms"],
    ["calendar usable, cold browser", milliseconds(median(usable)), "800 ms"],
    [`the month's answer, ${posts.toLocaleString("en")} posts`, kilobytes(bytes), "60 KB"],
    ["its time", milliseconds(responseEnd - requestStart), "100 ms"],
    ["elements of the month", String(nodes), "2,000"],
    ["change of the month, largest", milliseconds(Math.max(...turns)), "200 ms"],
    ["longest task", milliseconds(longest), "100 ms"],
    ["a key while writing for 10 accounts, p95", milliseconds(await typing(service, page)), "16 ms"]
  ]
}

/** The time from a key until the page is ready for the next one. */
const typing = async (service: ServiceProcess, page: Page) => {
  const { body } = await Effect.runPromise(
    service.call("GET", "/v1/social-accounts?platform=sandbox&limit=10")
  )
  const ids = body.data.map(({ id }: { id: number }) => id)
  await page.goto(`${service.url}/app/compose?accounts=${ids.join(",")}`)
  const text = page.locator("textarea").first()
  await text.waitFor()
  await text.fill("The evening bells ring at six, every day until Christmas. ")
  await page.evaluate(
    `globalThis.keys = [];
     const channel = new MessageChannel();
     let from = 0;
     channel.port1.onmessage = () => keys.push(performance.now() - from);
     document.addEventListener("keydown", () => { from = performance.now() }, true);
     document.addEventListener("input", () => channel.port2.postMessage(0))`
  )
  await text.focus()
  await page.keyboard.type("Come early: the stalls stay warm, the rye rolls too. #bells ".repeat(3))
  return percentile(sorted(await page.evaluate<ReadonlyArray<number>>("keys")), 0.95)
}

const main = Effect.gen(function* () {
  execFileSync(process.execPath, [join(import.meta.dirname, "../packages/console/build.ts")])
  const sandbox = yield* SandboxProcess.make()
  const service = yield* startService({
    env: { SANDBOX_URL: sandbox.url, CARILLON_CONSOLE: "on", RATE_LIMIT_READS: "0", RATE_LIMIT_WRITES: "0" }
  })
  yield* seed(service)
  const browser = yield* launchChromium
  const figures = yield* Effect.promise(() => measure(service, browser))
  yield* Console.log(table([["", "measured", "budget"], ...sizes(), ...figures]))
})

NodeRuntime.runMain(Effect.scoped(main))
