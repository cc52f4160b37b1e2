import { PostId, SocialAccountId, WorkspaceId } from "@carillon/domain"
import type { SocialAccountRow } from "@carillon/server/accounts/SocialAccountRepository"
import { insertedTarget, newTargets } from "@carillon/server/posts/PostTargets"
import { claimLead } from "@carillon/server/publishing/Publish"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration } from "effect"

const now = DateTime.makeUnsafe("2026-11-22T12:00:00Z")
const later = DateTime.add(now, { hours: 1 })

const account = (
  id: number,
  platform: SocialAccountRow["platform"],
  default_board_id: string | null = null
): SocialAccountRow => ({
  id,
  workspace_id: WorkspaceId.make("0191f0a0-0000-7000-8000-000000000001"),
  platform,
  remote_id: String(id),
  username: `user${id}`,
  display_name: null,
  avatar_version: null,
  status: "connected",
  status_reason: null,
  connected_at: now,
  token_expires_at: null,
  access_expires_at: null,
  default_board_id,
  default_privacy_level: null,
  demo: null,
  limits: null,
  granted_scopes: null
})

const content = {
  caption: "Hello",
  media: ["a"],
  platform_configurations: null,
  account_configurations: null
}
const toBoards = {
  ...content,
  account_configurations: [{ account_id: SocialAccountId.make(2), board_ids: ["x", "y"] }]
}

describe("the targets of a new post", () => {
  const minutes = Duration.minutes(5)
  const facts = {
    ahead: (_: unknown, hasMedia: boolean) => (hasMedia ? minutes : claimLead),
    cost: () => null
  }
  const targets = (when: Parameters<typeof newTargets>[2], media: ReadonlyArray<string> = []) =>
    newTargets(
      { ...content, media },
      [account(1, "bluesky"), account(2, "pinterest", "default")],
      when,
      now,
      facts
    )

  it("the targets of a new post are one for each destination, in the order of the accounts", () => {
    const pinterest = account(2, "pinterest")
    const made = newTargets(toBoards, [pinterest, account(1, "bluesky")], { _tag: "now" }, now, facts)
    assert.deepStrictEqual(
      made.map(({ social_account_id, platform, board_id }) => [social_account_id, platform, board_id]),
      [
        [2, "pinterest", "x"],
        [2, "pinterest", "y"],
        [1, "bluesky", null]
      ]
    )
    assert.strictEqual(new Set(made.map(({ id }) => id)).size, 3)
  })

  it("wait for their time, and begin so much earlier as their media take", () => {
    for (const target of targets({ _tag: "at", instant: later, slot: null }, ["a"])) {
      assert.deepStrictEqual(
        [target.state, target.due_at, target.next_step_at, target.lead],
        ["waiting", later, DateTime.subtractDuration(later, minutes), Duration.toMillis(minutes)]
      )
    }
    for (const target of targets({ _tag: "at", instant: later, slot: null })) {
      assert.deepStrictEqual(target.next_step_at, DateTime.subtractDuration(later, claimLead))
    }
  })

  it("begin at once where there is no time left", () => {
    const soon = DateTime.add(now, { minutes: 1 })
    for (const when of [{ _tag: "now" }, { _tag: "at", instant: soon, slot: null }] as const) {
      for (const { next_step_at } of targets(when, ["a"])) assert.deepStrictEqual(next_step_at, now)
    }
  })

  it("the targets of a new post of a draft have no time", () => {
    for (const { state, due_at, next_step_at } of targets({ _tag: "draft", instant: later })) {
      assert.deepStrictEqual([state, due_at, next_step_at], ["draft", null, null])
    }
  })

  it("the targets of a new post are read back without their lead and untried", () => {
    const [target] = targets({ _tag: "now" })
    const id = PostId.make("0191f0a0-0000-7000-8000-000000000002")
    const read = insertedTarget({ id, approval: null, repairs: null }, target!)
    assert.notProperty(read, "lead")
    assert.deepStrictEqual([read.id, read.attempts, read.error], [target!.id, 0, null])
  })
})
