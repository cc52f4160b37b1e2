import { parseJson } from "@carillon/server/platforms/LosslessJson"
import { assert, it } from "@effect/vitest"
import { Option } from "effect"
import { vi } from "vitest"

/** What the text is read as, and whether each of its values was looked at. */
const read = (text: string) => {
  const parse = vi.spyOn(JSON, "parse")
  try {
    const value = Option.getOrNull(parseJson(text))
    return { value, looked: parse.mock.calls.some(([, reviver]) => reviver !== undefined) }
  } finally {
    parse.mockRestore()
  }
}

it.each<[text: string, value: unknown, looked: boolean]>([
  ['{"a":[1,2.5,-3e9,true,null,"x"]}', { a: [1, 2.5, -3e9, true, null, "x"] }, false],
  // The ids of Mastodon are texts, and so are many digits between other words.
  [
    '{"id":"114512345678901234","at":[ 123456789012345 ]}',
    { id: "114512345678901234", at: [123456789012345] },
    false
  ],
  ["9007199254740993", "9007199254740993", true],
  ['{"id":7412345678901234567}', { id: "7412345678901234567" }, true],
  ["[ -9007199254740993\n,\t12]", ["-9007199254740993", 12], true],
  ['{"a":\n7412345678901234567}', { a: "7412345678901234567" }, true],
  // Whole in a number, but no integer as it is written.
  ["[1234567890123456.5]", [1234567890123456.5], true],
  ['["a\\u0000b","\\uD83D","\\ud83d\\ude00"]', ["a\ufffdb", "\ufffd", "\ud83d\ude00"], true],
  ['{"a":"\\ude00"}', { a: "\ufffd" }, true],
  ['["\\u003cp\\u003e"]', ["<p>"], false],
  ["[1,", null, false]
])("reads %s, and looks at each value only if one may need it", (text, value, looked) => {
  assert.deepStrictEqual(read(text), { value, looked })
})
