import { linkedinPost, platformOptions, rulesFor } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

const rulesOf = (organization: boolean | null) =>
  rulesFor({ platform: "linkedin", limits: organization === null ? null : { organization } })

const broken = (
  options: { readonly [name: string]: unknown },
  { kinds = [], caption = "Bells", organization = null as boolean | null } = {} as {
    readonly kinds?: ReadonlyArray<"image" | "video" | "document" | null>
    readonly caption?: string
    readonly organization?: boolean | null
  }
) => {
  const rules = rulesOf(organization)
  const media = kinds.map((kind, index) => ({ id: String(index), kind, duration_ms: null }))
  const post = { caption, options, media, placement: rules.placements[0]! }
  return rules.conflicts!(post).map(({ option, rule }) => `${option}: ${rule}`)
}

const poll = { question: "Which bell?", options: ["Great", "Small"], duration_days: 7 }

describe("the options of a LinkedIn post", () => {
  it.each([
    ["a poll without media", { poll }, {}, []],
    ["a poll with media", { poll }, { kinds: ["image"] }, ["poll: poll_without_media"]],
    [
      "a poll whose question is a caption that is too long",
      { poll: { options: ["1", "2"] } },
      { caption: "x".repeat(141) },
      ["poll: poll_question"]
    ],
    ["a poll and a repost", { poll, reshare: "urn:li:share:1" }, {}, ["reshare: one_attachment"]],
    ["a link and a poll", { link: "https://a.example", poll }, {}, ["link: one_attachment"]],
    ["a link with media", { link: "https://a.example" }, { kinds: ["image"] }, ["link: link_without_media"]],
    [
      "a repost with media",
      { reshare: "urn:li:share:1" },
      { kinds: ["video"] },
      ["reshare: reshare_without_media"]
    ],
    ["a link without a card", { link: "https://a.example", link_card: "off" }, {}, ["link: link_needs_card"]],
    [
      "a cover of a picture",
      { video_cover_timestamp_ms: 1 },
      { kinds: ["image"] },
      ["video_cover_timestamp_ms: only_with_video"]
    ],
    ["a cover of what is still fetched", { video_cover_timestamp_ms: 1 }, { kinds: [null] }, []],
    [
      "a title without a document",
      { document_title: "x" },
      { kinds: ["image"] },
      ["document_title: only_with_document"]
    ],
    ["a title of a document", { document_title: "x" }, { kinds: ["document"] }, []]
  ] as const)("are accepted or refused together: %s", (_, options, post, expected) => {
    assert.deepStrictEqual(broken(options, post), [...expected])
  })

  it("let a person choose the audience, and no organization", () => {
    const visibility = "CONNECTIONS"
    assert.deepStrictEqual(broken({ visibility }), [])
    assert.deepStrictEqual(broken({ visibility }, { organization: false }), [])
    assert.deepStrictEqual(broken({ visibility }, { organization: true }), [
      "visibility: pages_post_publicly"
    ])
    assert.deepStrictEqual(broken({ visibility: "PUBLIC" }, { organization: true }), [])
  })

  it("have polls of the lengths that LinkedIn names", () => {
    const isPoll = (changes: object) => Schema.is(platformOptions.linkedin)({ poll: { ...poll, ...changes } })
    for (const right of [
      {},
      { question: "x".repeat(140), options: ["x".repeat(30), "2", "3", "4"] },
      ...[1, 3, 7, 14].map((duration_days) => ({ duration_days }))
    ])
      assert.isTrue(isPoll(right), JSON.stringify(right))
    for (const wrong of [
      { question: "x".repeat(141) },
      { question: "" },
      { options: ["1"] },
      { options: ["1", "2", "3", "4", "5"] },
      { options: ["1", "x".repeat(31)] },
      { duration_days: 2 },
      { duration_days: undefined }
    ])
      assert.isFalse(isPoll(wrong), JSON.stringify(wrong))
  })
})

it.each([
  ["urn:li:share:7141138937766391808", "urn:li:share:7141138937766391808"],
  ["URN:LI:UGCPOST:1", "urn:li:ugcPost:1"],
  ["https://www.linkedin.com/feed/update/urn:li:share:71/", "urn:li:share:71"],
  ["https://www.linkedin.com/feed/update/urn%3Ali%3Aactivity%3A71?utm=x", "urn:li:activity:71"],
  ["https://linkedin.com/posts/jane-doe_bells-activity-73-hcGT/?utm_source=share", "urn:li:activity:73"],
  ["https://www.linkedin.com/posts/jane-ugcPost-74-6jfq", "urn:li:ugcPost:74"],
  ["https://www.linkedin.com/in/jane", undefined],
  ["https://evil.example/feed/update/urn:li:share:71", undefined],
  ["urn:li:organization:1", undefined],
  ["urn:li:share:1x", undefined]
])("the post at %s is %s", (address, urn) => {
  assert.strictEqual(linkedinPost(address), urn)
})
