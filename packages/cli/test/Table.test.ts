import { assert, describe, it } from "@effect/vitest"
import { table } from "@carillon/cli/Table"
import { printable } from "@carillon/cli/Text"

const columns = [
  { title: "NAME", of: (row: { name: string }) => row.name },
  { title: "TEXT", of: (row: { text?: string | null }) => row.text ?? null }
]

describe("a table", () => {
  it("is aligned by what a terminal shows, and cut at its width", () => {
    const rows = [
      { name: "🔔鐘", text: "short" },
      { name: "abc", text: null },
      { name: "x", text: "👩‍👩‍👧‍👦".repeat(20) }
    ]
    assert.strictEqual(
      table(rows, columns, 32),
      ["NAME  TEXT", "🔔鐘  short", "abc   -", `x     ${"👩‍👩‍👧‍👦".repeat(12)}…`].join("\n")
    )
  })

  it("leaves whole what is to be copied", () => {
    const address = [{ title: "URL", of: (row: { url: string }) => row.url, whole: true as const }]
    const url = `http://localhost:4401/${"a".repeat(100)}`
    assert.strictEqual(table([{ url }], address, 40), `URL\n${url}`)
  })

  it("obeys nothing that somebody wrote into a caption", () => {
    const rows = [{ name: "a", text: "line one\nline two\u001b[2J\u0007 \u202egnp.exe" }]
    assert.strictEqual(table(rows, columns), "NAME  TEXT\na     line one line two[2J gnp.exe")
  })
})

describe("printable text", () => {
  it("keeps its lines and loses its control characters", () => {
    assert.strictEqual(printable("a\nb\tc\u001b]0;x\u0007\r\u009b1m"), "a\nbc]0;x1m")
  })
})
