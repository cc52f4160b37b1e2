import { assert, describe, it } from "@effect/vitest"
import { disconnectedBy, missingIn } from "@carillon/console/apps/missingIn"

const none = { client_id: null, source: "none" } as const
const stored = { client_id: "aw1", source: "stored" } as const

describe("what is entered for an app", () => {
  it("wants both fields at first, for a test too", () => {
    for (const purpose of ["save", "test"] as const) {
      assert.deepStrictEqual(missingIn({ id: " ", secret: "" }, none, purpose), {
        id: true,
        secret: "missing",
        token: null
      })
      assert.deepStrictEqual(missingIn({ id: "aw1", secret: "x" }, none, purpose), {
        id: false,
        secret: null,
        token: null
      })
    }
  })

  it("tests with the secret that is kept, but never for another id", () => {
    assert.isNull(missingIn({ id: "aw1 ", secret: "" }, stored, "test").secret)
    assert.strictEqual(missingIn({ id: "aw2", secret: "" }, stored, "test").secret, "of_another_id")
    assert.strictEqual(missingIn({ id: "aw1", secret: "" }, stored, "save").secret, "missing")
  })

  it("wants the token of a bot with the secret, where the app has one", () => {
    const lacking = (secret: string, token: string, purpose: "save" | "test") => {
      const missing = missingIn({ id: "aw1", secret, token }, stored, purpose)
      return [missing.secret, missing.token]
    }
    assert.deepStrictEqual(lacking("x", "", "save"), [null, "missing"])
    assert.deepStrictEqual(lacking("x", "", "test"), [null, "missing"])
    assert.deepStrictEqual(lacking("", "", "test"), [null, null])
    assert.deepStrictEqual(lacking("x", "y", "save"), [null, null])
  })

  it("disconnects accounts with another id only", () => {
    const app = { ...stored, accounts: 3 } as Parameters<typeof disconnectedBy>[1]
    assert.strictEqual(disconnectedBy({ id: " aw1", secret: "new" }, app), 0)
    assert.strictEqual(disconnectedBy({ id: "aw2", secret: "new" }, app), 3)
  })
})
