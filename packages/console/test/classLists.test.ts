import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

const source = join(import.meta.dirname, "../src")
const read = (file: string) => readFileSync(join(source, file), "utf8")

/** The rooms that are drawn with classes. */
const rooms = [
  ...new Set(
    ["styles/console.css", "styles/host.css"].flatMap((list) =>
      [...read(list).matchAll(/^@source "\.\.\/(.+)";$/gm)].map(([, path]) => path!)
    )
  )
]
const files = rooms.flatMap((path) =>
  globSync(path.includes(".") ? path : `${path}/**/*.tsx`, { cwd: source })
)

/** Everything in quotes, with its file. */
const texts = files.flatMap((file) =>
  [...read(file).matchAll(/"([^"\n]*)"|`([^`]*)`/g)].map(([, plain, template]) => ({
    file,
    text: plain ?? template!
  }))
)

/** A class that only Tailwind has: `px-4`, `hover:bg-sunk`. */
const utility = /(^|\s)(?:[a-z-]+:)*-?[a-z]+-[\w-]+(?=\s|$)/

const wrong = (isWrong: (one: (typeof texts)[number]) => boolean) =>
  texts.filter(isWrong).map(({ file, text }) => `${file}: ${text}`)

describe("class lists of the console", () => {
  it("the raw values are in the token file: no class has one in brackets", () => {
    assert.isNotEmpty(texts)
    assert.deepStrictEqual(
      wrong(({ text }) => /(^|\s)[a-z:-]+-\[[^\]]+\](?=\s|$)/.test(text)),
      []
    )
  })

  it("outside ui, none is longer than 120 characters", () => {
    assert.deepStrictEqual(
      wrong(({ file, text }) => !file.startsWith("ui/") && text.length > 120 && utility.test(text)),
      []
    )
  })

  it("no class is put together at run time, for which Tailwind would not see it", () => {
    const lists = files.flatMap((file) =>
      [...read(file).matchAll(/className=\{`([^`]*)`/g)].map(([, text]) => ({ file, text: text! }))
    )
    assert.deepStrictEqual(
      lists
        .filter(({ text }) => /[^\s}]\$\{|\}[^\s$]/.test(text.replaceAll(/\$\{[^{}]*\}/g, "${}")))
        .map(({ file, text }) => `${file}: ${text}`),
      []
    )
    const begun = /\b(?:bg|text|border|fill|stroke|gap|size|[wh]|[pm][xytrbl]?)-\$\{/
    assert.deepStrictEqual(
      files.filter((file) => begun.test(read(file))),
      []
    )
  })

  it("sides are those of the line, which begins at the right in some scripts, except in a picture that is cropped", () => {
    const side = /(^|[\s:-])(?:[mp][lr]|left|right|(?:border|rounded)-[lr]|text-(?:left|right))-\w+(?=\s|$)/
    assert.deepStrictEqual(
      wrong(({ file, text }) => !file.endsWith("/CropDialog.tsx") && side.test(text) && utility.test(text)),
      []
    )
  })

  it("no room has a sheet of its own", () => {
    const sheets = globSync("**/*.css", { cwd: source })
    assert.deepStrictEqual(
      sheets.filter((file) => !file.startsWith("styles/")),
      []
    )
    for (const file of sheets) assert.notInclude(read(file), "@apply", file)
  })
})
