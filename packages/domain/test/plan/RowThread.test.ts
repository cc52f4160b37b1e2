import { fallbackOf, threadOf, Unusable } from "@carillon/domain/plan"
import { assert, describe, it } from "@effect/vitest"

describe("the thread of a row", () => {
  it("the thread of a row is in columns of its own, in the order of their numbers", () => {
    const cells = { thread_10: "10", thread_2_media: "a.jpg, b.jpg", thread_3: "3", caption: "1" }
    const others = Object.fromEntries([4, 5, 6, 7, 8, 9].map((n) => [`thread_${n}`, `${n}`]))
    const { thread } = threadOf({ ...cells, ...others })
    assert.deepStrictEqual(thread?.slice(0, 2), [
      { caption: "", media: ["a.jpg", "b.jpg"], from: "thread_2" },
      { caption: "3", media: [], from: "thread_3" }
    ])
    assert.deepStrictEqual(thread?.at(-1), { caption: "10", media: [], from: "thread_10" })
  })

  it("the thread of a row is a list as the API takes it", () => {
    const thread = ["Second", { caption: null, media: ["a.jpg"] }, { caption: "Fourth" }]
    assert.deepStrictEqual(threadOf({ thread: JSON.stringify(thread) }), {
      thread: [
        { caption: "Second", media: [], from: "thread[0]" },
        { caption: "", media: ["a.jpg"], from: "thread[1]" },
        { caption: "Fourth", media: [], from: "thread[2]" }
      ]
    })
  })

  it("the thread of a row is joined on networks without threads if the row says so", () => {
    assert.deepStrictEqual(fallbackOf({ thread_fallback: "join" }), { thread_fallback: "join" })
    assert.deepStrictEqual(fallbackOf({}), {})
    const why = 'thread_fallback is "split"; it must be join or empty.'
    assert.throws(() => fallbackOf({ thread_fallback: "split" }), Unusable, why)
  })

  it.each([{}, { thread: "[]" }])("the thread of a row is none in %j", (cells) => {
    assert.deepStrictEqual(threadOf(cells), {})
  })

  it.each([
    [{ thread_3: "Third" }, 'thread_3 is "Third"; thread_2 is empty, and a thread cannot have gaps.'],
    [{ thread_2: "2", thread_4_media: "a" }, 'thread_4_media is "a"; thread_3 is empty, and a thread'],
    [{ thread: "[]", thread_2: "2" }, 'thread is "[]"; the row also has thread_2; keep one of them.'],
    [{ thread: "Second" }, 'thread is "Second"; it must be a JSON list of texts'],
    [{ thread: '{"caption":"2"}' }, 'thread is {"caption":"2"}; it must be a JSON list of texts'],
    [{ thread: '["2",5]' }, "thread[1] is 5; it must be a text, or an object with a"],
    [{ thread: '[{"text":"2"}]' }, 'thread[0] is {"text":"2"}; it must be a text, or an object with a'],
    [
      { thread: '[{"media":"a.jpg"}]' },
      'thread[0] is {"media":"a.jpg"}; it must be a text, or an object with a'
    ],
    [{ thread: "[{}]" }, "thread[0] is {}; it must be a text, or an object with a"],
    [{ thread: '[""]' }, 'thread[0] is ""; it must be a text, or an object with a'],
    [{ thread: "x".repeat(200) }, `thread is "${"x".repeat(99)}…; it must be a JSON list`]
  ])("the thread of a row is refused in %j", (cells: Record<string, string>, why) => {
    assert.throws(() => threadOf(cells), Unusable, why)
  })
})
