import { byteLength, hashtagCount, mentionCount, textLength } from "@carillon/domain"
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

  it.each([
    ["hello", 5],
    ["e\u0301", 1],
    ["日本語", 6],
    ["😀", 2],
    ["👨‍👩‍👧‍👦", 2],
    ["🇫🇷", 2],
    ["1️⃣", 2],
    ["©", 1],
    ["“quotes” – dash…", 17],
    ["a https://example.com/abc?x=1 b", 27],
    ["see example.com.", 28],
    ["node.js is README.md", 34],
    ["foo@bar.com", 11],
    ["https://例え.jp/x", 23],
    ["www.example.co.uk/path, and", 28],
    ["3.50 and e.g. this", 18],
    ["日本example.comです", 31],
    ["日本https://example.com語", 29],
    ["https://localhost:3000/x", 24],
    ["https://example.com:8080/x", 23]
  ] as const)("counts %s as X does (twitter-text 3.1.0 was asked)", (text, weight) => {
    assert.strictEqual(textLength(text, "x_weighted"), weight)
  })

  it("counts addresses as 23 on Mastodon, and of a remote mention only the name", () => {
    assert.strictEqual(textLength("see https://example.com/a/very/long/path?with=much ok", "mastodon"), 30)
    assert.strictEqual(textLength("see example.com", "mastodon"), 15)
    assert.strictEqual(textLength("hi @alice@mastodon.example!", "mastodon"), 10)
    assert.strictEqual(textLength("mail me@example.com", "mastodon"), 19)
  })

  it("counts emoji by their bytes on Threads", () => {
    assert.strictEqual(textLength("né日本", "threads"), 4)
    assert.strictEqual(textLength("😀", "threads"), 4)
    assert.strictEqual(textLength("❤️", "threads"), 6)
    assert.strictEqual(textLength("👨‍👩‍👧‍👦", "threads"), 25)
  })

  it("tells hashtags and mentions from what only looks like them", () => {
    assert.strictEqual(hashtagCount("#one #zwei, #日本 a#b #1 # &#39; #x1"), 4)
    assert.strictEqual(mentionCount("@one, @two.x me@example.com @ (@three)"), 3)
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
