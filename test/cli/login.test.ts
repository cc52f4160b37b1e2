import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { existsSync, readFileSync, statSync } from "node:fs"
import { hostname } from "node:os"
import { begin, beginWith, home, type Home, run } from "@carillon/testing/CliHome"
import {
  connectedApps,
  answerDevice,
  beginDevice,
  consentPage,
  devicePage,
  eventuallyRefused,
  followToApp,
  type PlainBrowser,
  pollDevice,
  promised,
  signedInBrowser,
  tickedOf,
  token
} from "@carillon/testing/OAuthBrowser"
import type { PseudoTerminal } from "@carillon/testing/PseudoTerminal"
import { connect, inSeconds, ServiceWithSandbox } from "@carillon/testing/Publishing"
import { until } from "@carillon/testing/Receiver"
import { Service } from "@carillon/testing/ServiceProcess"

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

/** The code that a command shows. */
const shownCode = Effect.fnUntraced(function* (terminal: PseudoTerminal) {
  yield* terminal.until("user_code=")
  return /enter this code: ([A-Z]{4}-[A-Z]{4})$/m.exec(terminal.screen())![1]!
})

const login = Effect.fnUntraced(function* (own: Home, browser: PlainBrowser) {
  const terminal = yield* begin(own, "login", "--no-browser")
  yield* terminal.until("resource=")
  yield* promised(async () => {
    const back = await answer(browser, pageOf(terminal.screen()), "allow")
    assert.strictEqual((await fetch(back)).status, 200)
  })
  assert.strictEqual(yield* terminal.ended, 0, terminal.screen())
})

/** Made before the cases sign in side by side. */
const owner = Layer.effectDiscard(
  Effect.flatMap(Service, (service) => promised(() => signedInBrowser(service)))
)

layer(Layer.provideMerge(owner, ServiceWithSandbox()), { excludeTestServices: true, concurrent: true })(
  "signing in with the command line",
  (it) => {
    it.effect("opens the browser, keeps the tokens for the owner of the file alone, and works", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const own = yield* home
        const account = yield* connect("signed-in")
        const browser = yield* promised(() => signedInBrowser(service))
        const terminal = yield* begin(own, "login")
        yield* terminal.until("Opening this page in your browser")
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
        const apps = yield* promised(() => connectedApps(browser))
        assert.include(
          apps.map(({ name: app }) => app),
          "Carillon command line"
        )
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

    it.effect("shows a code for a browser elsewhere, and goes on when a person has answered it there", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const own = yield* home
        const account = yield* connect("by-code")
        const other = yield* connect("not-by-code")
        const browser = yield* promised(() => signedInBrowser(service))
        const terminal = yield* begin(own, "login", "--device")
        const code = yield* shownCode(terminal)
        assert.include(terminal.screen(), `${service.url}/device?user_code=${code}`)
        yield* promised(async () => {
          const page = await devicePage(browser, code)
          assert.include(page.html, `carillon on ${hostname()}`)
          const answered = await answerDevice(browser, code, "allow", (html) =>
            tickedOf(html).filter(([name, value]) => name !== "account" || value === String(account))
          )
          assert.include(answered.html, "Carillon command line is connected")
        })
        assert.strictEqual(yield* terminal.ended, 0, terminal.screen())
        assert.strictEqual(statSync(own.config).mode & 0o777, 0o600)
        const who = yield* run(own, "whoami")
        assert.include(who.screen, "as Olive, with the app Carillon command line, from the sign-in in")
        assert.include(who.screen, `Accounts: sandbox/@by-code (${account})`)
        const ends = /Expires: (\S+) \S+Z unless used before then/.exec(who.screen)![1]!
        assert.include(
          [inSeconds(60 * 86_400), inSeconds(60 * 86_400 - 600)].map((day) => day.slice(0, 10)),
          ends
        )
        const doctor = yield* run(own, "doctor")
        assert.match(doctor.screen, /^ok {3}sign-in: workspace Default, as Olive, with the app Carillon/m)
        const status = yield* run(own, "status")
        assert.include(status.screen, "Workspace Default, as Olive, with the app Carillon command line")
        const post = ["post", "Mine", "--draft", "--to"]
        const posted = yield* run(own, ...post, String(account))
        assert.strictEqual(posted.code, 0, posted.screen)
        const refused = yield* run(own, ...post, String(other))
        assert.notStrictEqual(refused.code, 0, refused.screen)
        const apps = yield* promised(() => connectedApps(browser))
        assert.include(
          apps.map(({ known_by }) => known_by),
          "a program that showed a code"
        )
        const before = own.tokens()
        own.runOut()
        assert.strictEqual((yield* run(own, "whoami")).code, 0)
        assert.notStrictEqual(own.tokens().refresh_token, before.refresh_token)
      })
    )

    it.effect("shows a code by itself where there is no browser to open, and says why", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const browser = yield* promised(() => signedInBrowser(service))
        const denied = Effect.fnUntraced(function* (more: Readonly<Record<string, string>>, why: string) {
          const own = yield* home
          const terminal = yield* beginWith(more, own, "login")
          const code = yield* shownCode(terminal)
          assert.include(terminal.screen(), `Cannot open a browser here: ${why}.`)
          yield* promised(() => answerDevice(browser, code, "deny"))
          assert.strictEqual(yield* terminal.ended, 4)
          assert.include(terminal.screen(), "The sign-in was denied.")
          assert.throws(own.profiles)
        })
        const ssh = { SSH_CONNECTION: "198.51.100.7 50000 198.51.100.8 22" }
        yield* Effect.all([denied(ssh, "this is an SSH session"), denied({}, "there is no display")], {
          concurrency: 2
        })
      })
    )

    it.effect("signing in with the command line can be stopped while it waits, and keeps nothing then", () =>
      Effect.gen(function* () {
        const own = yield* home
        const terminal = yield* begin(own, "login", "--device", "--quiet")
        yield* shownCode(terminal)
        terminal.type("\u0003")
        assert.strictEqual(yield* terminal.ended, 130)
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

    it.effect("a sign-in of the command line is over after a logout, at the service too", () =>
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
          await eventuallyRefused(service.url, access_token)
        })
      })
    )
  }
)

layer(Service.layer({ env: { OAUTH_DEVICE_CODE_LASTS: "2 seconds" } }), { excludeTestServices: true })(
  "a code that nobody types in time",
  (it) => {
    it.effect(
      "a code that nobody types in time is over for the program and on the page, and answers no more",
      () =>
        Effect.gen(function* () {
          const service = yield* Service
          const own = yield* home
          const browser = yield* promised(() => signedInBrowser(service))
          const inTime = promised(async () => {
            const begun = await beginDevice(service.url)
            assert.strictEqual(begun.expires_in, 2)
            return { begun, open: await devicePage(browser, begun.user_code) }
          })
          const { begun, open } = yield* Effect.repeat(inTime, {
            until: (asked) => asked.open.status === 200,
            times: 4
          })
          assert.strictEqual(open.status, 200)
          // Its code is younger: when it is over, so is the other.
          const terminal = yield* begin(own, "login", "--device")
          assert.strictEqual(yield* terminal.ended, 4)
          assert.include(terminal.screen(), "The code expired before it was entered.")
          yield* promised(async () => {
            const late = await browser.post("/device/answer", open.html, [
              ...tickedOf(open.html),
              ["decision", "allow"]
            ])
            assert.strictEqual(late.status, 400)
            assert.strictEqual((await pollDevice(service.url, begun.device_code)).body.error, "expired_token")
          })
        })
    )
  }
)
