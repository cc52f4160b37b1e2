import { ownerName, ownerPassword } from "@carillon/testing/OAuthBrowser"
import { startService } from "@carillon/testing/ServiceProcess"
import { totpCode } from "@carillon/testing/totpCode"
import { Effect, Exit, Scope } from "effect"
import assert from "node:assert/strict"
import type { Page } from "playwright-core"
import { describe } from "vitest"
import { inspect } from "./inspect.ts"
import { screens, sessionOf, test as base } from "./test.ts"

/** A service of its own: a passkey needs an address with a name, and no other test knows of codes. */
const test = base.extend("named", { scope: "file" }, async ({ sandbox }, { onCleanup }) => {
  const scope = Scope.makeUnsafe()
  onCleanup(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const service = await startService({
    host: "localhost",
    env: { SANDBOX_URL: sandbox.url, CARILLON_CONSOLE: "on" }
  }).pipe(Scope.provide(scope), Effect.runPromise)
  return { ...service, url: service.publicUrl }
})

/** A device in this page's browser that has the person's finger; what it says of its passkeys. */
const addDevice = async (page: Page) => {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send("WebAuthn.enable")
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true
    }
  })
  return {
    verifies: (isUserVerified: boolean) =>
      cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
    passkeys: async () => (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length
  }
}

const account = "/app/settings/account"

const signOut = async (page: Page, url: string) => {
  await page.goto(url + account)
  await page.getByRole("button", { name: "Sign out", exact: true }).click()
  await page.waitForURL(/\/sign-in/)
}

const givePassword = async (page: Page) => {
  await page.getByLabel("Name").fill(ownerName)
  await page.getByLabel("Password").fill(ownerPassword)
  await page.keyboard.press("Enter")
}

describe("a second factor", () => {
  test("asks for a code after the password, or a recovery code once, until it is removed", async ({
    named,
    open
  }) => {
    const page = await open({}, await sessionOf(named))
    await page.goto(named.url + account)
    await page.getByText("Your password alone signs you in.").waitFor()
    await page.getByRole("button", { name: "Set it up" }).click()
    const setUp = page.getByRole("dialog", { name: "Set up an authenticator app" })
    await setUp.getByRole("img", { name: "QR code of the secret" }).locator("path[d^=M]").waitFor()
    await inspect(page)
    const secret = await setUp.getByLabel("Secret", { exact: true }).inputValue()
    await setUp.getByLabel("Code", { exact: true }).fill("12345")
    await page.keyboard.press("Enter")
    await setUp.getByText("Enter the six digits").waitFor()
    const confirmed = Date.now() - 30_000
    await setUp.getByLabel("Code", { exact: true }).fill(totpCode(secret, confirmed))
    await page.keyboard.press("Enter")
    const shown = page.getByRole("alertdialog", { name: "Recovery codes" })
    const codes = (await shown.getByLabel("Recovery codes", { exact: true }).inputValue()).split("\n")
    assert.equal(codes.length, 10)
    await inspect(page)
    await shown.getByRole("button", { name: "I have kept them" }).click()
    await page.getByText("10 recovery codes are left.").waitFor()

    await signOut(page, named.url)
    await givePassword(page)
    await page.getByRole("heading", { name: "Enter a code" }).waitFor()
    assert.deepEqual(
      (await page.context().cookies()).filter(({ name }) => name.startsWith("carillon_session")),
      []
    )
    await inspect(page)
    await page.getByLabel("Code").fill(totpCode(secret, confirmed))
    await page.keyboard.press("Enter")
    await page.getByText("The code is wrong, or was used already.").waitFor()
    await inspect(page)
    await page.getByLabel("Code").fill(totpCode(secret))
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/app/)

    await signOut(page, named.url)
    await givePassword(page)
    await page.getByLabel("Code").fill(codes[0]!)
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/app/)
    await page.goto(named.url + account)
    await page.getByText("9 recovery codes are left.").waitFor()

    await page.getByRole("button", { name: "Remove the app" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove the app" }).click()
    await page.getByText("Your password alone signs you in.").waitFor()
    await signOut(page, named.url)
    await givePassword(page)
    await page.waitForURL(/\/app/)
  })

  test("is a passkey, which signs in by itself and confirms instead of the password", async ({
    named,
    open
  }) => {
    const page = await open({}, await sessionOf(named))
    const device = await addDevice(page)
    await page.goto(named.url + account)
    const card = page.getByRole("region", { name: "Passkeys" })
    await card.getByRole("button", { name: "Add a passkey" }).click()
    const adding = page.getByRole("dialog", { name: "Add a passkey" })
    await adding.getByLabel("Name").fill("Laptop")
    await device.verifies(false)
    await page.keyboard.press("Enter")
    await adding.getByText("The browser made no passkey.").waitFor()
    await device.verifies(true)
    await page.keyboard.press("Enter")
    await card.getByText("Laptop").waitFor()
    await card.getByText("not used yet").waitFor()
    assert.equal(await device.passkeys(), 1)
    for (const { viewport, ...look } of Object.values(screens)) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme: "colorScheme" in look ? "dark" : "light" })
      await inspect(page)
    }

    await signOut(page, named.url)
    await inspect(page)
    const passkey = page.getByRole("button", { name: "Sign in with a passkey" })
    const plain = await open({ javaScriptEnabled: false }, [])
    await plain.goto(`${named.url}/sign-in`)
    await plain.getByRole("button", { name: "Sign in", exact: true }).waitFor()
    assert.equal(await plain.getByText("Sign in with a passkey").isVisible(), false)
    await givePassword(plain)
    await plain.waitForURL(/\/app/)
    await device.verifies(false)
    await passkey.click()
    await page.getByText("The browser gave no passkey.").waitFor()
    await device.verifies(true)
    await passkey.click()
    await page.waitForURL(/\/app/)
    await page.goto(named.url + account)
    await card.getByText(/last used/).waitFor()

    // As after a quarter of an hour.
    await page.route(
      "**/v1/session/passkeys/*",
      (route) =>
        route.fulfill({
          status: 403,
          contentType: "application/problem+json",
          body: JSON.stringify({
            status: 403,
            code: "confirm_password",
            title: "Confirm",
            detail: "Confirm."
          })
        }),
      { times: 1 }
    )
    await card.getByRole("button", { name: "Remove the passkey “Laptop”" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove the passkey" }).click()
    const confirming = page.getByRole("dialog", { name: "Confirm your password" })
    await confirming.getByRole("button", { name: "Use a passkey" }).click()
    await card.getByText("Laptop").waitFor({ state: "detached" })
    await signOut(page, named.url)
    assert.equal(await passkey.count(), 0)
  })

  test("has no passkeys at another address than PUBLIC_URL, and says so", async ({ named, open }) => {
    const page = await open({}, await sessionOf(named))
    const other = named.url.replace("localhost", "127.0.0.1")
    await page
      .context()
      .addCookies(
        (await page.context().cookies(named.url)).map(({ name, value }) => ({ name, value, url: other }))
      )
    await page.goto(other + account)
    await page
      .getByText(`This browser has no passkeys here. They need a recent one, at ${named.url}.`)
      .waitFor()
  })
})
