import { passwordLinkPurpose, passwordTicket } from "@carillon/server/auth/PasswordLink"
import { derive } from "@carillon/server/crypto/Secrets"
import {
  asMember,
  authorizePath,
  beginDevice,
  devicePage,
  ownerName,
  ownerPassword,
  pkce,
  PlainBrowser,
  promised,
  redirect,
  register,
  signedInBrowser
} from "@carillon/testing/OAuthBrowser"
import { PasskeyDevice } from "@carillon/testing/PasskeyDevice"
import { bootstrapKey } from "@carillon/testing/ServiceProcess"
import { totpCode } from "@carillon/testing/totpCode"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { InProcessService } from "../contract/InProcessService.ts"

/** The owner's browser, and the secret of an app that was just set up with the code of the step before. */
const ownerWithApp = Effect.gen(function* () {
  const { run, url, words } = yield* InProcessService
  return yield* promised(async () => {
    await run((sql) => sql`delete from totp_secrets`)
    await run((sql) => sql`delete from throttles`)
    const browser = await signedInBrowser({ url, output: words })
    const { secret } = (await asMember(browser, "POST", "/v1/session/totp")).body
    const code = totpCode(secret, Date.now() - 30_000)
    const { body, status } = await asMember(browser, "PUT", "/v1/session/totp", { secret, code })
    assert.strictEqual(status, 200)
    return { browser, secret: secret as string, recoveryCodes: body.recovery_codes as ReadonlyArray<string> }
  })
})

/** Gives the password on the page that leads there; the page that asks for the code. */
const givesPassword = async (browser: PlainBrowser, next = "/account") => {
  const page = await browser.visit(`/sign-in?${new URLSearchParams({ next })}`)
  const asked = await browser.post("/sign-in", page.html, [
    ["name", ownerName],
    ["password", ownerPassword]
  ])
  assert.strictEqual(asked.status, 200)
  assert.include(asked.html, "Enter a code")
  return asked.html
}

layer(InProcessService.layer({ CARILLON_BOOTSTRAP_API_KEY: bootstrapKey }), {
  excludeTestServices: true,
  timeout: "180 seconds"
})("a second factor", (it) => {
  it.effect("opens nothing to a browser that gave the password alone, whatever session it brought", () =>
    Effect.gen(function* () {
      const { url } = yield* InProcessService
      const { secret } = yield* ownerWithApp
      yield* promised(async () => {
        const browser = new PlainBrowser(url)
        const planted = "p".repeat(43)
        browser.session = planted
        const html = await givesPassword(browser)
        assert.strictEqual(browser.session, planted)
        assert.deepStrictEqual(
          [...browser.cookies.keys()].filter((name) => name.includes("device")),
          []
        )
        assert.strictEqual((await asMember(browser, "GET", "/v1/posts")).status, 401)
        assert.match((await browser.visit("/account")).location!, /^\/sign-in/)
        const refused = await browser.post("/sign-in/code", html, [["code", "000000"]])
        assert.strictEqual(refused.status, 400)
        assert.strictEqual(browser.session, planted)
        const answered = await browser.post("/sign-in/code", refused.html, [["code", totpCode(secret)]])
        assert.deepStrictEqual([answered.status, answered.location], [303, "/account"])
        assert.notStrictEqual(browser.session, planted)
        assert.strictEqual((await asMember(browser, "GET", "/v1/posts")).status, 200)
      })
    })
  )

  it.effect("takes the form of no other browser, and no code twice", () =>
    Effect.gen(function* () {
      const { url } = yield* InProcessService
      const { recoveryCodes } = yield* ownerWithApp
      yield* promised(async () => {
        const browser = new PlainBrowser(url)
        const html = await givesPassword(browser)
        const other = new PlainBrowser(url)
        await other.visit("/sign-in")
        const code = [["code", recoveryCodes[0]!]] as const
        for (const path of ["/sign-in/code", "/sign-in/passkey"]) {
          assert.strictEqual((await other.post(path, html, code)).status, 403, path)
          assert.strictEqual((await new PlainBrowser(url).post(path, html, code)).status, 403, path)
        }
        assert.strictEqual((await browser.post("/sign-in/code", html, code)).status, 303)
        const again = await givesPassword(other)
        assert.strictEqual((await other.post("/sign-in/code", again, code)).status, 400)
      })
    })
  )

  it.effect("is asked for on the way to a consent and to a code of a program", () =>
    Effect.gen(function* () {
      const { url } = yield* InProcessService
      const { recoveryCodes } = yield* ownerWithApp
      yield* promised(async () => {
        const browser = new PlainBrowser(url)
        const { client_id } = (await register(url)).body
        const { challenge } = pkce()
        const begun = await browser.visit(
          authorizePath({
            client_id,
            redirect_uri: redirect,
            code_challenge: challenge,
            code_challenge_method: "S256",
            state: "a-state"
          })
        )
        const consent = new URL(begun.location!, url).pathname
        const wall = await browser.visit(consent)
        assert.strictEqual(wall.location, `/sign-in?${new URLSearchParams({ next: consent })}`)
        const html = await givesPassword(browser, consent)
        assert.match((await browser.visit(consent)).location!, /^\/sign-in/)
        const answered = await browser.post("/sign-in/code", html, [["code", recoveryCodes[0]!]])
        assert.strictEqual(answered.location, consent)
        assert.include((await browser.visit(consent)).html, "Test app")

        const terminal = new PlainBrowser(url)
        const { user_code } = await beginDevice(url)
        const page = await givesPassword(terminal, "/device")
        assert.match((await terminal.visit("/device")).location!, /^\/sign-in/)
        assert.strictEqual(
          (await terminal.post("/sign-in/code", page, [["code", recoveryCodes[1]!]])).location,
          "/device"
        )
        assert.strictEqual((await devicePage(terminal, user_code)).status, 200)
      })
    })
  )

  it.effect("ends with the owner's link to a new password, passkeys too, and with it every session", () =>
    Effect.gen(function* () {
      const { run, url } = yield* InProcessService
      const { browser } = yield* ownerWithApp
      yield* promised(async () => {
        const { create } = (await asMember(browser, "POST", "/v1/session/passkeys/options")).body
        const credential = new PasskeyDevice(url).create(create)
        await asMember(browser, "POST", "/v1/session/passkeys", { name: "Phone", credential })
        assert.include((await new PlainBrowser(url).visit("/sign-in")).html, "Sign in with a passkey")
        const key = derive("0123456789abcdef0123456789abcdef", passwordLinkPurpose)
        const path = `/welcome/${passwordTicket(key, DateTime.makeUnsafe(Date.now() + 1000))}`
        const fresh = new PlainBrowser(url)
        const page = await fresh.visit(path)
        assert.include(page.html, "The authenticator app, its recovery codes and the passkeys are removed.")
        const set = await fresh.post(path, page.html, [
          ["name", ownerName],
          ["password", ownerPassword]
        ])
        assert.strictEqual(set.status, 303)
        assert.strictEqual((await asMember(browser, "GET", "/v1/posts")).status, 401)
        const { body } = await asMember(fresh, "GET", "/v1/session/second-factor")
        assert.deepStrictEqual(body, {
          totp_since: null,
          recovery_codes_left: 0,
          passkeys: [],
          passkeys_unavailable: null
        })
        assert.deepStrictEqual(await run((sql) => sql`select * from recovery_codes`), [])
        assert.notInclude((await new PlainBrowser(url).visit("/sign-in")).html, "Sign in with a passkey")
        assert.strictEqual((await new PlainBrowser(url).visit("/sign-in/passkey")).status, 404)
      })
    })
  )
})
