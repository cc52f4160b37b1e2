import { littleText, littleWords } from "@carillon/server/platforms/linkedin/LittleText"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

const reserved = "\\|{}@[]()<>#*_~"
const acme = "@[Acme Corp](urn:li:organization:1234)"

/** What LinkedIn reads, by its grammar: an unescaped reserved character outside of a mention or a hashtag ends the text. */
const read = (little: string): string => {
  const forms: ReadonlyArray<readonly [RegExp, (match: RegExpExecArray) => string]> = [
    [/\\([\\|{}@[\]()<>#*_~])/y, ([, character]) => character!],
    [/@\[((?:\\.|[^\]\\])*)\]\((urn:li:[\w:-]+)\)/y, ([, name, urn]) => `@[${read(name!)}](${urn!})`],
    [/\{hashtag\|(\\#|＃)\|((?:\\_|[\p{L}\p{M}\p{N}])+)\}/uy, ([, sign, word]) => read(sign!) + read(word!)],
    [/[^\\|{}@[\]()<>#*_~]/uy, ([character]) => character]
  ]
  let text = ""
  for (let at = 0; at < little.length;) {
    const match = forms.flatMap(([form, meaning]) => {
      form.lastIndex = at
      const found = form.exec(little)
      return found === null ? [] : [{ length: found[0].length, meaning: meaning(found) }]
    })[0]
    if (match === undefined) throw new Error(`LinkedIn cuts ${JSON.stringify(little)} at ${at}`)
    text += match.meaning
    at += match.length
  }
  return text
}

describe("a text for LinkedIn", () => {
  it.prop(
    "is read as it was written, whatever stands in it",
    [
      Schema.Array(
        Schema.Union([
          Schema.String,
          Schema.Literals([
            ...reserved,
            "#bells",
            "＃鐘",
            "#two_words",
            acme,
            "@[a](urn:li:person:x-_)",
            "https://a.example/b_(c)#d_e",
            "{hashtag|",
            "\\#",
            "🔔",
            " "
          ])
        ])
      )
    ],
    ([parts]) => {
      const text = parts.join("").toWellFormed()
      assert.strictEqual(read(littleText(text)), text)
    }
  )

  it.each([
    ["Bells (all 3) *now*", "Bells \\(all 3\\) \\*now\\*"],
    ["#Bells and #two_words", "{hashtag|\\#|Bells} and {hashtag|\\#|two\\_words}"],
    ["no. 1 is #1, C# and a&#b", "no. 1 is \\#1, C\\# and a&\\#b"],
    [`By ${acme}`, `By ${acme}`],
    ["@[A (B) & C](urn:li:organization:1)", "@[A \\(B\\) & C](urn:li:organization:1)"],
    ["@[Acme](urn:li:share:1)", "\\@\\[Acme\\]\\(urn:li:share:1\\)"],
    ["me@a.example, @acme", "me\\@a.example, \\@acme"],
    ["https://a.example/x_y#bells", "https://a.example/x\\_y\\#bells"],
    ["", ""]
  ])("keeps hashtags and mentions, and escapes the rest: %s", (text, little) => {
    assert.strictEqual(littleText(text), little)
  })

  it("has the same words in whatever form LinkedIn gives it back", () => {
    const words = littleWords(littleText(`Ring, ${acme}! #Bells (now)`))
    assert.strictEqual(words, "RingAcmeCorpBellsnow")
    assert.strictEqual(littleWords("Ring, Acme Corp! #Bells (now)"), words)
    assert.strictEqual(littleWords("Ring, @[Acme Corp](urn:li:organization:1234)\\! \\#Bells (now)"), words)
  })
})
