import { oneLine, printable, quoted } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"

describe("words of others", () => {
  it("words of others are one line without what is not seen", () => {
    for (const [given, shown] of [
      ["Bad token.\n- 09:00 scheduled\r\n\u2028now\u2029\u0085then", "Bad token. - 09:00 scheduled now then"],
      ["\u001b[31mred\u0007 \u009b2J\0", "[31mred 2J"],
      ["gnp\u202Eexe \u2066x\u2069 \u061cy\u200e", "gnpexe x y"],
      ["pass\u200Bword\u2060 \ufeffa\u00adb\u180e", "password ab"],
      // Tags and variation selectors that spell a hidden sentence.
      ["hi\u{e0001}\u{e0064}\u{e0065}\u{e0100}\u{e01ef}", "hi"],
      ["\u3164\uffa0\u115fblank", "blank"],
      ["a\u200d\u200cb", "ab"],
      ["half \ud800 pair", "half  pair"],
      ["  two   words\t", "two words"]
    ] as const) {
      assert.strictEqual(oneLine(given), shown, JSON.stringify(given))
    }
  })

  it("keep their letters, marks and emoji", () => {
    for (const text of ["👩‍👩‍👧 ❤️‍🔥 👩🏽‍🚀 🏳️‍🌈", "می‌خواهم", "क्‍ष", "naïve Ａ 今朝 é ≠", "x ☕️"]) {
      assert.strictEqual(oneLine(text), text)
      assert.strictEqual(printable(`${text}\n${text}`), `${text}\n${text}`)
    }
  })

  it("keep their lines where a whole text is shown", () => {
    assert.strictEqual(printable("a\nb\tc\u001b]0;x\u0007\r\u009b1m"), "a\nbc]0;x1m")
  })

  it("stand in quotes within a sentence, and cannot end them", () => {
    assert.strictEqual(quoted('a" b\n, id 1'), '"a\\" b , id 1"')
  })
})
