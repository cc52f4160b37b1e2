import { platformApps } from "@carillon/domain"
import { SandboxProcess } from "@carillon/sandbox/testing"
import { connectInBrowser } from "@carillon/testing/ConsentVisit"
import { signedInBrowser } from "@carillon/testing/OAuthBrowser"
import { create, settled } from "@carillon/testing/Publishing"
import { Service, type ServiceProcess, startService } from "@carillon/testing/ServiceProcess"
import { kind } from "@carillon/testing/TestSql"
import { uprightVideo } from "@carillon/testing/UprightVideo"
import { assert, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"

const secrets = { right: "sandbox-but-longer-s3cret", wrong: "wrong" }
const google = { GOOGLE_CLIENT_ID: "99-web.apps.example", GOOGLE_CLIENT_SECRET: "google-s3cret-of-the-env" }

const shown = (service: Pick<ServiceProcess, "call">, app: string) =>
  Effect.map(service.call("GET", "/v1/platform-apps"), ({ body }) =>
    body.data.find((one: any) => one.app === app)
  )

const configured = (service: Pick<ServiceProcess, "call">, platform: string) =>
  Effect.map(
    service.call("GET", "/v1/instance"),
    ({ body }) => body.connectable.find((one: any) => one.platform === platform).configured as boolean
  )

/** Where the browser is sent to give its consent. */
const consentPage = Effect.fnUntraced(function* (service: ServiceProcess, platform: string) {
  const { body } = yield* service.call("POST", "/v1/social-accounts/connect", { platform })
  const { headers } = yield* Effect.promise(() =>
    fetch(body.authorize_url, { method: "POST", redirect: "manual" })
  )
  return new URL(headers.get("location")!)
})

const keepsSecrets = (service: ServiceProcess, answers: ReadonlyArray<unknown>) => {
  const all = service.output() + JSON.stringify(answers)
  for (const secret of [secrets.right, google.GOOGLE_CLIENT_SECRET]) assert.notInclude(all, secret)
}

it.live("an app that is entered counts at once and after a restart; its secret is shown nowhere", () =>
  Effect.gen(function* () {
    const sandbox = yield* SandboxProcess.make()
    const service = yield* startService({ env: { PLATFORMS_URL: sandbox.url, ...google } })
    const set = { client_id: "aw-first ", client_secret: ` ${secrets.right}\n` }
    assert.deepInclude(yield* shown(service, "tiktok"), { source: "none", client_id: null, accounts: 0 })
    assert.isFalse(yield* configured(service, "tiktok"))
    const refused = yield* service.call("POST", "/v1/social-accounts/connect", { platform: "tiktok" })
    assert.strictEqual(refused.body.code, "platform_not_configured")
    assert.include(refused.body.detail, "PUT /v1/platform-apps/tiktok")

    const stored = yield* service.call("PUT", "/v1/platform-apps/tiktok", set)
    assert.strictEqual(stored.status, 200)
    assert.deepInclude(stored.body, {
      source: "stored",
      client_id: "aw-first",
      redirect_url: `${service.url}/oauth/callback/tiktok`
    })
    assert.isTrue(yield* configured(service, "tiktok"))
    assert.strictEqual((yield* consentPage(service, "tiktok")).searchParams.get("client_key"), "aw-first")
    const [account] = yield* connectInBrowser("tiktok", "apps.one").pipe(
      Effect.provideService(Service, service)
    )
    assert.strictEqual((yield* shown(service, "tiktok")).accounts, 1)

    yield* service.terminate
    yield* service.start
    assert.deepInclude(yield* shown(service, "tiktok"), { source: "stored", client_id: "aw-first" })
    const publish = create({
      social_accounts: [account!],
      caption: "Evening bells",
      media: [yield* service.upload(uprightVideo(), "video/mp4", "film.mp4")],
      platform_configurations: { tiktok: { privacy_level: "SELF_ONLY" } }
    }).pipe(
      Effect.flatMap(({ id }) => settled(id)),
      Effect.provideService(Service, service)
    )
    assert.strictEqual((yield* publish).status, "published")

    const sameAgain = yield* service.call("PUT", "/v1/platform-apps/tiktok", {
      ...set,
      client_secret: `${secrets.right}-rotated`
    })
    assert.strictEqual(sameAgain.body.accounts, 1)
    const another = yield* service.call("PUT", "/v1/platform-apps/tiktok", { ...set, client_id: "aw-second" })
    assert.strictEqual(another.body.accounts, 0)
    const { body: left } = yield* service.call("GET", `/v1/social-accounts/${account}`)
    assert.strictEqual(left.status, "needs_reconnect")
    assert.include(left.status_reason, "The app of this service at TikTok was replaced")
    assert.deepStrictEqual(
      yield* connectInBrowser("tiktok", "apps.one").pipe(Effect.provideService(Service, service)),
      [account!]
    )

    assert.deepStrictEqual((yield* service.call("DELETE", "/v1/platform-apps/tiktok")).body, {
      success: true,
      app: "tiktok"
    })
    assert.isFalse(yield* configured(service, "tiktok"))
    assert.strictEqual((yield* service.call("DELETE", "/v1/platform-apps/tiktok")).status, 404)
    const { body: audit } = yield* service.call(
      "GET",
      "/v1/audit?action=platform_app.set,platform_app.removed"
    )
    assert.deepStrictEqual(
      audit.data.map(({ action, subject }: any) => [action, subject.id]),
      [
        ["platform_app.removed", "tiktok"],
        ["platform_app.set", "tiktok"],
        ["platform_app.set", "tiktok"],
        ["platform_app.set", "tiktok"]
      ]
    )
    keepsSecrets(service, [stored.body, sameAgain.body, another.body, left, audit])
  })
)

it.live("every network is asked whether it knows the app, and a wrong secret is told", () =>
  Effect.gen(function* () {
    const sandbox = yield* SandboxProcess.make()
    const service = yield* startService({ env: { PLATFORMS_URL: sandbox.url, ...google } })
    const test = (app: string, typed: object = {}) =>
      Effect.map(service.call("POST", `/v1/platform-apps/${app}/test`, typed), ({ body }) => body)
    for (const app of Object.keys(platformApps)) {
      const more = app === "discord" ? { bot_token: "1234567.sandbox" } : {}
      const right = yield* test(app, { client_id: "1234567", client_secret: "sandbox", ...more })
      assert.strictEqual(right.result, "accepted", app)
      assert.include(right.message, "Connect an account to see whether")
      const wrong = yield* test(app, { client_id: "1234567", client_secret: "wrong", ...more })
      assert.strictEqual(
        wrong.result,
        ["instagram", "facebook", "facebook_pages", "threads", "google", "google_business"].includes(app)
          ? "wrong_secret"
          : "refused",
        app
      )
    }
    // That of the environment, which counts.
    assert.strictEqual((yield* test("google")).result, "wrong_secret")
    const none = yield* test("tiktok")
    assert.deepInclude(none, { code: "invalid_request" })
    assert.strictEqual((yield* test("tiktok", { client_id: "1234567" })).code, "invalid_request")
    assert.strictEqual((yield* test("myspace")).code, "not_found")
    yield* sandbox.stop
    const gone = yield* test("pinterest", { client_id: "1234567", client_secret: secrets.right })
    assert.strictEqual(gone.result, "unreachable")
    keepsSecrets(service, [none, gone])
  })
)

it.live(
  "an app's bot is added to a server, posts in the channels that were chosen, and has its token from the app alone",
  () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess.make()
      const service = yield* startService({ env: { PLATFORMS_URL: sandbox.url } })
      const here = Effect.provideService(Service, service)
      const discord = Effect.map(service.call("GET", "/v1/instance"), ({ body }) =>
        body.connectable.find(({ platform }: any) => platform === "discord")
      )
      const set = (more: object) =>
        service.call("PUT", "/v1/platform-apps/discord", {
          client_id: "1234567",
          client_secret: secrets.right,
          ...more
        })
      assert.deepInclude(yield* discord, { by: "credentials", configured: true, logins: [] })
      const lacking = yield* set({})
      assert.deepInclude(lacking.body.errors[0], { path: "bot_token", code: "missing" })
      const token = { bot_token: " 1234567.sandbox\n" }
      const other = yield* service.call("PUT", "/v1/platform-apps/tiktok", {
        client_id: "aw",
        client_secret: secrets.right,
        ...token
      })
      assert.deepInclude(other.body.errors[0], { path: "bot_token", code: "unknown_field" })
      const stored = yield* set(token)
      assert.deepStrictEqual(stored.body.variables, [
        "DISCORD_CLIENT_ID",
        "DISCORD_CLIENT_SECRET",
        "DISCORD_BOT_TOKEN"
      ])
      assert.deepInclude(yield* discord, { by: "consent", logins: ["discord"] })

      const typed = yield* service.call("POST", "/v1/social-accounts", {
        platform: "discord",
        credentials: { webhook_or_token: "typed.sandbox", channel_id: "700000000000000001" }
      })
      const [text, forum] = yield* here(connectInBrowser("discord", "ringers-many", { choose: [0, 2] }))
      assert.strictEqual((yield* shown(service, "discord")).accounts, 2)
      const { body: account } = yield* service.call("GET", `/v1/social-accounts/${forum}`)
      assert.deepInclude(account, {
        username: "ringers-many-forum",
        display_name: "#ringers-many-forum · Server of ringers-many"
      })
      assert.deepStrictEqual(
        (yield* service.call("GET", `/v1/social-accounts/${forum}/options`)).body.choices.applied_tags,
        account.limits.forum_tags
      )
      const published = Effect.gen(function* () {
        const { id } = yield* create({
          social_accounts: [text, forum],
          caption: "Evening bells",
          account_configurations: [{ account_id: forum, thread_name: "Bells", applied_tags: ["News"] }]
        })
        const { results, status } = yield* settled(id)
        assert.strictEqual(status, "published", JSON.stringify(results))
      }).pipe(here)
      yield* published

      yield* service.terminate
      yield* service.start
      const renewed = yield* set(token)
      assert.strictEqual(renewed.body.accounts, 2)
      yield* published
      assert.lengthOf(yield* sandbox.on("discord").publications("ringers-many"), 2)

      yield* service.call("DELETE", "/v1/platform-apps/discord")
      const { body: left } = yield* service.call("GET", "/v1/social-accounts?platform=discord")
      assert.deepStrictEqual(Object.fromEntries(left.data.map(({ id, status }: any) => [id, status])), {
        [typed.body.id]: "connected",
        [text!]: "needs_reconnect",
        [forum!]: "needs_reconnect"
      })
      assert.notInclude(
        service.output() + JSON.stringify([lacking, other, stored, account, renewed, left]),
        "1234567.sandbox"
      )
      keepsSecrets(service, [lacking, other, stored, account, renewed, left])
    })
)

it.live("the environment wins, and what is stored waits beside it", () =>
  Effect.gen(function* () {
    const first = yield* startService()
    yield* first.call("PUT", "/v1/platform-apps/google", {
      client_id: "1-mine.apps.example",
      client_secret: secrets.right
    })
    yield* first.terminate
    const second = yield* startService({ dataDir: first.dataDir, database: first.database, env: google })
    const before = yield* shown(second, "google")
    assert.deepInclude(before, { source: "environment", client_id: google.GOOGLE_CLIENT_ID })
    assert.isNotNull(before.stored_at)
    const refused = yield* second.call("PUT", "/v1/platform-apps/google", {
      client_id: "2",
      client_secret: secrets.right
    })
    assert.deepInclude(refused.body, { status: 409, code: "set_by_environment" })
    assert.include(refused.body.detail, "GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET")
    assert.strictEqual((yield* second.call("DELETE", "/v1/platform-apps/google")).status, 200)
    assert.isNull((yield* shown(second, "google")).stored_at)
    keepsSecrets(second, [before, refused.body])
  })
)

it.live("an app never goes to the test network, nor the test network's to a platform", () =>
  Effect.gen(function* () {
    const sandbox = yield* SandboxProcess.make()
    const service = yield* startService({ env: { SANDBOX_URL: sandbox.url } })
    const at = (platform: string) => Effect.map(consentPage(service, platform), ({ origin }) => origin)
    const played = new URL(sandbox.url).origin
    assert.deepInclude(yield* shown(service, "pinterest"), { source: "test_network", client_id: null })
    // The demo account is not counted: it asks for nothing when the app comes.
    assert.strictEqual((yield* shown(service, "pinterest")).accounts, 0)
    yield* connectInBrowser("pinterest", "apps.played").pipe(Effect.provideService(Service, service))
    assert.strictEqual((yield* shown(service, "pinterest")).accounts, 1)
    assert.strictEqual(yield* at("pinterest"), played)
    const app = { client_id: "1234567", client_secret: secrets.right }
    yield* service.call("PUT", "/v1/platform-apps/pinterest", app)
    assert.strictEqual(yield* at("pinterest"), "https://www.pinterest.com")
    assert.strictEqual(yield* at("youtube"), played)
    const { body } = yield* service.call("GET", "/v1/social-accounts?platform=pinterest")
    assert.deepStrictEqual(
      body.data.map(({ status }: any) => status),
      ["needs_reconnect", "disconnected"]
    )
    // The test network plays both of Instagram's logins, but none beside an app of the operator's.
    yield* service.call("PUT", "/v1/platform-apps/facebook", app)
    assert.strictEqual(yield* at("instagram"), "https://www.facebook.com")
    assert.deepInclude(yield* shown(service, "instagram"), { source: "none", client_id: null })
    yield* service.call("DELETE", "/v1/platform-apps/facebook")
    yield* service.call("DELETE", "/v1/platform-apps/pinterest")
    assert.strictEqual(yield* at("pinterest"), played)
    assert.strictEqual(yield* at("instagram"), played)
    keepsSecrets(service, [body])
  })
)

it.live("an owner manages the apps from every workspace, and nobody else from another than the first", () =>
  Effect.gen(function* () {
    const service = yield* startService()
    const { body: other } = yield* service.call("POST", "/v1/workspaces", { name: "Second" })
    const browser = yield* Effect.promise(() => signedInBrowser(service))
    const asOwner = (method: string, path: string, body?: object) =>
      Effect.promise(async () => {
        const { html, status } = await browser.visit(path, {
          method,
          headers: {
            accept: "application/json",
            "carillon-workspace": other.id,
            "sec-fetch-site": "same-origin",
            ...(body === undefined ? {} : { "content-type": "application/json" })
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
        return { status, body: JSON.parse(html) }
      })
    const app = { client_id: "1234567", client_secret: secrets.right }
    assert.strictEqual((yield* asOwner("PUT", "/v1/platform-apps/pinterest", app)).status, 200)
    assert.strictEqual(
      (yield* asOwner("GET", "/v1/platform-apps")).body.data.length,
      Object.keys(platformApps).length
    )
    const byKey = yield* service.call("GET", "/v1/platform-apps", undefined, {
      authorization: `Bearer ${other.api_key.key}`
    })
    assert.strictEqual(byKey.body.code, "default_workspace_only")
  })
)

it.live("an app is still read under a new CARILLON_SECRET that names the one before", () =>
  Effect.gen(function* () {
    const [before, after] = ["before".repeat(6), "after".repeat(7)]
    const sandbox = yield* SandboxProcess.make()
    const env = { PLATFORMS_URL: sandbox.url }
    const first = yield* startService({ env: { ...env, CARILLON_SECRET: before } })
    const app = { client_id: "1234567", client_secret: "sandbox" }
    yield* first.call("PUT", "/v1/platform-apps/pinterest", app)
    yield* first.terminate
    const at = { dataDir: first.dataDir, database: first.database }
    const second = yield* startService({
      ...at,
      env: { ...env, CARILLON_SECRET: after, CARILLON_PREVIOUS_SECRETS: before }
    })
    yield* second.terminate
    const third = yield* startService({ ...at, env: { ...env, CARILLON_SECRET: after } })
    const { body } = yield* third.call("POST", "/v1/platform-apps/pinterest/test", {})
    assert.strictEqual(body.result, "accepted")
  })
)

if (kind === "postgres") {
  it.live("another process connects with the app that one was given", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess.make()
      const env = { PLATFORMS_URL: sandbox.url }
      const first = yield* startService({ env })
      const second = yield* startService({ env: { ...env, ...first.database } })
      const app = { client_id: "1234567", client_secret: "sandbox" }
      yield* first.call("PUT", "/v1/platform-apps/pinterest", app)
      // Told at once; a minute later it would look by itself.
      yield* configured(second, "pinterest").pipe(
        Effect.repeat({ until: (there) => there, times: 200, schedule: Schedule.spaced("50 millis") })
      )
      assert.isTrue(yield* configured(second, "pinterest"))
      const accounts = yield* connectInBrowser("pinterest", "apps.two").pipe(
        Effect.provideService(Service, second)
      )
      assert.strictEqual(accounts.length, 1)
    })
  )
}
