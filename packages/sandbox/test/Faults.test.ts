import { type Fault, type RequestRecord, SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Fiber } from "effect"
import { clientOf, signIn } from "./PlatformClient.ts"

/** An account with its own script. */
const under = Effect.fnUntraced(function* (username: string, script: ReadonlyArray<Fault>) {
  const client = yield* clientOf(username)
  yield* (yield* SandboxProcess).script(username, script)
  return client
})

/** What the ledger says of the last request. */
const lastRequest = Effect.fnUntraced(function* (username: string) {
  const { outcome, status, fault, publication } = (yield* (yield* SandboxProcess).requests(username)).at(-1)!
  return { outcome, status, fault, published: publication !== null }
})

layer(SandboxProcess.layer)("a scripted fault", (it) => {
  it.effect.each<{ script: Fault; status: number; code: string; published: number }>([
    {
      script: { on: "post", fault: "refuse", code: "spam", message: "No." },
      status: 422,
      code: "spam",
      published: 0
    },
    { script: { on: "post", fault: "forbidden" }, status: 403, code: "forbidden", published: 0 },
    { script: { on: "post", fault: "rate_limited" }, status: 429, code: "rate_limited", published: 0 },
    { script: { on: "post", fault: "server_error_before" }, status: 500, code: "server_error", published: 0 },
    {
      script: { on: "post", fault: "effect_then_server_error" },
      status: 500,
      code: "server_error",
      published: 1
    }
  ])(
    "$script.fault is answered with $status, with $published publications",
    ({ script, status, code, published }) =>
      Effect.gen(function* () {
        const username = `answered-${script.fault}`
        const client = yield* under(username, [script])
        const answer = yield* client.post({ text: "Hello" })
        assert.deepStrictEqual([answer.status, answer.body.error.code], [status, code])
        assert.lengthOf(yield* (yield* SandboxProcess).publications(username), published)
        assert.deepStrictEqual(yield* lastRequest(username), {
          outcome: "answered",
          status,
          fault: script.fault,
          published: published === 1
        })
        assert.strictEqual((yield* client.post({ text: "Hello again" })).status, 201)
      })
  )

  it.effect.each<{
    script: Fault
    outcome: RequestRecord["outcome"]
    status: number | null
    published: number
  }>([
    { script: { on: "post", fault: "reset_before" }, outcome: "reset", status: null, published: 0 },
    { script: { on: "post", fault: "effect_then_lost_reply" }, outcome: "cut", status: null, published: 1 },
    { script: { on: "post", fault: "half_body", cut: true }, outcome: "half_body", status: 201, published: 1 }
  ])(
    "$script.fault breaks the connection, with $published publications",
    ({ script, outcome, status, published }) =>
      Effect.gen(function* () {
        const username = `broken-${script.fault}`
        const client = yield* under(username, [script])
        const error = yield* Effect.flip(client.post({ text: "Hello" }))
        assert.strictEqual(error._tag, "ConnectionBroke")
        assert.lengthOf(yield* (yield* SandboxProcess).publications(username), published)
        assert.deepStrictEqual(yield* lastRequest(username), {
          outcome,
          status,
          fault: script.fault,
          published: published === 1
        })
      })
  )

  it.effect("half_body publishes and answers with JSON that ends in the middle", () =>
    Effect.gen(function* () {
      const client = yield* under("half", [{ on: "post", fault: "half_body" }])
      const { status, text, body } = yield* client.post({ text: "Hello" })
      assert.strictEqual(status, 201)
      assert.match(text, /^\{"id":/)
      assert.isUndefined(body)
      assert.lengthOf(yield* (yield* SandboxProcess).publications("half"), 1)
    })
  )

  it.effect("refuse has words of its own, and rate_limited a Retry-After, when they are scripted", () =>
    Effect.gen(function* () {
      const client = yield* under("words", [
        { on: "post", fault: "refuse", code: "duplicate", message: "You said that before." },
        { on: "post", fault: "rate_limited", retry_after: 7 },
        { on: "post", fault: "rate_limited" }
      ])
      const refused = yield* client.post({ text: "Hello" })
      assert.deepStrictEqual(refused.body, { error: { code: "duplicate", message: "You said that before." } })
      assert.strictEqual((yield* client.post({ text: "Hello" })).headers.get("retry-after"), "7")
      assert.isNull((yield* client.post({ text: "Hello" })).headers.get("retry-after"))
    })
  )

  it.effect("unauthorized lets the token expire until the next sign-in", () =>
    Effect.gen(function* () {
      const client = yield* under("unauthorized", [{ on: "post", fault: "unauthorized" }])
      const first = yield* client.post({ text: "Hello" })
      const second = yield* client.post({ text: "Hello" })
      assert.deepStrictEqual([first.status, second.status], [401, 401])
      assert.deepStrictEqual(
        [first.body.error.code, second.body.error.code],
        ["token_expired", "token_expired"]
      )
      assert.strictEqual((yield* (yield* clientOf("unauthorized")).post({ text: "Hello" })).status, 201)
      assert.lengthOf(yield* (yield* SandboxProcess).publications("unauthorized"), 1)
    })
  )

  it.effect("slow publishes at once and answers later", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const client = yield* under("slow", [
        { on: "post", fault: "slow", ms: 600_000 },
        { on: "post", fault: "slow", ms: 1 }
      ])
      const posting = yield* Effect.forkChild(client.post({ text: "Hello" }))
      yield* sandbox.waitForPublications("slow", 1)
      assert.isUndefined(posting.pollUnsafe())
      yield* Fiber.interrupt(posting)
      assert.strictEqual((yield* client.post({ text: "Hello" })).status, 201)
    })
  )

  it.effect("late_effect breaks the connection and publishes later", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const unpublished = yield* under("much-later", [{ on: "post", fault: "late_effect", ms: 600_000 }])
      yield* Effect.flip(unpublished.post({ text: "Hello" }, "k"))
      assert.deepStrictEqual(yield* lastRequest("much-later"), {
        outcome: "cut",
        status: null,
        fault: "late_effect",
        published: false
      })
      assert.deepStrictEqual(yield* sandbox.publications("much-later"), [])
      const client = yield* under("late", [{ on: "post", fault: "late_effect", ms: 700 }])
      yield* Effect.flip(client.post({ text: "Hello" }, "k"))
      const [publication] = yield* sandbox.waitForPublications("late", 1)
      const { received_at, published_at } = publication!
      const late = DateTime.distance(DateTime.makeUnsafe(received_at), DateTime.makeUnsafe(published_at))
      // The timer does not count by the clock that dates: the two differ by milliseconds.
      assert.isAbove(Duration.toMillis(late), 350)
    })
  )

  it.effect("late_effect can leave the connection hanging", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const client = yield* under("hanging", [
        { on: "post", fault: "late_effect", ms: 50, connection: "hang" }
      ])
      const posting = yield* Effect.forkChild(client.post({ text: "Hello" }))
      yield* sandbox.waitForPublications("hanging", 1)
      assert.isUndefined(posting.pollUnsafe())
      yield* Fiber.interrupt(posting)
      assert.strictEqual((yield* lastRequest("hanging")).outcome, "left_hanging")
    })
  )

  it.effect("late_effect does not publish twice what a repeated key has published meanwhile", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const client = yield* under("late-key", [
        { on: "post", fault: "late_effect", ms: 300 },
        { on: "post", fault: "slow", ms: 600 }
      ])
      yield* Effect.flip(client.post({ text: "Hello" }, "k"))
      const second = yield* client.post({ text: "Hello" }, "k")
      assert.strictEqual(second.status, 201)
      assert.lengthOf(yield* sandbox.publications("late-key"), 1)
    })
  )

  it.effect("late_effect publishes twice where keys are ignored", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const client = yield* under("late-none", [{ on: "post", fault: "late_effect", ms: 300 }])
      yield* Effect.flip(client.post({ text: "Hello" }, "k"))
      yield* client.post({ text: "Hello" }, "k")
      assert.lengthOf(yield* sandbox.waitForPublications("late-none", 2), 2)
    })
  )

  it.effect("processing keeps a file from being posted until it was looked at often enough", () =>
    Effect.gen(function* () {
      const client = yield* under("processing", [{ on: "media", fault: "processing", polls: 2 }])
      const { body } = yield* client.upload("a picture")
      assert.strictEqual(body.status, "processing")
      const early = yield* client.post({ media: [{ id: body.id }] })
      assert.deepStrictEqual([early.status, early.body.error.code], [409, "media_not_ready"])

      const looks = yield* Effect.replicateEffect(client.get(`/api/media/${body.id}`), 3)
      assert.deepStrictEqual(
        looks.map(({ body }) => body.status),
        ["processing", "processing", "ready"]
      )
      assert.strictEqual((yield* client.post({ media: [{ id: body.id }] })).status, 201)
    })
  )

  it.effect("processing can end in failure", () =>
    Effect.gen(function* () {
      const client = yield* under("failing", [
        { on: "media", fault: "processing", polls: 1, becomes: "failed" }
      ])
      const { body } = yield* client.upload("a picture")
      yield* client.get(`/api/media/${body.id}`)
      assert.strictEqual((yield* client.get(`/api/media/${body.id}`)).body.status, "failed")
      const answer = yield* client.post({ media: [{ id: body.id }] })
      assert.deepStrictEqual([answer.status, answer.body.error.code], [422, "media_failed"])
    })
  )

  it.effect(
    "review moves a post one state on at each look, to the last, and a repeated key begins no other",
    () =>
      Effect.gen(function* () {
        const states = ["pending", "approved", "rejected"] as const
        const review: Fault = { on: "post", fault: "review", states, reason: "A phone number" }
        const client = yield* under("review", [{ ...review, times: 2 }])
        const { body } = yield* client.post({ text: "Call us" }, "once")
        assert.deepStrictEqual(body.review, { state: "pending", reason: null })
        const looks = yield* Effect.replicateEffect(client.get(`/api/posts/${body.id}`), 3)
        assert.deepStrictEqual(
          [...looks, yield* client.post({ text: "Call us" }, "once")].map(({ body }) => [
            body.review.state,
            body.review.reason
          ]),
          [
            ["approved", null],
            ["rejected", "A phone number"],
            ["rejected", "A phone number"],
            ["rejected", "A phone number"]
          ]
        )
      })
  )

  it.effect("applies to every operation that can be scripted", () =>
    Effect.gen(function* () {
      const operations = ["session", "media", "media_status", "post", "post_status", "post_search"] as const
      const client = yield* under(
        "every-lookup",
        operations.map((on) => ({ on, fault: "refuse" as const, code: `no_${on}` }))
      )
      const answers = [
        yield* signIn("every-lookup"),
        yield* client.upload("a picture"),
        yield* client.get("/api/media/1"),
        yield* client.post({ text: "Hello" }),
        yield* client.get("/api/posts/1"),
        yield* client.get("/api/posts?reference=x")
      ]
      assert.deepStrictEqual(
        answers.map(({ body }) => body.error.code),
        operations.map((on) => `no_${on}`)
      )
      assert.deepStrictEqual(yield* (yield* SandboxProcess).pendingFaults("every-lookup"), [])
    })
  )

  it.effect("loses the reply to an upload that was kept", () =>
    Effect.gen(function* () {
      const client = yield* under("lost-upload", [{ on: "media", fault: "effect_then_lost_reply" }])
      yield* Effect.flip(client.upload("a picture"))
      assert.strictEqual((yield* client.upload("a picture")).status, 201)
    })
  )

  it.effect("a scripted fault is taken in order, per operation, as often as it says", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const client = yield* under("in-order", [
        { on: "media", fault: "forbidden" },
        { on: "post", fault: "server_error_before", times: 2 },
        { on: "post", fault: "forbidden" }
      ])
      const statuses = yield* Effect.replicateEffect(client.post({ text: "Hello" }), 4)
      assert.deepStrictEqual(
        statuses.map(({ status }) => status),
        [500, 500, 403, 201]
      )
      assert.deepStrictEqual(yield* sandbox.pendingFaults("in-order"), [
        { on: "media", fault: "forbidden", times: 1 }
      ])
    })
  )

  it.effect("waits for a request that is allowed in", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      yield* sandbox.script("waiting", [{ on: "session", fault: "short_lived", seconds: 0 }])
      const expired = yield* clientOf("waiting")
      yield* sandbox.script("waiting", [{ on: "post", fault: "forbidden" }])
      assert.strictEqual((yield* expired.post({ text: "Hello" })).status, 401)
      assert.lengthOf(yield* sandbox.pendingFaults("waiting"), 1)
    })
  )
})
