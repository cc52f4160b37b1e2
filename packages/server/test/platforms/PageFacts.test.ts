import { pageFacts } from "@carillon/server/platforms/PageFacts"
import { assert, describe, it } from "@effect/vitest"

const facts = (html: string) => pageFacts(Buffer.from(html), "https://example.com/a/b?c")

describe("what a web page says of itself", () => {
  it.each([
    [
      "its Open Graph data",
      `<meta property="og:title" content="Bells"><title>No</title>`,
      { title: "Bells" }
    ],
    ["in either order and quotes", `<META content='Bells' name='OG:Title' />`, { title: "Bells" }],
    ["without quotes", `<meta property=og:title content=Bells>`, { title: "Bells" }],
    [
      "the first of a name",
      `<meta name="og:title" content="A"><meta name="og:title" content="B">`,
      { title: "A" }
    ],
    ["or else its title", `<html><title lang="en">\n Old &amp; new \n</title>`, { title: "Old & new" }],
    [
      "with character references read",
      `<meta property="og:title" content="&quot;1 &lt; 2&quot; &#8211; &#x1F514; &unknown;">`,
      { title: `"1 < 2" – 🔔 &unknown;` }
    ],
    ["with a sign of markup in it", `<meta property="og:title" content="a > b">`, { title: "a > b" }],
    [
      "its description, or the plain one",
      `<title>x</title><meta name="description" content="Towns">`,
      { description: "Towns" }
    ],
    [
      "a picture beside the page",
      `<title>x</title><meta property="og:image" content="../c.png">`,
      { image: "https://example.com/c.png" }
    ],
    [
      "no picture that is no address",
      `<title>x</title><meta property="og:image" content="data:x">`,
      { image: null }
    ],
    [
      "no more of a title than a card shows",
      `<title>${"x".repeat(400)}</title>`,
      { title: `${"x".repeat(299)}…` }
    ]
  ] as const)("what a web page says of itself is %s", (_, html, expected) => {
    assert.deepInclude(facts(html), expected)
  })

  it.each([
    ["without a title", "<p>Bells</p>"],
    ["with an empty title", "<title> </title>"],
    ["with a title that does not end", `<title>${"x".repeat(100_000)}`],
    ["that is empty", ""]
  ])("what a web page says of itself is nothing for a page %s", (_, html) => {
    assert.isUndefined(facts(html))
  })

  it("what a web page says of itself is read in the encoding that it names", () => {
    const page = Buffer.from(`<meta charset="windows-1252"><title>\u00fcber</title>`, "latin1")
    assert.strictEqual(pageFacts(page, "https://example.com")?.title, "über")
  })

  it.each([
    ["tags without an end", "<meta "],
    ["tags with open quotes", `<meta a="`],
    ["attributes without values", "<meta a a a a"],
    ["spaces", `<meta a${" ".repeat(1000)}`]
  ])("what a web page says of itself is looked for in a megabyte of %s without a standstill", (_, part) => {
    const used = process.cpuUsage()
    facts(part.repeat(1_000_000 / part.length))
    const { system, user } = process.cpuUsage(used)
    assert.isBelow(user + system, 5_000_000)
  })
})
