import { assert, describe, it } from "@effect/vitest"
import { contentWarnings, warningsFor } from "@carillon/domain"

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
})
