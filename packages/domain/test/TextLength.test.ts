import { byteLength, textLength } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

describe("the length of a text", () => {
  it("counts what a person sees, code points or UTF-16 units, as the platform does", () => {
    const family = "👨‍👩‍👧‍👦"
    assert.strictEqual(textLength(family, "graphemes"), 1)
    assert.strictEqual(textLength(family, "code_points"), 7)
    assert.strictEqual(textLength(family, "utf16"), 11)
    assert.strictEqual(byteLength(family), 25)
    assert.strictEqual(textLength("🇫🇷é", "graphemes"), 2)
  })

  it.prop(
    "never counts more graphemes than code points, nor more of those than UTF-16 units",
    [Schema.String],
    ([text]) => {
      assert.isAtMost(textLength(text, "graphemes"), textLength(text, "code_points"))
      assert.isAtMost(textLength(text, "code_points"), textLength(text, "utf16"))
    }
  )
})
