import { platformIds } from "@carillon/domain/PlatformFacts"
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"

const glyphs = readFileSync(join(import.meta.dirname, "../src/ui/glyphs.svg"), "utf8")

describe("glyphs of networks", () => {
  it("each network has one, and nothing else has", () => {
    const drawn = [...glyphs.matchAll(/<symbol id="(\w+)"/g)].map(([, id]) => id!)
    assert.deepStrictEqual(drawn.sort(), [...platformIds].sort())
  })
})
