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
    assert.include(warning, 'Instagram (account 1) leaves out the end of the description of "bells.jpg"')
    assert.deepStrictEqual(others, [])
    const described = { ...content, platform_configurations: { instagram: { alt_text: "Bells" } } }
    assert.deepStrictEqual(altTextWarnings(described, accounts, media), [])
  })
})
