import { callWith, PlainBrowser, promised, redirect, signedInBrowser } from "@carillon/testing/OAuthBrowser"
import { assert, layer } from "@effect/vitest"
import { derive } from "@carillon/server/crypto/Secrets"
import { passwordLinkPurpose, passwordTicket } from "@carillon/server/auth/PasswordLink"
import { DateTime, Effect } from "effect"
import { createHash } from "node:crypto"
import { request } from "node:http"
import { cheapHash, password } from "../../packages/server/test/auth/CheapPassword.ts"
import { InProcessService } from "../contract/InProcessService.ts"

const name = "Olive"

/** The owner's browser, and the owner's password at the least cost. */
const aKnownBrowser = Effect.gen(function* () {
  const { run, url, words } = yield* InProcessService
  yield* promised(() => run((sql) => sql`delete from throttles`))
  const browser = yield* promised(() => signedInBrowser({ url, output: words }))
  yield* promised(() => run((sql) => sql`update members set password_hash = ${cheapHash}`))
  return browser
})

const proofIn = (html: string) => /name="form" value="([^"]+)"/.exec(html)![1]!

const signsIn = async (browser: PlainBrowser, given: string, address: string) => {
  const { html } = await browser.visit("/sign-in")
  return browser.visit("/sign-in", {
    method: "POST",
    headers: { "x-forwarded-for": address },
    body: new URLSearchParams({ form: proofIn(html), name, password: given })
  })
}

layer(
  // Lets a test come from several addresses.
  InProcessService.layer({ TRUSTED_PROXIES: "127.0.0.1/32", MCP_ALLOWED_HOSTS: "tunnel.example" }),
  { excludeTestServices: true, timeout: "180 seconds" }
)("a stranger at the doors", (it) => {
  it.effect("shuts the owner out of other people's browsers, and neither of their own nor of a session", () =>
    Effect.gen(function* () {
      const { url, workspace } = yield* InProcessService
      const browser = yield* aKnownBrowser
      const known = yield* aKnownBrowser
      yield* promised(async () => {
        await known.post("/sign-out", (await known.visit("/account")).html, [])
        const stranger = new PlainBrowser(url)
        for (let guessed = 0; guessed < 51; guessed++) {
          await signsIn(stranger, "a guess of a password", `203.0.113.${guessed}`)
        }
        const refused = await signsIn(new PlainBrowser(url), password, "203.0.113.99")
        assert.strictEqual(refused.status, 429)
        const answered = await signsIn(known, password, "203.0.113.20")
        assert.strictEqual(answered.status, 303)
        const [cookie, more] = answered.headers
          .getSetCookie()
          .filter((line) => line.startsWith(`carillon_device_${new URL(url).port}=`))
        assert.isUndefined(more)
        const flags = cookie!.split("; ").slice(1)
        assert.includeMembers(flags, ["Max-Age=7776000", "Path=/", "HttpOnly", "SameSite=Lax"])
        const confirmed = await browser.visit("/v1/session/confirmation", {
          method: "PUT",
          headers: { origin: url, "content-type": "application/json", "carillon-workspace": workspace },
          body: JSON.stringify({ password })
        })
        assert.strictEqual(confirmed.status, 200, confirmed.html)
      })
    })
  )

  it.effect("shows where somebody is signed in, and ends one session of theirs alone", () =>
    Effect.gen(function* () {
      const { url, workspace } = yield* InProcessService
      const browser = yield* aKnownBrowser
      const lent = yield* aKnownBrowser
      yield* promised(async () => {
        await lent.post("/sign-out", (await lent.visit("/account")).html, [])
        const form = new URLSearchParams({
          form: proofIn((await lent.visit("/sign-in")).html),
          name,
          password
        })
        const headers = {
          "x-forwarded-for": "203.0.113.44",
          "user-agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) <b>Chrome/126.0 Safari/537.36"
        }
        assert.strictEqual(
          (await lent.visit("/sign-in", { method: "POST", headers, body: form })).status,
          303
        )

        const call = async (by: PlainBrowser, method: string, path: string) => {
          const headers = { origin: url, "carillon-workspace": workspace }
          const { html, status } = await by.visit(path, { method, headers })
          return { status, body: JSON.parse(html) }
        }
        const { data } = (await call(browser, "GET", "/v1/sessions")).body
        const of = (sessions: ReadonlyArray<any>) =>
          sessions.find(({ address }) => address === "203.0.113.44")
        const { current, device, id } = of(data)
        assert.deepStrictEqual([current, device], [false, "Chrome on Windows"])
        assert.lengthOf(
          data.filter((one: any) => one.current),
          1
        )
        const stranger = new PlainBrowser(url)
        assert.strictEqual((await call(stranger, "DELETE", `/v1/sessions/${id}`)).status, 401)
        assert.strictEqual((await lent.visit("/account")).status, 200)

        assert.strictEqual((await call(browser, "DELETE", `/v1/sessions/${id}`)).status, 200)
        assert.include((await lent.visit("/account")).location, "/sign-in")
        assert.strictEqual((await call(browser, "DELETE", `/v1/sessions/${id}`)).status, 404)
        assert.isUndefined(of((await call(browser, "GET", "/v1/sessions")).body.data))
      })
    })
  )

  it.effect(
    "leaves rows in the trail: wrong passwords of who is signed in, and the end of all sessions",
    () =>
      Effect.gen(function* () {
        const { makeKey, url, workspace } = yield* InProcessService
        const browser = yield* aKnownBrowser
        yield* promised(async () => {
          const key = await makeKey(workspace, ["admin"])
          const rows = async () => {
            const { body } = await callWith(url, key, "/v1/audit?action=password.refused,sign_out.everywhere")
            return (body.data as ReadonlyArray<any>).map(({ action, actor, address, subject }) =>
              [action, actor.name, subject.name, address].join(" ")
            )
          }
          const before = (await rows()).length
          const confirms = (given: string, address: string) =>
            browser.visit("/v1/session/confirmation", {
              method: "PUT",
              headers: {
                origin: url,
                "content-type": "application/json",
                "carillon-workspace": workspace,
                "x-forwarded-for": address
              },
              body: JSON.stringify({ password: given })
            })
          const changes = async (present: string, next: string, address: string) =>
            browser.visit("/account", {
              method: "POST",
              headers: { "x-forwarded-for": address },
              body: new URLSearchParams({
                form: proofIn((await browser.visit("/account")).html),
                present,
                password: next
              })
            })
          assert.strictEqual((await confirms("a guess", "203.0.113.201")).status, 403)
          assert.strictEqual((await confirms(" ", "203.0.113.202")).status, 403)
          assert.strictEqual(
            (await changes("a guess", "a better horse battery", "203.0.113.203")).status,
            400
          )
          // These are the member's own words and mistakes.
          assert.strictEqual((await confirms(password, "203.0.113.204")).status, 200)
          assert.strictEqual((await changes(password, "short", "203.0.113.205")).status, 400)
          // What has to wait is not looked at, and fills nothing.
          for (let tried = 0; tried < 20; tried++) await confirms("a guess", "203.0.113.206")
          await browser.post("/sign-out", (await browser.visit("/account")).html, [["everywhere", "yes"]])
          const [everywhere, ...refused] = (await rows()).toReversed().slice(before).toReversed()
          assert.strictEqual(everywhere, `sign_out.everywhere ${name} ${name} 127.0.0.1`)
          assert.deepStrictEqual(
            refused.toReversed(),
            [201, 202, 203, 206, 206, 206, 206, 206, 206, 206].map(
              (last) => `password.refused ${name} ${name} 203.0.113.${last}`
            )
          )
        })
      })
  )

  it.effect.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "breaks nothing with the name %s wherever the service looks a name up",
    (word) =>
      Effect.gen(function* () {
        const { makeKey, url, workspace } = yield* InProcessService
        yield* promised(async () => {
          const key = await makeKey(workspace, ["admin"])
          const form = (...fields: ReadonlyArray<[string, string]>) => ({
            method: "POST",
            body: new URLSearchParams(fields)
          })
          const json = (method: string, body: string) => ({
            method,
            headers: { "content-type": "application/json" },
            body
          })
          const rpc = (method: string, params: string) =>
            json("POST", `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`)
          const requests: ReadonlyArray<readonly [string, RequestInit]> = [
            ["/oauth/callback/mastodon", form(["cookie", word], ["ticket", "x"], ["account", "0"])],
            [`/oauth/callback/${word}`, form(["cookie", word], ["ticket", "x"])],
            [`/oauth/callback/${word}?state=${word}&code=x`, {}],
            [`/oauth/callback/bluesky?${word}=x&state=${word}&error=${word}`, {}],
            [`/oauth/connect/${word}`, form([word, word])],
            ["/sign-in", form([word, word], ["form", word], ["next", word])],
            ["/device", form([word, word], ["user_code", word])],
            [`/oauth/authorize?client_id=${word}&${word}=x&resource=${word}&prompt=${word}`, {}],
            ["/oauth/token", form(["grant_type", word], [word, word], ["client_id", word])],
            ["/oauth/device", form(["client_id", word], [word, word])],
            ["/oauth/register", json("POST", `{"${word}":{"a":1},"redirect_uris":["${redirect}"]}`)],
            [`/v1/posts?${word}=x`, {}],
            [`/v1/posts?${word}[]=x&${word}[]=y&status[]=${word}`, {}],
            [`/v1/posts?status=${word}&platform=${word}&sort=${word}`, {}],
            [`/v1/posts/${word}`, {}],
            [`/v1/audit?action=${word}&actor=${word}`, {}],
            [`/v1/platform-apps/${word}`, json("PUT", `{"client_id":"a","client_secret":"b"}`)],
            ["/v1/posts", json("POST", `{"${word}":1,"caption":"a","social_accounts":[1]}`)],
            [
              "/v1/posts/validate",
              json(
                "POST",
                `{"caption":"a","social_accounts":[1],"platform_configurations":{"${word}":{"caption":"b"},"bluesky":{"${word}":1}},
                  "account_configurations":[{"account_id":1,"${word}":{}}]}`
              )
            ],
            [
              "/v1/social-accounts",
              json(
                "POST",
                `{"platform":"${word}","credentials":{"${word}":"x","username":"a","password":"b"}}`
              )
            ],
            [
              "/v1/social-accounts/connect",
              json("POST", `{"platform":"mastodon","login":"${word}","fields":{"${word}":"x"}}`)
            ],
            ["/v1/webhooks", json("POST", `{"url":"https://a.example","events":["${word}"],"${word}":[]}`)],
            [
              "/v1/media/create-upload-url",
              json("POST", `{"mime_type":"${word}","size_bytes":1,"name":"${word}"}`)
            ],
            ["/v1/queue", json("PUT", `{"slots":{"${word}":["10:00"]},"timezone":"${word}"}`)],
            [`/post-bridge/v1/posts?status=${word}&${word}[]=1`, {}],
            ["/mcp", rpc("tools/call", `{"name":"${word}","arguments":{"${word}":1}}`)],
            ["/mcp", rpc("tools/call", `{"name":"list_posts","arguments":{"${word}":1,"status":"${word}"}}`)],
            ["/mcp", rpc("prompts/get", `{"name":"${word}","arguments":{"${word}":"1"}}`)],
            ["/mcp", rpc("resources/read", `{"uri":"${word}:x"}`)],
            ["/mcp", rpc(word, "{}")],
            [`/${word}`, {}],
            [`/app/${word}`, {}],
            [`/media/${word}/${word}?${word}=1`, {}],
            [`/upload/${word}`, { method: "POST", body: word }]
          ]
          const cookie = `${word}=x; carillon_session_${new URL(url).port}=${word}; carillon_connect_x=${word}`
          for (const [path, { headers, ...init }] of requests) {
            for (const more of [{}, { cookie }, { authorization: `Bearer ${key}` }]) {
              const { status } = await fetch(url + path, {
                redirect: "manual",
                ...init,
                headers: { accept: "application/json, text/event-stream", ...headers, ...more }
              })
              assert.isBelow(status, 500, path)
            }
          }
        })
      })
  )

  it.effect(
    "takes forms under its own names only, so that no site can point its name here and fill them in",
    () =>
      Effect.gen(function* () {
        const { makeKey, url, workspace } = yield* InProcessService
        yield* promised(async () => {
          const key = await makeKey(workspace, ["admin"])
          const { port } = new URL(url)
          const status = (path: string, headers: Record<string, string>, method = "POST") =>
            new Promise<readonly [number, string]>((resolve, reject) => {
              const sent = request(url + path, { method, headers, setHost: false }, (answer) => {
                let text = ""
                answer.on("data", (chunk) => (text += chunk))
                answer.on("end", () => resolve([answer.statusCode!, text]))
              })
              sent.on("error", reject)
              sent.end()
            })
          const foreign = [
            "evil.example",
            `evil.example:${port}`,
            "evil.example.",
            `localhost.evil.example:${port}`,
            `127.0.0.1.evil.example:${port}`,
            `127.0.0.1@evil.example:${port}`,
            "carillon.example.evil.example",
            "xn--nxasmq6b.example"
          ]
          const paths = `/sign-in /sign-in/code /sign-in/passkey /sign-out /account /welcome/x /device /device/answer /approvals/x /approvals/x/refuse
          /account/apps/x/disconnect /oauth/consent/x /oauth/connect/x /oauth/callback/bluesky
          /oauth/register /oauth/token /oauth/device /oauth/revoke /upload/x`
          for (const path of paths.split(/\s+/)) {
            for (const host of foreign) {
              const [code, text] = await status(path, { host })
              assert.strictEqual(code, 403, `${path} ${host}`)
              assert.include(text, "host_not_allowed")
            }
            const [code, page] = await status(path, { host: foreign[0]!, accept: "text/html" })
            assert.strictEqual(code, 403)
            assert.include(page, "Carillon is at another address")
          }
          const own = `127.0.0.1:${port} localhost:${port} LOCALHOST [::1]:${port} 192.168.1.20:${port} 127.1:9
          [fe80::1]:${port} [fd00::2] carillon:4400 nas app.localhost:${port} tunnel.example tunnel.example:443`
          for (const host of own.split(/\s+/)) {
            for (const path of ["/sign-in", "/oauth/register"]) {
              assert.notInclude((await status(path, { host }))[1], "host_not_allowed", `${path} ${host}`)
            }
          }
          // What a trusted proxy says counts; an API key has no need of a name; to look changes nothing.
          const [host] = foreign as [string]
          const proxied = { host, "x-forwarded-for": "203.0.113.1", "x-forwarded-host": "tunnel.example" }
          assert.notInclude((await status("/oauth/register", proxied))[1], "host_not_allowed")
          const rebound = { ...proxied, host: "tunnel.example", "x-forwarded-host": host }
          assert.include((await status("/oauth/register", rebound))[1], "host_not_allowed")
          const bearer = { host, authorization: `Bearer ${key}`, "content-type": "application/json" }
          assert.strictEqual((await status("/v1/posts", bearer))[0], 400)
          assert.strictEqual((await status("/sign-in", { host }, "GET"))[0], 200)
        })
      })
  )

  it.effect("finds no owner with a password that is guessed first: not the first one, nor the next", () =>
    Effect.gen(function* () {
      const { run, url, words } = yield* InProcessService
      const browser = yield* aKnownBrowser
      yield* promised(async () => {
        const stored = () => run((sql) => sql`select password_hash, name from members order by id`)
        const before = await stored()
        const refused = /is one of the most common ones, which are guessed first/
        const account = (await browser.visit("/account")).html
        assert.include(account, "none of the passwords that are guessed first")
        const changed = await browser.post("/account", account, [
          ["present", password],
          ["password", "Password12"]
        ])
        assert.strictEqual(changed.status, 400)
        assert.match(changed.html, refused)
        const secret = "0123456789abcdef0123456789abcdef"
        const ticket = passwordTicket(
          derive(secret, passwordLinkPurpose),
          DateTime.makeUnsafe(Date.now() + 1000)
        )
        const stranger = new PlainBrowser(url)
        const page = await stranger.visit(`/welcome/${ticket}`)
        const given = await stranger.post(`/welcome/${ticket}`, page.html, [
          ["name", name],
          ["password", "qwertyuiop"]
        ])
        assert.strictEqual(given.status, 400)
        assert.match(given.html, refused)
        assert.deepStrictEqual(await stored(), before)
        // The first owner of all.
        await run((sql) => sql`delete from members`)
        await run(
          (sql) => sql`
          insert into owner_links (ticket_hash, expires_at)
          values (${createHash("sha256").update("first").digest()}, now() + interval '1 hour')`
        )
        const first = new PlainBrowser(url)
        const welcome = await first.visit("/welcome/first")
        const made = await first.post("/welcome/first", welcome.html, [
          ["name", name],
          ["password", "password12"]
        ])
        assert.match(made.html, refused)
        assert.lengthOf(await stored(), 0)
        const good = await first.post("/welcome/first", made.html, [
          ["name", name],
          ["password", password]
        ])
        assert.strictEqual(good.status, 303, words())
      })
    })
  )

  it.effect("reads no backup: its passphrase is none that is guessed first", () =>
    Effect.gen(function* () {
      const { makeKey, url, workspace } = yield* InProcessService
      yield* promised(async () => {
        const key = await makeKey(workspace, ["admin"])
        for (const [passphrase, sentence] of [
          ["aaaaaaaaaaaa", /^The passphrase repeats the same few characters\./],
          ["123412341234", /^The passphrase repeats the same few characters\./],
          ["1QAZ2WSX3EDC", /^The passphrase is one of the most common ones/],
          ["four bells", /./]
        ] as const) {
          const { body, status } = await callWith(url, key, "/v1/backups", {
            method: "POST",
            body: JSON.stringify({ passphrase })
          })
          assert.deepStrictEqual([status, body.errors[0].path], [400, "passphrase"], passphrase)
          assert.match(body.errors[0].message, sentence)
        }
      })
    })
  )
})
