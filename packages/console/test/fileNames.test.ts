import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"

const source = join(import.meta.dirname, "../src")

const nameOf = (file: string) => basename(file).replace(/\.tsx?$/, "")

/** The program, what old browsers lack, its routes, and words: a room calls them `words`, whatever the file is called. */
const isFree = (name: string) =>
  ["main", "polyfills", "routes", "en"].includes(name) || name.endsWith("Words")

const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name!)

const files = globSync("**/*.{ts,tsx}", { cwd: source })
  .map((file) => ({ file, name: nameOf(file) }))
  .filter(({ name }) => !isFree(name))
  .map(({ file, name }) => {
    const text = readFileSync(join(source, file), "utf8")
    const values = namesIn(text, /^export (?:default |const |(?:async )?function |class )+(\w+)/gm)
    return { file, name, values, types: namesIn(text, /^export (?:interface|type) (\w+)/gm) }
  })

describe("names of the console's files", () => {
  it("a component, a type, and whatever a file exports alone give the file their name", () => {
    assert.isNotEmpty(files)
    const wrong = files.filter(
      ({ name, types, values }) =>
        (/^[A-Z]/.test(name) || values.length < 2) && ![...values, ...types].includes(name)
    )
    assert.deepStrictEqual(
      wrong.map(({ file, types, values }) => `${file} exports ${[...values, ...types].join(", ")}`),
      []
    )
  })

  it("no two files have the same name, so that a search finds one", () => {
    const same = Map.groupBy(files, ({ name }) => name)
    assert.deepStrictEqual(
      [...same.values()].filter((one) => one.length > 1).map((one) => one.map(({ file }) => file)),
      []
    )
  })
})
