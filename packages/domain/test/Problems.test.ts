import { badRequest, Conflict, problem, problemCodes } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"

describe("problems", () => {
  it.effect("are errors of the class of their status, with every sentence in every place it belongs", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(Effect.fail(problem("post_not_editable", "The post is published.")))
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

  it("have a title and an action for every code", () => {
    for (const [code, [status, title, action]] of Object.entries(problemCodes)) {
      assert.match(code, /^[a-z_]+$/)
      assert.isAtLeast(status, 400)
      assert.isNotEmpty(title)
      assert.match(action, /\.$/)
    }
  })
})
