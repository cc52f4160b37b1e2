import { type Markup, markup, rawMarkup } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"

describe("markup", () => {
  it("escapes what it is given, in text and in attributes", () => {
    const given = `<b title='x'>"Tom & Jerry"</b>`
    const escaped = "&lt;b title=&#39;x&#39;&gt;&quot;Tom &amp; Jerry&quot;&lt;/b&gt;"
    assert.strictEqual(
      markup`<p title="${given}">${given}</p>`.markup,
      `<p title="${escaped}">${escaped}</p>`
    )
  })

  it("takes markup as it is, and lists of it", () => {
    const rows = ["<", 1].map((row) => markup`<li>${row}</li>`)
    assert.strictEqual(
      markup`<ul>${rows}</ul>${null}${rawMarkup("<hr>")}`.markup,
      "<ul><li>&lt;</li><li>1</li></ul><hr>"
    )
  })

  it("markup is no plain string, and no plain string is markup", () => {
    // @ts-expect-error
    const plain: Markup = "<p>"
    assert.strictEqual(markup`${plain}`.markup, "&lt;p&gt;")
    assert.throws(() => `${markup`<p>`}`, /Markup in a plain string/)
    assert.throws(() => [markup`<p>`].join(""), /Markup in a plain string/)
  })
})
