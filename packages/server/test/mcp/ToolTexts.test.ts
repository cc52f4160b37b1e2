import { badRequest, problem, type ProblemCode, problemCodes } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { countTokens } from "gpt-tokenizer"
import { globSync, readFileSync } from "node:fs"
import { mostOfEach } from "@carillon/server/media/uploads/UploadSize"
import { problemText } from "@carillon/server/mcp/ToolResults"

const ofRest = /\/v1\b|\b(GET|PUT|POST|PATCH|DELETE) \//

const sources = new URL("../../src/", import.meta.url)

/** The lines of code, without comments. */
const linesOf = (path: string) =>
  readFileSync(new URL(path, sources), "utf8")
    .split("\n")
    .filter((line) => !/^\s*(\*|\/\*|\/\/)/.test(line))

describe("what an agent is told", () => {
  it("what an agent is told of the sizes of files are those of the instance", () => {
    const [mebibyte, gibibyte] = [1024 ** 2, 1024 ** 3]
    assert.strictEqual(
      mostOfEach({ image: 50 * mebibyte, video: 5 * gibibyte, document: 100 * mebibyte }),
      "Pictures may have 50 MiB, PDFs 100 MiB, videos 5 GiB."
    )
    assert.strictEqual(
      mostOfEach({ image: 1_000_000, video: 1.5 * gibibyte, document: 512 * 1024 }),
      "Pictures may have 1000000 bytes, PDFs 512 KiB, videos 1536 MiB."
    )
  })

  it("what an agent is told has a next step for every problem, and no path of the REST API in it", () => {
    for (const code of Object.keys(problemCodes) as ReadonlyArray<ProblemCode>) {
      const text = problemText(problem(code, "Something is wrong."), "https://carillon.example")
      assert.match(text, new RegExp(`^\\[${code}\\] Something is wrong\\.\\nNext step: .`))
      assert.notMatch(text, ofRest, code)
    }
    const several = [
      { path: "a", code: "queue_full", message: "One." },
      { path: "b", code: "missing_scope", message: "Two." }
    ]
    const text = problemText(badRequest(several), "https://carillon.example")
    assert.include(text, "https://carillon.example/app/queue")
    assert.include(text, "https://carillon.example/connected-apps")
  })

  it("what an agent is told is at most 6,000 tokens for the most and longest problems, and says how many it left out", () => {
    const errors = Array.from({ length: 51 }, (_, index) => ({
      path: `a${index}`,
      code: "destination_not_found",
      message: `${index} ${"0191f0a0-0000-7000-8000-000000000001 (今朝のパン), ".repeat(500)}`
    }))
    const text = problemText(badRequest(errors), "https://carillon.example")
    assert.isAtMost(countTokens(text), 6_000)
    assert.match(text, /^\[destination_not_found\] 0 [^]*\nAnd \d+ more\.\nNext step: /)
  })

  it("has no path of the REST API in a tool, a prompt, or a message of the rooms that tools call", () => {
    const rooms = ["mcp/**/*.ts", "posts/*.ts", "queue/*.ts", "publishing/*.ts", "engine/*.ts"]
    const paths = rooms.flatMap((pattern) => globSync(pattern, { cwd: sources }))
    assert.isAbove(paths.length, 40)
    for (const path of paths) {
      for (const line of linesOf(path)) assert.notMatch(line, ofRest, path)
    }
  })
})
