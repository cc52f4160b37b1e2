import { assert, describe, it } from "@effect/vitest"
import { existsSync, globSync } from "node:fs"
import { join } from "node:path"

const source = join(import.meta.dirname, "../src")

describe("styles of the console", () => {
  it("styles outside src/styles, which every page shares, have the name of a component beside them", () => {
    const styles = globSync("**/*.css", { cwd: source, exclude: ["styles/**"] })
    assert.isNotEmpty(styles)
    assert.deepStrictEqual(
      styles.filter((file) => !existsSync(join(source, file.replace(/css$/, "tsx")))),
      []
    )
  })
})
