import {
  mediaRulesFor,
  measures,
  type MediaRules,
  type Placement,
  type PlacementRules,
  type PlatformId,
  platformRules,
  type KnownMedia,
  type MediaKind,
  textLength
} from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { check, fitting } from "./Samples.ts"

type Limit = keyof typeof measures

/** The media that lead to a placement, and the option that does. */
const wayTo = (placement: PlacementRules, item?: KnownMedia) => {
  const first = placement.text_only && item === undefined ? [] : [item ?? someMedium(placement)]
  const companions = Array.from({ length: Math.max(0, (placement.min_count ?? 1) - 1) }, () => {
    const companion = fitting(placement, first[0]?.kind ?? "image")
    return placement.equal_size && item !== undefined
      ? { ...companion, width: item.width, height: item.height }
      : companion
  })
  return {
    media: [...first, ...(first.length === 0 ? [] : companions)],
    options: ["reel", "story"].includes(placement.name) ? { placement: placement.name } : undefined
  }
}

const someMedium = (placement: PlacementRules) =>
  fitting(placement, placement.videos === undefined ? "image" : "video")

const groups = (placement: PlacementRules): ReadonlyArray<readonly [MediaKind, MediaRules]> => [
  ...(placement.images === undefined ? [] : [["image", placement.images] as const]),
  ...(placement.gifs === undefined ? [] : [["image", placement.gifs] as const]),
  ...(placement.videos === undefined ? [] : [["video", placement.videos] as const]),
  ...(placement.documents === undefined ? [] : [["document", placement.documents] as const])
]

/** Facts that make exactly `value` of what a limit measures. */
const withValue: { readonly [rule in Limit]: (value: number) => Partial<KnownMedia> } = {
  min_bytes: (size_bytes) => ({ size_bytes }),
  max_bytes: (size_bytes) => ({ size_bytes }),
  min_width: (width) => ({ width, height: Math.max(width, 960) }),
  max_width: (width) => ({ width, height: width }),
  min_height: (height) => ({ height, width: Math.max(height, 720) }),
  max_height: (height) => ({ height, width: height }),
  max_side: (width) => ({ width, height: 700 }),
  max_pixels: (area) => squareish(area),
  min_ratio: (ratio) => ({ width: ratio * 720, height: 720 }),
  max_ratio: (ratio) => ({ width: ratio * 720, height: 720 }),
  max_frames: (frames) => ({ frames }),
  max_frames_pixels: (area) => ({ ...squareish(area), frames: 1 }),
  min_duration_ms: (duration_ms) => ({ duration_ms }),
  max_duration_ms: (duration_ms) => ({ duration_ms }),
  min_fps: (frame_rate) => ({ frame_rate }),
  max_fps: (frame_rate) => ({ frame_rate })
}

const squareish = (area: number) => ({ width: 1024, height: area / 1024 })

/** The next value on the other side of a limit. */
const step = (rule: Limit, limit: number) =>
  rule.endsWith("ratio") ? 2 / 720 : rule.endsWith("fps") ? limit / 1000 : 1

const cases = Object.values(platformRules).flatMap(({ platform, placements }) =>
  placements.flatMap((placement) =>
    groups(placement).flatMap(([kind, rules]) =>
      (Object.keys(measures) as Array<Limit>).flatMap((rule) => {
        const limit = (rules as { readonly [rule in Limit]?: number })[rule]
        return limit === undefined ? [] : [{ platform, placement, kind, rules, rule, limit }]
      })
    )
  )
)

const broken = (
  platform: PlatformId,
  placement: PlacementRules,
  item: KnownMedia,
  rule: string,
  processing = false
) =>
  check(platform, { caption: "x", ...wayTo(placement, item), processing }).filter((one) => one.rule === rule)

describe("every limit of every platform", () => {
  it.each(
    cases.map(
      (one) => [`${one.platform} ${one.placement.name} ${one.rules.mime_types[0]} ${one.rule}`, one] as const
    )
  )("holds at its edge: %s", (_, { platform, placement, kind, rules, rule, limit }) => {
    const { at } = measures[rule]
    const item = (value: number) =>
      fitting(placement, kind, { mime_type: rules.mime_types[0]!, ...withValue[rule](value) })
    const beyond = at === "most" ? limit + step(rule, limit) : limit - step(rule, limit)
    const within = at === "most" ? limit - step(rule, limit) : limit + step(rule, limit)
    assert.strictEqual(mediaRulesFor(placement, item(limit)), rules)
    assert.deepStrictEqual(broken(platform, placement, item(limit), rule), [])
    assert.deepStrictEqual(broken(platform, placement, item(within), rule), [])
    const [found] = broken(platform, placement, item(beyond), rule)
    assert.deepInclude(found, {
      code: "media_not_accepted",
      path: "media",
      platform,
      account_id: 7,
      rule,
      limit
    })
    assert.approximately(found!.value as number, beyond, 1e-6)
    assert.lengthOf(
      broken(platform, placement, item(beyond), rule, true),
      kind === "image" && measures[rule].fitted ? 0 : 1
    )
  })

  it("every limit of every platform is among the ones that the cases above go through", () => {
    assert.isAbove(cases.length, 80)
    assert.sameMembers(
      [...new Set(cases.map(({ platform }) => platform))],
      Object.values(platformRules).flatMap(({ platform, placements }) =>
        placements.some((placement) => groups(placement).length > 0) ? [platform] : []
      )
    )
  })

  it.each(
    Object.values(platformRules).flatMap(({ platform, placements }) =>
      placements.flatMap((placement) =>
        groups(placement).map(
          ([kind, rules]) =>
            [
              `${platform} ${placement.name} ${rules.mime_types[0]}`,
              { platform, placement, kind, rules }
            ] as const
        )
      )
    )
  )("takes as many media as it says and no more: %s", (_, { platform, placement, kind, rules }) => {
    const most = Math.min(rules.max_count, placement.max_count ?? Infinity)
    const items = (count: number) =>
      Array.from({ length: count }, () => fitting(placement, kind, { mime_type: rules.mime_types[0]! }))
    const problems = (count: number) =>
      check(platform, { caption: "x", options: wayTo(placement).options, media: items(count) }).filter(
        ({ code }) => code === "media_not_accepted"
      )
    assert.deepStrictEqual(problems(most), [])
    if (most > 1) assert.deepStrictEqual(problems(most - 1), [])
    const { placementOf } = platformRules[platform]
    const chosen = wayTo(placement).options?.placement as Placement | undefined
    // One more makes it another kind of post, such as a carousel.
    if (
      placementOf(
        Array.from({ length: most + 1 }, () => kind),
        chosen
      ) !== placement
    )
      return
    assert.isNotEmpty(problems(most + 1))
    for (const { platform: named, value } of problems(most + 1)) {
      assert.strictEqual(named, platform)
      if (typeof value === "number") assert.isAbove(value, 1)
    }
  })

  it.each(
    Object.values(platformRules).flatMap(({ platform, placements }) =>
      placements.map((placement) => [`${platform} ${placement.name}`, { platform, placement }] as const)
    )
  )("counts the caption: %s", (_, { platform, placement }) => {
    const problems = (caption: string) =>
      check(platform, { caption, ...wayTo(placement) }).filter(({ path }) => path === "caption")
    const { max, unit, max_bytes, max_hashtags, max_mentions, max_links, forbidden } = placement.caption
    assert.strictEqual(textLength("x".repeat(max), { unit }), max)
    assert.deepStrictEqual(problems("x".repeat(max - 1)), [])
    assert.deepStrictEqual(problems("x".repeat(max)), [])
    assert.deepInclude(problems("x".repeat(max + 1))[0], {
      code: "caption_too_long",
      platform,
      account_id: 7,
      rule: "max",
      limit: max,
      value: max + 1
    })
    if (max_bytes !== undefined) {
      const family = "👨‍👩‍👧‍👦"
      const most = Math.floor(max_bytes / 25)
      assert.deepStrictEqual(problems(family.repeat(most)), [])
      assert.deepInclude(problems(family.repeat(most + 1))[0], { rule: "max_bytes", value: 25 * (most + 1) })
    }
    for (const [sign, limit, rule] of [
      ["#", max_hashtags, "max_hashtags"],
      ["@", max_mentions, "max_mentions"],
      ["https://a.com/", max_links, "max_links"]
    ] as const) {
      if (limit === undefined) continue
      const text = (count: number) =>
        Array.from({ length: count }, (_, index) => `${sign}a${index}`).join(" ")
      assert.deepStrictEqual(problems(text(limit)), [])
      assert.deepInclude(problems(text(limit + 1))[0], {
        code: "caption_not_accepted",
        rule,
        value: limit + 1
      })
    }
    for (const character of forbidden ?? "") {
      assert.deepInclude(problems(`a ${character} b`)[0], { rule: "forbidden", value: character })
    }
  })

  it.each(Object.values(platformRules).map((rules) => [rules.name, rules] as const))(
    "says whether text alone will do: %s",
    (_, { platform, placementOf }) => {
      const problems = check(platform, { caption: "x" })
      if (placementOf([], undefined).text_only) assert.deepStrictEqual(problems, [])
      else assert.deepInclude(problems[0], { code: "media_required", path: "media", platform, account_id: 7 })
      assert.deepInclude(check(platform, {})[0], { code: "empty_post", platform, account_id: 7 })
    }
  )

  it.each(
    Object.values(platformRules).flatMap(({ platform, placements }) =>
      placements.flatMap((placement) =>
        groups(placement).length < 2
          ? []
          : [[`${platform} ${placement.name}`, { platform, placement }] as const]
      )
    )
  )("says which kinds of media go together: %s", (_, { platform, placement }) => {
    const media = groups(placement)
      .slice(0, 2)
      .map(([kind, { mime_types }]) => fitting(placement, kind, { mime_type: mime_types[0]! }))
    const problems = check(platform, { caption: "x", options: wayTo(placement).options, media })
    if (placement.mixed) assert.deepStrictEqual(problems, [])
    else assert.isNotEmpty(problems)
  })
})

describe("the codecs of a video", () => {
  const tiktok = platformRules.tiktok.placements[0]!
  const problems = (changes: Partial<KnownMedia>, transcoding = false) =>
    check("tiktok", { media: [fitting(tiktok, "video", changes)], transcoding, processing: transcoding }).map(
      ({ message }) => message
    )

  it("the codecs of a video that the platform does not take are said with those that it does", () => {
    assert.match(
      problems({ video_codec: "av1" }).join(),
      /accepts H\.264 or H\.265 or VP8 or VP9 video, but this one has AV1/
    )
    assert.deepStrictEqual(problems({ video_codec: "vp9", audio_codec: "opus" }), [])
  })

  it("break no rule where they are not known, or where there is no sound", () => {
    const reel = platformRules.instagram.placements.find(({ videos }) => videos?.audio_codecs !== undefined)!
    assert.deepStrictEqual(problems({ video_codec: null }), [])
    assert.deepStrictEqual(
      check("instagram", {
        media: [fitting(reel, "video", { width: 720, height: 1280, video_codec: "hevc", audio_codec: null })],
        options: { placement: "reel" }
      }),
      []
    )
  })

  it("the codecs of a video are mended where videos are converted", () => {
    assert.deepStrictEqual(problems({ video_codec: "av1" }, true), [])
  })
})
