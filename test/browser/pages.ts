// The pages in a real browser without JavaScript, by keyboard, at a desk and on a phone. SCREENSHOTS names the folder
// for their pictures; CHROMIUM the browser, /usr/bin/chromium if it is not given.
import { SandboxProcess } from "@carillon/sandbox/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { mkdirSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import sharp from "sharp"
import {
  authorizePath,
  beginDevice,
  callWith,
  ownerName,
  ownerPassword,
  pkce,
  pollDevice,
  register,
  token,
  welcomeLink
} from "@carillon/testing/OAuthBrowser"
import { launchChromium } from "@carillon/testing/Chromium"
import { type ServiceProcess, startService } from "@carillon/testing/ServiceProcess"
import { waitingApp } from "@carillon/testing/WaitingApp"

const folder = process.env["SCREENSHOTS"] ?? mkdtempSync(join(tmpdir(), "carillon-pages-"))
mkdirSync(folder, { recursive: true })

const screens = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: "dark" as const }
}

// In the page, whose types are not ours.
const nameOf = `const nameOf = (e) => ([...(e.labels ?? [])].map((l) => l.textContent).join("") || e.textContent || e.getAttribute("aria-label") || e.querySelector("img")?.alt || "").trim()`
const namelessControls = `(() => { ${nameOf}
  return [...document.querySelectorAll("input:not([type=hidden]):not([hidden]), textarea, video, select, button, a, summary")]
    .filter((e) => nameOf(e) === "").map((e) => e.outerHTML) })()`
const focusedName = `(() => { ${nameOf}; return nameOf(document.activeElement) })()`

/** What a screen reader and a narrow screen need of every page. */
const inspect = async (page: Page, screen: string, name: string) => {
  console.log(`${name} on ${screen}`)
  const size = page.viewportSize()!
  // Buttons that stay in sight would lie across the middle of a longer picture.
  const height = await page.evaluate<number>("document.documentElement.scrollHeight")
  await page.setViewportSize({ width: size.width, height })
  await page.screenshot({ path: join(folder, `${name}-${screen}.png`), fullPage: true })
  await page.setViewportSize(size)
  const nameless = await page.evaluate<ReadonlyArray<string>>(namelessControls)
  assert.deepEqual(nameless, [], `${name}: fields and links without a name`)
  const wide = await page.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth")
  assert.ok(wide <= 0, `${name} on ${screen} is ${wide} px too wide`)
  assert.equal(await page.locator("h1").count(), 1)
  assert.equal(await page.locator("html").getAttribute("lang"), "en")
}

/** Tabs to what has this name and gives it a key. */
const press = async (page: Page, name: string | RegExp, key: string) => {
  for (let tabs = 0; tabs < 60; tabs++) {
    await page.keyboard.press("Tab")
    const focused = await page.evaluate<string>(focusedName)
    if (typeof name === "string" ? focused.startsWith(name) : name.test(focused)) {
      await page.keyboard.press(key)
      return
    }
  }
  throw new Error(`the keyboard does not reach ${name}`)
}

/** The app writes, and the person looks, refuses, changes and approves. */
const approves = async (service: ServiceProcess, page: Page, screen: string, accessToken: string) => {
  await page.goto(`${service.url}/approvals`)
  await inspect(page, screen, "approvals-none")
  const call = async (path: string, body: object): Promise<any> => {
    const { status, body: answer } = await callWith(service.url, accessToken, path, {
      method: "POST",
      body: JSON.stringify(body)
    })
    assert.ok(status < 300, JSON.stringify(answer))
    return answer
  }
  const picture = await sharp(`${import.meta.dirname}/../../examples/media/bells.jpg`)
    .resize(900)
    .jpeg()
    .toBuffer()
  const upload = { mime_type: "image/jpeg", size_bytes: picture.length, name: "bells.jpg" }
  const { media_id, upload_url } = await call("/v1/media/create-upload-url", upload)
  const sent = await fetch(upload_url, {
    method: "PUT",
    headers: { "content-type": "image/jpeg" },
    body: new Uint8Array(picture)
  })
  assert.equal(sent.status, 200)
  await call(`/v1/media/${media_id}/complete`, {})
  const listed = await callWith(service.url, service.key, "/v1/social-accounts")
  const ids: ReadonlyArray<number> = listed.body.data
    .filter(({ username }: { username: string }) => ["one", "three"].includes(username))
    .map(({ id }: { id: number }) => id)
  const first = await call("/v1/posts", {
    social_accounts: ids,
    caption: "The first loaves are out of the oven.\nWe open at seven, as every day.",
    media: [media_id],
    account_configurations: [{ account_id: ids[0], caption: "A caption for one account alone" }],
    scheduled_at: "2090-05-01T07:00:00Z"
  })
  const second = await call("/v1/posts", {
    social_accounts: [ids[0]],
    caption: "Buy now, buy now, buy now!"
  })
  await page.goto(`${service.url}/approvals`)
  await page.locator("img").first().scrollIntoViewIfNeeded()
  await page.waitForFunction(
    "[...document.images].every((image) => image.complete && image.naturalWidth > 0)"
  )
  await inspect(page, screen, "approvals")
  await page.goto(`${service.url}/approvals/${second.id}`)
  await inspect(page, screen, "approval-now")
  await page.getByLabel("Why").fill("Too loud for us.")
  await press(page, "Refuse", "Enter")
  await page.getByRole("heading", { name: "Refused" }).waitFor()
  await inspect(page, screen, "approval-refused")
  await page.goto(`${service.url}/approvals`)
  await press(page, /^Change or refuse/, "Enter")
  await page.getByRole("heading", { name: "Desk Helper asks for your approval" }).waitFor()
  await inspect(page, screen, "approval")
  await page.getByLabel("At another time").check()
  await page.getByLabel("Day and time").fill("2020-05-01T07:00")
  await press(page, /^Approve$/, "Enter")
  await page.getByRole("alert").waitFor()
  await inspect(page, screen, "approval-past")
  await page.getByLabel("Day and time").fill("2090-05-02T08:30")
  await press(page, /^Approve$/, "Enter")
  await page.getByText("You approved it").waitFor()
  await inspect(page, screen, "approval-given")
  const { body: post } = await callWith(service.url, accessToken, `/v1/posts/${first.id}`)
  assert.deepEqual([post.status, post.scheduled_at], ["scheduled", "2090-05-02T08:30:00.000Z"])
}

const walk = async (
  service: ServiceProcess,
  browser: Browser,
  screen: keyof typeof screens,
  first: boolean
) => {
  const context = await browser.newContext({ ...screens[screen], javaScriptEnabled: false })
  const page = await context.newPage()
  const complaints: Array<string> = []
  // That a page answers 400, or an app has gone, is no complaint about a page.
  page.on("console", (message) => {
    if (!message.text().startsWith("Failed to load resource")) complaints.push(message.text())
  })

  if (first) {
    await page.goto(welcomeLink(service))
    await inspect(page, screen, "welcome")
    await page.getByRole("textbox", { name: "Name" }).fill(ownerName)
    await page.getByLabel("Password").fill(ownerPassword)
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Account" }).waitFor()
    await page.getByRole("button", { name: "Sign out", exact: true }).click()
  }

  const app = await waitingApp()
  const { body } = await register(service.url, { client_name: "Desk Helper", redirect_uris: [app.redirect] })
  const { verifier, challenge } = pkce()
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
  await page.getByRole("heading", { name: "Sign in" }).waitFor()
  await inspect(page, screen, "sign-in")
  await page.getByRole("link", { name: "Forgot your password?" }).click()
  await page.getByText("npm run -s password").waitFor()
  await inspect(page, screen, "sign-in-forgotten")
  await page.goBack()
  await page.getByLabel("Name").fill(ownerName)
  await page.getByLabel("Password").fill("not my password")
  await page.keyboard.press("Enter")
  await page.getByRole("alert").waitFor()
  await inspect(page, screen, "sign-in-refused")
  await page.getByLabel("Password").fill(ownerPassword)
  await page.keyboard.press("Enter")

  await page.getByRole("heading", { name: "Desk Helper wants to use your Carillon" }).waitFor()
  await inspect(page, screen, "consent")
  await page.screenshot({ path: join(folder, `consent-opened-${screen}.png`) })
  const { y, height } = (await page.getByRole("button", { name: "Allow" }).boundingBox())!
  assert.ok(y + height <= page.viewportSize()!.height, "Allow is below the screen")
  assert.equal(await page.getByLabel("Publish at once").isChecked(), false)
  assert.equal(await page.getByLabel(/@tiktok-demo/).isVisible(), false)
  await page.getByText(/^\d+ more, all ticked$/).click()
  await inspect(page, screen, "consent-unfolded")
  assert.equal(await page.getByLabel(/@tiktok-demo/).isChecked(), true)
  await press(page, /@two/, "Space")
  await press(page, "Hold everything for my approval", "Space")
  await press(page, "Allow", "Enter")
  // Under load the app has its answer before the browser has come to rest, which the next visit would interrupt.
  await page
    .waitForURL((url) => url.href.startsWith(app.redirect))
    .catch((cause) => {
      throw new Error(`the app heard nothing: ${complaints.join()}`, { cause })
    })
  const back = await app.came
  app.close()
  assert.equal(back.searchParams.get("state"), "s")
  assert.equal(back.searchParams.get("iss"), service.url)
  const exchanged = await token(service.url, {
    grant_type: "authorization_code",
    client_id: body.client_id,
    code: back.searchParams.get("code")!,
    redirect_uri: app.redirect,
    code_verifier: verifier
  })
  assert.equal(exchanged.body.scope, "accounts:read posts:read posts:write media:read media:write")

  await approves(service, page, screen, exchanged.body.access_token)

  await page.goto(`${service.url}/account`)
  await inspect(page, screen, "account")
  await page.getByRole("button", { name: "Disconnect Desk Helper" }).click()
  await page.getByRole("button", { name: "Disconnect Desk Helper" }).waitFor({ state: "detached" })

  const device = await beginDevice(service.url)
  await page.goto(device.verification_uri)
  await inspect(page, screen, "device")
  await page.getByLabel("Code").fill("WRNG-CODE")
  await page.keyboard.press("Enter")
  await page.getByRole("alert").waitFor()
  await inspect(page, screen, "device-wrong")
  await page.goto(device.verification_uri_complete)
  assert.equal(await page.getByLabel("Code").inputValue(), device.user_code)
  await press(page, "Continue", "Enter")
  await page.getByRole("heading", { name: "Carillon command line wants to use your Carillon" }).waitFor()
  await inspect(page, screen, "device-consent")
  await press(page, "Allow", "Enter")
  await page.getByRole("heading", { name: "Carillon command line is connected" }).waitFor()
  await inspect(page, screen, "device-allowed")
  assert.equal((await pollDevice(service.url, device.device_code)).status, 200)

  await page.goto(`${service.url}/oauth/authorize?client_id=nobody`)
  await page.getByText("Carillon does not know this app").waitFor()
  await inspect(page, screen, "cannot-connect")
  assert.deepEqual(complaints, [])
  await context.close()
}

/** The API reference, with its script and under its policy: it asks nobody else for anything. */
const readsReference = async (service: ServiceProcess, browser: Browser, screen: keyof typeof screens) => {
  const context = await browser.newContext(screens[screen])
  const page = await context.newPage()
  const complaints: Array<string> = []
  const foreign: Array<string> = []
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text())
  })
  page.on("pageerror", (error) => complaints.push(error.message))
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== service.url) {
      foreign.push(request.url())
    }
  })
  await page.goto(`${service.url}/docs`)
  await page.getByRole("heading", { name: "Carillon", exact: true }).waitFor()
  await page.getByRole("heading", { name: "Create a post" }).first().waitFor()
  await inspectReference(page, screen)
  if (screen !== "phone") {
    // A request is tried from the page itself.
    await page.getByPlaceholder("Token").first().fill(service.key)
    await page.getByText("List posts").first().click()
    await page
      .getByRole("button", { name: /^Test Request.*get \/v1\/posts\)?$/i })
      .first()
      .click()
    const answered = page.waitForResponse((response) => response.url().startsWith(`${service.url}/v1/posts`))
    await page
      .getByRole("button", { name: /^Send get request/i })
      .first()
      .click()
    assert.equal((await answered).status(), 200)
  }
  assert.deepEqual(complaints, [])
  assert.deepEqual(foreign, [])
  await context.close()
}

const inspectReference = async (page: Page, screen: string) => {
  await page.screenshot({ path: join(folder, `reference-${screen}.png`) })
  const shown = await page.evaluate<ReadonlyArray<string>>(
    `[...document.querySelectorAll("a[href]")].filter((link) => link.checkVisibility() && link.origin !== location.origin).map((link) => link.href)`
  )
  assert.deepEqual(shown, [], "links that lead elsewhere")
  const wide = await page.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth")
  assert.ok(wide <= 0, `the reference on ${screen} is ${wide} px too wide`)
  assert.equal(await page.getByRole("link", { name: "Approvals" }).count(), 1)
}

await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess.make()
      const service = yield* startService({ env: { SANDBOX_URL: sandbox.url } })
      for (const username of ["one", "two", "three"]) {
        yield* service.call("POST", "/v1/social-accounts", {
          platform: "sandbox",
          credentials: { username, password: "sandbox" }
        })
      }
      const browser = yield* launchChromium
      for (const [index, screen] of (["desktop", "phone", "dark"] as const).entries()) {
        yield* Effect.promise(() => walk(service, browser, screen, index === 0))
        yield* Effect.promise(() => readsReference(service, browser, screen))
      }
    })
  )
)
console.log(`the pages hold; their pictures are in ${folder}`)
