import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { operations } from "../contract/Document.ts"
import { connect } from "@carillon/testing/Publishing"
import { Service, type ServiceProcess, startService } from "@carillon/testing/ServiceProcess"
import { kind } from "@carillon/testing/TestSql"
import { SharedService } from "@carillon/testing/SharedService"

const inAYear = new Date(Date.now() + 365 * 86_400_000).toISOString()

/** A create, with its answer as text. */
const create = ({ url, key }: ServiceProcess, idempotencyKey: string, account: number) =>
  Effect.promise(async () => {
    const response = await fetch(`${url}/v1/posts`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": idempotencyKey
      },
      body: JSON.stringify({ social_accounts: [account], caption: idempotencyKey, scheduled_at: inAYear })
    })
    const replayed = response.headers.get("idempotency-replayed") === "true"
    return {
      status: response.status,
      replayed,
      etag: response.headers.get("etag"),
      text: await response.text()
    }
  })

const total = (service: ServiceProcess) =>
  Effect.map(service.call("GET", "/v1/posts"), ({ body }) => body.meta.total as number)

it("the Idempotency-Key is a parameter of every POST with an effect in the OpenAPI document, with its conflict", () => {
  const without = [
    // Others each time.
    "backupsCreate",
    "notificationsTest",
    "secondFactorMakeTotpSecret",
    "secondFactorPasskeyOptions",
    // Changes nothing.
    "platformAppsTest",
    // Its challenge is good for one answer.
    "secondFactorAddPasskey"
  ]
  const posts = operations.filter(({ id, method }) => method === "POST" && !without.includes(id))
  assert.isAbove(posts.length, 5)
  for (const { id, parameters, responses } of posts) {
    assert.include(
      parameters.map(({ name }) => name),
      "Idempotency-Key",
      id
    )
    assert.property(responses, "409", id)
  }
})

layer(SharedService, { excludeTestServices: true })("a post with an Idempotency-Key", (it) => {
  it.effect(
    "a post with an Idempotency-Key is made once, and the first answer comes again when the post is long another",
    () =>
      Effect.gen(function* () {
        const service = yield* Service
        const account = yield* connect("once")
        const first = yield* create(service, "once", account)
        const { id } = JSON.parse(first.text)
        yield* service.call("PATCH", `/v1/posts/${id}`, { caption: "Changed" })
        const second = yield* create(service, "once", account)
        assert.strictEqual(second.status, 201)
        assert.isTrue(second.replayed)
        assert.strictEqual(second.text, first.text)
        assert.strictEqual(second.etag, first.etag)
        const other = yield* create(service, "once", account + 1)
        assert.strictEqual(JSON.parse(other.text).code, "idempotency_key_reused")
      })
  )

  it.effect("a post with an Idempotency-Key is one post though twenty ask for it at once", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("crowd")
      const before = yield* total(service)
      const call = create(service, "crowd", account)
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => call),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        answers.filter((answer) => !answer.replayed),
        1
      )
      assert.lengthOf(new Set(answers.map((answer) => answer.text)), 1)
      assert.strictEqual((yield* total(service)) - before, 1)
    })
  )

  it.effect("a post with an Idempotency-Key may be another request after a refusal", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const refused = yield* create(service, "refused", 999_999)
      assert.strictEqual(refused.status, 400)
      const account = yield* connect("corrected")
      assert.strictEqual((yield* create(service, "refused", account)).status, 201)
    })
  )

  it.effect("keeps its key from a body that cannot be read", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("unreadable")
      const unreadable = (key: string) =>
        service.call("POST", "/v1/posts", { social_accounts: "all" }, { "idempotency-key": key })
      yield* create(service, "read", account)
      assert.strictEqual((yield* unreadable("read")).body.code, "idempotency_key_reused")
      assert.strictEqual((yield* unreadable("unused")).body.code, "invalid_request")
      assert.strictEqual((yield* create(service, "unused", account))!.status, 201)
    })
  )

  it.effect("fetches its media once", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("fetched")
      const call = service.call(
        "POST",
        "/v1/posts",
        { social_accounts: [account], media_urls: [`${service.url}/once.jpg`], scheduled_at: inAYear },
        { "idempotency-key": "fetched" }
      )
      const first = yield* call
      assert.strictEqual(first.status, 201)
      const items = Effect.map(service.call("GET", "/v1/media"), ({ body }) => body.meta.total)
      const before = yield* items
      const second = yield* call
      assert.strictEqual(second.headers.get("idempotency-replayed"), "true")
      assert.deepStrictEqual(second.body, first.body)
      assert.strictEqual(yield* items, before)
    })
  )

  it.effect("a post with an Idempotency-Key is published now only once", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = yield* connect("now")
      const { id } = JSON.parse((yield* create(service, "to-publish", account)).text)
      const publish = service.call("POST", `/v1/posts/${id}/publish`, undefined, {
        "idempotency-key": "publish"
      })
      const first = yield* publish
      const second = yield* publish
      assert.strictEqual(first.status, 200)
      assert.strictEqual(second.headers.get("idempotency-replayed"), "true")
      assert.deepStrictEqual(second.body, first.body)
    })
  )

  it.effect("shows the same new API key again", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const make = service.call(
        "POST",
        "/v1/api-keys",
        { name: "again", scopes: ["posts:read"] },
        { "idempotency-key": "key" }
      )
      const first = yield* make
      assert.deepStrictEqual((yield* make).body, first.body)
      const { body } = yield* service.call("GET", "/v1/api-keys")
      assert.lengthOf(
        body.data.filter(({ name }: { name: string }) => name === "again"),
        1
      )
    })
  )
})

it.live.runIf(kind === "postgres")("a post is made once though two processes are asked for it at once", () =>
  Effect.gen(function* () {
    const sandbox = yield* SandboxProcess.make()
    const first = yield* startService({ env: { SANDBOX_URL: sandbox.url } })
    const second = yield* startService({ env: { SANDBOX_URL: sandbox.url, ...first.database } })
    const account = yield* connect("both").pipe(Effect.provideService(Service, first))
    for (let round = 0; round < 20; round++) {
      const answers = yield* Effect.forEach(
        [first, second, first, second, first, second],
        (service) => create(service, `both-${round}`, account),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        answers.filter((answer) => !answer.replayed),
        1
      )
      assert.lengthOf(new Set(answers.map((answer) => answer.text)), 1)
    }
    assert.strictEqual(yield* total(first), 20)
  })
)
