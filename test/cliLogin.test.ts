import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  callWith,
  consentPage,
  followToApp,
  type PlainBrowser,
  promised,
  signedInBrowser,
  tickedOf,
  token
} from "./support/OAuthBrowser.ts"
import { onTerminal } from "./support/PseudoTerminal.ts"
import { connect, inSeconds, ServiceWithSandbox } from "./support/Publishing.ts"
import { until } from "./support/Receiver.ts"
import { Service } from "./support/ServiceProcess.ts"

const repository = join(import.meta.dirname, "..")

/** A home of its own, whose browser writes down what it is shown. */
const home = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "carillon-login-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  ),
  (path) => {
    const browser = join(path, "browser")
    const shown = join(path, "shown")
    writeFileSync(browser, `#!/bin/sh\nprintf '%s' "$1" > ${shown}.part\nmv ${shown}.part ${shown}\n`)
    chmodSync(browser, 0o700)
    const config = join(path, ".config", "carillon", "config.json")
    const profiles = () => JSON.parse(readFileSync(config, "utf8")).profiles
    return {
      path,
      browser,
      config,
      profiles,
      shownPath: shown,
      /** As if the access token had run out. */
      runOut: () => {
        const kept = profiles()
        kept.default.tokens.expires_at = "2020-01-01T00:00:00.000Z"
        writeFileSync(config, JSON.stringify({ profiles: kept }))
      },
      tokens: () => profiles().default.tokens
    }
  }
)
type Home = Effect.Success<typeof home>

const begin = Effect.fnUntraced(function* (own: Home, ...args: ReadonlyArray<string>) {
  const { url } = yield* Service
  return yield* onTerminal(process.execPath, ["packages/cli/carillon.js", ...args], {
    cwd: repository,
    columns: 600,
    env: {
      PATH: process.env["PATH"] ?? "",
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      HOME: own.path,
      CARILLON_URL: url,
      BROWSER: own.browser
    }
  })
})

const run = Effect.fnUntraced(function* (own: Home, ...args: ReadonlyArray<string>) {
  const terminal = yield* begin(own, ...args)
  return { code: yield* terminal.ended, screen: terminal.screen() }
})

const pageOf = (screen: string) => /http\S+\/oauth\/authorize\?\S+/.exec(screen)![0]

/** The person's answer; where the browser is sent with it. */
const answer = async (browser: PlainBrowser, address: string, decision: "allow" | "deny") => {
  const page = await consentPage(browser, address)
  assert.include(page.html, "Carillon command line")
  assert.include(page.html, "a program on this computer")
  return followToApp(
    browser,
    await browser.post(page.path, page.html, [...tickedOf(page.html), ["decision", decision]])
  )
}

const login = Effect.fnUntraced(function* (own: Home, browser: PlainBrowser) {
  const terminal = yield* begin(own, "login", "--no-browser")
  yield* terminal.until("resource=")
  yield* promised(async () => {
    const back = await answer(browser, pageOf(terminal.screen()), "allow")
    assert.strictEqual((await fetch(back)).status, 200)
  })
  assert.strictEqual(yield* terminal.ended, 0, terminal.screen())
})

layer(ServiceWithSandbox(), { excludeTestServices: true, timeout: "60 seconds" })(
  "signing in with the command line",
  (it) => {
    it.effect("opens the browser, keeps the tokens for the owner of the file alone, and works", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const own = yield* home
        const account = yield* connect("signed-in")
        const browser = yield* promised(() => signedInBrowser(service))
        const terminal = yield* begin(own, "login")
        yield* terminal.until("Your browser opens this page")
        yield* until(() => existsSync(own.shownPath))
        const address = readFileSync(own.shownPath, "utf8")
        yield* promised(async () => {
          const back = await answer(browser, address, "allow")
          // Another page of this machine guesses the port, and knows nothing.
          const forged = new URL(back)
          forged.searchParams.set("state", "guessed")
          assert.strictEqual((await fetch(forged)).status, 404)
          assert.strictEqual((await fetch(back)).status, 200)
        })
        assert.strictEqual(yield* terminal.ended, 0, terminal.screen())
        assert.include(terminal.screen(), "Logged in to")
        assert.strictEqual(statSync(own.config).mode & 0o777, 0o600)
        const who = yield* run(own, "whoami")
        assert.strictEqual(who.code, 0, who.screen)
        assert.notInclude(who.screen, "admin")
        const posted = yield* run(own, "post", "Mine", "--to", String(account), "--at", inSeconds(3600))
        assert.strictEqual(posted.code, 0, posted.screen)
        const refused = yield* run(own, "keys", "list")
        assert.strictEqual(refused.code, 4, refused.screen)
        const { html } = yield* promised(() => browser.visit("/connected-apps"))
        assert.include(html, "Carillon command line")
      })
    )

    it.effect("keeps nothing when the person says no", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const own = yield* home
        const browser = yield* promised(() => signedInBrowser(service))
        const terminal = yield* begin(own, "login", "--no-browser")
        yield* terminal.until("resource=")
        yield* promised(async () => fetch(await answer(browser, pageOf(terminal.screen()), "deny")))
        assert.strictEqual(yield* terminal.ended, 4)
        assert.include(terminal.screen(), "The sign-in was denied.")
        assert.throws(own.profiles)
      })
    )

    it.effect("renews the access token, two commands at once too, and says when it cannot", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const own = yield* home
        const browser = yield* promised(() => signedInBrowser(service))
        yield* login(own, browser)
        const first = own.tokens()
        own.runOut()
        const both = yield* Effect.all([run(own, "whoami"), run(own, "whoami")], { concurrency: 2 })
        assert.deepStrictEqual(
          both.map(({ code }) => code),
          [0, 0],
          both[0].screen
        )
        const second = own.tokens()
        assert.notStrictEqual(second.access_token, first.access_token)
        assert.notStrictEqual(second.refresh_token, first.refresh_token)
        assert.isTrue(second.expires_at > inSeconds(3600))
        own.runOut()
        assert.strictEqual((yield* run(own, "whoami")).code, 0)
        assert.notStrictEqual(own.tokens().access_token, second.access_token)
        const given = { token: own.tokens().refresh_token, client_id: "carillon-cli" }
        yield* promised(() => token(service.url, given, "/oauth/revoke"))
        own.runOut()
        const over = yield* run(own, "whoami")
        assert.strictEqual(over.code, 4)
        assert.include(over.screen, "Sign in again: carillon login")
      })
    )

    it.effect("is over after a logout, at the service too", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const own = yield* home
        yield* login(own, yield* promised(() => signedInBrowser(service)))
        assert.strictEqual((yield* run(own, "whoami")).code, 0)
        // Another computer of the same person: neither sign-in ends the other.
        const other = yield* home
        yield* login(other, yield* promised(() => signedInBrowser(service)))
        assert.strictEqual((yield* run(other, "whoami")).code, 0)
        assert.strictEqual((yield* run(own, "whoami")).code, 0)
        const { access_token } = own.tokens()
        const out = yield* run(own, "logout")
        assert.strictEqual(out.code, 0)
        assert.include(out.screen, "Logged out of")
        assert.deepStrictEqual(own.profiles(), {})
        yield* promised(async () => {
          const limit = performance.now() + 5_000
          while ((await callWith(service.url, access_token)).status !== 401) {
            if (performance.now() > limit) throw new Error("the token still works")
          }
        })
      })
    )
  }
)
