import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import {
  changesApp,
  connectApp,
  disconnectsApp,
  latestApp,
  ownerName,
  ownerPassword,
  promised,
  signedInBrowser,
  token
} from "@carillon/testing/OAuthBrowser"
import { connect, create, inSeconds } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedInstance, SharedService } from "@carillon/testing/SharedService"

const as = (key: string) => ({ authorization: `Bearer ${key}` })

const makeKey = Effect.fnUntraced(function* (fields: object) {
  const service = yield* Service
  const { status, body } = yield* service.call("POST", "/v1/api-keys", { name: "test", ...fields })
  assert.strictEqual(status, 201, JSON.stringify(body))
  return body as { readonly id: string; readonly key: string }
})

layer(SharedInstance, { excludeTestServices: true, timeout: "180 seconds" })("a workspace", (it) => {
  it.effect("a workspace is made with its first key, and shares nothing with the default one", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("shared-name")
      const post = yield* create({ social_accounts: [account], caption: "Ours", is_draft: true })
      const { total } = (yield* service.call("GET", "/v1/workspaces")).body.meta
      const made = yield* service.call("POST", "/v1/workspaces", { name: "Second", timezone: "Asia/Kolkata" })
      assert.strictEqual(made.status, 201)
      const { api_key, ...workspace } = made.body
      assert.deepInclude(workspace, { name: "Second", timezone: "Asia/Kolkata" })
      const theirs = as(api_key.key)

      const profile = (yield* service.call("GET", "/v1/profile", undefined, theirs)).body
      assert.deepInclude(profile, {
        id: workspace.id,
        timezone: "Asia/Kolkata",
        workspace: { id: workspace.id, name: "Second" },
        scopes: ["admin"]
      })
      for (const path of ["posts", "post-results", "media", "social-accounts"]) {
        const { body } = yield* service.call("GET", `/v1/${path}`, undefined, theirs)
        assert.deepStrictEqual([path, body.meta.total], [path, 0])
      }
      assert.strictEqual((yield* service.call("GET", `/v1/posts/${post.id}`, undefined, theirs)).status, 404)
      const keys = (yield* service.call("GET", "/v1/api-keys", undefined, theirs)).body
      assert.deepStrictEqual(
        keys.data.map(({ id }: { id: string }) => id),
        [api_key.id]
      )

      const listed = (yield* service.call("GET", "/v1/workspaces?limit=1")).body
      assert.deepStrictEqual(listed.data, [workspace])
      assert.strictEqual(listed.meta.total, total + 1)
      assert.notInclude(JSON.stringify(listed), api_key.key)
      for (const [method, body] of [
        ["GET", undefined],
        ["POST", { name: "Third" }]
      ] as const) {
        const refused = yield* service.call(method, "/v1/workspaces", body, theirs)
        assert.strictEqual(refused.status, 403)
        assert.strictEqual(refused.body.code, "default_workspace_only")
      }
      assert.strictEqual((yield* service.call("GET", "/v1/workspaces")).body.meta.total, total + 1)
    })
  )

  it.effect(
    "a workspace has a trail of who did what: an entry and a log line for each act, and no secret",
    () =>
      Effect.gen(function* () {
        const service = yield* Service
        const { url } = service
        const browser = yield* promised(() => signedInBrowser(service))
        const before = service.output().length
        const { api_key: admin } = (yield* service.call("POST", "/v1/workspaces", { name: "Trail" })).body
        const call = (method: string, path: string, body?: unknown) =>
          service.call(method, path, body, as(admin.key))

        const apps = yield* promised(async () => {
          await browser.post("/sign-out", (await browser.visit("/account")).html, [])
          for (const [name, password] of [
            ["nobody", "a wrong password"],
            [ownerName, "a wrong password"],
            [ownerName, ownerPassword]
          ] as const) {
            await browser.post("/sign-in", (await browser.visit("/sign-in")).html, [
              ["name", name],
              ["password", password]
            ])
          }
          const kept = await connectApp(browser, { resource: `${url}/v1` })
          const app = await latestApp(browser)
          await changesApp(browser, app, { needs_approval: false })
          await disconnectsApp(browser, app)
          const revoked = await connectApp(browser, { resource: `${url}/v1` })
          const { client_id } = revoked
          await token(url, { token: revoked.tokens.refresh_token, client_id }, "/oauth/revoke")
          return [kept, revoked]
        })

        const made = (yield* call("POST", "/v1/api-keys", { name: "newsletter", scopes: ["admin"] })).body
        const hook = { url: "https://hooks.example/services/hidden-token", events: ["post.failed"] }
        const webhook = (yield* service.call("POST", "/v1/webhooks", hook, as(made.key))).body
        yield* call("PATCH", `/v1/webhooks/${webhook.id}`, { status: "paused" })
        const rotated = (yield* call("POST", `/v1/webhooks/${webhook.id}/rotate-secret`)).body
        yield* call("DELETE", `/v1/webhooks/${webhook.id}`)
        yield* call("DELETE", `/v1/api-keys/${made.id}`)
        const credentials = { username: "trail", password: "sandbox" }
        const account = (yield* call("POST", "/v1/social-accounts", { platform: "sandbox", credentials }))
          .body
        yield* call("DELETE", `/v1/social-accounts/${account.id}`)
        yield* call("DELETE", `/v1/social-accounts/${account.id}`)
        yield* call("POST", "/v1/social-accounts", { platform: "sandbox", credentials })

        type Listed = { readonly data: ReadonlyArray<any>; readonly meta: any }
        const shown = ({ data }: Listed) =>
          data.map(({ actor, action, subject, address }) =>
            [actor?.type, actor?.name, action, subject?.name, address].map((part) => part ?? "-").join(" ")
          )
        const theirs: Listed = (yield* call("GET", "/v1/audit")).body
        assert.deepStrictEqual(shown(theirs), [
          "api_key First key account.reconnected sandbox/@trail 127.0.0.1",
          "api_key First key account.disconnected sandbox/@trail 127.0.0.1",
          "api_key First key account.connected sandbox/@trail 127.0.0.1",
          "api_key First key api_key.deleted newsletter 127.0.0.1",
          "api_key First key webhook.deleted hooks.example 127.0.0.1",
          "api_key First key webhook.secret_rotated hooks.example 127.0.0.1",
          "api_key First key webhook.updated hooks.example 127.0.0.1",
          "api_key newsletter webhook.created hooks.example 127.0.0.1",
          "api_key First key api_key.created newsletter 127.0.0.1",
          "instance - api_key.created First key 127.0.0.1"
        ])
        const from = theirs.data.at(-1).at
        const ours: Listed = (yield* service.call("GET", `/v1/audit?from=${from}`)).body
        const olive = `member ${ownerName}`
        assert.deepStrictEqual(shown(ours), [
          "app Test app app.disconnected Test app 127.0.0.1",
          `${olive} app.connected Test app 127.0.0.1`,
          `${olive} app.disconnected Test app 127.0.0.1`,
          `${olive} app.updated Test app 127.0.0.1`,
          `${olive} app.connected Test app 127.0.0.1`,
          `${olive} sign_in.accepted ${ownerName} 127.0.0.1`,
          `- - sign_in.refused ${ownerName} 127.0.0.1`
        ])

        const listed = (query: string) =>
          Effect.map(call("GET", `/v1/audit?${query}`), ({ body }) => body as Listed)
        assert.deepStrictEqual(shown(yield* listed("action=webhook.created,webhook.deleted")), [
          "api_key First key webhook.deleted hooks.example 127.0.0.1",
          "api_key newsletter webhook.created hooks.example 127.0.0.1"
        ])
        assert.deepStrictEqual(shown(yield* listed(`actor=${made.id}`)), [
          "api_key newsletter webhook.created hooks.example 127.0.0.1"
        ])
        assert.lengthOf((yield* listed(`to=${from}`)).data, 1)
        const first = yield* listed("limit=4&action=api_key.created,account.connected,webhook.updated")
        assert.deepStrictEqual([first.meta.total, first.meta.next], [4, null])
        const page = yield* listed("limit=4")
        assert.strictEqual(page.meta.total, 10)
        const next: Listed = (yield* service.call("GET", page.meta.next, undefined, as(admin.key))).body
        assert.deepStrictEqual(next.data, theirs.data.slice(4, 8))

        // By the first file of this worker that signs in, and by this one.
        const owner: Listed = (yield* service.call(
          "GET",
          "/v1/audit?action=owner_link.created,member.created"
        )).body
        assert.include(shown(owner), "instance - owner_link.created - -")
        assert.include(shown(owner), `${olive} member.created ${ownerName} 127.0.0.1`)
        const workspaces: Listed = (yield* service.call("GET", "/v1/audit?action=workspace.created")).body
        assert.include(shown(workspaces), "api_key - workspace.created Trail 127.0.0.1")
        const lines = service.output().slice(before)
        for (const { action, address, subject } of [...theirs.data, ...ours.data]) {
          const told = lines.split("\n").filter((line) => line.includes(`"${action}"`))
          assert.isTrue(
            told.some((line) => line.includes(address) && line.includes(subject.id)),
            action
          )
        }
        const secrets = [
          admin.key,
          made.key,
          webhook.secret,
          rotated.secret,
          ownerPassword,
          "hidden-token",
          "a wrong password"
        ]
        const ofApps = apps.flatMap(({ tokens }) => [tokens.access_token, tokens.refresh_token])
        const trail = JSON.stringify([owner, workspaces, theirs, ours]) + lines
        for (const secret of [...secrets, ...ofApps]) assert.notInclude(trail, secret)
      })
  )

  it.effect("takes a time zone by any of its names, and refuses what is none", () =>
    Effect.gen(function* () {
      const service = yield* Service
      for (const timezone of ["Asia/Calcutta", "US/Pacific", "Etc/UTC", "europe/paris", "UTC"]) {
        const { body } = yield* service.call("PATCH", "/v1/profile", { timezone })
        assert.strictEqual(body.timezone, timezone)
      }
      for (const timezone of ["Mars/Olympus", "+02:00", "", "Europe/Paris ", 5]) {
        for (const [method, path, name] of [
          ["PATCH", "/v1/profile", "Default"],
          ["POST", "/v1/workspaces", "Nowhere"]
        ] as const) {
          const { status, body } = yield* service.call(method, path, { name, timezone })
          assert.deepStrictEqual([status, body.errors?.[0].path], [400, "timezone"], JSON.stringify(timezone))
        }
      }
    })
  )
})

layer(SharedService, { excludeTestServices: true, timeout: "180 seconds" })("a key", (it) => {
  it.effect("a key for some accounts sees and uses only these, and does not have the scope admin", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const [mine, other] = [yield* connect("mine"), yield* connect("other")]
      const { key } = yield* makeKey({
        scopes: ["posts:write", "accounts:read"],
        social_accounts: [mine]
      })
      const call = (method: string, path: string, body?: unknown) => service.call(method, path, body, as(key))

      const listed = (yield* call("GET", "/v1/social-accounts")).body
      assert.deepStrictEqual(
        listed.data.map(({ id }: { id: number }) => id),
        [mine]
      )
      assert.strictEqual(listed.meta.total, 1)
      assert.strictEqual((yield* call("GET", `/v1/social-accounts/${other}`)).status, 404)

      const post = (accounts: ReadonlyArray<number>) =>
        call("POST", "/v1/posts", { social_accounts: accounts, caption: "x", is_draft: true })
      assert.strictEqual((yield* post([mine])).status, 201)
      const both = yield* post([mine, other])
      assert.deepStrictEqual([both.status, both.body.code], [403, "account_not_allowed"])
      const admin = { name: "both", scopes: ["posts:read", "admin"] }
      for (const social_accounts of [[mine], []]) {
        const refused = yield* service.call("POST", "/v1/api-keys", { ...admin, social_accounts })
        assert.strictEqual(refused.status, 400)
        assert.match(refused.body.detail, /^social_accounts cannot be given to a key with the scope admin/)
        assert.strictEqual(refused.body.errors[0].path, "social_accounts")
      }
      const all = yield* service.call("POST", "/v1/api-keys", { ...admin, social_accounts: null })
      assert.strictEqual(all.status, 201)
    })
  )

  it.effect("works until it expires, and its last use is noted once a minute at most", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const past = yield* service.call("POST", "/v1/api-keys", {
        name: "past",
        scopes: ["posts:read"],
        expires_at: "2020-01-01T00:00:00Z"
      })
      assert.strictEqual(past.status, 400)
      // Where the machine stands still, a key may have expired before it is used.
      for (const seconds of [1, 10, 60]) {
        const expires_at = inSeconds(seconds)
        const made = yield* service.call("POST", "/v1/api-keys", {
          name: "x",
          scopes: ["posts:read"],
          expires_at
        })
        if (made.status !== 201) continue
        const { id, key } = made.body
        const use = service.call("GET", "/v1/profile", undefined, as(key))
        const lastUse = Effect.map(
          service.call("GET", "/v1/api-keys"),
          ({ body }) => body.data.find((one: { id: string }) => one.id === id).last_used_at
        )
        assert.isNull(yield* lastUse)
        if ((yield* use).status !== 200) continue
        const first = yield* lastUse
        assert.isString(first)
        yield* use
        assert.strictEqual(yield* lastUse, first)
        const refused = yield* use.pipe(
          Effect.repeat({
            until: ({ status }) => status !== 200,
            schedule: Schedule.spaced("100 millis"),
            times: 1200
          })
        )
        return assert.deepStrictEqual([refused.status, refused.body.code], [401, "key_expired"])
      }
      assert.fail("no key worked before its end")
    })
  )
})
