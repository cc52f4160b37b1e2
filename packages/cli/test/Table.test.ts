import { assert, describe, it } from "@effect/vitest"
import { table } from "@carillon/cli/Table"
import { bytes, duration } from "@carillon/cli/Text"
import { rendered, color } from "@carillon/cli/Color"

const plain = (text: string) => rendered(text, false)

const columns = [
  { title: "NAME", of: (row: { name: string }) => row.name },
  { title: "TEXT", of: (row: { text?: string | null }) => row.text ?? null }
]

describe("a table", () => {
  it("a table is aligned by what a terminal shows, and cut at its width", async () => {
    const rows = [
      { name: "🔔鐘", text: "short" },
      { name: "abc", text: null },
      { name: "x", text: "👩‍👩‍👧‍👦".repeat(20) }
    ]
    assert.strictEqual(
      plain(await table(rows, columns, 32)),
      ["NAME  TEXT", "🔔鐘  short", "abc   -", `x     ${"👩‍👩‍👧‍👦".repeat(12)}…`].join("\n")
    )
  })

  it("leaves whole what is to be copied", async () => {
    const address = [{ title: "URL", of: (row: { url: string }) => row.url, whole: true as const }]
    const url = `http://localhost:4401/${"a".repeat(100)}`
    assert.strictEqual(plain(await table([{ url }], address, 40)), `URL\n${url}`)
  })

  it("obeys nothing that somebody wrote into a caption", async () => {
    const rows = [{ name: "a", text: "line one\nline two\u001b[2J\u0007 \u202egnp.exe" }]
    assert.strictEqual(plain(await table(rows, columns)), "NAME  TEXT\na     line one line two[2J gnp.exe")
  })
})

describe("colours", () => {
  it("colours are drawn where they are wanted, and what somebody wrote draws none", () => {
    const text = `${color("good", "published")} \u001b[31mcaption`
    assert.strictEqual(rendered(text, true), "\u001b[32mpublished\u001b[0m [31mcaption")
    assert.strictEqual(rendered(text, false), "published [31mcaption")
  })

  it("colours do not move what stands under them", async () => {
    const colored = [
      { title: "A", of: (row: string) => row, tone: () => "bad" as const },
      { title: "B", of: () => "b" }
    ]
    const [first, second] = rendered(await table(["x", "long"], colored), false)
      .split("\n")
      .slice(1)
    assert.strictEqual(first!.indexOf("b"), second!.indexOf("b"))
  })
})

describe("figures", () => {
  it.each([
    [0, "0 B"],
    [999, "999 B"],
    [1000, "1.0 kB"],
    [29_100_000, "29.1 MB"],
    [5_400_000_000, "5.4 GB"]
  ])("%i bytes are %s", (n, text) => assert.strictEqual(bytes(n), text))

  it.each([
    [400, "1 s"],
    [59_000, "59 s"],
    [725_000, "12 min 05 s"],
    [12_000_000, "3 h 20 min"],
    [367_200_000, "4 d 6 h"]
  ])("%i milliseconds are %s", (n, text) => assert.strictEqual(duration(n), text))
})
