import { type AccountLimits, platformRules } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { check, fitting } from "../preflight/Samples.ts"

// The names of the limits are those of https://docs.joinmastodon.org/entities/Instance/#configuration.

const [placement] = platformRules.mastodon.placements
const image = (changes = {}) => fitting(placement!, "image", changes)
const video = (changes = {}) => fitting(placement!, "video", changes)
const picture = image()
const images = (count: number) => ({ media: Array.from({ length: count }, () => image()) })
const poll = (values: object) => ({
  caption: "Which?",
  options: { poll: { options: ["a", "b"], ...values } }
})
const choices = (count: number) => poll({ options: Array.from({ length: count }, (_, index) => `${index}`) })

const quoting = { options: { quote: "https://mastodon.social/@alice/1" } }

type Post = Omit<Parameters<typeof check>[1], "limits">
const broken = (post: Post, limits: AccountLimits) =>
  check("mastodon", { ...post, limits }).map(({ rule }) => rule)

describe("the limits of an account's server", () => {
  it.each<[string, AccountLimits, Post, Post, string]>([
    ["characters", { characters: 5000 }, { caption: "x".repeat(5000) }, { caption: "x".repeat(5001) }, "max"],
    ["fewer characters", { characters: 5 }, { caption: "x".repeat(5) }, { caption: "x".repeat(6) }, "max"],
    [
      "characters with the warning",
      { characters: 600 },
      { caption: "x".repeat(300), options: { spoiler_text: "y".repeat(300) } },
      { caption: "x".repeat(300), options: { spoiler_text: "y".repeat(301) } },
      "max"
    ],
    [
      "characters of an address",
      { characters: 40, address_characters: 32 },
      { caption: "1234567 https://a.example" },
      { caption: "12345678 https://a.example" },
      "max"
    ],
    [
      "characters where an address counts as it is written",
      { characters: 25, address_characters: 0 },
      { caption: "1234567 https://a.example" },
      { caption: "12345678 https://a.example" },
      "max"
    ],
    ["files", { media: 6 }, images(6), images(7), "images.max_count"],
    ["types", { mime_types: ["image/png"] }, {}, { media: [video()] }, "kind"],
    [
      "bytes of a picture",
      { image_bytes: 20_000_000 },
      { media: [image({ size_bytes: 20_000_000 })] },
      { media: [image({ size_bytes: 20_000_001 })] },
      "max_bytes"
    ],
    [
      "pixels of a picture",
      { image_pixels: 1_000_000 },
      { media: [image({ width: 1000, height: 1000 })] },
      { media: [image({ width: 1000, height: 1001 })] },
      "max_pixels"
    ],
    [
      "bytes of a video",
      { video_bytes: 200_000_000 },
      { media: [video({ size_bytes: 200_000_000 })] },
      { media: [video({ size_bytes: 200_000_001 })] },
      "max_bytes"
    ],
    [
      "pixels of a video",
      { video_pixels: 1_000_000 },
      { media: [video({ width: 1000, height: 1000 })] },
      { media: [video({ width: 1000, height: 1001 })] },
      "max_pixels"
    ],
    [
      "frames of a video",
      { video_fps: 30 },
      { media: [video({ frame_rate: 30 })] },
      { media: [video({ frame_rate: 31 })] },
      "max_fps"
    ],
    [
      "descriptions",
      { description_characters: 10 },
      { ...images(1), options: { alt_text: "x".repeat(10) } },
      { ...images(1), options: { alt_text: ["x".repeat(11)] } },
      "alt_text_length"
    ],
    [
      "descriptions that are longer than usual",
      { description_characters: 3000 },
      { ...images(1), options: { alt_text: "x".repeat(3000) } },
      { ...images(1), options: { alt_text: "x".repeat(3001) } },
      "alt_text_length"
    ],
    [
      "descriptions where the server names no limit",
      {},
      { ...images(1), options: { alt_text: "x".repeat(1500) } },
      { ...images(1), options: { alt_text: "x".repeat(1501) } },
      "alt_text_length"
    ],
    [
      "characters with the warning and the poll's question",
      {},
      { options: { ...poll({ question: "y".repeat(99) }).options, spoiler_text: "z".repeat(398) } },
      { options: { ...poll({ question: "y".repeat(99) }).options, spoiler_text: "z".repeat(399) } },
      "poll_question"
    ],
    [
      "thumbnails, where it takes no pictures",
      { mime_types: ["video/mp4"] },
      { media: [video()] },
      { media: [video()], options: { thumbnail: picture.id }, library: [picture] },
      "thumbnail_not_possible"
    ],
    ["quotes", { quotes: false }, {}, quoting, "quote_not_possible"],
    ["choices", { poll_options: 6 }, choices(6), choices(7), "poll_options"],
    [
      "characters of a choice",
      { poll_option_characters: 80 },
      poll({ options: ["a", "👨‍👩‍👧‍👦".repeat(80).slice(0, 300)] }),
      poll({ options: ["a", "b".repeat(81)] }),
      "poll_option_length"
    ],
    [
      "choices that differ",
      {},
      poll({ options: ["a", "A"] }),
      poll({ options: ["a", " a"] }),
      "poll_distinct_options"
    ],
    [
      "the shortest poll",
      { poll_min_seconds: 7200 },
      poll({ duration_hours: 2 }),
      poll({ duration_hours: 1 }),
      "poll_duration"
    ],
    [
      "the longest poll",
      { poll_max_seconds: 31_536_000 },
      poll({ duration_hours: 8760 }),
      poll({ duration_hours: 8761 }),
      "poll_duration"
    ]
  ])("hold at their edge: %s", (what, limits, within, over, rule) => {
    assert.deepStrictEqual(broken({ caption: "x", ...within }, limits), [])
    // Longer than a request may say at all.
    const expected = what === "the longest poll" ? ["option_value", rule] : [rule]
    assert.deepStrictEqual(broken({ caption: "x", ...over }, limits), expected)
  })

  it("the limits of an account's server that it does not name are the usual ones", () => {
    assert.deepStrictEqual(platformRules.mastodon.within!({}).placements, platformRules.mastodon.placements)
    assert.deepStrictEqual(broken({ caption: "x", ...quoting }, {}), [])
    assert.deepStrictEqual(broken(choices(5), {}), ["poll_options"])
    assert.deepStrictEqual(broken(poll({ options: ["a", "b".repeat(51)] }), {}), ["poll_option_length"])
    assert.deepStrictEqual(broken(poll({ duration_hours: 731 }), {}), ["poll_duration"])
  })

  it("change nothing on networks whose servers are all alike", () => {
    const caption = "x".repeat(301)
    const limits = { characters: 5000 }
    assert.deepStrictEqual(check("bluesky", { caption, limits }), check("bluesky", { caption }))
  })

  const anyLimits = Schema.Struct({
    characters: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2000 })),
    address_characters: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 200 }))
  })
  it.prop(
    "the limits of an account's server are broken by exactly the texts that are longer",
    [anyLimits, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 }))],
    ([limits, addresses]) => {
      const links = "https://a.example/b ".repeat(addresses)
      const room = limits.characters - addresses * (limits.address_characters + 1)
      const broke = (words: number) => broken({ caption: `${links}${"x".repeat(words)}` }, limits)
      if (room < 1) assert.deepStrictEqual(broke(1), room === 1 ? [] : ["max"])
      else {
        assert.deepStrictEqual(broke(room), [])
        assert.deepStrictEqual(broke(room + 1), ["max"])
      }
    }
  )
})
