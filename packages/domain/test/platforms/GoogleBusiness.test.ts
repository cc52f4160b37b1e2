import { businessTime, platformOptions, platformRules } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

const rules = platformRules.google_business

const broken = (options: { readonly [name: string]: unknown }) =>
  rules.conflicts!({ caption: "Bells", options, media: [], placement: rules.placements[0]! }).map(
    ({ option, rule }) => `${option}: ${rule}`
  )

const event = { event_title: "Open day", event_start: "2026-12-24T10:00", event_end: "2026-12-24T18:00" }
const [topic_type, url] = ["EVENT", "https://bells.example/"]

describe("the options of a local post", () => {
  it.each([
    ["an event", { topic_type, ...event }, []],
    [
      "an event of one whole day",
      { topic_type, ...event, event_start: "2026-12-24", event_end: "2026-12-24" },
      []
    ],
    ["an event with a button", { topic_type, ...event, cta_action_type: "BOOK", cta_url: url }, []],
    ["an offer", { topic_type: "OFFER", ...event, offer_coupon_code: "BELL", offer_redeem_url: url }, []],
    [
      "an offer without its dates",
      { topic_type: "OFFER", event_title: "Half price" },
      ["event_start: event_is_whole", "event_end: event_is_whole"]
    ],
    [
      "an offer with a button",
      { topic_type: "OFFER", ...event, cta_action_type: "CALL" },
      ["cta_action_type: offer_without_button"]
    ],
    ["an update with a date", { event_start: "2026-12-24" }, ["event_start: only_with_event"]],
    ["an event with terms", { topic_type, ...event, offer_terms: "None" }, ["offer_terms: only_with_offer"]],
    [
      "an event whose end alone is a whole day",
      { topic_type, ...event, event_end: "2026-12-25" },
      ["event_end: both_have_times"]
    ],
    [
      "an event that ends as it begins",
      { topic_type, ...event, event_end: event.event_start },
      ["event_end: ends_after_start"]
    ],
    [
      "whole days in the wrong order",
      { topic_type, ...event, event_start: "2026-12-24", event_end: "2026-12-23" },
      ["event_end: ends_after_start"]
    ]
  ])("of %s break these rules", (_what, options, expected) => {
    assert.deepStrictEqual(broken(options), expected)
  })

  it.each(["2026-02-30", "2026-12-24T24:00", "2026-12-24T18:00Z", "2026-12-24T18:00:00", "tomorrow"])(
    "take no %s as a time",
    (event_start) => {
      assert.throws(() => Schema.decodeUnknownSync(platformOptions.google_business)({ event_start }))
      assert.strictEqual(businessTime(event_start), undefined)
    }
  )
})

describe("a warning of a rejection", () => {
  const warned = (caption: string, options = {}) => rules.warnings!(options, {}, caption).length
  it.each([
    ["Call +49 30 1234567 today", 1],
    ["Call (030) 123-4567.", 1],
    ["0301234567", 1],
    ["Open 2026-12-24 to 2027-01-06", 0],
    ["24.12.2026, 10:00-18:00", 0],
    ["Since 1998-2026 in Berlin", 0],
    ["See https://bells.example/posts/123456789", 0],
    ["1,250,000 visitors, 12345 bells, 99.50 EUR", 0]
  ])("of the telephone number in %j: %i", (caption, expected) => {
    assert.strictEqual(warned(caption), expected)
  })

  it("comes with a title that Google's own form does not take", () => {
    assert.strictEqual(warned("Bells", { event_title: "b".repeat(58) }), 0)
    assert.strictEqual(warned("Bells", { event_title: "b".repeat(59) }), 1)
  })
})
