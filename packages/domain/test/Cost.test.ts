import { type Content, costOf, costWarnings, dollars, xPrices } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"

const x = { id: 5, platform: "twitter" } as const
const post = (changes: Partial<Content> = {}): Content => ({
  caption: "Bells",
  media: [],
  platform_configurations: null,
  account_configurations: null,
  ...changes
})
const link = "See example.com"
const media = [
  { id: "a", alt_text: "A bell" },
  { id: "b", alt_text: null },
  { id: "c", alt_text: "A tower" }
]
interface More {
  readonly at_once?: boolean
  readonly live_items?: number
}
const priced = (content: Content, more: More = {}) => ({
  content,
  media,
  prices: xPrices,
  at_once: false,
  ...more
})
const thread = (...captions: ReadonlyArray<string>) => captions.map((caption) => ({ caption, media: [] }))
const five = post({ thread: thread(link, "Two", "Three", "Four") })

describe("the cost of a post on X", () => {
  it.each([
    ["text", post(), {}, "$0.015"],
    ["text with an address without a scheme", post({ caption: link }), {}, "$0.20"],
    ["text that goes out at once, for which the newest posts are read", post(), { at_once: true }, "$0.04"],
    ["pictures that go out at once", post({ media: ["b"] }), { at_once: true }, "$0.015"],
    ["pictures with descriptions of their own", post({ media: ["a", "b", "c"] }), {}, "$0.025"],
    [
      "pictures that the post describes, one of them with nothing",
      post({ media: ["a", "b", "c"], platform_configurations: { twitter: { alt_text: ["", "Bells"] } } }),
      {},
      "$0.025"
    ],
    [
      "one description for all pictures",
      post({ media: ["a", "b", "c"], platform_configurations: { twitter: { alt_text: "Bells" } } }),
      {},
      "$0.03"
    ],
    ["a thread of five with one address", five, {}, "$0.26"],
    ["the rest of a thread that is live in part", five, { at_once: true, live_items: 2 }, "$0.045"],
    [
      "what the account has of its own",
      post({ caption: link, platform_configurations: { twitter: { caption: "Short" } } }),
      {},
      "$0.015"
    ]
  ] satisfies ReadonlyArray<readonly [string, Content, More, string]>)(
    "is that of its calls: %s",
    (_, content, more, amount) => {
      assert.strictEqual(dollars(costOf(priced(content, more), x)), amount)
    }
  )

  it("is a warning of each account that is charged for, and of no other", () => {
    assert.deepStrictEqual(
      costWarnings(priced(five), [x, { id: 6, platform: "bluesky" }, { id: 7, platform: "twitter" }]),
      [5, 7].map((id) => `X (account ${id}) charges this service's operator about $0.26 for the post.`)
    )
  })

  it("follows prices that differ", () => {
    assert.strictEqual(costOf({ ...priced(post()), prices: { ...xPrices, post: 1 } }, x), 1)
  })
})

it("Amounts have cents, and what is less than a cent only where there is any", () => {
  assert.deepStrictEqual([0, 1, 15_000, 200_000, 50_000_000, 1_234_500_000].map(dollars), [
    "$0.00",
    "$0.000001",
    "$0.015",
    "$0.20",
    "$50.00",
    "$1,234.50"
  ])
})
