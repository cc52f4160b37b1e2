import { type AccountLimits, contentWarnings, platformRules, xSubscriberLimits } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { check, fitting } from "../preflight/Samples.ts"

const placement = platformRules.twitter.placementOf([], undefined)
const film = (duration_ms: number) => fitting(placement, "video", { duration_ms })
const animation = (frames: number) =>
  fitting(placement, "image", { mime_type: "image/gif", width: 1280, height: 1080, frames })
const subtitles = (lang: string) => ({ lang, text: "WEBVTT\n\n00:00.000 --> 00:02.000\nBells" })

const rulesBroken = (post: Parameters<typeof check>[1]) =>
  check("twitter", post).map(({ rule, code }) => rule ?? code)

describe("a post on X", () => {
  it.each([
    ["an account without a subscription", {}, 280, 140_000],
    ["a subscriber", xSubscriberLimits, 25_000, 14_400_000]
  ] satisfies ReadonlyArray<readonly [string, AccountLimits, number, number]>)(
    "is as long as X allows it to %s",
    (_, limits, most, longest) => {
      assert.deepStrictEqual(rulesBroken({ caption: "x".repeat(most), limits }), [])
      assert.deepStrictEqual(rulesBroken({ caption: "x".repeat(most + 1), limits }), ["max"])
      assert.deepStrictEqual(rulesBroken({ media: [film(longest)], limits }), [])
      assert.deepStrictEqual(rulesBroken({ media: [film(longest + 1)], limits }), ["max_duration_ms"])
    }
  )

  it.each([
    ["a GIF of as many pixels as X takes", { media: [animation(217)] }, []],
    ["a GIF of more pixels", { media: [animation(218)] }, ["max_frames_pixels"]],
    ["subtitles of a video", { media: [film(9000)], options: { captions: [subtitles("en")] } }, []],
    ["subtitles of nothing", { caption: "x", options: { captions: [subtitles("en")] } }, ["only_with_video"]],
    [
      "two files of subtitles in one language",
      { media: [film(9000)], options: { captions: [subtitles("en"), subtitles("EN")] } },
      ["caption_languages_differ"]
    ],
    [
      "two files that X knows as one language",
      { media: [film(9000)], options: { captions: [subtitles("pt-BR"), subtitles("pt-PT")] } },
      ["caption_languages_differ"]
    ],
    [
      "subtitles in a language without two letters",
      { media: [film(9000)], options: { captions: [subtitles("yue")] } },
      ["caption_language"]
    ]
  ] as const)("breaks the rules that it should: %s", (_, post, expected) => {
    assert.deepStrictEqual(rulesBroken(post), [...expected])
  })

  it.each([
    ["$BELL rings", {}, []],
    ["$BELL rings, $GONG does not", {}, [/gets 2 cashtags/]],
    ["It costs $5 and US$7", {}, []],
    ["Bells", { first_comment: "First" }, [/leaves out the first comment/]]
  ] as const)("is warned of what X does with %j and %j", (caption, options, expected) => {
    const content = {
      caption,
      media: [],
      platform_configurations: { twitter: options },
      account_configurations: null
    }
    const found = contentWarnings(content, [{ id: 1, platform: "twitter" }])
    assert.lengthOf(found, expected.length)
    for (const [index, sentence] of expected.entries()) assert.match(found[index]!, sentence)
  })
})
