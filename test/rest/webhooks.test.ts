import { SandboxProcess } from "@carillon/sandbox/testing"
import { webhooks } from "@carillon/sdk"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import sharp from "sharp"
import { Webhook } from "standardwebhooks"
import { connect, create, inSeconds, promptly, settled } from "@carillon/testing/Publishing"
import { type Received, receiver, until } from "@carillon/testing/Receiver"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"

const everything = [
  "post.scheduled",
  "post.published",
  "post.failed",
  "post.result",
  "result.rejected",
  "media.ready",
  "media.failed",
  "account.connected",
  "account.expiring",
  "account.warning",
  "account.needs_reconnect"
]

const add = Effect.fnUntraced(function* (url: string, events: ReadonlyArray<string> = everything) {
  const service = yield* Service
  const { status, body } = yield* service.call("POST", "/v1/webhooks", { url, events })
  if (status !== 201) return yield* Effect.die(new Error(JSON.stringify(body)))
  return body as { readonly id: string; readonly secret: string }
})

const remove = (id: string) =>
  Effect.flatMap(Service, (service) => service.call("DELETE", `/v1/webhooks/${id}`))

/** By the reference implementation of the specification. */
const verify = (secret: string, { body, headers }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>)

layer(SharedService, { excludeTestServices: true, timeout: "180 seconds" })("webhooks", (it) => {
  it.effect("tell of a post in order, signed, with the post and its results as the API shows them", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const { url, types, of } = yield* receiver()
      const { id, secret } = yield* add(url)
      const account = yield* connect("told")
      const post = yield* create({ social_accounts: [account], caption: "Told" })
      yield* until(() => types(post.id).includes("post.published"))
      assert.deepStrictEqual(types(post.id), ["post.scheduled", "post.result", "post.published"])
      const [scheduled, result, published] = of(post.id)
      assert.deepStrictEqual(scheduled!.event.data, post)
      assert.deepStrictEqual(published!.event.data, (yield* service.call("GET", `/v1/posts/${post.id}`)).body)
      const single = yield* service.call("GET", `/v1/post-results/${post.results[0].id}`)
      const { attempts_log: _, ...told } = single.body
      assert.deepStrictEqual(result!.event.data, told)
      for (const received of of(post.id)) {
        verify(secret, received)
        const event = yield* Effect.promise(() => webhooks.verify(received.headers, received.body, secret))
        assert.strictEqual(event.id, received.headers["webhook-id"])
        assert.strictEqual(received.headers["content-type"], "application/json")
        assert.isUndefined(received.headers.authorization)
        assert.isUndefined(received.headers.traceparent)
      }
      const ids = of(post.id).map(({ headers }) => headers["webhook-id"])
      assert.strictEqual(new Set(ids).size, 3)
      yield* remove(id)
    })
  )

  it.effect("tell of failures, accounts and media, and only of what they ask for", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const { url, received } = yield* receiver()
      const { url: narrow, received: few } = yield* receiver()
      const { id } = yield* add(url)
      const { id: second } = yield* add(narrow, ["media.ready"])
      const account = yield* connect("teller")
      const png = yield* Effect.promise(() =>
        sharp({ create: { width: 8, height: 8, channels: 3, background: "#fff" } })
          .png()
          .toBuffer()
      )
      const media = yield* service.upload(png, "image/png", "bells.png")
      yield* (yield* SandboxProcess).script("teller", [{ on: "post", fault: "refuse" }])
      const post = yield* create({ social_accounts: [account], caption: "Refused" })
      assert.strictEqual((yield* settled(post.id)).status, "failed")
      yield* until(() => received.length >= 5)
      assert.deepStrictEqual(received.map(({ event }) => event.type).toSorted(), [
        "account.connected",
        "media.ready",
        "post.failed",
        "post.result",
        "post.scheduled"
      ])
      assert.strictEqual(
        received.find(({ event }) => event.type === "account.connected")!.event.data.id,
        account
      )
      yield* until(() => few.length === 1)
      assert.strictEqual(few[0]!.event.data.id, media)
      assert.strictEqual(few[0]!.event.data.status, "ready")
      yield* remove(id)
      yield* remove(second)
    })
  )

  it.effect("keep later events of a post back while an earlier one fails, and no other post's", () =>
    Effect.gen(function* () {
      let refusals = 2
      let first = ""
      let before: ReadonlyArray<string> = []
      const { url, types, of } = yield* receiver(({ event }) => {
        if (event.type === "post.published" && event.data.id !== first) before = types(first)
        return event.data.id === first && event.type === "post.scheduled" && refusals-- > 0 ? 500 : 200
      })
      const { id, secret } = yield* add(url)
      const service = yield* Service
      const account = yield* connect("ordered")
      const draft = yield* create({ social_accounts: [account], caption: "First", is_draft: true })
      first = draft.id
      refusals = 1
      yield* service.call("POST", `/v1/posts/${draft.id}/publish`)
      const other = yield* create({ social_accounts: [account], caption: "Other" })
      yield* until(() => types(other.id).includes("post.published"))
      assert.deepStrictEqual(before, ["post.scheduled"])
      yield* until(() => types(first).includes("post.published"))
      assert.deepStrictEqual(types(first), [
        "post.scheduled",
        "post.scheduled",
        "post.result",
        "post.published"
      ])
      const [one, again] = of(first)
      assert.strictEqual(again!.headers["webhook-id"], one!.headers["webhook-id"])
      assert.strictEqual(again!.body, one!.body)
      assert.notStrictEqual(again!.headers["webhook-timestamp"], one!.headers["webhook-timestamp"])
      verify(secret, again!)
      yield* remove(id)
    })
  )

  it.effect(
    "webhooks are not delayed by one that never answers, and hear of everything within a second",
    () =>
      Effect.gen(function* () {
        const dead = yield* receiver(() => {})
        const alive = yield* receiver()
        const webhooksOfBoth = [yield* add(dead.url), yield* add(alive.url, ["post.scheduled"])]
        const account = yield* connect("dead")
        const slowest = Effect.gen(function* () {
          const before = alive.received.length
          const posts = yield* Effect.forEach(Array.from({ length: 40 }), (_, index) =>
            create({ social_accounts: [account], caption: `${index}`, scheduled_at: inSeconds(3600) })
          )
          yield* until(() => alive.received.length === before + posts.length)
          return Math.max(
            ...alive.received.slice(before).map(({ at, event }) => at - Date.parse(event.timestamp))
          )
        })
        assert.isBelow(yield* promptly(slowest, 1000), 1000)
        assert.isAtLeast(dead.received.length, 1)
        for (const { id } of webhooksOfBoth) yield* remove(id)
      })
  )

  it.effect("stop at a 410, wait, and go on in order when they are resumed", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const { url, received, answerWith, types } = yield* receiver(() => 410)
      const { id } = yield* add(url, ["post.scheduled", "post.result", "post.published"])
      const account = yield* connect("gone")
      const post = yield* create({
        social_accounts: [account],
        caption: "Gone",
        scheduled_at: inSeconds(3600)
      })
      yield* until(() => received.length === 1)
      const webhook = service.call("GET", `/v1/webhooks/${id}`)
      yield* Effect.repeat(webhook, { until: ({ body }) => body.status === "paused" })
      assert.match((yield* webhook).body.status_reason, /410/)
      assert.strictEqual((yield* service.call("GET", "/v1/webhooks")).body.data[0].status, "paused")
      yield* service.call("POST", `/v1/posts/${post.id}/publish`)
      yield* settled(post.id)
      assert.lengthOf(received, 1)
      answerWith(() => 200)
      const waiting = yield* service.call("GET", `/v1/webhooks/${id}/deliveries?status=pending`)
      assert.lengthOf(waiting.body.data, 3)
      assert.isNull(waiting.body.data[0].next_attempt_at)
      const refused = yield* service.call(
        "POST",
        `/v1/webhooks/deliveries/${waiting.body.data[0].id}/redeliver`
      )
      assert.strictEqual(refused.body.code, "webhook_paused")
      const resumed = yield* service.call("PATCH", `/v1/webhooks/${id}`, { status: "active" })
      assert.strictEqual(resumed.body.status, "active")
      assert.isNull(resumed.body.status_reason)
      yield* until(() => types(post.id).includes("post.published"))
      assert.deepStrictEqual(types(post.id).slice(1), ["post.scheduled", "post.result", "post.published"])
      yield* remove(id)
    })
  )

  it.effect("sign with the old secret beside the new one after a rotation", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const { url, received } = yield* receiver()
      const { id, secret: old } = yield* add(url)
      const rotated = yield* service.call("POST", `/v1/webhooks/${id}/rotate-secret`)
      assert.strictEqual(rotated.status, 200)
      assert.notStrictEqual(rotated.body.secret, old)
      yield* service.call("POST", `/v1/webhooks/${id}/test`)
      assert.lengthOf((received[0]!.headers["webhook-signature"] as string).split(" "), 2)
      verify(old, received[0]!)
      verify(rotated.body.secret, received[0]!)
      assert.throws(() => verify("whsec_b3RoZXJvdGhlcm90aGVyb3RoZXJvdGhlcg==", received[0]!))
      yield* remove(id)
    })
  )

  it.effect("answer a test with what came of it, and send an event again with the same id", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const { url, received, answerWith } = yield* receiver(() => 418)
      const { id, secret } = yield* add(url, ["post.failed"])
      const failed = yield* service.call("POST", `/v1/webhooks/${id}/test`)
      assert.strictEqual(failed.status, 200)
      assert.include(failed.body, {
        webhook_id: id,
        event_type: "webhook.test",
        status: "failed",
        attempts: 1,
        response_status: 418,
        request_excerpt: received[0]!.body,
        response_excerpt: "answer 418",
        error: "bad_status",
        next_attempt_at: null
      })
      answerWith(() => 204)
      const again = yield* service.call("POST", `/v1/webhooks/deliveries/${failed.body.id}/redeliver`)
      assert.strictEqual(again.status, 200)
      assert.notStrictEqual(again.body.id, failed.body.id)
      yield* until(() => received.length === 2)
      assert.strictEqual(received[1]!.headers["webhook-id"], failed.body.event_id)
      assert.strictEqual(received[1]!.headers["webhook-id"], received[0]!.headers["webhook-id"])
      assert.strictEqual(received[1]!.body, received[0]!.body)
      verify(secret, received[1]!)
      const list = service.call("GET", `/v1/webhooks/${id}/deliveries`)
      const { body } = yield* Effect.repeat(list, {
        until: ({ body: { data } }) => data[0].status === "delivered"
      })
      assert.deepStrictEqual(
        body.data.map(({ id: one, status, response_status }: any) => [one, status, response_status]),
        [
          [again.body.id, "delivered", 204],
          [failed.body.id, "failed", 418]
        ]
      )
      const filtered = yield* service.call(
        "GET",
        `/v1/webhooks/${id}/deliveries?status=failed&event_type=webhook.test`
      )
      assert.strictEqual(filtered.body.meta.total, 1)
      yield* remove(id)
      assert.strictEqual(
        (yield* service.call("POST", `/v1/webhooks/deliveries/${failed.body.id}/redeliver`)).status,
        404
      )
    })
  )

  it.effect("a delivery shows the beginning of a long message", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const { url, received } = yield* receiver()
      const { id } = yield* add(url, ["post.created"])
      const social_accounts = [yield* connect("long-message")]
      yield* create({ social_accounts, is_draft: true, caption: "Bells ".repeat(400) })
      yield* until(() => received.length === 1)
      const { body } = yield* service.call("GET", `/v1/webhooks/${id}/deliveries`)
      const [{ request_excerpt }] = body.data
      assert.lengthOf(request_excerpt, 2000)
      assert.isTrue(received[0]!.body.startsWith(request_excerpt))
      yield* remove(id)
    })
  )

  it.effect("webhooks are deleted while they are tested, or sent to again, and both are answered", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const { url } = yield* receiver(() => 204)
      for (let i = 0; i < 15; i++) {
        const { id } = yield* add(url, ["post.failed"])
        const first = yield* service.call("POST", `/v1/webhooks/${id}/test`)
        const [deleted, ...others] = yield* Effect.all(
          [
            remove(id),
            ...Array.from({ length: 4 }, () => service.call("POST", `/v1/webhooks/${id}/test`)),
            ...Array.from({ length: 4 }, () =>
              service.call("POST", `/v1/webhooks/deliveries/${first.body.id}/redeliver`)
            )
          ],
          { concurrency: "unbounded" }
        )
        assert.strictEqual(deleted!.status, 200)
        for (const { status, body } of others) assert.oneOf(status, [200, 404], JSON.stringify(body))
      }
    })
  )

  it.effect("follow no redirect, and say what was wrong with a receiver that cannot be reached", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const elsewhere = yield* receiver()
      const { url } = yield* receiver((_, response) => {
        response.writeHead(307, { location: elsewhere.url }).end()
      })
      const { id } = yield* add(url)
      const redirected = yield* service.call("POST", `/v1/webhooks/${id}/test`)
      assert.include(redirected.body, { status: "failed", response_status: 307 })
      assert.lengthOf(elsewhere.received, 0)
      const changed = yield* service.call("PATCH", `/v1/webhooks/${id}`, { url: "http://127.0.0.1:1/" })
      assert.strictEqual(changed.status, 200)
      const unreachable = yield* service.call("POST", `/v1/webhooks/${id}/test`)
      assert.include(unreachable.body, { status: "failed", response_status: null, error: "unreachable" })
      yield* remove(id)
    })
  )

  it.effect("show their secret once and are refused with every mistake at once", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const { url } = yield* receiver()
      const { id, secret } = yield* add(url, ["post.failed"])
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{32}$/)
      const got = yield* service.call("GET", `/v1/webhooks/${id}`)
      assert.notInclude(JSON.stringify(got.body), "whsec_")
      assert.notInclude(JSON.stringify((yield* service.call("GET", "/v1/webhooks")).body), "whsec_")
      const changed = yield* service.call("PATCH", `/v1/webhooks/${id}`, {
        events: ["post.published"],
        description: "Mine"
      })
      assert.include(changed.body, { id, url, description: "Mine", status: "active" })
      assert.deepStrictEqual(changed.body.events, ["post.published"])
      const refused = yield* service.call("POST", "/v1/webhooks", { events: ["post.gone"], urll: url })
      assert.strictEqual(refused.status, 400)
      assert.sameMembers(
        refused.body.errors.map(({ path }: { path: string }) => path),
        ["url", "events[0]", "urll"]
      )
      for (const events of [[], ["post.failed", "post.failed"]]) {
        assert.strictEqual((yield* service.call("POST", "/v1/webhooks", { url, events })).status, 400)
      }
      assert.strictEqual(
        (yield* service.call("POST", "/v1/webhooks", { url: "ftp://example.com/", events: ["post.failed"] }))
          .body.code,
        "webhook_url_not_allowed"
      )
      const others = yield* Effect.forEach(
        Array.from({ length: 25 }),
        () => service.call("POST", "/v1/webhooks", { url, events: ["post.failed"] }),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        others.filter(({ status }) => status === 201),
        19
      )
      assert.strictEqual(others.find(({ status }) => status === 409)!.body.code, "webhook_limit_reached")
      for (const { body } of others) if (body.secret) yield* remove(body.id)
      yield* remove(id)
      assert.strictEqual((yield* service.call("GET", `/v1/webhooks/${id}`)).status, 404)
    })
  )
})
