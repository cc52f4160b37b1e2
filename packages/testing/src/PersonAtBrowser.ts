import assert from "node:assert/strict"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { ownerName, ownerPassword } from "./OAuthBrowser.ts"
import type { ServiceProcess } from "./ServiceProcess.ts"

/**
 * What the person does on the pages that an app opens, who allows all that it asks for or nothing; where the app is
 * answered. `pictures` is the folder for the picture.
 */
export const answers = async (
  page: Page,
  address: string,
  decision: "Allow" | "Deny",
  { pictures, picture }: { readonly pictures: string; readonly picture: string }
) => {
  console.log(`the person answers: ${picture}, ${decision}`)
  const { origin } = new URL(address)
  await page.goto(address)
  const consent = page.getByRole("heading", { name: "wants to use your Carillon" })
  const signIn = page.getByRole("heading", { name: "Sign in" })
  await consent.or(signIn).waitFor()
  if (await signIn.isVisible()) {
    await page.getByLabel("Name").fill(ownerName)
    await page.getByLabel("Password").fill(ownerPassword)
    await page.keyboard.press("Enter")
    await consent.waitFor()
  }
  await page.screenshot({ path: join(pictures, `${picture}.png`), fullPage: true })
  for (const scope of await page.locator("input[name=scope]:not(:checked)").all()) await scope.check()
  const leaving = page.waitForRequest(
    (request) => request.isNavigationRequest() && new URL(request.url()).origin !== origin
  )
  await page.getByRole("button", { name: decision }).click()
  const left = await leaving
  assert.ok(await left.response(), "the app does not answer the browser")
  await page.waitForURL((url) => url.origin !== origin)
  return new URL(left.url())
}

/** Ends the app that was used last. */
export const disconnects = async (service: ServiceProcess, page: Page) => {
  await page.goto(`${service.url}/account`)
  const buttons = page.getByRole("button", { name: /^Disconnect / })
  const before = await buttons.count()
  const done = page.waitForEvent("load")
  await buttons.first().click()
  await done
  assert.equal(await buttons.count(), before - 1)
}

/** Makes every access token that an app keeps in this folder one that is no good; how many there were. */
export const spoilAccessTokens = (folder: string) => {
  let spoilt = 0
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, name)
    if (!name.endsWith(".json")) continue
    const text = readFileSync(path, "utf8")
    const changed = text.replace(/(access_token\\*"\s*:\s*\\*")[\w-]+/g, (_, before: string) => {
      spoilt += 1
      return before + "A".repeat(43)
    })
    writeFileSync(path, changed)
  }
  return spoilt
}
