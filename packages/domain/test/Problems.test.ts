import { badRequest, Conflict, problem, problemCodes } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"

describe("problems", () => {
  it.effect(
    "problems are errors of the class of their status, with every sentence in every place it belongs",
    () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(
          Effect.fail(problem("post_not_editable", "The post is published."))
        )
        assert.instanceOf(failure, Conflict)
        assert.strictEqual(failure.message, "The post is published.")
        assert.deepStrictEqual(failure.error, ["The post is published."])
        assert.deepStrictEqual(failure.errors, [
          { path: "", code: "post_not_editable", message: "The post is published." }
        ])
      })
  )

  it("come back from the wire as the same error", () => {
    const sent = problem("media_in_use", "Kept.")
    const received = Schema.decodeSync(Conflict)({
      ...Schema.encodeSync(Conflict)(sent),
      request_id: "req_1"
    })
    assert.strictEqual(received._tag, "Conflict")
    assert.strictEqual(received.request_id, "req_1")
  })

  it("keep the code of their kind, and are invalid_request where they are of several", () => {
    const item = (code: string) => ({ path: "a", code, message: `${code}.` })
    assert.strictEqual(
      badRequest([item("caption_too_long"), item("caption_too_long")]).code,
      "caption_too_long"
    )
    assert.strictEqual(badRequest([item("caption_too_long"), item("empty_post")]).code, "invalid_request")
    assert.strictEqual(badRequest([item("something_else")]).code, "invalid_request")
  })

  const many = (length: number, message: string) =>
    Array.from({ length }, (_, index) => ({ path: `a[${index}]`, code: "invalid_value", message }))

  it("tell fifty at most, and then how many others there are", () => {
    const all = badRequest(many(50, "Wrong."))
    assert.lengthOf(all.errors, 50)
    const some = badRequest(many(1234, "Wrong."))
    assert.lengthOf(some.errors, 51)
    assert.strictEqual(some.errors[49]!.path, "a[49]")
    assert.include(some.errors[50], { path: "", message: "and 1184 more.", value: 1184 })
    assert.strictEqual(some.error.at(-1), "and 1184 more.")
    assert.isTrue(some.detail.endsWith("Wrong. and 1184 more."))
    // An error that is told again, with others, still counts all of them.
    assert.strictEqual(badRequest([...many(10, "Wrong."), ...some.errors]).error.at(-1), "and 1194 more.")
  })

  it("stay below 64 KiB on the wire, however long what they tell is", () => {
    for (const message of ["x".repeat(1_000_000), '"'.repeat(1000), "\0".repeat(1000), "🔔".repeat(1000)]) {
      const items = many(60, message).map((item) => ({ ...item, path: message }))
      const { errors, ...told } = badRequest(items)
      assert.isAtMost(Buffer.byteLength(JSON.stringify({ ...told, errors })), 64 * 1024)
      assert.strictEqual(errors.at(-1)!.value, 60 - (errors.length - 1))
    }
  })

  it("problems have a title and an action for every code", () => {
    for (const [code, [status, title, action]] of Object.entries(problemCodes)) {
      assert.match(code, /^[a-z_]+$/)
      assert.isAtLeast(status, 400)
      assert.isNotEmpty(title)
      assert.match(action, /\.$/)
    }
  })
})
