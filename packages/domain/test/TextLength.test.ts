import {
  byteLength,
  fittingEnd,
  hashtagCount,
  mentionCount,
  textLength,
  type TextRules
} from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

describe("the length of a text", () => {
  it("counts what a person sees, code points or UTF-16 units, as the platform does", () => {
    const family = "👨‍👩‍👧‍👦"
    assert.strictEqual(textLength(family, { unit: "graphemes" }), 1)
    assert.strictEqual(textLength(family, { unit: "code_points" }), 7)
    assert.strictEqual(textLength(family, { unit: "utf16" }), 11)
    assert.strictEqual(byteLength(family), 25)
    assert.strictEqual(textLength("🇫🇷é", { unit: "graphemes" }), 2)
  })

  it.each([
    ["hello", 5],
    ["e\u0301", 1],
    ["日本語", 6],
    ["😀", 2],
    ["👨‍👩‍👧‍👦", 2],
    ["🇫🇷", 2],
    ["1️⃣", 2],
    ["1\u20e3", 2],
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
    ["our hens.farm, on ELPAÍS.com", 55],
    ["sub_domain.example.com?x=1", 31],
    ["_example.com and -example.com", 29],
    ["日本https://example.com語", 29],
    ["https://localhost:3000/x", 24],
    ["https://example.com:8080/x", 23]
  ] as const)("counts %s as X does (twitter-text 3.1.0 was asked)", (text, weight) => {
    assert.strictEqual(textLength(text, { unit: "x_weighted" }), weight)
  })

  it("counts addresses as 23 on Mastodon, and of a remote mention only the name", () => {
    assert.strictEqual(
      textLength("see https://example.com/a/very/long/path?with=much ok", { unit: "mastodon" }),
      30
    )
    assert.strictEqual(textLength("see example.com", { unit: "mastodon" }), 15)
    assert.strictEqual(textLength("hi @alice@mastodon.example!", { unit: "mastodon" }), 10)
    assert.strictEqual(textLength("mail me@example.com", { unit: "mastodon" }), 19)
  })

  it.each([60_000_000, 600_000_000, Number.MAX_SAFE_INTEGER])(
    "counts an address as %d on Mastodon where a server says so, and builds no text of that length",
    (address_length) => {
      assert.strictEqual(
        textLength("é https://a.example", { unit: "mastodon", address_length }),
        address_length + 2
      )
    }
  )

  it.each([
    ["graphemes", "🇫🇷"],
    ["graphemes", "e\u0301"],
    ["mastodon", "👨‍👩‍👧‍👦"],
    ["x_weighted", "😀"],
    ["x_weighted", "a.de "],
    ["threads", "1️⃣"]
  ] as const)("counts %s of “%s” exactly up to the most that is wanted, and no further", (unit, part) => {
    const once = textLength(part, { unit })
    assert.strictEqual(textLength(part.repeat(30), { unit }, once * 30), once * 30)
    const more = textLength(part.repeat(30), { unit }, once * 4)
    assert.isAbove(more, once * 4)
    assert.isAtMost(more, once * 8)
  })

  it("counts characters that never join as what a segmenter makes of them", () => {
    const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" })
    for (let point = 0; point < 0x10000; point++) {
      if (point >= 0xd800 && point < 0xe000) continue
      const one = String.fromCodePoint(point)
      const text = `a${one}${one}가${one}\n${one}é`
      assert.strictEqual(
        textLength(text, { unit: "graphemes" }),
        [...segmenter.segment(text)].length,
        point.toString(16)
      )
    }
  })

  const parts = Schema.Union([
    Schema.Struct({
      kind: Schema.Literal("word"),
      text: Schema.String.check(Schema.isPattern(/^[a-zà-ü🔔日]{1,12}$/u))
    }),
    Schema.Struct({
      kind: Schema.Literal("address"),
      text: Schema.String.check(
        Schema.isPattern(/^https?:\/\/[a-z]{1,9}\.(com|org|de)(\/[a-z0-9]{1,20}){0,3}$/)
      )
    }),
    Schema.Struct({
      kind: Schema.Literal("mention"),
      name: Schema.String.check(Schema.isPattern(/^[a-z0-9_]{1,12}$/)),
      host: Schema.String.check(Schema.isPattern(/^[a-z]{1,12}\.(social|example)$/))
    })
  ])

  it.prop(
    "on Mastodon is that of its words, of the names in its mentions, and of as many addresses as it has",
    [Schema.Array(parts), Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 300 }))],
    ([all, address_length]) => {
      const written = all.map((part) => (part.kind === "mention" ? `@${part.name}@${part.host}` : part.text))
      const counted = all.map((part) =>
        part.kind === "mention"
          ? part.name.length + 1
          : part.kind === "address"
            ? address_length
            : textLength(part.text, { unit: "graphemes" })
      )
      const spaces = Math.max(0, all.length - 1)
      assert.strictEqual(
        textLength(written.join(" "), { unit: "mastodon", address_length }),
        counted.reduce((sum, length) => sum + length, spaces)
      )
    }
  )

  it("counts emoji by their bytes on Threads", () => {
    assert.strictEqual(textLength("né日本", { unit: "threads" }), 4)
    assert.strictEqual(textLength("😀", { unit: "threads" }), 4)
    assert.strictEqual(textLength("❤️", { unit: "threads" }), 6)
    assert.strictEqual(textLength("👨‍👩‍👧‍👦", { unit: "threads" }), 25)
  })

  it("tells hashtags and mentions from what only looks like them", () => {
    assert.strictEqual(hashtagCount("#one #zwei, #日本 a#b #1 # &#39; #x1"), 4)
    assert.strictEqual(mentionCount("@one, @two.x me@example.com @ (@three)"), 3)
  })

  it.prop(
    "never counts more graphemes than code points, nor more of those than UTF-16 units",
    [Schema.String],
    ([text]) => {
      assert.isAtMost(textLength(text, { unit: "graphemes" }), textLength(text, { unit: "code_points" }))
      assert.isAtMost(textLength(text, { unit: "code_points" }), textLength(text, { unit: "utf16" }))
    }
  )
})

describe("the start of a text that fits", () => {
  const start = (text: string, unit: TextRules["unit"], most: number) =>
    text.slice(
      0,
      fittingEnd(text, unit, (part) => textLength(part, { unit }) <= most)
    )

  it("ends at the limit, in the unit of the platform", () => {
    assert.strictEqual(start("The bells ring", "graphemes", 9), "The bells")
    assert.strictEqual(start("日本語の鐘", "x_weighted", 5), "日本")
    assert.strictEqual(start("ééé", "bytes", 5), "éé")
    assert.strictEqual(start("The bells", "utf16", 0), "")
    assert.strictEqual(start("", "utf16", 0), "")
  })

  it("cuts no character in two", () => {
    const family = "👨‍👩‍👧‍👦"
    assert.strictEqual(start(`Bells ${family}${family}`, "graphemes", 7), `Bells ${family}`)
    assert.strictEqual(start(`Bells ${family}`, "utf16", 8), "Bells ")
    assert.strictEqual(start(`Bells ${family}!`, "x_weighted", 8), `Bells ${family}`)
    assert.strictEqual(start("e\u0301e\u0301", "code_points", 3), "e\u0301")
  })

  it("cuts no address or name that counts as a whole", () => {
    const address = "https://carillon.example.com/a/long/way/round"
    for (const unit of ["x_weighted", "mastodon"] as const) {
      assert.strictEqual(start(`See ${address} now`, unit, 28), `See ${address} `)
      assert.strictEqual(start(`See ${address} now`, unit, 26), "See ")
    }
    assert.strictEqual(start("Ask @choir@tower.example too", "mastodon", 10), "Ask @choir@tower.example")
    assert.strictEqual(start(`See ${address}`, "graphemes", 9), "See https")
  })
})
