import {
  isProcessing,
  MediaId,
  Post,
  PostId,
  postStatus,
  type ResultError,
  TargetId,
  TargetState
} from "@carillon/domain"
import {
  addressInV1,
  nextInside,
  postInWords,
  resultInWords
} from "@carillon/server/postBridge/PostBridgeWords"
import { toPost } from "@carillon/server/posts/PostView"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { SecureRandom } from "effect/crypto"

const at = DateTime.makeUnsafe("2026-12-24T09:00:00Z")
const error = {
  code: "banned_word",
  class: "invalid",
  message: "That word is not allowed.",
  action: "fix_content",
  retry_at: null
} satisfies ResultError
const id = PostId.make(SecureRandom.uuidV7Unsafe())

/** The answer under /v1 with a post to two accounts whose targets are in these states. */
const answerOf = (states: ReadonlyArray<TargetState>, scheduled_at: DateTime.Utc | null) =>
  Schema.encodeSync(Post)(
    toPost(
      {
        id,
        status: postStatus(states),
        caption: "x",
        scheduled_at,
        queue_slot: null,
        social_accounts: [1, 2],
        media: [MediaId.make(SecureRandom.uuidV7Unsafe())],
        thread: null,
        thread_fallback: null,
        platform_configurations: null,
        account_configurations: null,
        processing_enabled: true,
        warnings: [],
        approval: null,
        repairs: null,
        created_by: null,
        updated_by: null,
        version: 1,
        created_at: at,
        updated_at: at,
        published_at: null
      },
      states.map((state, index) => ({
        id: TargetId.make(SecureRandom.uuidV7Unsafe()),
        post_id: id,
        social_account_id: index + 1,
        platform: "sandbox",
        board_id: null,
        state,
        due_at: scheduled_at,
        next_step_at: null,
        attempts: 0,
        item_count: null,
        items: [],
        error: state === "failed" ? error : null,
        account_connected: true,
        waiting_for: null,
        repairs: null,
        repair: null,
        platform_data: null,
        published_at: null
      }))
    )
  )

/** What a client of Post Bridge reads of a target in each state. */
const resultWords: Record<TargetState, string> = {
  draft: "waiting",
  waiting: "waiting",
  claimed: "waiting",
  committing: "processing",
  unknown: "processing",
  published: "posted",
  failed: "failed",
  unconfirmed: "unconfirmed"
}

const has = (states: ReadonlyArray<TargetState>, ...wanted: ReadonlyArray<TargetState>) =>
  states.some((state) => wanted.includes(state))

/** What a client of Post Bridge reads of a post, said anew from its targets. */
const postWord = (states: ReadonlyArray<TargetState>, atOnce: boolean) => {
  if (has(states, "draft")) return "scheduled"
  if (has(states, "committing", "unknown")) return "processing"
  if (has(states, "waiting", "claimed")) return atOnce ? "processing" : "scheduled"
  return has(states, "published") ? "posted" : "failed"
}

const pairs = TargetState.literals.flatMap((first) =>
  TargetState.literals
    // A draft's targets are all drafts.
    .filter((second) => (first === "draft") === (second === "draft"))
    .map((second) => [first, second] as const)
)

describe("the words of Post Bridge", () => {
  it.each(pairs.flatMap((states) => [null, at].map((time) => [states, time] as const)))(
    "Post Bridge's word for a post whose targets are %s, at %s",
    (states, time) => {
      const answer = answerOf(states, time)
      const said = postInWords(answer)
      const results = said.results ?? []
      assert.strictEqual(said.status, postWord(states, time === null))
      assert.strictEqual(said.status === "processing", isProcessing(answer))
      assert.strictEqual(said.is_draft, states[0] === "draft")
      assert.deepStrictEqual(
        results.map(({ status, success, error }) => [status, success, error]),
        states.map((state) => [
          resultWords[state],
          state === "published",
          state === "failed" ? "That word is not allowed." : null
        ])
      )
      // Nothing else differs.
      assert.deepStrictEqual<unknown>(
        {
          ...said,
          status: answer.status,
          results: results.map((result, index) => ({
            ...result,
            status: answer.results[index]!.status,
            error: answer.results[index]!.error
          }))
        },
        answer
      )
    }
  )

  it("the words of Post Bridge for the items of a thread", () => {
    const [result] = answerOf(["published"], null).results
    const rest = { platform_data: null }
    const { items } = resultInWords({
      ...result!,
      items: [
        { index: 0, status: "published", error: null, ...rest },
        { index: 1, status: "failed", error, ...rest }
      ]
    })
    assert.deepStrictEqual(items, [
      { index: 0, status: "posted", error: null, ...rest },
      { index: 1, status: "failed", error: "That word is not allowed.", ...rest }
    ])
  })

  it.each([
    ["/v1/posts?status=scheduled", "/v1/posts?status=waiting%2Cdraft"],
    ["/v1/posts/?limit=1&status=failed,scheduled", "/v1/posts/?limit=1&status=failed%2Cwaiting%2Cdraft"],
    [
      "/v1/posts?status%5B%5D=posted&status[]=scheduled&q=scheduled",
      "/v1/posts?status%5B%5D=posted&status%5B%5D=waiting%2Cdraft&q=scheduled"
    ],
    [
      "/v1/post-results?status=posted&status=processing",
      "/v1/post-results?status=published&status=publishing"
    ],
    ["/v1/posts?status=toString", "/v1/posts?status=toString"],
    ["/v1/posts", "/v1/posts"],
    ["/v1/media?status=scheduled", "/v1/media?status=scheduled"],
    ["/v1/posts/1?status=scheduled", "/v1/posts/1?status=scheduled"]
  ])("%s asks for %s", (address, inV1) => {
    assert.strictEqual(addressInV1(address), inV1)
  })

  it("stay in the address of the next page", () => {
    assert.strictEqual(
      nextInside(
        "https://c.example/post-bridge/v1/posts?status=scheduled&limit=1000",
        "https://c.example/v1/posts?status=waiting%2Cdraft&limit=200&offset=200"
      ),
      "https://c.example/post-bridge/v1/posts?status=scheduled&limit=200&offset=200"
    )
  })
})
