import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { listening } from "../../packages/server/test/http/TestServer.ts"
import {
  answerDevice,
  authorizePath,
  beginDevice,
  callWith,
  connectApp,
  connectedApps,
  consentPage,
  deviceGrant,
  devicePage,
  eventuallyRefused,
  followToApp,
  ownerName,
  ownerPassword,
  pkce,
  PlainBrowser,
  pollDevice,
  promised,
  redirect,
  refresh,
  register,
  signedInBrowser,
  tickedOf,
  token,
  welcomeLink
} from "@carillon/testing/OAuthBrowser"
import { Service, type ServiceProcess } from "@carillon/testing/ServiceProcess"
import { kind } from "@carillon/testing/TestSql"

const service = Service.layer({
  env: {
    OAUTH_REFRESH_GRACE: "1 millis",
    CARILLON_ALLOW_PRIVATE_HOSTS: "off",
    // Lets a test come from several addresses.
    TRUSTED_PROXIES: "127.0.0.1/32"
  }
})

let first: Promise<{ browser: PlainBrowser; client_id: string; stranger: string }> | undefined

/** One owner, one app, and one that nobody lets in, for all rows: the limits on strangers count here too. */
const scene = (run: ServiceProcess) =>
  (first ??= (async () => {
    const browser = await signedInBrowser(run)
    const [client_id, stranger] = [await register(run.url), await register(run.url)].map(
      ({ body }) => body.client_id as string
    )
    return { browser, client_id: client_id!, stranger: stranger! }
  })())

const asForm = { headers: { "content-type": "application/x-www-form-urlencoded" } }

const s256 = () => ({ code_challenge: pkce().challenge, code_challenge_method: "S256" })

const row = (name: string, attack: (run: ServiceProcess) => Promise<void>) =>
  [name, Effect.flatMap(Service, (run) => promised(() => attack(run)))] as const

/** What a page tells the person, who may tell it to the app by a link. */
const refusedOnPage = async (browser: PlainBrowser, path: string) => {
  const { status, headers, location, html } = await browser.visit(path)
  assert.deepStrictEqual([status, location, headers.get("refresh")], [400, null, null], path)
  assert.include(html, "This app cannot be connected")
  assert.notMatch(html, /<form|<script/)
  const link = /<a href="([^"]+)">Tell it to a program on this computer/.exec(html)![1]!
  assert.isTrue(link.startsWith(`${redirect}?`), link)
  return new URL(link.replaceAll("&amp;", "&")).searchParams
}

const ended = (run: ServiceProcess, accessToken: string) => eventuallyRefused(run.url, accessToken)

const rows = [
  row("an app without PKCE is refused", async (run) => {
    const { browser, stranger } = await scene(run)
    const asked = { client_id: stranger, redirect_uri: redirect, state: "s" }
    const answer = await refusedOnPage(browser, authorizePath(asked))
    assert.strictEqual(answer.get("error"), "invalid_request")
    assert.strictEqual(answer.get("state"), "s")
    assert.strictEqual(answer.get("iss"), run.url)
  }),
  row("PKCE with the plain method is refused", async (run) => {
    const { browser, stranger } = await scene(run)
    const asked = { client_id: stranger, redirect_uri: redirect }
    const plain = { code_challenge: pkce().verifier, code_challenge_method: "plain" }
    const answer = await refusedOnPage(browser, authorizePath({ ...asked, ...plain }))
    assert.strictEqual(answer.get("error"), "invalid_request")
    const unnamed = { code_challenge: pkce().challenge }
    const other = await refusedOnPage(browser, authorizePath({ ...asked, ...unnamed }))
    assert.strictEqual(other.get("error"), "invalid_request")
  }),
  row("before the person has acted a stranger's app sends no browser anywhere", async (run) => {
    const { browser, stranger } = await scene(run)
    const client_id = stranger
    const asked = { client_id, redirect_uri: redirect, ...s256() }
    const wrong: ReadonlyArray<readonly [string, Record<string, string | undefined>]> = [
      ["login_required", { prompt: "none" }],
      ["unsupported_response_type", { response_type: "token" }],
      ["unsupported_response_type", { response_type: "code id_token", response_mode: "form_post" }],
      ["unsupported_response_mode", { response_mode: "elsewhere" }],
      ["invalid_request", { response_type: "" }],
      ["invalid_request", { code_challenge: undefined, response_mode: "form_post" }],
      ["invalid_request", { prompt: "none login" }],
      ["request_not_supported", { request: "e30.e30." }],
      ["invalid_target", { resource: "https://evil.example/mcp" }]
    ]
    for (const [error, more] of wrong) {
      const answer = await refusedOnPage(browser, authorizePath({ ...asked, ...more }))
      assert.strictEqual(answer.get("error"), error, JSON.stringify(more))
    }
    const page = await consentPage(browser, authorizePath(asked))
    const denied = await followToApp(
      browser,
      await browser.post(page.path, page.html, [["decision", "deny"]])
    )
    assert.strictEqual(denied.searchParams.get("error"), "access_denied")
    // It is one that the person knows as soon as they have let it in, and a stranger when they have put it out.
    const letIn = (await register(run.url)).body.client_id as string
    const silent = authorizePath({ ...asked, client_id: letIn, prompt: "none" })
    await refusedOnPage(browser, silent)
    const { tokens } = await connectApp(browser, { client_id: letIn, resource: `${run.url}/v1` })
    const told = await browser.visit(silent)
    assert.match(told.location ?? "", /^http:\/\/127\.0\.0\.1:9\/callback\?error=login_required/)
    await token(run.url, { token: tokens.access_token, client_id: letIn }, "/oauth/revoke")
    await refusedOnPage(browser, silent)
  }),
  row("a code is worth nothing with another verifier", async (run) => {
    const { browser, client_id } = await scene(run)
    const page = await consentPage(browser, authorizePath({ client_id, redirect_uri: redirect, ...s256() }))
    const back = await followToApp(
      browser,
      await browser.post(page.path, page.html, [...tickedOf(page.html), ["decision", "allow"]])
    )
    const { status, body } = await token(run.url, {
      grant_type: "authorization_code",
      client_id,
      code: back.searchParams.get("code")!,
      redirect_uri: redirect,
      code_verifier: pkce().verifier
    })
    assert.deepStrictEqual([status, body.error], [400, "invalid_grant"])
  }),
  row("a code that comes twice ends the grant", async (run) => {
    const { browser, client_id } = await scene(run)
    const { code, verifier, tokens } = await connectApp(browser, { client_id, resource: `${run.url}/v1` })
    assert.strictEqual((await callWith(run.url, tokens.access_token)).status, 200)
    const { status, body } = await token(run.url, {
      grant_type: "authorization_code",
      client_id,
      code,
      redirect_uri: redirect,
      code_verifier: verifier
    })
    assert.deepStrictEqual([status, body.error], [400, "invalid_grant"])
    await ended(run, tokens.access_token)
  }),
  row("two exchanges of one code at once give tokens to at most one, and those die", async (run) => {
    const { browser, client_id } = await scene(run)
    const { verifier, challenge } = pkce()
    const page = await consentPage(
      browser,
      authorizePath({
        client_id,
        redirect_uri: redirect,
        code_challenge: challenge,
        code_challenge_method: "S256",
        resource: `${run.url}/v1`
      })
    )
    const back = await followToApp(
      browser,
      await browser.post(page.path, page.html, [...tickedOf(page.html), ["decision", "allow"]])
    )
    const exchange = () =>
      token(run.url, {
        grant_type: "authorization_code",
        client_id,
        code: back.searchParams.get("code")!,
        redirect_uri: redirect,
        code_verifier: verifier
      })
    const answers = await Promise.all(Array.from({ length: 5 }, exchange))
    assert.isAtMost(answers.filter(({ status }) => status === 200).length, 1)
    for (const { body } of answers) {
      if (body.access_token !== undefined) await ended(run, body.access_token)
    }
  }),
  row(
    "an answer goes only to an address that is registered, to which the browser would go too",
    async (run) => {
      const { browser } = await scene(run)
      const { body } = await register(run.url, { redirect_uris: ["https://app.example/callback"] })
      const foreign = [
        "https://app.example/callback/",
        "https://app.example/callback?next=1",
        "https://app.example/Callback",
        "https://app.example:444/callback",
        "https://app.example.evil.example/callback",
        "https://app.example@evil.example/callback",
        "https://me@app.example/callback",
        "https://app.example/call\nback",
        "http://app.example/callback",
        "https://evil.example/callback"
      ]
      for (const redirect_uri of foreign) {
        const { status, location, html } = await browser.visit(
          authorizePath({ client_id: body.client_id, redirect_uri, ...s256() })
        )
        assert.deepStrictEqual([status, location], [400, null], redirect_uri)
        assert.include(html, "This app cannot be connected")
      }
      const respelled = { client_id: body.client_id, redirect_uri: "HTTPS://App.Example:443/callback" }
      assert.strictEqual((await browser.visit(authorizePath({ ...respelled, ...s256() }))).status, 303)
    }
  ),
  row("of a loopback address the port may differ, and nothing else", async (run) => {
    const { browser, client_id } = await scene(run)
    const at = (redirect_uri: string) => browser.visit(authorizePath({ client_id, redirect_uri, ...s256() }))
    assert.strictEqual((await at("http://127.0.0.1:54321/callback")).status, 303)
    for (const other of [
      "http://127.0.0.1:54321/other",
      "http://localhost:9/callback",
      "http://127.0.0.2:9/callback",
      "https://127.0.0.1:9/callback",
      "http://127.0.0.1:9@evil.example/callback"
    ]) {
      assert.strictEqual((await at(other)).status, 400, other)
    }
  }),
  row("an app registers no address that runs or shows something else", async (run) => {
    const registered = async (uri: string) => {
      const response = await fetch(`${run.url}/oauth/register`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": "203.0.113.11" },
        body: JSON.stringify({ redirect_uris: [redirect, uri] })
      })
      return { status: response.status, body: (await response.json()) as any }
    }
    for (const uri of [
      "javascript:alert(1)",
      "data:text/html,hello",
      "http://app.example/callback",
      "https://app.example/callback#part",
      "vbscript:x",
      "view-source:https://app.example/callback",
      "wss://app.example/callback",
      "mailto:someone@app.example",
      "blob:https://app.example/0b6c",
      "about:blank",
      "https://me@app.example/callback",
      "https://app.example/call\tback",
      "https://*.app.example/callback"
    ]) {
      const { status, body } = await registered(uri)
      assert.deepStrictEqual([status, body.error], [400, "invalid_redirect_uri"], uri)
    }
    for (const uri of ["com.example.app:/callback", "cursor://callback", "vscode://app/callback"]) {
      assert.strictEqual((await registered(uri)).status, 201, uri)
    }
  }),
  row("the command line's name leads nowhere but to a program on the person's computer", async (run) => {
    const { browser } = await scene(run)
    const asked = { client_id: "carillon-cli", ...s256() }
    for (const uri of [
      "https://evil.example/callback",
      "http://127.0.0.1:9/other",
      "http://evil.example/callback"
    ]) {
      const answer = await browser.visit(authorizePath({ ...asked, redirect_uri: uri }))
      assert.deepStrictEqual([answer.status, answer.location], [400, null], uri)
    }
    const taken = await register(run.url, {
      client_id: "carillon-cli",
      redirect_uris: ["https://evil.example/"]
    })
    assert.notStrictEqual(taken.body.client_id, "carillon-cli")
    const own = { client_id: "carillon-cli", redirect_uri: "http://127.0.0.1:9/callback" }
    const { tokens } = await connectApp(browser, {
      ...own,
      scope: "admin accounts:write posts:read",
      choose: (html) => [...tickedOf(html), ["scope", "admin"]]
    })
    assert.strictEqual(tokens.scope, "posts:read")
    const bare = await browser.visit(authorizePath(own))
    assert.include(bare.location ?? "", "error=invalid_request")
  }),
  row("tokens for a foreign resource are refused, at both endpoints", async (run) => {
    const { browser, client_id, stranger } = await scene(run)
    const asked = { client_id: stranger, redirect_uri: redirect, ...s256() }
    for (const resource of ["https://evil.example/mcp", `${run.url}/other`, `${run.url}/mcp/deeper`]) {
      const answer = await refusedOnPage(browser, authorizePath({ ...asked, resource }))
      assert.strictEqual(answer.get("error"), "invalid_target", resource)
    }
    const { tokens } = await connectApp(browser, { client_id })
    const { body } = await refresh(run.url, { client_id }, tokens.refresh_token, {
      resource: "https://evil.example/mcp"
    })
    assert.strictEqual(body.error, "invalid_target")
  }),
  row("a token of another audience opens nothing", async (run) => {
    const { browser, client_id } = await scene(run)
    const { tokens } = await connectApp(browser, { client_id })
    const { status, body } = await callWith(run.url, tokens.access_token)
    assert.deepStrictEqual([status, body.code], [401, "unauthorized"])
    assert.include(body.message, `${run.url}/mcp`)
    const elsewhere = await refresh(run.url, { client_id }, tokens.refresh_token, {
      resource: `${run.url}/v1`
    })
    assert.strictEqual(elsewhere.body.error, "invalid_target")
  }),
  row("a refresh gets no more scopes than were granted", async (run) => {
    const { browser, client_id } = await scene(run)
    const asked = { client_id, scope: "posts:read", resource: `${run.url}/v1` }
    const { tokens } = await connectApp(browser, asked)
    let { refresh_token } = tokens
    for (const scope of ["posts:read posts:publish", "posts:publish", "admin accounts:write", "*"]) {
      const { status, body } = await refresh(run.url, { client_id }, refresh_token, { scope })
      assert.deepStrictEqual([status, body.scope], [200, "posts:read"], scope)
      const read = await callWith(run.url, body.access_token, "/v1/profile")
      assert.deepStrictEqual(read.body.scopes, ["posts:read"], scope)
      refresh_token = body.refresh_token
    }
  }),
  row("no app is granted admin or the connecting of accounts", async (run) => {
    const { browser, client_id } = await scene(run)
    const { tokens } = await connectApp(browser, {
      client_id,
      scope: "admin accounts:write posts:read",
      choose: (html) => [...tickedOf(html), ["scope", "admin"], ["scope", "posts:publish"]]
    })
    assert.strictEqual(tokens.scope, "posts:read")
  }),
  row(
    "a refresh token that comes again after the grace ends the grant, and the person is told",
    async (run) => {
      const { browser, client_id } = await scene(run)
      const { tokens } = await connectApp(browser, { client_id, resource: `${run.url}/v1` })
      const renewed = await refresh(run.url, { client_id }, tokens.refresh_token)
      assert.strictEqual(renewed.status, 200)
      const again = await refresh(run.url, { client_id }, tokens.refresh_token)
      assert.deepStrictEqual([again.status, again.body.error], [400, "invalid_grant"])
      await ended(run, renewed.body.access_token)
      const next = await refresh(run.url, { client_id }, renewed.body.refresh_token)
      assert.strictEqual(next.body.error, "invalid_grant")
      const reused = (await connectedApps(browser)).some(({ ended_because }) => ended_because === "reuse")
      assert.isTrue(reused)
      assert.include(run.output(), "its grant has ended")
    }
  ),
  row("codes and tokens of one app are worth nothing to another", async (run) => {
    const { browser, client_id } = await scene(run)
    const other = (await register(run.url)).body.client_id as string
    const { tokens } = await connectApp(browser, { client_id, resource: `${run.url}/v1` })
    const taken = await refresh(run.url, { client_id: other }, tokens.refresh_token)
    assert.strictEqual(taken.body.error, "invalid_grant")
    await token(run.url, { token: tokens.refresh_token, client_id: other }, "/oauth/revoke")
    assert.strictEqual((await callWith(run.url, tokens.access_token)).status, 200)
  }),
  row(
    "a consent that the person did not give is refused: no proof, another browser's, another site's",
    async (run) => {
      const { browser, client_id } = await scene(run)
      const page = await consentPage(browser, authorizePath({ client_id, redirect_uri: redirect, ...s256() }))
      const fields = [...tickedOf(page.html), ["decision", "allow"] as const]
      const bare = await browser.visit(page.path, {
        method: "POST",
        body: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value]))
      })
      assert.strictEqual(bare.status, 403)
      const stranger = new PlainBrowser(run.url)
      const strangers = (await stranger.visit("/sign-in")).html
      const proof = /name="form" value="([^"]+)"/.exec(strangers)![1]!
      assert.strictEqual((await browser.post(page.path, page.html, [...fields, ["form", proof]])).status, 403)
      const { status } = await browser.visit(page.path, {
        method: "POST",
        headers: { "sec-fetch-site": "cross-site" },
        body: new URLSearchParams([
          ...fields.map(([name, value]): [string, string] => [name, value]),
          ["form", /name="form" value="([^"]+)"/.exec(page.html)![1]!]
        ])
      })
      assert.strictEqual(status, 403)
      // And the person's own answer still counts.
      const answered = await browser.post(page.path, page.html, fields)
      assert.isNotNull((await followToApp(browser, answered)).searchParams.get("code"))
    }
  ),
  row("a request that was begun in another browser cannot be answered in this one", async (run) => {
    const { browser, client_id } = await scene(run)
    const attacker = new PlainBrowser(run.url)
    const begun = await attacker.visit(authorizePath({ client_id, redirect_uri: redirect, ...s256() }))
    assert.strictEqual((await browser.visit(begun.location!)).status, 404)
  }),
  row("no page can be put in a frame or run a script", async (run) => {
    const { browser, client_id } = await scene(run)
    const begun = await browser.visit(authorizePath({ client_id, redirect_uri: redirect, ...s256() }))
    const stranger = new PlainBrowser(run.url)
    const pages = [
      await stranger.visit("/sign-in"),
      await stranger.visit("/welcome/nothing"),
      await stranger.visit("/oauth/authorize"),
      await browser.visit(begun.location!),
      await browser.visit("/account"),
      await browser.visit("/device?user_code=BCDF-GHJK"),
      await devicePage(browser, (await beginDevice(run.url)).user_code)
    ]
    for (const { headers, html } of pages) {
      const policy = headers.get("content-security-policy") ?? ""
      assert.include(policy, "frame-ancestors 'none'")
      assert.include(policy, "default-src 'none'")
      assert.notInclude(policy, "script-src")
      assert.notInclude(policy, "unsafe")
      assert.strictEqual(headers.get("x-frame-options"), "DENY")
      assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
      assert.strictEqual(headers.get("cache-control"), "no-store")
      assert.notMatch(html, /<script|onclick=|javascript:/i)
    }
  }),
  row("an app's own words cannot become part of a page", async (run) => {
    const { browser } = await scene(run)
    const name = `<script>alert(1)</script>"'\u202Eevil`
    const { body } = await register(run.url, { client_name: name })
    const page = await consentPage(
      browser,
      authorizePath({ client_id: body.client_id, redirect_uri: redirect, ...s256() })
    )
    assert.notInclude(page.html, "<script")
    assert.notInclude(page.html, "\u202E")
    assert.include(page.html, "&lt;script&gt;alert(1)")
  }),
  row("a sign-in leads back to pages of this service only", async (run) => {
    const { browser } = await scene(run)
    for (const next of [
      "https://evil.example",
      "//evil.example",
      "/\\evil.example",
      "/oauth/consent/../../x",
      "javascript:1",
      "/sign-out",
      "/approvals/x/refuse",
      "/account?next=//evil.example"
    ]) {
      const { location } = await browser.visit(`/sign-in?${new URLSearchParams({ next })}`)
      assert.strictEqual(location, "/account", next)
    }
    for (const next of ["/approvals", "/approvals/x-1", "/app/settings/account", "/account", "/device"]) {
      const { location } = await browser.visit(`/sign-in?${new URLSearchParams({ next })}`)
      assert.strictEqual(location, next)
    }
  }),
  row("two services on one machine do not sign each other's people out", async (run) => {
    await scene(run)
    const browser = await signedInBrowser(run)
    const { port } = new URL(run.url)
    // A browser sends a host's cookies to all of its ports.
    for (const name of browser.cookies.keys()) assert.match(name, new RegExp(`_${port}$`))
  }),
  row("a session that was planted in a browser is not taken up", async (run) => {
    await scene(run)
    const planted = "A".repeat(43)
    const browser = new PlainBrowser(run.url)
    browser.session = planted
    const page = await browser.visit("/sign-in")
    await browser.post("/sign-in", page.html, [
      ["name", ownerName],
      ["password", ownerPassword]
    ])
    const own = browser.session!
    assert.notStrictEqual(own, planted)
    assert.strictEqual((await browser.visit("/account")).status, 200)
    const attacker = new PlainBrowser(run.url)
    attacker.session = planted
    assert.strictEqual((await attacker.visit("/account")).location, "/sign-in?next=%2Faccount")
  }),
  row("documents on private addresses are not fetched", async (run) => {
    const { browser } = await scene(run)
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const { port, connections } = yield* listening(createServer((socket) => socket.destroy()))
          for (const client_id of [
            `https://127.0.0.1:${port}/client.json`,
            `https://localhost:${port}/client.json`,
            `https://[::1]:${port}/client.json`,
            `https://127.1:${port}/client.json`,
            `https://2130706433:${port}/client.json`,
            "https://169.254.169.254/client.json",
            "https://10.0.0.1/client.json"
          ]) {
            const answer = yield* promised(() =>
              browser.visit(authorizePath({ client_id, redirect_uri: redirect, ...s256() }))
            )
            assert.deepStrictEqual([answer.status, answer.location], [400, null], client_id)
          }
          assert.strictEqual(connections(), 0)
        })
      )
    )
  }),
  row("a program's code can be answered by a signed-in person only", async (run) => {
    await scene(run)
    const { user_code, verification_uri_complete } = await beginDevice(run.url)
    const stranger = new PlainBrowser(run.url)
    const led = await stranger.visit(verification_uri_complete)
    const next = `/device?user_code=${user_code}`
    assert.deepStrictEqual([led.status, led.location], [303, `/sign-in?${new URLSearchParams({ next })}`])
    const { html } = await stranger.visit("/sign-in")
    for (const path of ["/device", "/device/answer"]) {
      const answered = await stranger.post(path, html, [
        ["user_code", user_code],
        ["decision", "allow"]
      ])
      assert.match(answered.location ?? "", /^\/sign-in\?/)
    }
    // The page of sign-in leads back to the code, and to no other address.
    assert.include((await stranger.visit(led.location!)).html, `value="${next}"`)
    const elsewhere = new URLSearchParams({ next: "/device?user_code=X&next=//evil.example" })
    assert.notInclude((await stranger.visit(`/sign-in?${elsewhere}`)).html, "evil.example")
  }),
  row("a device's code is worth nothing to another app, and no other app gets one", async (run) => {
    const { browser, client_id } = await scene(run)
    const refused = await beginDevice(run.url, { client_id })
    assert.strictEqual((refused as any).error, "invalid_request")
    const asking = await register(run.url, { grant_types: [deviceGrant, "refresh_token"] })
    assert.notInclude(asking.body.grant_types, deviceGrant)
    const { device_code, user_code } = await beginDevice(run.url)
    await answerDevice(browser, user_code, "allow")
    assert.notStrictEqual((await pollDevice(run.url, device_code, client_id)).status, 200)
    assert.strictEqual((await pollDevice(run.url, device_code)).status, 200)
  }),
  row("a device's code that comes twice ends the grant, and one at the same moment too", async (run) => {
    const { browser } = await scene(run)
    const { device_code, user_code } = await beginDevice(run.url)
    await answerDevice(browser, user_code, "allow")
    const { body } = await pollDevice(run.url, device_code)
    assert.strictEqual((await callWith(run.url, body.access_token)).status, 200)
    assert.strictEqual((await pollDevice(run.url, device_code)).body.error, "invalid_grant")
    await ended(run, body.access_token)
    const other = await beginDevice(run.url)
    await answerDevice(browser, other.user_code, "allow")
    const both = await Promise.all([1, 2, 3, 4].map(() => pollDevice(run.url, other.device_code)))
    assert.isAtMost(both.filter(({ status }) => status === 200).length, 1)
  }),
  row(
    "a code is answered once: what was denied stays denied, what was allowed is not changed",
    async (run) => {
      const { browser } = await scene(run)
      const { device_code, user_code } = await beginDevice(run.url)
      const page = await devicePage(browser, user_code)
      const answer = (decision: string) =>
        browser.post("/device/answer", page.html, [...tickedOf(page.html), ["decision", decision]])
      const both = await Promise.all([answer("deny"), answer("allow")])
      assert.deepStrictEqual(both.map(({ status }) => status).sort(), [200, 400])
      const denied = both[0]!.status === 200
      const { body } = await pollDevice(run.url, device_code)
      assert.strictEqual(body.error, denied ? "access_denied" : undefined)
      assert.strictEqual((await pollDevice(run.url, device_code)).body.error, "invalid_grant")
      const second = await beginDevice(run.url)
      await answerDevice(browser, second.user_code, "deny")
      assert.strictEqual((await devicePage(browser, second.user_code)).status, 400)
      assert.strictEqual((await pollDevice(run.url, second.device_code)).body.error, "access_denied")
      assert.strictEqual((await pollDevice(run.url, second.device_code)).body.error, "invalid_grant")
    }
  ),
  row(
    "a program that shows a code gets no more than the person ticks, at the address it named",
    async (run) => {
      const { browser } = await scene(run)
      const elsewhere = await token(
        run.url,
        { client_id: "carillon-cli", resource: "https://evil.example/v1" },
        "/oauth/device"
      )
      assert.strictEqual(elsewhere.body.error, "invalid_target")
      const asked = { scope: "admin accounts:write posts:read media:write" }
      const { device_code, user_code } = await beginDevice(run.url, asked)
      await answerDevice(browser, user_code, "allow", (html) => [
        ...tickedOf(html).filter(([, value]) => value !== "media:write"),
        ["scope", "admin"]
      ])
      const { body } = await pollDevice(run.url, device_code)
      assert.strictEqual(body.scope, "posts:read")
      assert.strictEqual((await callWith(run.url, body.access_token)).status, 200)
      assert.strictEqual((await callWith(run.url, body.access_token, "/mcp", { method: "POST" })).status, 401)
      const wider = await refresh(run.url, { client_id: "carillon-cli" }, body.refresh_token, {
        scope: "media:write"
      })
      assert.strictEqual(wider.body.scope, "posts:read")
    }
  ),
  row("a program that asks too often is told to slow down, and gets its answer all the same", async (run) => {
    const { browser } = await scene(run)
    const { device_code, interval, user_code } = await beginDevice(run.url)
    assert.strictEqual(interval, 5)
    const polls = []
    for (let asked = 0; asked < 4; asked++) polls.push((await pollDevice(run.url, device_code)).body.error)
    assert.deepStrictEqual(polls, ["authorization_pending", "slow_down", "slow_down", "slow_down"])
    await answerDevice(browser, user_code, "allow")
    assert.strictEqual((await pollDevice(run.url, device_code)).status, 200)
  }),
  row("a flood of sign-ins with a code from one address has to wait", async (run) => {
    await scene(run)
    const begin = () =>
      fetch(`${run.url}/oauth/device`, {
        method: "POST",
        headers: { "x-forwarded-for": "203.0.113.10" },
        body: new URLSearchParams({ client_id: "carillon-cli" })
      })
    const statuses = (await Promise.all(Array.from({ length: 125 }, begin))).map(({ status }) => status)
    assert.strictEqual(statuses.filter((status) => status === 200).length, 120)
    assert.strictEqual(statuses.filter((status) => status === 429).length, 5)
  }),
  row("a link with a code grants nothing by itself, and the page says who asks", async (run) => {
    const { browser } = await scene(run)
    const begun = await fetch(`${run.url}/oauth/device`, {
      method: "POST",
      headers: { "user-agent": "<b>friendly</b>\u00AD program", "x-forwarded-for": "198.51.100.9" },
      body: new URLSearchParams({ client_id: "carillon-cli", resource: `${run.url}/v1` })
    })
    const { device_code, user_code, verification_uri_complete } = (await begun.json()) as any
    const page = await browser.visit(verification_uri_complete)
    assert.include(page.html, `value="${user_code}"`)
    assert.include(page.html, "Continue")
    const asked = await browser.post("/device", page.html, [["user_code", user_code.toLowerCase()]])
    assert.include(asked.html, "198.51.100.9")
    assert.include(asked.html, "&lt;b&gt;friendly&lt;/b&gt; program")
    assert.include(asked.html, "any program anywhere can use the name")
    assert.include(asked.html, `shows the code ${user_code}`)
    assert.strictEqual((await pollDevice(run.url, device_code)).body.error, "authorization_pending")
  }),
  row(
    "a code that the person did not answer is not answered: no proof, another browser's, another site's",
    async (run) => {
      const { browser } = await scene(run)
      const { device_code, user_code } = await beginDevice(run.url)
      const page = await devicePage(browser, user_code)
      const fields = [...tickedOf(page.html), ["user_code", user_code], ["decision", "allow"]] as [
        string,
        string
      ][]
      const strangers = (await new PlainBrowser(run.url).visit("/sign-in")).html
      const foreign = /name="form" value="([^"]+)"/.exec(strangers)![1]!
      const own = /name="form" value="([^"]+)"/.exec(page.html)![1]!
      for (const path of ["/device", "/device/answer"]) {
        const send = (more: [string, string][], headers = {}) =>
          browser.visit(path, { method: "POST", headers, body: new URLSearchParams([...fields, ...more]) })
        assert.strictEqual((await send([])).status, 403, path)
        assert.strictEqual((await send([["form", foreign]])).status, 403, path)
        assert.strictEqual(
          (await send([["form", own]], { "sec-fetch-site": "cross-site" })).status,
          403,
          path
        )
      }
      assert.strictEqual((await pollDevice(run.url, device_code)).body.error, "authorization_pending")
    }
  ),
  row(
    "codes cannot be guessed: after ten wrong ones the person waits, with the right one too",
    async (run) => {
      const { browser } = await scene(run)
      const { user_code } = await beginDevice(run.url)
      const wrong = await devicePage(browser, "bcdfghjk")
      assert.strictEqual(wrong.status, 400)
      assert.include(wrong.html, "No program is waiting with the code BCDF-GHJK")
      let tried = 1
      while ((await devicePage(browser, "BCDF-GHJK")).status === 400) tried++
      assert.isAtMost(tried, 10)
      const waits = await devicePage(browser, user_code)
      assert.strictEqual(waits.status, 429)
      assert.isAbove(Number(waits.headers.get("retry-after")), 60)
      const answered = await browser.post("/device/answer", waits.html, [
        ["user_code", user_code],
        ["decision", "allow"]
      ])
      assert.strictEqual(answered.status, 429)
    }
  ),
  row("the owner's link works once", async (run) => {
    await scene(run)
    const browser = new PlainBrowser(run.url)
    assert.strictEqual((await browser.visit(welcomeLink(run))).status, 404)
    const form = (await browser.visit("/sign-in")).html
    const claimed = await browser.post(welcomeLink(run), form, [
      ["name", "Mallory"],
      ["password", "a long enough password"]
    ])
    assert.strictEqual(claimed.status, 400)
    assert.isUndefined(browser.session)
  }),
  row(
    "a made-up owner link is refused before the form is looked at, and its sender has to wait",
    async (run) => {
      await scene(run)
      const browser = new PlainBrowser(run.url)
      const page = await browser.visit("/sign-in")
      const form = /name="form" value="([^"]+)"/.exec(page.html)![1]!
      const claim = (password: string) =>
        browser.visit("/welcome/made-up", {
          method: "POST",
          headers: { "x-forwarded-for": "203.0.113.10" },
          body: new URLSearchParams({ form, name: "Mallory", password })
        })
      // Of a password that is looked at it says how long it is.
      for (let tried = 0; tried < 10; tried++) {
        const { html, status } = await claim("short")
        assert.strictEqual(status, 400)
        assert.include(html, "This link has been used, has expired")
      }
      const waits = await claim("a long enough password")
      assert.strictEqual(waits.status, 429)
      assert.isAbove(Number(waits.headers.get("retry-after")), 60)
    }
  ),
  row("guessing a password from one address has to wait, whatever the name", async (run) => {
    await scene(run)
    const browser = new PlainBrowser(run.url)
    const guess = async (name: string, password: string, address: string) => {
      const page = await browser.visit("/sign-in")
      const proof = /name="form" value="([^"]+)"/.exec(page.html)![1]!
      return browser.visit("/sign-in", {
        method: "POST",
        headers: { "x-forwarded-for": address },
        body: new URLSearchParams({ form: proof, name, password })
      })
    }
    for (let tried = 0; tried < 10; tried++) {
      assert.strictEqual((await guess(`name ${tried}`, "wrong password", "203.0.113.7")).status, 400)
    }
    const waits = await guess(ownerName, ownerPassword, "203.0.113.7")
    assert.strictEqual(waits.status, 429)
    assert.isAbove(Number(waits.headers.get("retry-after")), 60)
    assert.isUndefined(browser.session)
    assert.strictEqual((await guess(ownerName, ownerPassword, "203.0.113.8")).status, 303)
    // Names that nobody has would fill the trail.
    const { body } = await Effect.runPromise(run.call("GET", "/v1/audit?action=sign_in.refused"))
    assert.strictEqual(body.meta.total, 0)
  }),
  row(
    "a flood of registrations from one address has to wait, and oversized ones are refused",
    async (run) => {
      const statuses = await Promise.all(
        Array.from({ length: 40 }, async () => {
          const response = await fetch(`${run.url}/oauth/register`, {
            method: "POST",
            headers: { "content-type": "application/json", "x-forwarded-for": "203.0.113.9" },
            body: JSON.stringify({ redirect_uris: [redirect] })
          })
          return response.status
        })
      )
      assert.strictEqual(statuses.filter((status) => status === 201).length, 30)
      assert.strictEqual(statuses.filter((status) => status === 429).length, 10)
      const many = await register(run.url, { redirect_uris: Array.from({ length: 11 }, () => 0) })
      assert.deepStrictEqual([many.status, many.body.error], [400, "invalid_client_metadata"])
      assert.include(many.body.error_description, "redirect_uris has 11 addresses")
      assert.strictEqual((await register(run.url, { client_name: "x".repeat(20_000) })).status, 413)
    }
  ),
  row("a stranger begins only so many requests for consent", async ({ url }) => {
    const statuses: Array<number> = []
    for (let asked = 0; asked < 121; asked++) {
      const answer = await fetch(url + authorizePath({ client_id: "nobody" }), {
        redirect: "manual",
        headers: { "x-forwarded-for": "203.0.113.12" }
      })
      statuses.push(answer.status)
      if (asked < 120) continue
      assert.isAbove(Number(answer.headers.get("retry-after")), 0)
      assert.match(await answer.text(), /Nothing was granted/)
    }
    assert.deepStrictEqual([...new Set(statuses.slice(0, 120))], [400])
    assert.strictEqual(statuses[120], 429)
  }),
  row("characters that no database stores are refused wherever a stranger sends them", async (run) => {
    const { stranger } = await scene(run)
    const query = new URLSearchParams({
      response_type: "code",
      client_id: stranger,
      redirect_uri: redirect,
      ...s256()
    })
    const form = (path: string, body: string) => [path, { method: "POST", body, ...asForm }] as const
    const json = (client: string) =>
      [
        "/oauth/register",
        { method: "POST", body: client, headers: { "content-type": "application/json" } }
      ] as const
    for (const [path, init] of [
      ["/oauth/authorize?client_id=a%00b"],
      ["/oauth/authorize?client_id=https://%00.example/"],
      [`/oauth/authorize?${query}&state=%00`],
      [`/oauth/authorize?${query}&nonce=a%1fb`],
      [`/oauth/authorize?${query}&%7f=1`],
      ["/oauth/authorize/a%00b"],
      form("/oauth/token", "grant_type=authorization_code&code=%00&client_id=a%00b"),
      form("/oauth/token", `grant_type=refresh_token&refresh_token=\0&client_id=${stranger}`),
      form("/oauth/device", `client_id=${stranger}&state=%00`),
      form("/oauth/revoke", "token=%00&client_id=a%00b"),
      json(`{"redirect_uris":["https://app.example/\\u0000"]}`)
    ] as ReadonlyArray<readonly [string, RequestInit?]>) {
      const answer = await fetch(run.url + path, { redirect: "manual", ...init })
      assert.strictEqual(answer.status, 400, path)
    }
    // Half a character is no character either.
    for (const client_name of ["\\ud800", `${"x".repeat(79)}\\ud83d\\ude00`]) {
      const [path, init] = json(`{"redirect_uris":["https://app.example/"],"client_name":"${client_name}"}`)
      assert.strictEqual((await fetch(run.url + path, init)).status, 201, client_name)
    }
  }),
  row(
    "an attachment is fetched by https from public hosts only, and its address is not repeated",
    async (run) => {
      for (const download_url of [
        "http://files.example.com/a.jpg?sig=secret",
        "https://127.0.0.1/a.jpg?sig=secret",
        "https://169.254.169.254/latest/meta-data?sig=secret",
        "https://printer.local/a.jpg?sig=secret",
        "file:///etc/passwd"
      ]) {
        const params = { name: "import_media", arguments: { file: { download_url, file_id: "f" } } }
        const { body } = await Effect.runPromise(
          run.call("POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params })
        )
        const { content, isError } = body.result
        assert.isTrue(isError, download_url)
        assert.match(content[0].text, /https/, download_url)
        assert.notInclude(JSON.stringify(body), "secret")
      }
    }
  ),
  row("no code, token, session or password lies on the disk", async (run) => {
    const { browser, client_id } = await scene(run)
    const { code, tokens } = await connectApp(browser, { client_id, resource: `${run.url}/v1` })
    const session = browser.session!
    await Effect.runPromise(run.kill)
    if (kind === "embedded") {
      const files = readdirSync(run.dataDir, { recursive: true, encoding: "utf8" })
        .map((name) => join(run.dataDir, name))
        .filter((path) => statSync(path).isFile())
        .map((path) => readFileSync(path))
      const found = (text: string) => files.some((bytes) => bytes.includes(text))
      assert.isTrue(found(client_id), "the search finds what is there")
      for (const secret of [code, tokens.access_token, tokens.refresh_token, session, ownerPassword]) {
        assert.isFalse(found(secret))
      }
    }
    await Effect.runPromise(run.start)
    assert.strictEqual((await callWith(run.url, tokens.access_token)).status, 200)
    assert.strictEqual((await browser.visit("/account")).status, 200)
  })
]

layer(service, { excludeTestServices: true, timeout: "180 seconds" })(
  "against a service on the public internet",
  (it) => {
    for (const [name, attack] of rows) it.effect(name, () => attack)
  }
)
