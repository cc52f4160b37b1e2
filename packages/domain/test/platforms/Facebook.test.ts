import { type MediaKind, platformOptions, platformRules } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

const rules = platformRules.facebook

const broken = (
  options: { readonly [name: string]: unknown },
  kinds: ReadonlyArray<MediaKind | null> = []
) => {
  const placement = rules.placementOf(kinds, options["placement"] as undefined)
  const media = kinds.map((kind, index) => ({ id: String(index), kind, duration_ms: null }))
  return rules.conflicts!({ caption: "Bells", options, media, placement }).map(
    ({ option, rule }) => `${option}: ${rule}`
  )
}

const reel = { placement: "reel" }
const story = { placement: "story" }
const link = "https://a.example"

describe("the options of a Facebook post", () => {
  it.each([
    ["a link alone", { link }, [], []],
    ["a link with a picture", { link }, ["image"], ["link: link_without_media"]],
    ["a title of a video", { title: "Bells" }, ["video"], []],
    ["a title of a reel", { title: "Bells", ...reel }, ["video"], []],
    ["a title of what is still fetched", { title: "Bells" }, [null], []],
    ["a title of a text", { title: "Bells" }, [], ["title: only_with_video"]],
    ["a title of a story", { title: "Bells", ...story }, ["video"], ["title: only_with_video"]],
    ["a cover of a video", { cover_image: "a" }, ["video"], []],
    [
      "a cover of a reel",
      { video_cover_timestamp_ms: 1, ...reel },
      ["video"],
      ["video_cover_timestamp_ms: only_with_feed_video"]
    ],
    ["a place of a picture", { location_id: "1" }, ["image"], []],
    ["a place of a reel", { location_id: "1", ...reel }, ["video"], []],
    ["a place of a video", { location_id: "1" }, ["video"], ["location_id: location_of_posts_and_reels"]],
    [
      "a place of a story",
      { location_id: "1", ...story },
      ["image"],
      ["location_id: location_of_posts_and_reels"]
    ],
    ["a long comment", { first_comment: "🔔".repeat(8000) }, [], []],
    ["a comment that is too long", { first_comment: "🔔".repeat(8001) }, [], ["first_comment: too_long"]]
  ] as const)("are accepted or refused together: %s", (_, options, kinds, expected) => {
    assert.deepStrictEqual(broken(options, kinds), [...expected])
  })

  it.each([
    ["a place by its name", { location_id: "Geneva" }],
    ["a link that is none", { link: "example" }],
    ["a blank title", { title: " " }],
    ["a title of 256 characters", { title: "x".repeat(256) }]
  ])("do not have %s", (_, options) => {
    assert.throws(() => Schema.decodeUnknownSync(platformOptions.facebook)(options))
  })
})
