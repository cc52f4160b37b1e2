import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { jsonText, lengthNote } from "@carillon/server/http/JsonBody"

const few = Schema.Array(Schema.Int).check(Schema.isMaxLength(2))
const Body = Schema.Struct({
  few,
  fewOrText: Schema.Union([few, Schema.String, Schema.Null]),
  fewOrMore: Schema.Union([few, Schema.Array(Schema.Int).check(Schema.isBetweenLength(1, 3))]),
  fewOrAnything: Schema.Union([few, Schema.Json]),
  nested: Schema.Array(Schema.Struct({ few })).check(Schema.isMaxLength(2)),
  dates: Schema.Array(Schema.DateTimeUtcFromString).check(Schema.isMaxLength(2)),
  endless: Schema.Array(Schema.Int)
})

const read = (text: string) =>
  jsonText([Body]).pipe(
    Effect.provideService(
      HttpServerRequest.HttpServerRequest,
      HttpServerRequest.fromWeb(new Request("http://service", { method: "POST", body: text }))
    )
  )

const told = (value: any): any =>
  lengthNote(value) ??
  (Array.isArray(value)
    ? value.map(told)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, told(inner)]))
      : value)

const three = "has 3 items; the limit is 2."

it.effect.each<[text: string, expected: unknown]>([
  ['{"few":[1,2,3]}', { few: three }],
  ['{"few":[1,2]}', { few: [1, 2] }],
  ['{"few":[]}', { few: [] }],
  [' { "few" : [ "]" , {"a":[1,2,3]} , "\\"," ] , "after" : [1,2,3] } ', { few: three, after: [1, 2, 3] }],
  ['{"f\\u0065w":[1,2,3]}', { few: three }],
  ['{"fewOrText":[1,2,3]}', { fewOrText: three }],
  ['{"fewOrText":"[1,2,3]"}', { fewOrText: "[1,2,3]" }],
  ['{"fewOrMore":[1,2,3]}', { fewOrMore: [1, 2, 3] }],
  ['{"fewOrMore":[1,2,3,4]}', { fewOrMore: "has 4 items; the limit is 3." }],
  ['{"fewOrAnything":[1,2,3]}', { fewOrAnything: [1, 2, 3] }],
  ['{"nested":[{"few":[1]},{"few":[1,2,3]}]}', { nested: [{ few: [1] }, { few: three }] }],
  ['{"nested":[{"few":[1,2,3]},{},{}]}', { nested: three }],
  ['{"dates":["a","b","c"]}', { dates: three }],
  ['{"endless":[1,2,3]}', { endless: [1, 2, 3] }],
  ['{"unknown":{"few":[1,2,3]}}', { unknown: { few: [1, 2, 3] } }],
  ["[1,2,3]", [1, 2, 3]]
])("a note of its length stands for a list that is too long: %s", ([text, expected]) =>
  Effect.gen(function* () {
    assert.deepStrictEqual(told(JSON.parse(yield* read(text))), expected)
  })
)

it.effect("text that has no list that is too long stays as it is, JSON or not", () =>
  Effect.gen(function* () {
    for (const text of [
      "",
      "{",
      "]]}",
      '{"few":[1,2,3',
      '{"few":[1,2',
      '"few',
      '{"few":[1,2]}',
      '{"few\\":[1,2,3]}'
    ]) {
      assert.strictEqual(yield* read(text), text)
    }
  })
)

it.effect("the values of a list that is too long do not count, those of others do", () =>
  Effect.gen(function* () {
    const many = Array.from({ length: 400_000 }, () => 0).join()
    const noted = JSON.parse(yield* read(`{"few":[${many}],"nested":[{"few":[${many}]}]}`))
    assert.deepStrictEqual(told(noted), {
      few: "has 400000 items; the limit is 2.",
      nested: [{ few: "has 400000 items; the limit is 2." }]
    })
    const { detail } = yield* Effect.flip(read(`{"endless":[${many}]}`))
    assert.strictEqual(detail, "The body has more than 10000 values; send fewer at once.")
  })
)
