import { assert, describe, it } from "vitest"
import { readFileSync } from "node:fs"
import { wireDeclaration } from "../pack/WireTypes.ts"

const lines = wireDeclaration(readFileSync(new URL("../src/Wire.ts", import.meta.url), "utf8")).split("\n")

describe("the published types", () => {
  it("the published types have a doc comment for each field, which editors show", () => {
    const fields = lines.flatMap((line, index) => {
      const [, name] = /^ *readonly (\w+)\??:/.exec(line) ?? []
      return name === undefined ? [] : [{ name, comment: lines[index - 1]!.trim() }]
    })
    const silent = fields.filter(({ comment }) => !/^\/\*\* .+ \*\/$/.test(comment))
    assert.deepStrictEqual(silent, [])
    assert.isAbove(fields.length, 1000)
  })

  it("name a type once, wherever a field has a sentence of its own for it", () => {
    assert.include(lines, "  readonly progress: Progress;")
    assert.include(lines, '  readonly status: ("scheduled" | "published" | "failed" | "draft");')
  })
})
