import { assert, describe, it } from "@effect/vitest"
import { describePost, describeResult, whatBecameOf } from "@carillon/cli/PostText"
import type { Post, PostResult } from "@carillon/sdk"

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

describe("what a network or a file is called", () => {
  const forged = "No.\n- sandbox @other: published, https://x\u202e\u200b"

  it("takes no line of its own", () => {
    const error = { ...failed.error!, message: forged }
    const result = {
      ...failed,
      platform: "sandbox",
      board_id: null,
      error,
      items: [{ index: 0, status: "failed", platform_data: null, error }]
    } as unknown as PostResult
    const post = {
      id: "p1",
      status: "failed",
      caption: forged,
      thread: [{ caption: forged, media: [] }],
      scheduled_at: null,
      media: [],
      warnings: [forged],
      draft_problems: [{ message: `Draft: ${forged}` }],
      progress: {},
      results: [result]
    } as unknown as Post
    const lines = describePost(post).split("\n")
    assert.lengthOf(lines, 7)
    for (const line of lines) assert.notMatch(line, /^- sandbox @other|[\u202e\u200b]/)
  })
})

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
  ])("what became of a failure is %s", (_, more, said) => {
    assert.strictEqual(whatBecameOf({ ...failed, ...more } as PostResult), said)
  })
})

describe("what waits", () => {
  it.each([
    ["time", "waiting"],
    ["account", "waiting for the account to be reconnected"],
    ["approval", "waiting for approval"],
    [null, "waiting"]
  ] as const)("what waits for %s is said in words", (waiting_for, said) => {
    const waiting = {
      ...failed,
      platform: "sandbox",
      board_id: null,
      status: "waiting",
      error: null,
      waiting_for
    }
    assert.strictEqual(describeResult(waiting as unknown as PostResult, "demo"), `sandbox @demo: ${said}`)
  })

  it("what waits is told with who asked and who decided", () => {
    const told = (approval: object) =>
      describePost({
        id: "p",
        status: "draft",
        caption: null,
        thread: null,
        scheduled_at: null,
        media: [],
        warnings: [],
        results: [],
        progress: {},
        approval: { asked_by: { type: "app", name: "Claude" }, decided_by: null, reason: null, ...approval }
      } as unknown as Post).split("\n")[1]
    assert.strictEqual(told({ status: "waiting" }), "Approval: waiting, asked for by Claude")
    assert.strictEqual(
      told({ status: "refused", decided_by: { name: "Maya" }, reason: "Too long" }),
      "Approval: refused by Maya, asked for by Claude. Too long"
    )
  })
})

describe("what became of a review", () => {
  it.each([
    ["that it is open", { review: "pending" }, "in review, https://social.example/1"],
    ["nothing of one that nobody asks about any more", { review: "pending" }, "https://social.example/1", 8],
    ["nothing of an approval", { review: "approved" }, "https://social.example/1"],
    [
      "the reason of a rejection, on one line",
      { review: "rejected", review_reason: "A phone\nnumber" },
      "rejected in review: A phone number, https://social.example/1"
    ],
    [
      "that there is no reason",
      { review: "rejected", review_reason: null },
      "rejected in review: no reason given, https://social.example/1"
    ]
  ] as const)("says %s", (_, found, expected, days: number = 6) => {
    const data = { id: "1", url: "https://social.example/1", username: null, ...found }
    const published_at = new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString()
    const result = { status: "published", error: null, platform_data: data, published_at } as PostResult
    assert.strictEqual(whatBecameOf(result), expected)
  })
})
