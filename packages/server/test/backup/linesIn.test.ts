import { linesIn } from "@carillon/server/backup/linesIn"
import { assert, describe, it } from "@effect/vitest"

const lines = async (chunks: ReadonlyArray<string | Uint8Array>, longest?: number) => {
  async function* source() {
    for (const chunk of chunks) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk
  }
  const found: Array<string> = []
  for await (const line of linesIn(source(), longest)) found.push(line)
  return found
}

describe("the lines of a text", () => {
  it("the lines of a text are the same in whatever pieces it comes", async () => {
    const text = 'one\n\n{"bell":"🔔\u2028"}\r\nlast'
    const expected = text.split("\n")
    const bytes = Buffer.from(text)
    for (const size of [1, 2, 3, 5, 1000]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size)
      )
      assert.deepStrictEqual(await lines(pieces), expected, String(size))
    }
    assert.deepStrictEqual(await lines(["a\n"]), ["a"])
    assert.deepStrictEqual(await lines([]), [])
  })

  it("the lines of a text have an end: a longer one is refused when it has grown too long, not when it is whole", async () => {
    let read = 0
    async function* endless() {
      for (;;) {
        read += 1
        yield Buffer.alloc(1000, "x")
      }
    }
    const refusal = await linesIn(endless(), 10_000)
      .next()
      .catch((error: Error) => error.message)
    assert.strictEqual(refusal, "a row has more than 10000 characters")
    assert.strictEqual(read, 11)
    assert.deepStrictEqual(await lines(["x".repeat(10_000), "\ny"], 10_000), ["x".repeat(10_000), "y"])
    for (const long of [
      ["ok\n", "x".repeat(10_001)],
      ["ok\n" + "x".repeat(10_001) + "\nok"],
      ["x".repeat(9999), "xx\n"]
    ]) {
      assert.match(String(await lines(long, 10_000).catch((error: Error) => error)), /more than 10000/)
    }
  })
})
