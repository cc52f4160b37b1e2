import type { SandboxProcess } from "@carillon/sandbox/testing"
import type { ServiceProcess } from "@carillon/testing/ServiceProcess"
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { run } from "./run.ts"
import { toast } from "./toast.ts"

export interface Walk {
  readonly page: Page
  readonly service: ServiceProcess
  readonly sandbox: SandboxProcess["Service"]
  /** A picture, axe, and no sideways scroll. */
  readonly inspect: (page: Page, name: string) => Promise<void>
  /** The same address on each kind of screen, signed in. */
  readonly onEachScreen: (visit: (page: Page, screen: string) => Promise<void>) => Promise<void>
}

const connect = async (service: ServiceProcess, username: string): Promise<number> =>
  (
    await run(
      service.call("POST", "/v1/social-accounts", {
        platform: "sandbox",
        credentials: { username, password: "sandbox" }
      })
    )
  ).body.id

const row = (page: Page, name: string) => page.locator("[data-result]").filter({ hasText: `@${name}` })

const inState = (page: Page, name: string, state: string) =>
  row(page, name).and(page.locator(`[data-state="${state}"]`))

/** The page of a post of which everything that can happen has happened, and what a person answers there. */
export const results = async ({ inspect, onEachScreen, page, sandbox, service }: Walk) => {
  const names = ["bakery", "mill", "quay-none", "harbour", "tower"]
  const [bakery, mill, quay, harbour, tower] = await Promise.all(names.map((name) => connect(service, name)))
  const faults = {
    mill: [
      { on: "post", fault: "refuse", code: "banned_word", message: "The word “free” is not allowed here." }
    ],
    "quay-none": [{ on: "post", fault: "effect_then_lost_reply" }],
    harbour: [
      { on: "post", fault: "unauthorized" },
      { on: "session", fault: "unauthorized" }
    ],
    tower: [{ on: "post", fault: "rate_limited", retry_after: 7_200 }]
  } as const
  for (const [name, script] of Object.entries(faults)) await run(sandbox.script(name, script))
  const picture = await run(
    service.upload(
      readFileSync(new URL("../../../examples/media/bells.jpg", import.meta.url)),
      "image/jpeg",
      "choir-rehearsal.jpg"
    )
  )
  const { body: post } = await run(
    service.call("POST", "/v1/posts", {
      social_accounts: [bakery, mill, quay, harbour, tower],
      caption:
        "A glimpse of Tuesday’s rehearsal, the choir at full height.\nThe whole of it on Friday at seven, doors at half past six. #choir #advent",
      media: [picture],
      account_configurations: [
        { account_id: mill, caption: "The choir at full height, and the entrance is free." }
      ]
    })
  )
  const address = `${service.url}/app/posts/${post.id}`
  await page.goto(address)
  await inState(page, "bakery", "live").waitFor()
  await inState(page, "mill", "failed").waitFor()
  await inState(page, "quay-none", "doubt").waitFor()
  await inState(page, "harbour", "blocked").waitFor()
  await inState(page, "tower", "waiting").waitFor()

  // Opened again, what needs a person is first, and each row has its sentence.
  await page.reload()
  await inState(page, "tower", "waiting").waitFor()
  assert.deepEqual(
    await Promise.all(
      (await page.locator("[data-result]").all()).map((one) => one.getAttribute("data-state"))
    ),
    ["failed", "doubt", "blocked", "waiting", "live"]
  )
  await row(page, "mill").getByText("did not accept it: “The word “free” is not allowed here.”").waitFor()
  await row(page, "quay-none").getByText("Look at the account before you answer.").waitFor()
  await row(page, "quay-none").getByRole("link", { name: "Open @quay-none" }).waitFor()
  await row(page, "harbour").getByText("the post goes out by itself").waitFor()
  await row(page, "tower")
    .getByText(/Goes out .* in (2 h|1 h 59 min)/)
    .waitFor()
  await row(page, "bakery").getByRole("link", { name: "Open the post" }).waitFor()
  await page.getByText("gave no answer").waitFor()

  await onEachScreen(async (look, screen) => {
    await look.goto(address)
    await inState(look, "tower", "waiting").waitFor()
    await look.getByText("gave no answer").waitFor()
    await inspect(look, `result-${screen}`)
  })
  await page.getByRole("tab", { name: "What was sent" }).click()
  await page.getByText("and the entrance is free").waitFor()
  await inspect(page, "result-sent")

  // A refused post is written again for the account that refused it, and one step back is this page.
  await page.getByRole("link", { name: "Edit and retry" }).click()
  await page.waitForURL(new RegExp(`/compose\\?from=${post.id}&accounts=${mill}&repairs=`))
  await page.goBack()
  await inState(page, "mill", "failed").waitFor()

  await page.goto(`${service.url}/app/posts/01a20546-0bd8-71d1-b52c-36d2b981d5e6`)
  await page.getByText("This post is gone").waitFor()
  await inspect(page, "result-gone")

  // A part of it is live: it says so, and that it cannot be changed. One that only waits can be.
  await page.goto(address)
  await page.getByText("It is live already, so it can no longer be changed").waitFor()
  assert.equal(await page.getByRole("link", { name: "Edit", exact: true }).count(), 0)
  await waiting({ inspect, onEachScreen, page, sandbox, service })

  await answers({ inspect, onEachScreen, page, sandbox, service }, quay!)
  await live({ inspect, onEachScreen, page, sandbox, service }, [bakery!, mill!])
}

/** A post that waits for its next try is changed before it. */
const waiting = async ({ inspect, onEachScreen, page, sandbox, service }: Walk) => {
  const account = await connect(service, "lantern")
  // The page opens while the post is going out.
  await run(
    sandbox.script("lantern", [
      { on: "post", fault: "unauthorized" },
      { on: "session", fault: "slow", ms: 2_500 },
      { on: "post", fault: "rate_limited", retry_after: 7_200 }
    ])
  )
  const { body } = await run(
    service.call("POST", "/v1/posts", { social_accounts: [account], caption: "Open until sevn" })
  )
  const address = `${service.url}/app/posts/${body.id}`
  await page.goto(address)
  await inState(page, "lantern", "waiting").waitFor()
  await onEachScreen(async (look, screen) => {
    await look.goto(address)
    await look.getByRole("link", { name: "Edit", exact: true }).waitFor()
    await inspect(look, `result-waiting-${screen}`)
    await look.getByRole("link", { name: "Edit", exact: true }).click()
    await look.getByText("Next try: ").waitFor()
    await inspect(look, `compose-waiting-${screen}`)
  })
  await page.getByRole("link", { name: "Edit", exact: true }).click()
  await page.locator("textarea.writing").fill("Open until seven")
  await page.getByRole("button", { name: "Publish now" }).click()
  await page.waitForURL((url) => url.pathname.endsWith(body.id) && url.search === "")
  await page.locator("[data-result]").waitFor()
  const { body: post } = await run(service.call("GET", `/v1/posts/${body.id}`))
  assert.equal(post.caption, "Open until seven")
}

/** A post whose answer was lost. */
const lost = async ({ page, sandbox, service }: Walk, account: number, caption: string) => {
  await run(sandbox.script("quay-none", [{ on: "post", fault: "effect_then_lost_reply" }]))
  const { body } = await run(service.call("POST", "/v1/posts", { social_accounts: [account], caption }))
  await page.goto(`${service.url}/app/posts/${body.id}`)
  await inState(page, "quay-none", "doubt").waitFor()
}

const answers = async (walk: Walk, quay: number) => {
  const { inspect, page } = walk
  await lost(walk, quay, "Flour and hands, behind the stall")
  await page.getByRole("button", { name: "It is live" }).click()
  await page.getByLabel("Address of the post").fill("nowhere")
  await page.getByRole("dialog").getByRole("button", { name: "It is live" }).click()
  await page.getByText("This is not the address of a page").waitFor()
  await page.getByLabel("Address of the post").fill("https://social.example/@quay/1")
  await inspect(page, "result-live-dialog")
  await page.getByRole("dialog").getByRole("button", { name: "It is live" }).click()
  await toast(page, "Noted: live on @quay-none").waitFor()
  await inState(page, "quay-none", "live").waitFor()
  assert.equal(
    await row(page, "quay-none").getByRole("link").getAttribute("href"),
    "https://social.example/@quay/1"
  )

  // It is not live, and nothing is sent before the person has looked.
  await lost(walk, quay, "The last tickets for tomorrow")
  await page.getByRole("button", { name: "It is not live" }).click()
  await page.getByRole("button", { name: "Look first" }).and(page.locator(":focus")).waitFor()
  await page.getByRole("button", { name: "Send again" }).click()
  await page.getByText("Tick this when you have looked.").waitFor()
  await page.getByLabel("I looked: it is not on @quay-none").check()
  await inspect(page, "result-again-dialog")
  await page.getByRole("button", { name: "Leave it unsent" }).click()
  await toast(page, "Noted: not on @quay-none").waitFor()
  await inState(page, "quay-none", "failed").waitFor()
  await page.getByRole("button", { name: "Send again" }).click()
  await page.getByLabel("I looked: it is not on @quay-none").check()
  await page.getByRole("alertdialog").getByRole("button", { name: "Send again" }).click()
  await toast(page, "On its way again").waitFor()
  await inState(page, "quay-none", "live").waitFor()
}

/** What goes out while somebody looks: nothing jumps, and each row says what became of it. */
const live = async ({ page, sandbox, service }: Walk, accounts: ReadonlyArray<number>) => {
  await run(sandbox.script("bakery", [{ on: "post", fault: "slow", ms: 2_500 }]))
  const { body: post } = await run(
    service.call("POST", "/v1/posts", { social_accounts: accounts, caption: "Saturday market is open" })
  )
  await page.goto(`${service.url}/app/posts/${post.id}`)
  await inState(page, "bakery", "going").waitFor()
  const heights = async () =>
    Promise.all(
      (await page.locator("[data-result]").all()).map(async (one) => (await one.boundingBox())!.height)
    )
  await inState(page, "mill", "live").waitFor()
  const before = await heights()
  const onPage = inState(page, "bakery", "live")
    .waitFor()
    .then(() => Date.now())
  let settled = 0
  while (settled === 0) {
    const { body } = await run(service.call("GET", `/v1/posts/${post.id}`))
    if (body.status === "published") settled = Date.now()
  }
  console.log(`a result is on the page ${(await onPage) - settled} ms after the service tells it`)
  const jump = (await heights()).map((height, index) => Math.abs(height - before[index]!))
  assert.ok(Math.max(...jump) <= 4, `rows jump by ${jump.join()} px`)
  assert.match((await page.locator("[role=status]").allTextContents()).join(), /@bakery: Live/)
}
