import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { detectFacets, type Facet } from "@carillon/domain"

const slice = (text: string, { start, end }: Facet) => Buffer.from(text).subarray(start, end).toString("utf8")
const found = (text: string, kind: Facet["kind"]) =>
  detectFacets(text)
    .filter((facet) => facet.kind === kind)
    .map((facet) => slice(text, facet))
const target = (facet: Facet) =>
  facet.kind === "link" ? facet.uri : facet.kind === "mention" ? facet.handle : facet.tag

describe("links", () => {
  it.each([
    ["counts bytes, not characters, before a link", "🎉 é https://example.com/a", ["https://example.com/a"]],
    ["leaves a full stop out", "See https://example.com/a.", ["https://example.com/a"]],
    ["leaves several closing signs out", "Really (https://example.com/a?!)…", ["https://example.com/a"]],
    [
      "keeps query, fragment and inner punctuation",
      "https://example.com/a,b;c?d=1&e=2#f.g",
      ["https://example.com/a,b;c?d=1&e=2#f.g"]
    ],
    [
      "keeps a bracket that the address opened",
      "https://example.com/Foo_(bar)",
      ["https://example.com/Foo_(bar)"]
    ],
    ["drops a bracket that the sentence opened", "(https://example.com/foo)", ["https://example.com/foo"]],
    [
      "ends at quotes and angle brackets",
      `<https://example.com/a> "https://example.com/b"`,
      ["https://example.com/a", "https://example.com/b"]
    ],
    ["ends at full-width punctuation", "見てhttps://example.com/あ。次", ["https://example.com/あ"]],
    [
      "finds names without a scheme under common domains",
      "example.com and www.example.museum/x",
      ["example.com", "www.example.museum/x"]
    ],
    ["keeps a country's second level", "shop.example.co.uk/x", ["shop.example.co.uk/x"]],
    ["leaves file names and forgotten spaces alone", "node.js README.md main.rs done.It is e.g. 3.14", []],
    ["leaves e-mail addresses alone", "me@example.com a.b@example.org", []],
    ["leaves a scheme without a host alone", "https:// http://. https://?", []],
    ["knows no scheme but http and https", "ftp://example.com javascript:alert(1)", []],
    ["takes a port and an upper-case scheme", "HTTP://EXAMPLE.COM:8080/X", ["HTTP://EXAMPLE.COM:8080/X"]]
  ])("links: %s", (_sentence, text, expected) => {
    assert.deepStrictEqual(found(text, "link"), expected)
  })

  it("adds https to a name without a scheme", () => {
    assert.deepStrictEqual(detectFacets("example.com/a"), [
      { kind: "link", start: 0, end: 13, uri: "https://example.com/a" }
    ])
  })

  it("writes an address beyond ASCII as ASCII and leaves others as they are", () => {
    const text = "https://bücher.example/ü https://example.com"
    assert.deepStrictEqual(detectFacets(text).map(target), [
      "https://xn--bcher-kva.example/%C3%BC",
      "https://example.com"
    ])
  })
})

describe("mentions", () => {
  it.each([
    ["finds handles", "@alice.bsky.social and @bob.example.com", ["@alice.bsky.social", "@bob.example.com"]],
    [
      "leaves punctuation out",
      "(@alice.test), @bob.test! @carol.test's",
      ["@alice.test", "@bob.test", "@carol.test"]
    ],
    ["starts after an emoji or a bracket", "👋@alice.test [@bob.test]", ["@alice.test", "@bob.test"]],
    ["wants a dot", "@alice @ @-.-", []],
    ["leaves addresses of other networks alone", "@alice@mastodon.social me@alice.test @a.bc@d.ef", []],
    ["leaves what belongs to a link alone", "https://example.com/@alice.test", []]
  ])("mentions: %s", (_sentence, text, expected) => {
    assert.deepStrictEqual(found(text, "mention"), expected)
  })

  it("writes the handle in lower case", () => {
    assert.deepStrictEqual(detectFacets("@Alice.Test").map(target), ["alice.test"])
  })
})

describe("tags", () => {
  it.each([
    ["finds tags", "#one and #Two", ["#one", "#Two"]],
    [
      "takes letters of any script and emoji",
      "#日本語 #größe #हिन्दी #🦋 #👩‍👩‍👧",
      ["#日本語", "#größe", "#हिन्दी", "#🦋", "#👩‍👩‍👧"]
    ],
    ["counts bytes after emoji", "👨‍👩‍👧‍👦#family", ["#family"]],
    ["takes the full-width sign", "＃全角", ["＃全角"]],
    ["leaves closing punctuation out", "#one, (#two) #three!? #日本。", ["#one", "#two", "#three", "#日本"]],
    ["refuses numbers, lone signs and keycaps", "#1 #2026 # ## #️⃣ #.!", []],
    ["refuses what is inside a word or an address", "a#b https://example.com/#c", []],
    ["refuses more than 640 bytes", `#${"👨‍👩‍👧‍👦".repeat(25)} #${"👨‍👩‍👧‍👦".repeat(26)}`, [`#${"👨‍👩‍👧‍👦".repeat(25)}`]],
    ["refuses more than 64 characters", `#${"a".repeat(65)} #${"é".repeat(64)}`, [`#${"é".repeat(64)}`]]
  ])("tags: %s", (_sentence, text, expected) => {
    assert.deepStrictEqual(found(text, "tag"), expected)
  })
})

const pieces = Schema.Array(
  Schema.Union([
    Schema.Literals([
      " ",
      "\n",
      "https://example.com/a",
      "http://example.org/(x)",
      "example.de",
      "www.example.net/?q",
      "@alice.test",
      "@Bob.Example.com",
      "#tag",
      "＃全角",
      "#",
      "@",
      "(",
      ")",
      ".",
      "…",
      "👨‍👩‍👧‍👦",
      "é",
      "e\u0301",
      "日本",
      "\u200d",
      "\ufe0f"
    ]),
    Schema.String
  ])
)
const manyRuns = { arbitrary: { runs: 1000 } }

describe("facets of any text", () => {
  it.prop(
    "facets of any text are the bytes of what they point to",
    [pieces],
    ([parts]) => {
      const text = parts.join("").toWellFormed()
      for (const facet of detectFacets(text)) {
        const shown = slice(text, facet)
        assert.include(text, shown)
        assert.include(
          [
            shown,
            `https://${shown}`,
            URL.parse(shown)?.href,
            URL.parse(`https://${shown}`)?.href,
            shown.slice(1),
            shown.slice(1).toLowerCase()
          ],
          target(facet)
        )
      }
    },
    manyRuns
  )

  it.prop(
    "come in order and never overlap",
    [pieces],
    ([parts]) => {
      const text = parts.join("").toWellFormed()
      const facets = detectFacets(text)
      const edges = [0, ...facets.flatMap(({ start, end }) => [start, end]), Buffer.byteLength(text)]
      assert.deepStrictEqual(
        edges,
        edges.toSorted((a, b) => a - b)
      )
      assert.isTrue(facets.every(({ start, end }) => start < end))
    },
    manyRuns
  )
})
