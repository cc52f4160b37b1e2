import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { connect, create, inSeconds, ServiceWithSandbox } from "./support/Publishing.ts"
import { Service } from "./support/ServiceProcess.ts"

const as = (key: string) => ({ authorization: `Bearer ${key}` })

const makeKey = Effect.fnUntraced(function* (fields: object) {
  const service = yield* Service
  const { status, body } = yield* service.call("POST", "/v1/api-keys", { name: "test", ...fields })
  assert.strictEqual(status, 201, JSON.stringify(body))
  return body as { readonly id: string; readonly key: string }
})

layer(ServiceWithSandbox(), { excludeTestServices: true, timeout: "180 seconds" })("a workspace", (it) => {
  it.effect("is made with its first key, and shares nothing with the default one", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("shared-name")
      const post = yield* create({ social_accounts: [account], caption: "Ours", is_draft: true })
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
      assert.strictEqual(listed.meta.total, 2)
      assert.notInclude(JSON.stringify(listed), api_key.key)
      for (const [method, body] of [
        ["GET", undefined],
        ["POST", { name: "Third" }]
      ] as const) {
        const refused = yield* service.call(method, "/v1/workspaces", body, theirs)
        assert.strictEqual(refused.status, 403)
        assert.strictEqual(refused.body.code, "default_workspace_only")
      }
      assert.strictEqual((yield* service.call("GET", "/v1/workspaces")).body.meta.total, 2)
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

layer(ServiceWithSandbox(), { excludeTestServices: true, timeout: "180 seconds" })("a key", (it) => {
  it.effect("for some accounts sees and uses only these, and has not the scope admin", () =>
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
      const { id, key } = yield* makeKey({
        scopes: ["posts:read"],
        expires_at: inSeconds(5)
      })
      const use = service.call("GET", "/v1/profile", undefined, as(key))
      const lastUse = Effect.map(
        service.call("GET", "/v1/api-keys"),
        ({ body }) => body.data.find((one: { id: string }) => one.id === id).last_used_at
      )
      assert.isNull(yield* lastUse)
      assert.strictEqual((yield* use).status, 200)
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
      assert.deepStrictEqual([refused.status, refused.body.code], [401, "key_expired"])
    })
  )
})
