import type { SocialAccount } from "@carillon/sdk"
import { assert, describe, it } from "@effect/vitest"
import { demoHints } from "@carillon/cli/AccountChoice"

describe("demo accounts", () => {
  it("a replaced one is named with the command that removes it, and no other is", () => {
    const demo = { id: 9, platform: "tiktok", username: "tiktok-demo" } as SocialAccount
    const states = ["active", "replaced", "removed", null] as const
    const hints = demoHints(states.map((state) => ({ ...demo, demo: state })))
    assert.lengthOf(hints, 1)
    assert.match(hints[0]!, /^9 \(tiktok\/@tiktok-demo\) is a demo account.* carillon accounts disconnect 9$/)
  })
})
