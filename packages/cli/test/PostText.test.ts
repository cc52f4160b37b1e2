import { assert, describe, it } from "@effect/vitest"
import { whatBecameOf } from "@carillon/cli/PostText"
import type { PostResult } from "@carillon/sdk"

const failed = {
  status: "failed",
  platform_data: null,
  error: {
    code: "banned_word",
    class: "invalid",
    message: "Not that word.",
    action: "fix_content",
    retry_at: null
  }
} as unknown as PostResult

describe("what became of a failure", () => {
  it.each([
    ["its reason", {}, "Not that word."],
    [
      "the post that repairs it",
      { open_repair: { post_id: "p2", post_result_id: "r2", status: "waiting" } },
      "repair in progress: post p2, Not that word."
    ],
    [
      "where its repair is live",
      { repaired_by: { post_id: "p2", post_result_id: "r2", url: "https://social.example/2" } },
      "repaired by post p2, https://social.example/2"
    ],
    [
      "its repair, where the network gives no address",
      { repaired_by: { post_id: "p2", post_result_id: "r2", url: null } },
      "repaired by post p2"
    ]
  ])("is %s", (_, more, said) => {
    assert.strictEqual(whatBecameOf({ ...failed, ...more } as PostResult), said)
  })
})
