import { cashtags, textLength, xAddresses } from "@carillon/domain"
import { assert, describe, test } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parse } from "yaml"

/**
 * The folder `conformance` of https://github.com/twitter/twitter-text, which is Twitter's to give out: whoever runs this fetches it and
 * names it. Without it the tests are skipped.
 */
const folder = process.env["TWITTER_TEXT"] ?? ""
const isThere = folder !== "" && existsSync(join(folder, "validate.yml"))
if (!isThere) console.warn("TWITTER_TEXT names no folder with validate.yml, so X's own cases are not asked.")

interface Case {
  readonly description?: string
  readonly text: string
  readonly expected: unknown
}

const casesOf = (file: string, ...groups: ReadonlyArray<string>): ReadonlyArray<readonly [string, Case]> => {
  if (!isThere) return [["", { text: "", expected: [] }]]
  const { tests } = parse(readFileSync(join(folder, file), "utf8")) as {
    readonly tests: Readonly<Record<string, ReadonlyArray<Case>>>
  }
  return groups.flatMap((group) =>
    tests[group]!.map((one, index) => [`${group} ${index + 1}: ${one.description ?? one.text}`, one] as const)
  )
}

describe.skipIf(!isThere)("X's own cases", () => {
  test.each(
    // Without `WeightedTweetsCounterTest`, which is of the version before emoji counted as two.
    casesOf(
      "validate.yml",
      "WeightedTweetsWithDiscountedEmojiCounterTest",
      "UnicodeDirectionalMarkerCounterTest"
    )
  )("weigh as much as X says: %s", (_, { text, expected }) => {
    const { weightedLength } = expected as { readonly weightedLength: number }
    assert.strictEqual(textLength(text, { unit: "x_weighted" }), weightedLength)
  })

  test.each([
    ...casesOf("extract.yml", "urls", "tco_urls_with_params"),
    ...casesOf("tlds.yml", "country", "generic")
  ])("have the addresses that X finds: %s", (_, { text, expected }) => {
    assert.deepStrictEqual(
      [...xAddresses(text)].map((address) => address[0]),
      expected
    )
  })

  test.each(casesOf("extract.yml", "urls_with_indices", "urls_with_directional_markers"))(
    "have their addresses where X finds them: %s",
    (_, { text, expected }) => {
      const points = (units: number) => Array.from(text.slice(0, units)).length
      assert.deepStrictEqual(
        [...xAddresses(text)].map(({ 0: url, index }) => ({
          url,
          indices: [points(index), points(index + url.length)]
        })),
        expected
      )
    }
  )

  test.each(casesOf("extract.yml", "cashtags"))(
    "have the cashtags that X finds: %s",
    (_, { text, expected }) => {
      assert.deepStrictEqual(
        [...text.matchAll(cashtags)].map((tag) => tag[0].slice(1)),
        expected
      )
    }
  )
})
