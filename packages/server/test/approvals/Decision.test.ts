import { readDecision } from "@carillon/server/approvals/Decision"
import type { PendingApproval, Version } from "@carillon/server/approvals/PendingApproval"
import { assert, describe, it } from "@effect/vitest"

const version = (captionPath: string, caption: string): Version => ({
  captionPath,
  caption,
  accounts: [{ name: "Telegram: @bells", length: "4 of 4096 characters" }],
  media: [],
  following: [],
  options: []
})

describe("a person's decision", () => {
  it("changes captions, and no text that was joined from those of a thread", () => {
    const asked = {
      post: { platform_configurations: null, account_configurations: null },
      approval: { wants: "now" },
      arriving: false,
      versions: [version("thread", "A\n\nB"), version("caption", "A")]
    } as unknown as PendingApproval
    const form = new URLSearchParams({ decision: "approve", when: "now", thread: "A\n\nB!", caption: "A!" })
    assert.deepStrictEqual(readDecision(asked, form).changes, {
      caption: "A!",
      approve: { publish_now: true }
    })
  })
})
