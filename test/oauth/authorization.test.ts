import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import {
  allAskedOf,
  authorizePath,
  callWith,
  connectApp,
  consentPage,
  eventually,
  eventuallyRefused,
  followToApp,
  changesApp,
  connectedApps,
  disconnectsApp,
  latestApp,
  ownerName,
  ownerPassword,
  pkce,
  type PlainBrowser,
  promised,
  redirect,
  refresh,
  register,
  signedInBrowser,
  tickedOf,
  token
} from "@carillon/testing/OAuthBrowser"
import { connect, inSeconds, ServiceWithSandbox } from "@carillon/testing/Publishing"
import { Service, type ServiceProcess } from "@carillon/testing/ServiceProcess"

const send = (method: string, body: object) => ({ method, body: JSON.stringify(body) })

let signedIn: Promise<PlainBrowser> | undefined

/** The owner's browser of all tests that do not end its session. */
const owner = (service: ServiceProcess) => (signedIn ??= signedInBrowser(service))

layer(ServiceWithSandbox(), { excludeTestServices: true, timeout: "180 seconds" })(
  "an app that connects",
  (it) => {
    it.effect("finds its way from the address alone: both documents, in both forms", () =>
      Effect.gen(function* () {
        const { url } = yield* Service
        yield* promised(async () => {
          const read = async (path: string) => {
            const response = await fetch(url + path)
            assert.strictEqual(response.status, 200, path)
            assert.strictEqual(response.headers.get("access-control-allow-origin"), "*")
            return (await response.json()) as any
          }
          for (const form of ["", "/mcp"]) {
            const resource = await read(`/.well-known/oauth-protected-resource${form}`)
            assert.strictEqual(resource.resource, `${url}/mcp`)
            assert.deepStrictEqual(resource.authorization_servers, [url])
            assert.notInclude(resource.scopes_supported, "offline_access")
          }
          assert.strictEqual((await read("/.well-known/oauth-protected-resource/v1")).resource, `${url}/v1`)
          for (const name of ["oauth-authorization-server", "openid-configuration"]) {
            const server = await read(`/.well-known/${name}`)
            assert.strictEqual(server.issuer, url)
            assert.deepStrictEqual(server.code_challenge_methods_supported, ["S256"])
            assert.isTrue(server.authorization_response_iss_parameter_supported)
            assert.isTrue(server.client_id_metadata_document_supported)
            assert.include(server.token_endpoint_auth_methods_supported, "none")
            assert.include(server.revocation_endpoint_auth_methods_supported, "none")
            assert.include(server.scopes_supported, "posts:publish")
            for (const endpoint of [
              "authorization",
              "token",
              "registration",
              "revocation",
              "device_authorization"
            ]) {
              assert.isTrue(server[`${endpoint}_endpoint`].startsWith(`${url}/oauth/`))
            }
          }
        })
      })
    )

    it.effect("an app that registered itself is offered everything but publishing at once", () =>
      Effect.gen(function* () {
        const service = yield* Service
        yield* promised(async () => {
          const browser = await owner(service)
          const { body } = await register(service.url)
          const asked = {
            redirect_uri: redirect,
            code_challenge: pkce().challenge,
            code_challenge_method: "S256"
          }
          const { html } = await consentPage(browser, authorizePath({ client_id: body.client_id, ...asked }))
          const scopes = (fields: ReadonlyArray<readonly [string, string]>) =>
            fields.flatMap(([name, value]) => (name === "scope" ? [value] : []))
          assert.deepStrictEqual(
            scopes(allAskedOf(html)).filter((scope) => !scopes(tickedOf(html)).includes(scope)),
            ["posts:publish"]
          )
          const known = { ...asked, client_id: "carillon-cli", redirect_uri: "http://127.0.0.1:9/callback" }
          assert.include(
            scopes(tickedOf((await consentPage(browser, authorizePath(known))).html)),
            "posts:publish"
          )
        })
      })
    )

    it.effect("gets tokens for what the person ticked, and no more", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const { url } = service
        const [mine, other] = [yield* connect("ticked"), yield* connect("not-ticked")]
        yield* promised(async () => {
          const browser = await owner(service)
          const unticked = ["posts:publish", "media:write", String(other)]
          const { tokens } = await connectApp(browser, {
            resource: `${url}/v1`,
            choose: (html) => tickedOf(html).filter(([, value]) => !unticked.includes(value))
          })
          assert.strictEqual(tokens.scope, "accounts:read posts:read posts:write media:read")
          const profile = await callWith(url, tokens.access_token, "/v1/profile")
          assert.deepStrictEqual(profile.body.scopes, [
            "accounts:read",
            "posts:read",
            "posts:write",
            "media:read"
          ])
          const { expires_at, social_accounts: chosen, ...credential } = profile.body.credential
          assert.deepStrictEqual(credential, {
            type: "app",
            name: "Test app",
            member: ownerName,
            role: null,
            needs_approval: false
          })
          assert.include(chosen, mine)
          assert.notInclude(chosen, other)
          assert.approximately((Date.parse(expires_at) - Date.now()) / 86_400_000, 60, 0.1)
          const later = { caption: "Hello", scheduled_at: inSeconds(3600) }
          const call = (body: object) => callWith(url, tokens.access_token, "/v1/posts", send("POST", body))
          assert.strictEqual((await call({ ...later, social_accounts: [mine] })).status, 201)
          assert.strictEqual(
            (await call({ ...later, social_accounts: [other] })).body.code,
            "account_not_allowed"
          )
          const now = await call({ caption: "Now", social_accounts: [mine] })
          assert.strictEqual(now.body.code, "missing_scope")
          const upload = { mime_type: "image/png", size_bytes: 10, name: "a.png" }
          const refused = await callWith(
            url,
            tokens.access_token,
            "/v1/media/create-upload-url",
            send("POST", upload)
          )
          assert.strictEqual(refused.body.code, "missing_scope")
          // An app has one credential, and a person who can change it.
          for (const [{ body }, sentence] of [
            [now, "Publish at once"],
            [refused, "Add and delete pictures and videos"]
          ] as const) {
            assert.include(
              body.detail,
              `ask them to allow "${sentence}" for "Test app" at ${url}/connected-apps.`
            )
          }
          const webhooks = await callWith(url, tokens.access_token, "/v1/webhooks")
          assert.match(webhooks.body.detail, /needs the scope admin, which no app can have: ask the user/)
        })
      })
    )

    it.effect("asks again for more, and the person decides again", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const { url } = service
        yield* promised(async () => {
          const browser = await owner(service)
          const little = await connectApp(browser, { resource: `${url}/v1`, scope: "posts:read" })
          assert.strictEqual(little.tokens.scope, "posts:read")
          const more = await connectApp(browser, {
            client_id: little.client_id,
            resource: `${url}/v1`,
            scope: "posts:read posts:write offline_access"
          })
          assert.sameMembers(more.tokens.scope.split(" "), ["posts:read", "posts:write"])
          assert.strictEqual((await callWith(url, little.tokens.access_token)).status, 200)
        })
      })
    )

    it.effect("an app that connects is told that the person said no", () =>
      Effect.gen(function* () {
        const service = yield* Service
        yield* promised(async () => {
          const browser = await owner(service)
          const { body } = await register(service.url)
          const asked = {
            client_id: body.client_id,
            redirect_uri: redirect,
            state: "mine",
            code_challenge: pkce().challenge,
            code_challenge_method: "S256"
          }
          const page = await consentPage(browser, authorizePath(asked))
          const back = await followToApp(
            browser,
            await browser.post(page.path, page.html, [["decision", "deny"]])
          )
          assert.strictEqual(back.origin + back.pathname, redirect)
          assert.strictEqual(back.searchParams.get("error"), "access_denied")
          assert.strictEqual(back.searchParams.get("state"), "mine")
          assert.strictEqual(back.searchParams.get("iss"), service.url)
        })
      })
    )

    it.effect(
      "an app that is known by its document needs no registration, at any port of this computer",
      () =>
        Effect.gen(function* () {
          const service = yield* Service
          yield* promised(async () => {
            const browser = await owner(service)
            const { tokens } = await connectApp(browser, {
              client_id: "https://claude.ai/oauth/claude-code-client-metadata",
              redirect_uri: "http://localhost:61234/callback"
            })
            assert.include(tokens.scope, "posts:publish")
            const listed = await connectedApps(browser)
            assert.include(
              listed.map(({ name, known_by }) => `${name}: ${known_by}`),
              "Claude Code: claude.ai"
            )
          })
        })
    )

    it.effect("an app whose processes refresh at once gets the same tokens for each of them", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const { url } = service
        yield* promised(async () => {
          const app = await connectApp(await owner(service), { resource: `${url}/v1` })
          const renewed = await Promise.all(
            Array.from({ length: 3 }, () => refresh(url, app, app.tokens.refresh_token))
          )
          const tokensOf = ({ body }: (typeof renewed)[number]) => [body.access_token, body.refresh_token]
          for (const one of renewed) {
            const { status, body } = one
            assert.strictEqual(status, 200)
            assert.deepStrictEqual(tokensOf(one), tokensOf(renewed[0]!))
            assert.strictEqual((await callWith(url, body.access_token)).status, 200)
            assert.strictEqual((await refresh(url, app, body.refresh_token)).status, 200)
          }
          // The line has gone on meanwhile, and who comes late gets to it.
          const late = await refresh(url, app, app.tokens.refresh_token)
          assert.deepStrictEqual(tokensOf(late), tokensOf(renewed[0]!))
          // An access token for less is another one, and leads on as the others do.
          const less = await refresh(url, app, app.tokens.refresh_token, { scope: "posts:read" })
          assert.notStrictEqual(less.body.access_token, late.body.access_token)
          assert.strictEqual(less.body.refresh_token, late.body.refresh_token)
          assert.include((await refresh(url, app, late.body.refresh_token)).body.scope, "posts:write")
        })
      })
    )

    it.effect(
      "an app that repeats what it was not granted when it refreshes is told what it was granted",
      () =>
        Effect.gen(function* () {
          const service = yield* Service
          const { url } = service
          yield* promised(async () => {
            const app = await connectApp(await owner(service), {
              resource: `${url}/v1`,
              choose: (html) => tickedOf(html).filter(([, value]) => value !== "posts:publish")
            })
            let { refresh_token } = app.tokens
            const { scope: granted } = app.tokens
            for (const [scope, given] of [
              [`${granted} offline_access`, granted],
              [`posts:publish openid profile ${granted}`, granted],
              ["posts:publish", granted],
              ["offline_access", granted],
              ["", granted],
              ["posts:publish posts:read", "posts:read"]
            ] as const) {
              const renewed = await refresh(url, app, refresh_token, { scope })
              assert.deepStrictEqual([renewed.status, renewed.body.scope], [200, given], scope)
              const { body } = await callWith(url, renewed.body.access_token, "/v1/profile")
              assert.deepStrictEqual(body.scopes, given.split(" "), scope)
              refresh_token = renewed.body.refresh_token
            }
            // To have asked for less once takes nothing away.
            assert.strictEqual((await refresh(url, app, refresh_token)).body.scope, granted)
          })
        })
    )

    it.effect("loses everything when either of its tokens is revoked", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const { url } = service
        yield* promised(async () => {
          const browser = await owner(service)
          for (const kind of ["access_token", "refresh_token"] as const) {
            const app = await connectApp(browser, { resource: `${url}/v1` })
            const given = { token: app.tokens[kind], client_id: app.client_id }
            assert.strictEqual((await token(url, given, "/oauth/revoke")).status, 200)
            const { body } = await refresh(url, app, app.tokens.refresh_token)
            assert.strictEqual(body.error, "invalid_grant")
            assert.strictEqual(
              (await eventuallyRefused(url, app.tokens.access_token)).body.code,
              "unauthorized"
            )
          }
          assert.include(
            (await connectedApps(browser)).map(({ ended_because }) => ended_because),
            "app"
          )
        })
      })
    )

    it.effect(
      "an app that connects may be changed by the person without another consent, and disconnected",
      () =>
        Effect.gen(function* () {
          const service = yield* Service
          const { url } = service
          yield* promised(async () => {
            const browser = await owner(service)
            const app = await connectApp(browser, { resource: `${url}/v1` })
            const scopes = async () =>
              (await callWith(url, app.tokens.access_token, "/v1/profile")).body
                .scopes as ReadonlyArray<string>
            // Used, so that it is the first of the list.
            assert.include(await scopes(), "posts:publish")
            const one = await latestApp(browser)
            const change = async (keep: (scope: string) => boolean) => {
              const changed = await changesApp(browser, one, { scopes: one.asked_scopes.filter(keep) })
              assert.strictEqual(changed.status, 200)
            }
            await change((scope) => !scope.startsWith("posts:p"))
            await eventually(async () => !(await scopes()).includes("posts:publish"))
            // As it asked at first, whatever the person has unticked since.
            const asked = { scope: "posts:read posts:publish offline_access" }
            const less = await refresh(url, app, app.tokens.refresh_token, asked)
            assert.deepStrictEqual([less.status, less.body.scope], [200, "posts:read"])
            await change(() => true)
            await eventually(async () => (await scopes()).includes("posts:publish"))
            const renewed = await refresh(url, app, app.tokens.refresh_token)
            assert.include(renewed.body.scope, "posts:publish")
            assert.strictEqual((await disconnectsApp(browser, one)).status, 200)
            await eventuallyRefused(url, renewed.body.access_token)
            assert.strictEqual(
              (await refresh(url, app, renewed.body.refresh_token)).body.error,
              "invalid_grant"
            )
            const ended = (await connectedApps(browser)).find(({ id }) => id === one.id)
            assert.strictEqual(ended.ended_because, "person")
          })
        })
    )

    it.effect(
      "an app that connects is not told again of a post whose account the person has taken from it since",
      () =>
        Effect.gen(function* () {
          const service = yield* Service
          const { url } = service
          const [kept, taken] = [yield* connect("kept"), yield* connect("taken")]
          yield* promised(async () => {
            const browser = await owner(service)
            const { tokens } = await connectApp(browser, { resource: `${url}/v1` })
            const create = (account: number) => {
              const body = { social_accounts: [account], caption: "x", is_draft: true }
              const headers = { "content-type": "application/json", "idempotency-key": `draft-${account}` }
              return callWith(url, tokens.access_token, "/v1/posts", { ...send("POST", body), headers })
            }
            const first = await create(kept)
            assert.deepStrictEqual([first.status, (await create(taken)).status], [201, 201])
            const changed = await changesApp(browser, await latestApp(browser), { social_accounts: [kept] })
            assert.strictEqual(changed.status, 200)
            await eventually(async () => (await create(taken)).body.code === "account_not_allowed")
            assert.strictEqual((await create(kept)).body.id, first.body.id)
          })
        })
    )

    it.effect("an app whose posts are held for approval writes drafts and lets nothing go out", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const { url } = service
        const account = yield* connect("held")
        const scheduled = yield* service.call("POST", "/v1/posts", {
          caption: "The person's own",
          social_accounts: [account],
          scheduled_at: inSeconds(3600)
        })
        yield* promised(async () => {
          const { tokens } = await connectApp(await owner(service), {
            resource: `${url}/v1`,
            choose: (html) => [...allAskedOf(html), ["approval", "yes"]]
          })
          const call = (path: string, method: string, body?: object) =>
            callWith(url, tokens.access_token, path, body === undefined ? { method } : send(method, body))
          for (const when of [{}, { scheduled_at: inSeconds(3600) }]) {
            const { status, body } = await call("/v1/posts", "POST", {
              caption: "Mine",
              social_accounts: [account],
              ...when
            })
            assert.deepStrictEqual([status, body.status], [201, "draft"])
            assert.include(body.warnings.join(), "approval")
          }
          const { body } = await call("/v1/posts", "POST", { caption: "Mine", social_accounts: [account] })
          const post = `/v1/posts/${body.id}`
          const moved = await call(post, "PATCH", { caption: "Better", scheduled_at: inSeconds(7200) })
          assert.deepStrictEqual([moved.status, moved.body.status], [200, "draft"])
          // To let a draft go out is to ask the person, through whichever door.
          for (const [path, method, body] of [
            [post, "PATCH", { is_draft: false }],
            [post, "PATCH", { use_queue: true }],
            [`${post}/publish`, "POST", undefined]
          ] as const) {
            const asked = await call(path, method, body)
            assert.deepStrictEqual([asked.status, asked.body.status], [200, "draft"])
            assert.strictEqual(asked.body.approval.status, "waiting")
          }
          const theirs = `/v1/posts/${scheduled.body.id}`
          assert.strictEqual(
            (await call(theirs, "PATCH", { caption: "Changed" })).body.code,
            "approval_needed"
          )
          assert.strictEqual((await call(theirs, "DELETE")).body.code, "approval_needed")
          assert.strictEqual((await call(`${theirs}/retry`, "POST", {})).body.code, "approval_needed")
          assert.strictEqual((await call(`${theirs}/publish`, "POST")).status, 409)
          const queue = await call("/v1/queue", "PUT", { slots: [] })
          assert.deepStrictEqual([queue.status, queue.body.code], [409, "approval_needed"])
        })
        assert.strictEqual(
          (yield* service.call("GET", `/v1/posts/${scheduled.body.id}`)).body.caption,
          "The person's own"
        )
      })
    )

    it.effect(
      "an app that connects is listed once when it asked again: what it got before ends when what it got then is used",
      () =>
        Effect.gen(function* () {
          const service = yield* Service
          const { url } = service
          yield* promised(async () => {
            const browser = await owner(service)
            const { body } = await register(url, { client_name: "Asks again" })
            const asked = { client_id: body.client_id, resource: `${url}/v1` }
            const listed = async () =>
              (await connectedApps(browser)).filter(({ name }) => name === "Asks again").length
            const elsewhere = await connectApp(browser, { resource: `${url}/v1` })
            const before = await connectApp(browser, { ...asked, scope: "posts:read" })
            assert.strictEqual((await callWith(url, before.tokens.access_token)).status, 200)
            const now = await connectApp(browser, asked)
            assert.strictEqual((await callWith(url, before.tokens.access_token)).status, 200)
            assert.strictEqual((await callWith(url, now.tokens.access_token)).status, 200)
            await eventuallyRefused(url, before.tokens.access_token)
            assert.strictEqual((await refresh(url, body, before.tokens.refresh_token)).status, 400)
            assert.strictEqual(await listed(), 1)
            assert.strictEqual((await refresh(url, body, now.tokens.refresh_token)).status, 200)
            assert.strictEqual((await callWith(url, elsewhere.tokens.access_token)).status, 200)
          })
        })
    )

    it.effect("stays connected when the person signs out everywhere and changes the password", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const { url } = service
        yield* promised(async () => {
          const [one, two] = [await signedInBrowser(service), await signedInBrowser(service)]
          const { tokens } = await connectApp(one, { resource: `${url}/v1` })
          const account = await one.visit("/account")
          const changed = await one.post("/account", account.html, [
            ["present", ownerPassword],
            ["password", `${ownerPassword} 2`]
          ])
          assert.strictEqual(changed.status, 303)
          assert.strictEqual((await two.visit("/account")).location, "/sign-in?next=%2Faccount")
          const page = await one.visit("/account")
          const back = await one.post("/account", page.html, [
            ["present", `${ownerPassword} 2`],
            ["password", ownerPassword]
          ])
          assert.strictEqual(back.status, 303)
          const three = await signedInBrowser(service)
          const last = await one.visit("/account")
          await one.post("/sign-out", last.html, [["everywhere", "yes"]])
          for (const browser of [one, three]) {
            assert.strictEqual((await browser.visit("/account")).location, "/sign-in?next=%2Faccount")
          }
          assert.strictEqual((await callWith(url, tokens.access_token)).status, 200)
          const again = await signedInBrowser(service)
          assert.include((await again.visit("/account")).html, ownerName)
        })
      })
    )
  }
)
