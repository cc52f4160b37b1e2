import {
  conversionWarnings,
  type KnownMedia,
  platformRules,
  unmended,
  videoConversion
} from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { check, fitting } from "./Samples.ts"

const tiktok = platformRules.tiktok.placementOf(["video"], undefined)
const reel = platformRules.instagram.placementOf(["video"], undefined)
const video = (changes: Partial<KnownMedia> = {}) => fitting(tiktok, "video", changes)

describe("what a conversion mends", () => {
  const shapeOf = (changes: Partial<KnownMedia>) => videoConversion(video(changes), reel.videos!)

  it("a conversion mends nothing of a video that fits", () => {
    assert.isNull(shapeOf({}))
  })

  it("a conversion mends the container", () => {
    assert.deepInclude(shapeOf({ mime_type: "video/webm" }), { width: 720, height: 720, frame_rate: 30 })
  })

  it("a conversion mends a picture that is too large, in its proportions and in even numbers of pixels", () => {
    assert.deepInclude(shapeOf({ width: 3840, height: 2160 }), { width: 1920, height: 1080 })
    assert.deepInclude(shapeOf({ width: 2001, height: 1501, mime_type: "video/webm" }), {
      width: 1920,
      height: 1440
    })
  })

  it("a conversion mends a frame rate that is too high, by leaving out every second frame or more", () => {
    assert.deepInclude(shapeOf({ frame_rate: 119.88 }), { frame_rate: 59.94 })
    assert.deepInclude(shapeOf({ frame_rate: 240 }), { frame_rate: 60 })
    assert.deepInclude(shapeOf({ frame_rate: 100 }), { frame_rate: 50 })
  })

  it("a conversion mends a file that is too big, as long as its picture keeps half a megabit a second", () => {
    const shape = shapeOf({ size_bytes: 400_000_000, duration_ms: 600_000 })!
    assert.isBelow(((shape.bit_rate + 128_000) * 600) / 8, 300_000_000)
    assert.isAbove(shape.bit_rate, 3_000_000)
    const story = { ...reel.videos!, max_bytes: 10_000_000 }
    assert.isNull(videoConversion(video({ size_bytes: 20_000_000, duration_ms: 600_000 }), story))
    assert.isNull(videoConversion(video({ size_bytes: 20_000_000, duration_ms: null }), story))
  })

  it("a conversion mends neither length, nor proportions, nor too few frames or pixels; and those alone are told", () => {
    const left = (changes: Partial<KnownMedia>) =>
      unmended(video(changes), tiktok.videos!).map(({ rule }) => rule)
    assert.deepStrictEqual(left({ duration_ms: 2000, frame_rate: 120 }), ["min_duration_ms"])
    assert.deepStrictEqual(left({ frame_rate: 15, width: 5000, height: 5000 }), ["min_fps"])
    assert.deepStrictEqual(left({ width: 300, frame_rate: 120 }), ["min_width"])
    assert.deepStrictEqual(left({ width: 5000, height: 400 }), ["max_width"])
    assert.deepStrictEqual(left({ width: 5000, height: 5000, frame_rate: 120 }), [])
  })

  it("a conversion mends nothing where the platform takes no MP4", () => {
    const rules = { ...reel.videos!, mime_types: ["video/webm"] }
    assert.isNull(videoConversion(video(), rules))
    assert.deepStrictEqual(
      unmended(video(), rules).map(({ rule }) => rule),
      ["mime_types"]
    )
  })
})

describe("a video that a platform does not take as it is", () => {
  const fast = video({ frame_rate: 120 })
  const rules = (transcoding: boolean, processing: boolean) =>
    check("tiktok", { media: [fast], transcoding, processing }).map(({ rule }) => rule)

  it("a video that a platform does not take unchanged is refused unless the instance converts and the post lets it", () => {
    assert.deepStrictEqual(rules(false, true), ["max_fps"])
    assert.deepStrictEqual(rules(true, false), ["max_fps"])
    assert.deepStrictEqual(rules(true, true), [])
  })

  it("a video that a platform does not take unchanged is warned of with the rule and with what is sent instead", () => {
    const warnings = (video_transcoding: boolean, item = fast, tone_mapping = true) =>
      conversionWarnings({
        content: {
          caption: null,
          media: [item.id],
          platform_configurations: null,
          account_configurations: null
        },
        accounts: [{ id: 7, platform: "tiktok", username: "demo", status: "connected" }],
        media: [item],
        processing_enabled: true,
        video_transcoding,
        tone_mapping
      })
    assert.deepStrictEqual(warnings(false), [])
    assert.deepStrictEqual(warnings(true), [
      `TikTok (account 7) gets a converted copy of the media item ${fast.id} (MP4 with H.264 and AAC, 720 x 720, 60 frames per second): it accepts at most 60 frames per second, but this one has 120 frames per second.`
    ])
    const bright = { ...fast, transfer: "pq" } as const
    assert.match(warnings(true, bright)[0]!, /Its HDR is tone-mapped to SDR\.$/)
    assert.match(
      warnings(true, bright, false)[0]!,
      /is not tone-mapped .* lacks the filters zscale and tonemap\./
    )
  })

  it("a video that a platform does not take unchanged is warned of in each item of a thread", () => {
    const [warning, ...others] = conversionWarnings({
      content: {
        caption: "x",
        media: [],
        thread: [
          { caption: "y", media: [] },
          { caption: "z", media: [fast.id] }
        ],
        platform_configurations: null,
        account_configurations: null
      },
      accounts: [{ id: 7, platform: "twitter", username: "demo", status: "connected" }],
      media: [fast],
      processing_enabled: true,
      video_transcoding: true,
      tone_mapping: true
    })
    assert.match(warning!, /^X \(account 7\) gets a converted copy of the media item /)
    assert.deepStrictEqual(others, [])
  })
})
