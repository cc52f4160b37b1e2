import { rowsOfCsv, rowsOfJsonLines, Unusable } from "@carillon/domain/plan"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

describe("a CSV file", () => {
  it("a CSV file has posts in its rows, under the names of its columns", () => {
    const text =
      '\ufeffcaption, to,at\r\n"Bells, ""evening""\nand night",@demo,\r\n\r\nPlain,42,tomorrow 09:00'
    assert.deepStrictEqual(rowsOfCsv(text), [
      { line: 2, cells: { caption: 'Bells, "evening"\nand night', to: "@demo" } },
      { line: 5, cells: { caption: "Plain", to: "42", at: "tomorrow 09:00" } }
    ])
  })

  it.each([
    ['a\n"open', "Line 2: unexpected quote"],
    ['a\nx"y', "Line 2: unexpected quote"],
    ["a,a\n1,2", 'Line 1: duplicate column "a"']
  ])("%j is not guessed at", (text, why) => {
    assert.throws(() => rowsOfCsv(text), Unusable, why)
  })

  it("reads no row that has a comma too many or too few, and says so at its line", () => {
    assert.deepStrictEqual(rowsOfCsv("a,b\n1,2,3\n1,2\n1"), [
      {
        line: 2,
        cells: {},
        problem: "3 cells for 2 columns. Put quotes around a cell that contains commas."
      },
      { line: 3, cells: { a: "1", b: "2" } },
      {
        line: 4,
        cells: {},
        problem: "1 cell for 2 columns. Separate all cells with commas, even empty ones."
      }
    ])
  })

  it.each([",", ";", "\t"])("finds that %j separates its cells, whatever is in quotes", (separator) => {
    const text = [`"Caption,;\t",TO,At`, `"a,b;c\td",sandbox,`]
      .join("\n")
      .replaceAll(/,(?=[TAs]|$)/gm, separator)
    assert.deepStrictEqual(rowsOfCsv(text), [{ line: 2, cells: { "caption,;": "a,b;c\td", to: "sandbox" } }])
  })

  it("takes names of columns in any case, and refuses two that differ in nothing else", () => {
    assert.deepStrictEqual(rowsOfCsv("Caption;TO\nBells;1,2"), [
      { line: 2, cells: { caption: "Bells", to: "1,2" } }
    ])
    assert.deepStrictEqual(rowsOfJsonLines('\ufeff{"To":["a","b"]}'), [{ line: 1, cells: { to: "a,b" } }])
    assert.throws(() => rowsOfCsv("to,To\n1,2"), Unusable, "duplicate column")
  })

  it("a CSV file has no rows when it is empty", () => {
    assert.deepStrictEqual(["", "\n", "a,b\n", "a,b"].map(rowsOfCsv), [[], [], [], []])
  })

  it.prop(
    "gives back any text that was written as RFC 4180 says",
    [Schema.NonEmptyArray(Schema.Tuple([Schema.String, Schema.String])), Schema.Literals([",", ";", "\t"])],
    ([written, separator]) => {
      const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
      const text = [["a", "b"], ...written].map((cells) => cells.map(quoted).join(separator)).join("\r\n")
      const read = rowsOfCsv(text).map(({ cells }) => [cells["a"] ?? "", cells["b"] ?? ""])
      assert.deepStrictEqual(
        read,
        written.map((cells) => [...cells])
      )
    }
  )
})

describe("a JSON Lines file", () => {
  it("a JSON Lines file has the same posts as a CSV file", () => {
    const text =
      '{"caption":"Bells","to":["@demo",42],"queue":true,"tiktok.is_aigc":true,"at":null}\n\n{"to":"1"}\n'
    assert.deepStrictEqual(rowsOfJsonLines(text), [
      { line: 1, cells: { caption: "Bells", to: "@demo,42", queue: "true", "tiktok.is_aigc": "true" } },
      { line: 3, cells: { to: "1" } }
    ])
  })

  it.each([
    ["{", "Line 1: not valid JSON"],
    ['{"to":"1"}\n[1]', "Line 2: not a JSON object"]
  ])("a JSON Lines file: %j is refused", (text, why) => {
    assert.throws(() => rowsOfJsonLines(text), Unusable, why)
  })
})
