import { assert, describe, it } from "@effect/vitest"
import { altTextWarnings, contentWarnings, warningsFor } from "@carillon/domain"

describe("warnings", () => {
  it("about one account are told to who is for that account, others to everybody", () => {
    const content = { caption: "x", media: [], platform_configurations: null, account_configurations: null }
    const accounts = [
      { id: 7, platform: "tiktok" },
      { id: 70, platform: "tiktok" }
    ] as const
    const [seven, seventy] = contentWarnings(content, accounts)
    const clock = "The time was moved (it does not exist)."
    assert.deepStrictEqual(warningsFor([clock, seven!, seventy!], [7]), [clock, seven])
    assert.deepStrictEqual(warningsFor([clock, seven!, seventy!], []), [clock])
  })

  it.each([
    [
      { placement: "story", first_comment: "First" },
      "Bells",
      [/ leaves out the caption/, / leaves out the first comment/]
    ],
    [{ placement: "story" }, " ", []],
    [{ first_comment: "First" }, "Bells #a #b #c #d #e", []],
    [{}, "Bells #a #b #c #d #e #f", [/^Instagram \(account 1\) gets 6 hashtags/]]
  ] as const)("tell of what Instagram drops with %j and %j", (options, caption, expected) => {
    const content = {
      caption,
      media: ["a"],
      platform_configurations: { instagram: options },
      account_configurations: null
    }
    const found = contentWarnings(content, [{ id: 1, platform: "instagram" }])
    assert.lengthOf(found, expected.length)
    for (const [index, sentence] of expected.entries()) assert.match(found[index]!, sentence)
  })

  it.each([
    [
      "youtube",
      { first_comment: "First", privacy_status: "private" },
      [/leaves out the first comment: private videos/]
    ],
    [
      "youtube",
      { first_comment: "First", made_for_kids: true },
      [/leaves out the first comment: videos made for kids/]
    ],
    ["youtube", { first_comment: "First" }, []],
    ["linkedin", { first_comment: "First" }, []],
    ["twitter", { first_comment: "First" }, [/leaves out the first comment: this release/]],
    ["facebook", { first_comment: "First" }, []],
    [
      "facebook",
      { first_comment: "First", placement: "story" },
      [/leaves out the caption/, /leaves out the first comment: stories/]
    ],
    ["facebook", { first_comment: " " }, []]
  ] as const)("tell on %s of a comment that %j loses", (platform, options, expected) => {
    const content = {
      caption: "Bells",
      media: ["a"],
      platform_configurations: { [platform]: options },
      account_configurations: null
    }
    const found = contentWarnings(content, [{ id: 1, platform }])
    assert.lengthOf(found, expected.length)
    for (const [index, sentence] of expected.entries()) assert.match(found[index]!, sentence)
  })

  it("tell which descriptions of the library a network takes the beginning of", () => {
    const media = [{ id: "a", name: "bells.jpg", alt_text: "b".repeat(1001) }]
    const accounts = [
      { id: 1, platform: "instagram" },
      { id: 2, platform: "bluesky" },
      { id: 3, platform: "tiktok" }
    ] as const
    const content = {
      caption: "x",
      media: ["a"],
      platform_configurations: null,
      account_configurations: null
    }
    const [warning, ...others] = altTextWarnings(content, accounts, media)
    assert.include(warning, 'Instagram (account 1) cuts off the alt text of "bells.jpg"')
    assert.deepStrictEqual(others, [])
    const described = { ...content, platform_configurations: { instagram: { alt_text: "Bells" } } }
    assert.deepStrictEqual(altTextWarnings(described, accounts, media), [])
  })

  it("a warning is told of each item of a thread, whose files have the descriptions of the library alone", () => {
    const media = [{ id: "a", name: "bells.jpg", alt_text: "x".repeat(1501) }]
    const post = {
      caption: "x",
      media: [],
      thread: [{ caption: "y", media: ["a"] }],
      platform_configurations: { mastodon: { alt_text: "Bells" } },
      account_configurations: null
    }
    assert.deepStrictEqual(altTextWarnings(post, [{ id: 1, platform: "mastodon" }], media), [
      'Mastodon (account 1) cuts off the alt text of "bells.jpg", which has 1501 characters: the limit is 1500. ' +
        "Shorten it on the file, because alt_text is for the first item only."
    ])
  })
})
