import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { connect, create, inSeconds, settled } from "@carillon/testing/Publishing"
import { callsWith, Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"
import { isEndless, operations } from "../contract/Document.ts"

const inWords = "/post-bridge/v1"

layer(SharedService, { excludeTestServices: true, timeout: "180 seconds" })("/post-bridge/v1", (it) => {
  it.effect("has every operation of /v1 with the same rights, the same problems and the same methods", () =>
    Effect.gen(function* () {
      const { call, url } = yield* Service
      const stranger = callsWith(url, "crl_none_none")
      for (const operation of operations) {
        const { id, method, path } = operation
        const address = path.replace(/\{\w+\}/g, "none")
        const [here, there] = [
          yield* stranger.call(method, `/post-bridge${address}`),
          yield* stranger.call(method, address)
        ]
        const gist = ({ status, body, headers }: typeof here) => [
          status,
          body.code,
          headers.get("www-authenticate")
        ]
        assert.deepStrictEqual(gist(here), gist(there), id)
        if (method !== "GET" || isEndless(operation)) continue
        const [mine, same] = [yield* call(method, `/post-bridge${address}`), yield* call(method, address)]
        assert.deepStrictEqual([mine.status, mine.body.code], [same.status, same.body.code], id)
      }
      for (const [method, path, allow] of [
        ["PUT", "/posts/none", "GET, HEAD, PATCH, DELETE"],
        ["DELETE", "/posts", "GET, HEAD, POST"],
        ["DELETE", "/analytics", "GET, HEAD"],
        ["GET", "/analytics/sync", "POST"]
      ] as const) {
        const { status, headers, body } = yield* call(method, inWords + path)
        assert.deepStrictEqual([status, headers.get("allow")], [405, allow], path)
        assert.include(body.detail, inWords + path)
      }
      for (const path of ["/post-bridge", inWords, `${inWords}/nothing`, `${inWords}/openapi.json`]) {
        assert.strictEqual((yield* call("GET", path)).status, 404, path)
      }
    })
  )

  it.effect("takes what it says as a filter, of posts and of results", () =>
    Effect.gen(function* () {
      const { call } = yield* Service
      const account = yield* connect("bridge_filters")
      const draft = yield* create({ social_accounts: [account], caption: "Draft", is_draft: true })
      const later = yield* create({
        social_accounts: [account],
        caption: "Later",
        scheduled_at: inSeconds(3600)
      })
      const live = yield* create({ social_accounts: [account], caption: "Now" })
      yield* settled(live.id)
      for (const [query, ids] of [
        ["status=scheduled", [later.id, draft.id]],
        ["status[]=scheduled&status[]=posted", [live.id, later.id, draft.id]],
        ["status=processing", []],
        ["status=posted", [live.id]],
        ["status=draft", [draft.id]]
      ] as const) {
        const { body } = yield* call("GET", `${inWords}/posts?social_account_id=${account}&${query}`)
        assert.deepStrictEqual(
          body.data.map((post: { id: string }) => post.id),
          ids,
          query
        )
      }
      for (const [status, expected] of [
        ["posted", ["posted"]],
        ["processing", []],
        ["all", ["posted", "waiting", "waiting"]]
      ] as const) {
        const { body } = yield* call(
          "GET",
          `${inWords}/post-results?social_account_id=${account}&status=${status}`
        )
        assert.deepStrictEqual(
          body.data.map((result: { status: string }) => result.status),
          expected
        )
      }
      const { body } = yield* call("GET", `${inWords}/posts/${draft.id}`)
      assert.deepStrictEqual([body.status, body.is_draft], ["scheduled", true])
    })
  )

  it.effect(
    "publishes a post that loses its time, with the other changes of the request, or changes nothing",
    () =>
      Effect.gen(function* () {
        const { call } = yield* Service
        const sandbox = yield* SandboxProcess
        const account = yield* connect("bridge_now")
        const { id } = yield* create({
          social_accounts: [account],
          caption: "Later",
          scheduled_at: inSeconds(3600)
        })
        const change = (body: object, headers: Record<string, string> = {}) =>
          call("PATCH", `${inWords}/posts/${id}`, body, headers)

        const refused = yield* change({ scheduled_at: null, caption: "x", media: ["none"] })
        assert.deepStrictEqual([refused.status, refused.body.code], [400, "media_not_found"])
        const stale = yield* change({ scheduled_at: null, caption: "x" }, { "if-match": '"999"' })
        assert.strictEqual(stale.status, 412)
        const before = yield* call("GET", `/v1/posts/${id}`)
        assert.deepStrictEqual([before.body.caption, before.body.status], ["Later", "scheduled"])
        assert.isNotNull(before.body.scheduled_at)

        const drafted = yield* change({ scheduled_at: null, is_draft: true })
        assert.deepStrictEqual([drafted.body.status, drafted.body.is_draft], ["scheduled", true])

        const published = yield* change({ scheduled_at: null, caption: "Now, in other words" })
        assert.strictEqual(published.status, 200, JSON.stringify(published.body))
        assert.deepStrictEqual([published.body.status, published.body.is_draft], ["processing", false])
        assert.strictEqual(published.headers.get("etag"), `"${published.body.version}"`)
        // Sent again because its answer was lost: the post is on its way, or too far on it to be changed.
        assert.oneOf(
          (yield* change({ scheduled_at: null, caption: "Now, in other words" })).status,
          [200, 409]
        )
        yield* settled(id)
        assert.strictEqual((yield* change({ scheduled_at: null })).status, 409)
        assert.deepStrictEqual(
          (yield* sandbox.publications("bridge_now")).map(({ text }) => text),
          ["Now, in other words"]
        )
      })
  )

  it.effect("publishes by a change only with a key that may publish", () =>
    Effect.gen(function* () {
      const { call, url } = yield* Service
      const account = yield* connect("bridge_scope")
      const { body: key } = yield* call("POST", `${inWords}/api-keys`, {
        name: "May write",
        scopes: ["posts:write"]
      })
      const { id } = yield* create({
        social_accounts: [account],
        caption: "Later",
        scheduled_at: inSeconds(3600)
      })
      const { status, body } = yield* callsWith(url, key.key).call("PATCH", `${inWords}/posts/${id}`, {
        scheduled_at: null
      })
      assert.deepStrictEqual([status, body.code], [403, "missing_scope"])
      assert.strictEqual((yield* call("GET", `/v1/posts/${id}`)).body.status, "scheduled")
    })
  )

  it.effect("makes nothing twice: a key of idempotency is the same under both addresses", () =>
    Effect.gen(function* () {
      const { call } = yield* Service
      const account = yield* connect("bridge_twice")
      const headers = { "idempotency-key": "bridge-twice" }
      const post = { social_accounts: [account], caption: "Once", is_draft: true }
      const first = yield* call("POST", `${inWords}/posts`, post, headers)
      assert.deepStrictEqual([first.status, first.body.status], [201, "scheduled"])
      const again = yield* call("POST", `${inWords}/posts`, post, headers)
      assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
      assert.deepStrictEqual(again.body, first.body)
      const there = yield* call("POST", "/v1/posts", post, headers)
      assert.deepStrictEqual([there.body.id, there.body.status], [first.body.id, "draft"])
      const other = yield* call("POST", `${inWords}/posts`, { ...post, caption: "Twice" }, headers)
      assert.deepStrictEqual([other.status, other.body.code], [409, "idempotency_key_reused"])
    })
  )

  it.effect("/post-bridge/v1 has no figures yet: lists are empty, and a refresh begins nothing", () =>
    Effect.gen(function* () {
      const { call, url } = yield* Service
      for (const query of ["", "?limit=10&offset=0&timeframe=30d&platform[]=tiktok&post_result_id[]=none"]) {
        const { status, body } = yield* call("GET", `${inWords}/analytics${query}`)
        assert.deepStrictEqual([status, body.data], [200, []])
        assert.deepStrictEqual([body.meta.total, body.meta.next], [0, null])
      }
      for (const body of [undefined, {}]) {
        const answer = yield* call("POST", `${inWords}/analytics/sync?platform=tiktok`, body)
        assert.deepStrictEqual([answer.status, answer.body], [202, { triggered: [] }])
      }
      const stranger = callsWith(url, "crl_none_none")
      assert.strictEqual((yield* stranger.call("GET", `${inWords}/analytics`)).status, 401)
      assert.strictEqual((yield* call("GET", "/v1/analytics")).status, 404)
    })
  )

  it.effect("takes as large a body as /v1, of a credential that is known, and no larger", () =>
    Effect.gen(function* () {
      const { call } = yield* Service
      for (const [method, path] of [
        ["POST", "/posts"],
        ["PATCH", "/posts/none"]
      ] as const) {
        for (const bytes of [500_000, 2_000_000]) {
          const body = { caption: "x".repeat(bytes) }
          const [here, there] = [
            yield* call(method, inWords + path, body),
            yield* call(method, `/v1${path}`, body)
          ]
          assert.deepStrictEqual([here.status, here.body.code], [there.status, there.body.code], path)
          assert.strictEqual(here.status === 413, bytes > 1_000_000)
        }
      }
    })
  )

  it.effect("/post-bridge/v1 is counted under its own routes", () =>
    Effect.gen(function* () {
      const { call, url } = yield* Service
      yield* call("GET", `${inWords}/posts/none`)
      const metrics = yield* Effect.promise(() => fetch(`${url}/metrics`).then((answer) => answer.text()))
      assert.match(metrics, /route="\/post-bridge\/v1\/posts\/:post_id"/)
    })
  )
})
