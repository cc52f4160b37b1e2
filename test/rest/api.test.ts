import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"

const addresses = [
  [
    "GET, HEAD",
    `/ /docs /docs/ /docs/errors /docs/reference.js /v1/openapi.json /llms.txt /healthz /readyz /metrics /connect
     /connected-apps /approvals /oauth/authorize /oauth/authorize/x /oauth/jwks /media/x/y /media/x/y/z
     /.well-known/oauth-authorization-server /.well-known/openid-configuration /.well-known/oauth-protected-resource
     /.well-known/oauth-protected-resource/mcp /sign-in/forgotten
     /review /review/post`
  ],
  [
    "GET, HEAD, POST",
    `/sign-in /account /device /welcome/x /approvals/x /oauth/consent/x /oauth/connect/x /oauth/callback/bluesky
     /upload/x /v1/posts /v1/posts?limit=1`
  ],
  [
    "POST",
    `/sign-out /account/apps/x/disconnect /approvals/x/refuse /device/answer /oauth/token /oauth/register
     /oauth/revoke /oauth/device /review/answers`
  ],
  ["GET, HEAD, PATCH, DELETE", "/v1/posts/x /post-bridge/v1/posts/x"]
] as const

layer(SharedService, { excludeTestServices: true })("the API", (it) => {
  it.effect("shows a person who mistypes an address a page, with a way on", () =>
    Effect.gen(function* () {
      const { url } = yield* Service
      const answer = yield* Effect.promise(() =>
        fetch(`${url}/calender/<b>`, { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } })
      )
      const page = yield* Effect.promise(() => answer.text())
      assert.strictEqual(answer.status, 404)
      assert.match(answer.headers.get("content-type")!, /^text\/html/)
      assert.match(page, /no page at <code>\/calender\/%3Cb%3E<\/code>.*<a href="\/">/)
    })
  )

  it.effect("answers every failure with the one problem body, the router's own included", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const failures = [
        [404, "not_found", yield* service.call("GET", "/nowhere")],
        [404, "not_found", yield* service.call("GET", "/v1/posts/none")],
        [404, "not_found", yield* service.call("GET", "/v1/posts/0191f0a0-0000-7000-8000-000000000001")],
        [405, "method_not_allowed", yield* service.call("DELETE", "/v1/posts")],
        [400, "invalid_json", yield* service.call("POST", "/v1/posts", "{")],
        [
          415,
          "unsupported_media_type",
          yield* service.call("POST", "/v1/posts", "a=b", { "content-type": "text/csv" })
        ],
        [413, "body_too_large", yield* service.call("POST", "/v1/posts", { caption: "x".repeat(1_100_000) })],
        [413, "body_too_large", yield* service.call("POST", "/sign-in", `name=${"x".repeat(66_000)}`)],
        [
          401,
          "unauthorized",
          yield* service.call("GET", "/v1/posts", undefined, { authorization: "Bearer nonsense" })
        ],
        [401, "unauthorized", yield* service.call("GET", "/v1/posts", undefined, { authorization: "" })]
      ] as const
      for (const [status, code, { body, headers, ...answer }] of failures) {
        assert.strictEqual(answer.status, status, JSON.stringify(body))
        assert.match(headers.get("content-type")!, /^application\/problem\+json/)
        assert.strictEqual(body.code, code)
        assert.strictEqual(body.status, status)
        assert.strictEqual(body.type, `${service.url}/docs/errors#${code}`)
        assert.strictEqual(body.message, body.detail)
        assert.isArray(body.error)
        assert.strictEqual(body.request_id, headers.get("x-request-id"))
        assert.isNotEmpty(body.errors)
      }
      assert.match((yield* service.call("DELETE", "/v1/posts")).headers.get("allow")!, /POST/)
    })
  )

  it.effect("tells which methods an address has, of the API and of every page", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
      const wrong = addresses.flatMap(([allow, paths]) =>
        paths
          .split(/\s+/)
          .flatMap((path) =>
            methods
              .filter((method) => !allow.split(", ").includes(method))
              .map((method) => ({ method, path, allow }))
          )
      )
      yield* Effect.forEach(
        wrong,
        Effect.fnUntraced(function* ({ method, path, allow }) {
          const { status, body, headers } = yield* service.call(method, path)
          const said = [status, body.code, headers.get("allow")]
          assert.deepStrictEqual(said, [405, "method_not_allowed", allow], `${method} ${path}`)
          assert.include(body.detail, `use ${allow.replaceAll(", ", " or ")}.`)
        }),
        { concurrency: 8 }
      )
      assert.strictEqual((yield* service.call("POST", "/approvals/x/y/z")).status, 404)
    })
  )

  it.effect("reports all problems of a request at once, with the path of each", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const { status, body } = yield* service.call("POST", "/v1/posts", {
        social_accounts: ["one"],
        captoin: "Hello",
        platform_configurations: { bluesky: { lang: "en" } }
      })
      assert.strictEqual(status, 400)
      assert.sameMembers(
        body.errors.map(({ path }: { path: string }) => path),
        ["social_accounts[0]", "captoin", "platform_configurations.bluesky.lang"]
      )
      assert.match(body.detail, /"one"/)

      const rules = yield* service.call("POST", "/v1/posts", {
        social_accounts: [999],
        scheduled_at: "2020-01-01T00:00:00Z",
        media: ["0191f0a0-0000-7000-8000-000000000001"]
      })
      assert.sameMembers(
        rules.body.errors.map(({ code }: { code: string }) => code),
        ["social_account_not_found", "scheduled_at_past", "media_not_found"]
      )
    })
  )

  it.effect("refuses text that no database can hold, wherever it is sent", () =>
    Effect.gen(function* () {
      const service = yield* Service
      for (const text of ["a\u0000b", "\ud800"]) {
        const post = { social_accounts: [1], is_draft: true }
        for (const [method, path, body] of [
          ["POST", "/v1/posts", { ...post, caption: text }],
          [
            "POST",
            "/v1/posts",
            { ...post, caption: "x", platform_configurations: { sandbox: { title: text } } }
          ],
          ["POST", "/v1/posts", { ...post, account_configurations: [{ account_id: 1, caption: text }] }],
          ["PATCH", "/v1/profile", { name: text }],
          ["POST", "/v1/api-keys", { name: text, scopes: ["posts:read"] }],
          [
            "POST",
            "/v1/social-accounts",
            { platform: "sandbox", credentials: { username: text, password: "x" } }
          ]
        ] as const) {
          const { status, body: answer } = yield* service.call(method, path, body)
          assert.strictEqual(status, 400, path)
          assert.match(answer.detail, /NUL|surrogate/)
        }
      }
      for (const path of ["/v1/posts?q=%00", "/v1/media?q=%00", "/v1/social-accounts?username=%00"]) {
        assert.strictEqual((yield* service.call("GET", path)).status, 400, path)
      }
      assert.strictEqual((yield* service.call("DELETE", "/v1/api-keys/%00")).status, 404)
    })
  )

  it.effect("tells with every answer to a credential what remains of its rate limit", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const fields = ({ headers }: { readonly headers: Headers }) => [
        headers.get("ratelimit-policy"),
        headers.get("ratelimit")
      ]
      for (const answer of [
        yield* service.call("GET", "/v1/posts"),
        yield* service.call("GET", "/v1/posts/none"),
        yield* service.call("GET", "/v1/posts?limit=none")
      ]) {
        const [policy, limit] = fields(answer)
        assert.strictEqual(policy, `"reads";q=12000;w=60`)
        assert.match(limit!, /^"reads";r=\d+;t=\d+$/)
      }
      const [, writes] = fields(yield* service.call("POST", "/v1/posts", {}))
      assert.match(writes!, /^"writes";r=\d+;t=\d+$/)
      const refused = yield* service.call("GET", "/v1/posts", undefined, { authorization: "Bearer guess" })
      assert.match(fields(refused)[1]!, /^"failed-authentications";r=\d+;t=\d+$/)
      assert.deepStrictEqual(fields(yield* service.call("GET", "/healthz")), [null, null])
    })
  )

  it.effect("refuses an unknown filter or value and lists what there is", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const unknown = yield* service.call("GET", "/v1/posts?state=draft")
      assert.strictEqual(unknown.status, 400)
      assert.match(unknown.body.detail, /state is not a known field.*status, result, approval, platform/)
      const none = yield* service.call("GET", "/v1/profile?fields=id")
      assert.strictEqual(none.status, 400)
      assert.match(none.body.detail, /fields is not a known parameter/)
      const value = yield* service.call("GET", "/v1/posts?status=done")
      assert.match(value.body.detail, /"scheduled" \| "published" \| "failed" \| "draft"/)
      for (const query of ["status=", "status[]=", "status=,"]) {
        for (const path of ["/v1/posts", "/v1/post-results", "/v1/media", "/v1/social-accounts"]) {
          const { status } = yield* service.call("GET", `${path}?${query}`)
          assert.strictEqual(status, query.endsWith(",") ? 400 : 200, `${path} ${query}`)
        }
      }
      for (const query of ["limit=0", "limit=-1", "limit=ten", "offset=-1", "limit=1.5"]) {
        assert.strictEqual((yield* service.call("GET", `/v1/posts?${query}`)).status, 400, query)
      }
    })
  )

  it.effect("keeps a sane request id, and makes one otherwise", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const kept = yield* service.call("GET", "/healthz", undefined, { "x-request-id": "mine-1" })
      assert.strictEqual(kept.headers.get("x-request-id"), "mine-1")
      const made = yield* service.call("GET", "/healthz", undefined, { "x-request-id": "not sane!" })
      assert.match(made.headers.get("x-request-id")!, /^req_/)
    })
  )

  it.effect("issues a key that does what its scopes say until it is deleted", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const made = yield* service.call("POST", "/v1/api-keys", { name: "reader", scopes: ["posts:read"] })
      assert.strictEqual(made.status, 201)
      const { id, key } = made.body
      assert.match(key, /^crl_[a-z0-9]{12}_[\w-]{43}$/)
      const as = { authorization: `Bearer ${key}` }
      assert.strictEqual((yield* service.call("GET", "/v1/posts", undefined, as)).status, 200)
      const refused = yield* service.call("POST", "/v1/posts", { social_accounts: [1] }, as)
      assert.strictEqual(refused.status, 403)
      assert.match(refused.body.detail, /posts:write/)
      const own = (yield* service.call("GET", "/v1/profile", undefined, as)).body
      assert.deepStrictEqual(own.scopes, ["posts:read"])
      assert.deepStrictEqual(own.credential, {
        type: "api_key",
        name: "reader",
        member: null,
        role: null,
        social_accounts: null,
        needs_approval: false,
        expires_at: null
      })

      const listed = yield* service.call("GET", "/v1/api-keys")
      const row = listed.body.data.find((one: { id: string }) => one.id === id)
      assert.isNotNull(row.last_used_at)
      assert.notInclude(JSON.stringify(listed.body), key.slice(-43))

      assert.deepStrictEqual((yield* service.call("DELETE", `/v1/api-keys/${id}`)).body, {
        success: true,
        id
      })
      assert.strictEqual((yield* service.call("GET", "/v1/posts", undefined, as)).status, 401)
    })
  )

  it.effect("changes how late a post may still go out, and refuses what makes no sense", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const set = (lateness_limit_seconds: unknown) =>
        service.call("PATCH", "/v1/profile", { lateness_limit_seconds })
      assert.strictEqual((yield* service.call("GET", "/v1/profile")).body.lateness_limit_seconds, 86_400)
      assert.strictEqual((yield* set(3600)).body.lateness_limit_seconds, 3600)
      for (const wrong of [0, 59, 2_592_001, 1.5, "3600"]) {
        const { status, body } = yield* set(wrong)
        assert.deepStrictEqual([status, body.errors[0].path], [400, "lateness_limit_seconds"])
      }
      assert.strictEqual((yield* service.call("GET", "/v1/profile")).body.lateness_limit_seconds, 3600)
      yield* set(86_400)
    })
  )

  it.effect("changes the profile's time zone, and refuses what is none", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const changed = yield* service.call("PATCH", "/v1/profile", { timezone: "Europe/Paris" })
      assert.strictEqual(changed.body.timezone, "Europe/Paris")
      const refused = yield* service.call("PATCH", "/v1/profile", { timezone: "Mars/Olympus" })
      assert.strictEqual(refused.status, 400)
      assert.match(refused.body.detail, /IANA/)
      yield* service.call("PATCH", "/v1/profile", { timezone: "UTC" })
    })
  )

  it.effect("serves its OpenAPI 3.1 document, a readable reference and the error page", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const { body } = yield* service.call("GET", "/v1/openapi.json")
      assert.match(body.openapi, /^3\.1/)
      assert.includeMembers(Object.keys(body.paths), [
        "/v1/posts",
        "/v1/media/create-upload-url",
        "/v1/post-results"
      ])
      for (const path of ["/docs", "/docs/errors"]) {
        const page = yield* Effect.promise(() => fetch(service.url + path))
        assert.strictEqual(page.status, 200)
        assert.match(page.headers.get("content-type")!, /text\/html/)
        assert.match(page.headers.get("content-security-policy")!, /^default-src 'none'/)
      }
    })
  )

  it.effect("compresses the reference's script, and lets a browser keep it", () =>
    Effect.gen(function* () {
      const { url } = yield* Service
      yield* Effect.promise(async () => {
        const html = await (await fetch(`${url}/docs`)).text()
        const [address] = /\/docs\/reference\.js\?v=[\w-]+/.exec(html)!
        for (const [path, kept] of [
          [address, /immutable/],
          ["/v1/openapi.json", /no-cache/]
        ] as const) {
          const read = (headers: Record<string, string>) => fetch(url + path, { headers })
          const compressed = await read({ "accept-encoding": "br, gzip" })
          const plain = await read({ "accept-encoding": "gzip;q=0, identity" })
          assert.strictEqual(compressed.headers.get("content-encoding"), "gzip")
          assert.isNull(plain.headers.get("content-encoding"))
          assert.isBelow(
            Number(compressed.headers.get("content-length")) * 2,
            Number(plain.headers.get("content-length"))
          )
          assert.strictEqual(await compressed.text(), await plain.text())
          assert.match(plain.headers.get("cache-control")!, kept)
          assert.strictEqual(plain.headers.get("vary"), "Accept-Encoding")
          const again = await read({ "if-none-match": plain.headers.get("etag")! })
          assert.strictEqual(again.status, 304)
        }
      })
    })
  )
})
