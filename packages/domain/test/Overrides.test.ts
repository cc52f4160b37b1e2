import { platformRules, resolveContent, threadItems } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"

describe("the items of a thread", () => {
  it("the items of a thread have the options of the post, but for those that only suit its first item", () => {
    const content = resolveContent(
      {
        caption: "A",
        media: ["one"],
        thread: [{ caption: null, media: ["two"] }],
        platform_configurations: {
          mastodon: { language: "en", alt_text: "A bell", poll: { options: ["High", "Low"] } }
        },
        account_configurations: null
      },
      "mastodon",
      1
    )
    assert.deepStrictEqual(
      threadItems(platformRules.mastodon, content).map(({ caption, captionPath, media, options }) => [
        caption,
        captionPath,
        media,
        Object.keys(options)
      ]),
      [
        ["A", "caption", ["one"], ["language", "alt_text", "poll"]],
        ["", "thread[0].caption", ["two"], ["language"]]
      ]
    )
  })
})
