import {
  AccountConfiguration,
  isKeptByDrafts,
  CreatePost,
  PlatformConfigurations,
  platformOptions,
  type PlatformId,
  platformRules,
  preflight
} from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { check, fitting } from "./Samples.ts"

const image = (changes = {}) =>
  fitting(platformRules.instagram.placementOf(["image"], undefined), "image", changes)
const video = (changes = {}) =>
  fitting(platformRules.tiktok.placementOf(["video"], undefined), "video", changes)
const pdf = (changes = {}) => fitting(platformRules.linkedin.placementOf([], undefined), "document", changes)

const subtitles = (lang: string, text = "WEBVTT\n\n00:00.000 --> 00:02.000\nBells") => ({ lang, text })
const picture = image()
const film = video()

const rulesBroken = (...args: Parameters<typeof check>) =>
  check(...args).map(({ rule, code }) => rule ?? code)

describe("what the platforms page says", () => {
  it.each([
    [
      "an Instagram picture must be a JPEG",
      "instagram",
      { media: [image({ mime_type: "image/png" })] },
      ["mime_types"]
    ],
    [
      "which conversion sees to",
      "instagram",
      { media: [image({ mime_type: "image/png" })], processing: true },
      []
    ],
    [
      "but a HEIC cannot be converted",
      "instagram",
      { media: [image({ mime_type: "image/heic" })], processing: true },
      ["mime_types"]
    ],
    [
      "nor is a panorama cut",
      "instagram",
      { media: [image({ width: 1400, height: 500 })], processing: true },
      ["max_ratio"]
    ],
    [
      "a big photo is scaled",
      "instagram",
      { media: [image({ width: 4000, height: 5000 })], processing: true },
      []
    ],
    [
      "but no small one blown up",
      "instagram",
      { media: [image({ width: 300, height: 300 })], processing: true },
      ["min_width"]
    ],
    ["1200 x 628 is 1.91 to 1", "instagram", { media: [image({ width: 1200, height: 628 })] }, []],
    [
      "a single Instagram video is a reel of 15 minutes",
      "instagram",
      { media: [video({ duration_ms: 900_001 })] },
      ["max_duration_ms"]
    ],
    [
      "a story lasts a minute",
      "instagram",
      { media: [video({ duration_ms: 61_000 })], options: { placement: "story" } },
      ["max_duration_ms"]
    ],
    [
      "a story is one medium",
      "instagram",
      { media: [image(), image()], options: { placement: "story" } },
      ["images.max_count"]
    ],
    ["a reel is a video", "instagram", { media: [image()], options: { placement: "reel" } }, ["kind"]],
    ["a carousel takes both", "instagram", { media: [image(), video()] }, []],
    [
      "and ten together",
      "instagram",
      { media: [...Array.from({ length: 9 }, () => image()), video(), video()] },
      ["max_count"]
    ],
    [
      "graduation needs a trial",
      "instagram",
      { media: [video()], options: { trial_graduation: "MANUAL" } },
      ["needs_is_trial_reel"]
    ],
    [
      "a trial reel is one video",
      "instagram",
      { media: [image()], options: { is_trial_reel: true } },
      ["trial_is_a_reel"]
    ],
    [
      "the specification's trial reel is one",
      "instagram",
      { media: [video()], options: { is_trial_reel: true, trial_graduation: "SS_PERFORMANCE" } },
      []
    ],
    [
      "a trial has no collaborators",
      "instagram",
      { media: [video()], options: { is_trial_reel: true, collaborators: ["a"] } },
      ["trial_is_alone"]
    ],
    [
      "a cover is in the video",
      "instagram",
      { media: [video({ duration_ms: 5000 })], options: { video_cover_timestamp_ms: 5001 } },
      ["cover_in_video"]
    ],
    [
      "a thumbnail is in the video",
      "youtube",
      { media: [video({ duration_ms: 5000 })], options: { video_cover_timestamp_ms: 5001 } },
      ["cover_in_video"]
    ],
    [
      "TikTok falls back to the first frame",
      "tiktok",
      { media: [video({ duration_ms: 5000 })], options: { video_cover_timestamp_ms: 5001 } },
      []
    ],
    ["TikTok takes no PNG", "tiktok", { media: [image({ mime_type: "image/png" })] }, ["mime_types"]],
    ["TikTok takes photos or a video", "tiktok", { media: [image(), video()] }, ["kind"]],
    [
      "an emoji is two UTF-16 units on TikTok",
      "tiktok",
      { media: [video()], caption: "😀".repeat(1101) },
      ["max"]
    ],
    ["4000 for photos", "tiktok", { media: [image()], caption: "x".repeat(4000) }, []],
    [
      "branded content is public",
      "tiktok",
      { media: [video()], options: { privacy_status: "private", disclose_branded_content: true } },
      ["branded_is_public"]
    ],
    [
      "two words for privacy agree",
      "tiktok",
      { media: [video()], options: { privacy_level: "SELF_ONLY", privacy_status: "public" } },
      ["privacy_agrees"]
    ],
    [
      "a photo cover exists",
      "tiktok",
      { media: [image(), image()], options: { photo_cover_index: 2 } },
      ["cover_is_a_photo"]
    ],
    ["the last photo is one", "tiktok", { media: [image(), image()], options: { photo_cover_index: 1 } }, []],
    ["YouTube counts bytes", "youtube", { media: [video()], caption: "é".repeat(2501) }, ["max"]],
    [
      "a description instead of the caption too",
      "youtube",
      { media: [video()], options: { description: "a < b" } },
      ["forbidden"]
    ],
    [
      "tags count together, with two quotation marks for a space",
      "youtube",
      { media: [video()], options: { tags: ["a".repeat(399), `${"b".repeat(97)} c`] } },
      ["max_tags_length"]
    ],
    [
      "exactly 500 will do, the comma between them counted",
      "youtube",
      { media: [video()], options: { tags: ["a".repeat(398), `${"b".repeat(97)} c`] } },
      []
    ],
    [
      "the commas between many tags count too",
      "youtube",
      { media: [video()], options: { tags: Array<string>(251).fill("a") } },
      ["max_tags_length"]
    ],
    ["one tag has no comma", "youtube", { media: [video()], options: { tags: ["a".repeat(500)] } }, []],
    ["no pictures on YouTube", "youtube", { media: [image()] }, ["kind"]],
    [
      "a pin has 2 to 5 pictures of one size",
      "pinterest",
      { media: [image(), image({ width: 600, height: 800 })] },
      ["equal_size"]
    ],
    [
      "a section is of one board",
      "pinterest",
      { media: [image()], options: { board_ids: ["1", "2"], board_section_id: "3" } },
      ["section_of_one_board"]
    ],
    [
      "each board once",
      "pinterest",
      { media: [image()], options: { board_ids: ["1", "1"] } },
      ["boards_differ"]
    ],
    [
      "X counts an address as 23",
      "twitter",
      { caption: `${"x".repeat(256)} https://example.com/${"y".repeat(100)}` },
      []
    ],
    ["and not as less", "twitter", { caption: `${"x".repeat(257)} https://a.io` }, ["max"]],
    [
      "X takes four pictures or one GIF",
      "twitter",
      { media: [image(), image({ mime_type: "image/gif" })] },
      ["mixed"]
    ],
    [
      "one GIF",
      "twitter",
      { media: [image({ mime_type: "image/gif" }), image({ mime_type: "image/gif" })] },
      ["gifs.max_count"]
    ],
    ["a 1080p video, lying or upright", "twitter", { media: [video({ width: 1080, height: 1920 })] }, []],
    [
      "a button of Google Business opens an address",
      "google_business",
      { caption: "Open", options: { cta_action_type: "BOOK" } },
      ["action_with_url"]
    ],
    [
      "but one that calls has none",
      "google_business",
      { caption: "Open", options: { cta_action_type: "CALL", cta_url: "https://example.com/" } },
      ["call_without_url"]
    ],
    [
      "and an address needs a button",
      "google_business",
      { caption: "Open", options: { cta_url: "https://example.com/" } },
      ["url_with_action"]
    ],
    [
      "a poll stands alone",
      "twitter",
      { caption: "?", media: [image()], options: { poll: { options: ["a", "b"], duration_minutes: 5 } } },
      ["poll_without_media"]
    ],
    ...(["telegram", "discord", "mastodon"] as const).map(
      (platform) =>
        [
          "a poll with a question of its own needs no caption",
          platform,
          { caption: "", options: { poll: { question: "?", options: ["a", "b"] } } },
          []
        ] as const
    ),
    [
      "without one the caption is missing",
      "mastodon",
      { caption: "", options: { poll: { options: ["a", "b"] } } },
      ["content"]
    ],
    [
      "a blank question is none",
      "telegram",
      { caption: " ", options: { poll: { question: " \n", options: ["a", "b"] } } },
      ["option_value", "content"]
    ],
    [
      "nor is a poll content where it has no question",
      "twitter",
      { caption: "", options: { poll: { options: ["a", "b"], duration_minutes: 5 } } },
      ["content"]
    ],
    [
      "a tag on YouTube has no angle brackets",
      "youtube",
      { media: [video()], options: { tags: ["<b>"] } },
      ["option_value"]
    ],
    [
      "a section of a board is a number",
      "pinterest",
      { media: [image()], options: { board_ids: ["1"], board_section_id: "News" } },
      ["option_value"]
    ],
    [
      "a poll's choices say something",
      "telegram",
      { caption: "?", options: { poll: { options: ["a", " "] } } },
      ["option_value"]
    ],
    [
      "and so does its question",
      "discord",
      { caption: "?", options: { poll: { question: "\n", options: ["a", "b"] } } },
      ["option_value"]
    ],
    [
      "and the title of a thread",
      "discord",
      { caption: "x", options: { thread_name: " " } },
      ["option_value"]
    ],
    [
      "and a button",
      "telegram",
      { caption: "x", options: { buttons: [[{ text: "\t", url: "https://example.com" }]] } },
      ["option_value"]
    ],
    [
      "every item of a thread fits",
      "twitter",
      {
        caption: "1",
        options: {
          thread: [
            { caption: "x".repeat(280), media: [] },
            { caption: "x".repeat(281), media: [] },
            { caption: null, media: [] },
            { caption: " \n", media: [] }
          ]
        }
      },
      ["max", "content", "content"]
    ],
    [
      "a network without threads takes none, and says nothing else of the items",
      "linkedin",
      { caption: "1", options: { thread: [{ caption: "x".repeat(3001), media: [] }] } },
      ["chains"]
    ],
    [
      "but the items as one post, which has to fit",
      "linkedin",
      {
        caption: "x".repeat(1500),
        options: { thread: [{ caption: "x".repeat(1499), media: [] }], thread_fallback: "join" }
      },
      ["max"]
    ],
    ["LinkedIn takes a PDF", "linkedin", { media: [pdf()] }, []],
    ["but not with pictures", "linkedin", { media: [pdf(), image()] }, ["mixed"]],
    ["Facebook takes no PDF", "facebook", { media: [pdf()] }, ["kind"]],
    [
      "a Facebook reel is 90 seconds",
      "facebook",
      { media: [video({ width: 1080, height: 1920, duration_ms: 90_001 })], options: { placement: "reel" } },
      ["max_duration_ms"]
    ],
    ["a feed video may be longer", "facebook", { media: [video({ duration_ms: 90_001 })] }, []],
    ["Threads counts an emoji by its bytes", "threads", { caption: "😀".repeat(126) }, ["max"]],
    [
      "Mastodon counts an address as 23",
      "mastodon",
      { caption: `${"x".repeat(476)} https://example.com/${"y".repeat(100)}` },
      []
    ],
    [
      "and the warning with the text",
      "mastodon",
      { caption: "x".repeat(490), options: { spoiler_text: "y".repeat(11) } },
      ["max"]
    ],
    [
      "and the question of a poll, once",
      "mastodon",
      { caption: "x".repeat(490), options: { poll: { question: "y".repeat(9), options: ["a", "b"] } } },
      ["poll_question"]
    ],
    [
      "the warning counts in every item of a thread",
      "mastodon",
      {
        caption: "x".repeat(480),
        options: { spoiler_text: "y".repeat(20), thread: [{ caption: "x".repeat(481), media: [] }] }
      },
      ["max"]
    ],
    ["Bluesky counts bytes besides", "bluesky", { caption: "👨‍👩‍👧‍👦".repeat(200) }, ["max_bytes"]],
    [
      "nobody replies besides nobody",
      "bluesky",
      { caption: "x", options: { reply_gate: ["nobody", "followers"] } },
      ["reply_gate_alone"]
    ],
    [
      "and no list of people",
      "bluesky",
      {
        caption: "x",
        options: { reply_gate: ["nobody"], reply_lists: ["https://bsky.app/profile/a.test/lists/3k"] }
      },
      ["reply_gate_alone"]
    ],
    [
      "a reply gate has five rules",
      "bluesky",
      {
        caption: "x",
        options: {
          reply_gate: ["mentioned", "followers", "following"],
          reply_lists: ["3k", "3l", "3m"].map((key) => `at://did:plc:a/app.bsky.graph.list/${key}`)
        }
      },
      ["reply_gate_rules"]
    ],
    [
      "tags have no sign and an end, and addresses lead to what they should",
      "bluesky",
      {
        caption: "x",
        options: {
          tags: ["#bells", "x".repeat(65)],
          quote: "https://bsky.app/profile/a.test",
          reply_lists: ["https://bsky.app/profile/a.test/post/3k"]
        }
      },
      ["option_value", "option_value", "option_value"]
    ],
    [
      "subtitles and the way of showing a video have no place without one",
      "bluesky",
      { media: [image()], options: { captions: [subtitles("en")], presentation: "gif" } },
      ["only_with_video", "only_with_video"]
    ],
    ["no subtitles need no video", "bluesky", { media: [image()], options: { captions: [] } }, []],
    [
      "each language has its subtitles once",
      "bluesky",
      { media: [video()], options: { captions: [subtitles("pt-BR"), subtitles("pt-br")] } },
      ["caption_languages_differ"]
    ],
    ...[
      ["are WebVTT", [subtitles("en", "1\n00:00:00,000 --> 00:00:02,000")]],
      ["name a language", [subtitles("English please")]],
      ["have 20,000 bytes at most", [subtitles("en", `WEBVTT\n${"é".repeat(9997)}`)]],
      [
        "are in 20 languages at most",
        Array.from("abcdefghijklmnopqrstu", (letter) => subtitles(`x${letter}`))
      ]
    ].map(
      ([what, captions]) =>
        [
          `subtitles ${what}`,
          "bluesky",
          { media: [video()], options: { captions } },
          ["option_value"]
        ] as const
    ),
    [
      "a link card has no place beside media",
      "bluesky",
      { media: [image()], options: { link: "https://example.com" } },
      ["link_needs_card"]
    ],
    [
      "nor an address where there is none",
      "bluesky",
      { caption: "x", options: { link: "https://example.com", link_card: "off" } },
      ["link_needs_card"]
    ],
    [
      "one text for each medium at most",
      "mastodon",
      { media: [image()], options: { alt_text: ["a", "b"] } },
      ["alt_text_count"]
    ],
    [
      "one point for each medium at most",
      "mastodon",
      { media: [image()], options: { focus: ["0,0", "0,0"] } },
      ["focus_count"]
    ],
    [
      "a thumbnail for a video",
      "mastodon",
      { media: [image()], options: { thumbnail: picture.id }, library: [picture] },
      ["thumbnail_of_a_video"]
    ],
    [
      "no thumbnail for a text",
      "mastodon",
      { caption: "x", options: { thumbnail: picture.id }, library: [picture] },
      ["thumbnail_of_a_video"]
    ],
    [
      "a picture for a thumbnail",
      "mastodon",
      { media: [video()], options: { thumbnail: film.id }, library: [film] },
      ["kind"]
    ],
    [
      "a thumbnail that is there",
      "mastodon",
      { media: [video()], options: { thumbnail: picture.id } },
      ["media_not_found"]
    ],
    [
      "a thumbnail of a video",
      "mastodon",
      { media: [video()], options: { thumbnail: picture.id }, library: [picture] },
      []
    ]
  ] as const satisfies ReadonlyArray<
    readonly [string, PlatformId, Parameters<typeof check>[1], ReadonlyArray<string>]
  >)("what the platforms page says: %s", (_, platform, post, broken) => {
    assert.deepStrictEqual(rulesBroken(platform, post), [...broken])
  })
})

describe("the problems of a post", () => {
  it("come all at once, each with its account, platform, path, rule, limit and value", () => {
    const item = video({ duration_ms: 1000, frame_rate: 120, width: 200, height: 400 })
    const problems = check("tiktok", {
      caption: "shared",
      media: [item],
      options: { caption: "x".repeat(2201), disclose_branded_content: true },
      own: { privacy_level: "SELF_ONLY" }
    })
    assert.deepStrictEqual(
      problems.map(({ path, rule, limit, value, account_id, platform }) => [
        path,
        rule,
        limit,
        value,
        account_id,
        platform
      ]),
      [
        ["platform_configurations.tiktok.caption", "max", 2200, 2201, 7, "tiktok"],
        ["media", "min_width", 360, 200, 7, "tiktok"],
        ["media", "min_duration_ms", 3000, 1000, 7, "tiktok"],
        ["media", "max_fps", 60, 120, 7, "tiktok"],
        [
          "platform_configurations.tiktok.disclose_branded_content",
          "branded_is_public",
          undefined,
          undefined,
          7,
          "tiktok"
        ]
      ]
    )
    for (const { message } of problems) assert.match(message, /^TikTok \(@demo, account 7\) .*\.$/)
  })

  it("say which item of a thread they are about", () => {
    const thread = [
      { caption: "x".repeat(301), media: [] },
      { caption: null, media: [] }
    ]
    const problems = check("bluesky", { caption: "x".repeat(302), options: { thread } })
    assert.deepStrictEqual(
      problems.map(({ message }) => message.slice(0, message.indexOf(")") + 1)),
      [
        "Bluesky (@demo, account 7)",
        "Item 2 of the thread: Bluesky (@demo, account 7)",
        "Item 3 of the thread: Bluesky (@demo, account 7)"
      ]
    )
    const [joined] = check("linkedin", {
      caption: "x".repeat(2700),
      options: { thread, thread_fallback: "join" }
    })
    assert.match(joined!.message, /allows at most 3,?000 characters; the text of all items has 3,?003\.$/)
  })

  it("say nothing of what is not known of a file", () => {
    const unknown = video({ width: null, height: null, duration_ms: null, frame_rate: null, frames: null })
    for (const platform of ["tiktok", "instagram", "youtube", "twitter", "linkedin"] as const) {
      assert.deepStrictEqual(check(platform, { caption: "x", media: [unknown] }), [], platform)
    }
  })

  it("the problems of a post are those of their number alone while media are being fetched", () => {
    const coming = () =>
      image({ kind: null, mime_type: null, size_bytes: null, status: "reserved", importing: true })
    const media = (count: number) => Array.from({ length: count }, coming)
    assert.deepStrictEqual(check("mastodon", { media: media(4) }), [])
    assert.deepInclude(check("mastodon", { media: media(5) })[0], { rule: "max_count", limit: 4, value: 5 })
    for (const platform of ["tiktok", "instagram", "youtube", "pinterest", "twitter"] as const) {
      assert.deepStrictEqual(check(platform, { media: media(1) }), [], platform)
    }
  })

  it("name an option that the account's platform does not have, and those it has", () => {
    const [found] = check("linkedin", { caption: "x", own: { board_ids: ["1"] } })
    assert.deepInclude(found, { path: "account_configurations[0].board_ids", code: "unknown_field" })
    assert.match(found!.message, /no option board_ids.*document_title, visibility/)
    assert.deepInclude(check("linkedin", { caption: "x", own: { visibility: "direct" } })[0], {
      path: "account_configurations[0].visibility",
      code: "invalid_value"
    })
    assert.deepStrictEqual(check("linkedin", { caption: "x", own: { visibility: "CONNECTIONS" } }), [])
  })

  it("include a cover that is no image, and one that is not there", () => {
    const cover = video()
    const other = image()
    const post = { media: [video()], library: [cover, other] }
    assert.deepInclude(check("instagram", { ...post, options: { cover_image: cover.id } })[0], {
      path: "platform_configurations.instagram.cover_image",
      rule: "kind",
      value: "video"
    })
    assert.deepStrictEqual(check("instagram", { ...post, options: { cover_image: other.id } }), [])
    assert.strictEqual(
      check("youtube", { media: [video()], options: { thumbnail: cover.id } })[0]?.code,
      "media_not_found"
    )
  })

  it("a post has no problems where an option is null", () => {
    const options = Object.fromEntries(Object.keys(platformOptions.tiktok.fields).map((name) => [name, null]))
    assert.deepStrictEqual(check("tiktok", { caption: "x", media: [video()], options, own: options }), [])
  })
})

const encodeConfigurations = Schema.encodeSync(PlatformConfigurations)
const decodePost = Schema.decodeUnknownSync(CreatePost, { onExcessProperty: "error" })

describe("the options of a platform", () => {
  for (const [platform, schema] of Object.entries(platformOptions)) {
    it.prop(
      `${platform}: whatever it takes, an account's entry takes too, and both are read back as they are`,
      [schema as Schema.Codec<object>],
      ([options]) => {
        const written = Schema.encodeSync(schema as Schema.Codec<object>)(options)
        const post = decodePost({
          social_accounts: [1],
          platform_configurations: { [platform]: written },
          account_configurations: [{ account_id: 1, ...written }]
        })
        const configurations = post.platform_configurations as Record<string, unknown>
        assert.deepStrictEqual(configurations[platform], options)
        assert.deepStrictEqual(post.account_configurations?.[0], {
          account_id: 1,
          ...options
        } as AccountConfiguration)
      }
    )

    it.prop(
      `${platform}: any values of its form are read again as they are, and each problem of them can be kept by a draft`,
      [Schema.toEncoded(PlatformConfigurations.fields[platform as PlatformId])],
      ([entry]) => {
        const given = JSON.parse(JSON.stringify({ [platform]: entry }))
        const { platform_configurations: stored } = decodePost({
          social_accounts: [1],
          platform_configurations: given
        })
        const again = decodePost({
          social_accounts: [1],
          platform_configurations: encodeConfigurations(stored!)
        })
        assert.deepStrictEqual(again.platform_configurations, stored)
        const { caption: _, media: __, ...options } = (stored as any)[platform] ?? {}
        const problems = check(platform as PlatformId, { caption: "x", options })
        const fatal = problems.filter((item) => !isKeptByDrafts(item) && item.code !== "media_not_found")
        assert.deepStrictEqual(fatal, [])
      }
    )

    it(`${platform}: each has a description`, () => {
      const { properties } = Schema.toJsonSchemaDocument(schema as Schema.Top).definitions[
        schema.ast.annotations?.["identifier"] as string
      ] as { properties: Record<string, { description?: string }> }
      for (const [name, { description }] of Object.entries(properties)) {
        assert.match(description ?? "", /\.$/, name)
      }
    })
  }

  it("the options of a platform are refused by name when they are not known, with the known ones", () => {
    for (const platform of Object.keys(platformOptions)) {
      assert.throws(
        () => decodePost({ social_accounts: [1], platform_configurations: { [platform]: { titel: "x" } } }),
        /titel/
      )
    }
  })

  it("[compat] take the plural of a placement and read it as the singular", () => {
    for (const [sent, read] of [
      ["reels", "reel"],
      ["stories", "story"],
      ["timeline", "feed"]
    ] as const) {
      const { platform_configurations } = decodePost({
        social_accounts: [1],
        platform_configurations: { instagram: { placement: sent }, facebook: { placement: sent } }
      })
      assert.strictEqual(platform_configurations?.instagram?.placement, read)
      assert.strictEqual(platform_configurations?.facebook?.placement, read)
    }
  })
})

describe("an instance that the internet does not reach", () => {
  it("an instance that the internet does not reach has what a platform would have to fetch refused when the post is made, and nothing else", () => {
    const closed = { closed: true }
    const [found, ...more] = check("instagram", { ...closed, media: [image()] })
    assert.deepInclude(found, {
      code: "platform_cannot_fetch",
      path: "media",
      rule: "fetched",
      account_id: 7
    })
    assert.include(
      found!.message,
      "fetches images from this service, whose PUBLIC_URL is http://localhost:4400"
    )
    assert.lengthOf(more, 0)
    assert.lengthOf(check("instagram", { media: [image()] }), 0)
    assert.lengthOf(check("instagram", { ...closed, media: [video()] }), 0)
    const cover = image()
    assert.deepStrictEqual(
      check("instagram", {
        ...closed,
        media: [video()],
        library: [cover],
        options: { cover_image: cover.id }
      }).map(({ code, path }) => [code, path]),
      [["platform_cannot_fetch", "platform_configurations.instagram.cover_image"]]
    )
    assert.lengthOf(check("bluesky", { ...closed, media: [image()] }), 0)
    for (const [platform, media] of [
      ["threads", image()],
      ["threads", video()],
      ["google_business", image()]
    ] as const) {
      const [problem] = check(platform, { ...closed, caption: "Bells", media: [media] })
      assert.deepInclude(problem, { code: "platform_cannot_fetch", path: "media" })
      assert.include(problem!.message, `publish without ${media.kind}s`)
      assert.lengthOf(check(platform, { ...closed, caption: "Bells" }), 0)
    }
  })
})

describe("long texts for many accounts", () => {
  /** How many texts were segmented, and into how many parts, while this was done. */
  const segmented = (work: () => unknown) => {
    const { segment } = Intl.Segmenter.prototype
    const seen = { texts: 0, parts: 0 }
    Intl.Segmenter.prototype.segment = function (text) {
      seen.texts++
      const segments = segment.call(this, text)
      return {
        containing: segments.containing.bind(segments),
        *[Symbol.iterator]() {
          for (const part of segments) {
            seen.parts++
            yield part
          }
        }
      } as unknown as Intl.Segments
    }
    try {
      work()
    } finally {
      Intl.Segmenter.prototype.segment = segment
    }
    return seen
  }

  const fill = (part: string) => part.repeat(20_000 / part.length)
  const checkThread = (platform: PlatformId, ...captions: ReadonlyArray<string>) => {
    const accounts = Array.from({ length: 60 }, (_, index) => ({
      id: index + 1,
      platform,
      username: "demo",
      status: "connected" as const
    }))
    return preflight({
      content: {
        caption: captions[0]!,
        media: [],
        thread: captions.slice(1).map((caption) => ({ caption, media: [] })),
        platform_configurations: null,
        account_configurations: null
      },
      processing_enabled: true,
      video_transcoding: false,
      social_accounts: accounts.map(({ id }) => id),
      accounts,
      media: [],
      public_url: { url: "http://localhost:4400", closed_to: [] }
    })
  }

  it.each([
    ["sandbox", "🇫🇷"],
    ["sandbox", "e\u0301"],
    ["bluesky", "👍🏽"],
    ["mastodon", "क्षि"]
  ] as const)(
    "long texts for many accounts are counted once for all accounts of %s, and of “%s” only as far as it matters",
    (platform, part) => {
      const captions = Array.from({ length: 25 }, (_, index) => `${index} ${fill(part)}`)
      const { texts, parts } = segmented(() => {
        const found = checkThread(platform, ...captions)
        assert.strictEqual(found.filter(({ rule }) => rule === "max").length, 25 * 60)
      })
      assert.strictEqual(texts, 25)
      assert.isAtMost(parts, 25 * 500 * 5)
    }
  )

  it.each(["é", "日", "ж"])(
    "long texts for many accounts are not segmented at all where they consist of characters such as %s",
    (part) => {
      assert.deepStrictEqual(
        segmented(() => checkThread("sandbox", fill(part))),
        { texts: 0, parts: 0 }
      )
    }
  )
})
