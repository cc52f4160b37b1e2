import { telegramText } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

const read = (caption: string) => telegramText({ caption, options: { markup: "markdown" } })

/** The text, and each format with what it is on. */
const told = (caption: string) => {
  const { entities, text } = read(caption)
  return [
    text,
    ...entities.map(({ length, offset, type, ...rest }) =>
      [type, text.slice(offset, offset + length), ...Object.values(rest)].join(" ")
    )
  ]
}

const marks = [
  "*",
  "**",
  "_",
  "`",
  "```\n",
  "\n```\n",
  "[",
  "](https://a.b/_c_)",
  "> ",
  "\n> ",
  "\\",
  "\n",
  "\n\n"
]
const words = ["a", " ", "é", "🔔", "𝐀", "https://a.b/_c_", ")"]
/** Marks and words in any order. */
const Pieces = Schema.Array(Schema.Literals([...marks, ...words])).check(Schema.isMaxLength(40))

describe("a text for Telegram", () => {
  it("a text for Telegram is what was written, unless its markup is on", () => {
    const caption = "**Bells** > `at` \\_six_"
    for (const options of [{}, { markup: "plain" }, { markup: null }])
      assert.deepStrictEqual(telegramText({ caption, options }), { text: caption, entities: [] })
  })

  it.each([
    ["**Bells** at _six_", ["Bells at six", "bold Bells", "italic six"]],
    ["**The _old_ `bell`**", ["The old bell", "bold The old bell", "italic old", "code bell"]],
    ["🔔 **Grüße 🔔**", ["🔔 Grüße 🔔", "bold Grüße 🔔"]],
    [
      "[The **tower**](https://a.b/c_(d))",
      ["The tower", "text_link The tower https://a.b/c_(d)", "bold tower"]
    ],
    [
      "[_https://a.b/c_](https://d.e)",
      ["https://a.b/c", "italic https://a.b/c", "text_link https://a.b/c https://d.e"]
    ],
    ["``a`b`` and ` c `", ["a`b and c", "code a`b", "code c"]],
    ["One\n```js\nlet a = `**b**`\n```\nTwo", ["One\nlet a = `**b**`\nTwo", "pre let a = `**b**` js"]],
    ["> One\n>**Two**\nThree", ["One\nTwo\nThree", "blockquote One\nTwo", "bold Two"]],
    ["**One\ntwo**", ["One\ntwo", "bold One\ntwo"]]
  ] as const)("a text for Telegram has formats: %j", (caption, expected) => {
    assert.deepStrictEqual(told(caption), [...expected])
  })

  it.each([
    "snake_case_name and __init__",
    "2 ** 3 ** 4, 2*3*4, ***all***",
    "**open, _open, `open, [open](",
    "**One\n\ntwo**",
    "[bells](ftp://a.b), [](https://a.b), [ ](https://a.b), [a](https://)",
    "https://a.b/_c_/**d",
    "```\nnever closed",
    "> \n>"
  ])("a text for Telegram keeps what is no mark: %j", (caption) => {
    assert.deepStrictEqual(told(caption), [caption])
  })

  it("a text for Telegram loses only the backslash before a mark", () => {
    assert.deepStrictEqual(told("\\*\\*a\\*\\* \\_b\\_ \\`c\\` \\[d\\](https://e.f) \\\\ \\g"), [
      "**a** _b_ `c` [d](https://e.f) \\ \\g"
    ])
    assert.deepStrictEqual(told("\\> a\n\\```\nb\n```"), ["> a\n```\nb\n```"])
  })

  it.prop(
    "a text for Telegram that is escaped comes back as it was",
    [Schema.Union([Schema.String, Pieces])],
    ([given]) => {
      const text = typeof given === "string" ? given : given.join("")
      const escaped = text.replaceAll(/[!-/:-@[-`{-~]/g, "\\$&")
      assert.deepStrictEqual(read(escaped), { text, entities: [] })
    },
    { arbitrary: { runs: 1000 } }
  )

  it.prop(
    "a text for Telegram has formats that begin and end in it, on whole characters, and say something",
    [Pieces],
    ([pieces]) => {
      const source = pieces.join("")
      const { entities, text } = read(source)
      assert.isAtMost(text.length, source.length)
      assert.strictEqual(text.trim() === "", source.trim() === "")
      for (const { length, offset } of entities) {
        const formatted = text.slice(offset, offset + length)
        assert.isAtLeast(offset, 0)
        assert.strictEqual(formatted.length, length)
        assert.isTrue(formatted.isWellFormed())
        assert.notStrictEqual(formatted.trim(), "")
      }
    },
    { arbitrary: { runs: 2000 } }
  )

  it.prop(
    "formats of a text for Telegram lie in each other or apart, none in code, and no quote or link in its like",
    [Pieces],
    ([pieces]) => {
      const { entities } = read(pieces.join(""))
      for (const [index, one] of entities.entries()) {
        const end = one.offset + one.length
        for (const other of entities.slice(index + 1)) {
          const otherEnd = other.offset + other.length
          if (other.offset >= end) continue
          assert.isAtMost(otherEnd, end, `${one.type} and ${other.type}`)
          if (one.type === other.type) assert.notInclude(["blockquote", "text_link", "code", "pre"], one.type)
          // What has the same extent may stand in either order.
          if (one.length > other.length) assert.notInclude(["code", "pre"], one.type)
        }
      }
    },
    { arbitrary: { runs: 2000 } }
  )

  it.each(["[", "**a ", "_a ", "`", "](https://a(", "```\n", "> **", ">\n", "`a``", "\\"])(
    "a text for Telegram of 100,000 marks is read in steps that grow with it: %s",
    (unit) => {
      const source = unit.repeat(100_000 / unit.length)
      assert.isAtMost(read(source).text.length, source.length)
    }
  )
})
