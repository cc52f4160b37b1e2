import { type ApprovePost, PostId, type UpdatePost } from "@carillon/domain"
import type { PostChange } from "@carillon/server/posts/PostTimes"
import {
  approvalAfterEdit,
  approvalOnCreate,
  approvalOnUpdate,
  approving,
  asDraft,
  heldWarning,
  isHeldWarning,
  requesting
} from "@carillon/server/posts/ApprovalHold"
import type { StoredApproval } from "@carillon/server/posts/StoredApproval"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Result } from "effect"
import { TestClock } from "effect/testing"

const now = DateTime.makeUnsafe("2026-11-22T12:00:00Z")
const earlier = DateTime.subtract(now, { hours: 1 })
const inAnHour = DateTime.add(now, { hours: 1 })
const later = "2026-11-22T18:00:00Z"

const asker = { asked_by: { type: "app", name: "Claude" }, grant_id: "grant" } as const

const waiting: StoredApproval = {
  status: "waiting",
  wants: "scheduled",
  queue_timezone: null,
  ...asker,
  asked_at: earlier,
  decided_at: null,
  decided_by: null,
  reason: null
}
const refused: StoredApproval = { ...waiting, status: "refused", decided_at: earlier, reason: "Too long" }
const decision = { decided_at: now, decided_by: { name: "Olive" } }
const approved: StoredApproval = { ...waiting, status: "approved", decided_at: earlier }

const nothing: ApprovePost = { scheduled_at: null, use_queue: false, publish_now: false }

const askedIn = (approval: StoredApproval | null) => approval && [approval.status, approval.wants]

describe("the approval that an app's new post asks for", () => {
  it.each<[string, UpdatePost, ReturnType<typeof askedIn>]>([
    ["at once", {}, ["waiting", "now"]],
    ["at its time", { scheduled_at: later }, ["waiting", "scheduled"]],
    ["at a slot", { use_queue: true }, ["waiting", "queue"]],
    ["none for a draft", { is_draft: true, scheduled_at: later }, null]
  ])("%s", (_, request, expected) =>
    assert.deepStrictEqual(askedIn(approvalOnCreate(request, asker, now)), expected)
  )

  it("names the app, its grant, the time and the queue's zone", () => {
    assert.deepStrictEqual(approvalOnCreate({ use_queue: { timezone: "Asia/Tokyo" } }, asker, now), {
      ...waiting,
      wants: "queue",
      queue_timezone: "Asia/Tokyo",
      asked_at: now
    })
  })
})

describe("the approval that an app's change asks for", () => {
  const rows: ReadonlyArray<
    [
      sentence: string,
      approval: StoredApproval | null,
      changes: PostChange,
      expected: ReturnType<typeof askedIn>
    ]
  > = [
    ["an open request stays open", waiting, { caption: "New" }, ["waiting", "scheduled"]],
    ["a refused one is made again", refused, { caption: "New" }, ["waiting", "scheduled"]],
    ["a new time is asked for", waiting, { scheduled_at: later }, ["waiting", "scheduled"]],
    ["at once is asked for", waiting, { publish: true }, ["waiting", "now"]],
    ["scheduled_at: null withdraws it", waiting, { scheduled_at: null }, null],
    ["the queue is asked for", refused, { use_queue: true }, ["waiting", "queue"]],
    ["is_draft: true withdraws it", waiting, { is_draft: true }, null],
    ["a draft that asked for nothing asks for nothing", null, { caption: "New" }, null],
    ["a draft that asked for nothing asks for at once", null, { publish: true }, ["waiting", "now"]],
    ["a draft that asked for nothing asks for the queue", null, { use_queue: true }, ["waiting", "queue"]],
    ["a time is only a draft's plan", null, { scheduled_at: later }, null],
    [
      "is_draft: false with a time asks for it",
      null,
      { is_draft: false, scheduled_at: later },
      ["waiting", "scheduled"]
    ],
    ["is_draft: false asks for the plan of a draft", null, { is_draft: false }, ["waiting", "scheduled"]],
    ["an approved post that is a draft again asks for nothing", approved, { caption: "New" }, null]
  ]
  it.each(rows)("the approval that an app's change asks for: %s", (_, approval, changes, expected) =>
    assert.deepStrictEqual(
      askedIn(approvalOnUpdate(changes, { approval, scheduled_at: inAnHour, status: "draft" }, asker, now)),
      expected
    )
  )

  it.each<[string, UpdatePost, DateTime.Utc | null, ReturnType<typeof askedIn>]>([
    ["its text changes", { caption: "New" }, inAnHour, ["waiting", "scheduled"]],
    ["it is moved", { scheduled_at: later }, inAnHour, ["waiting", "scheduled"]],
    ["its text changes just before it goes out at once", { caption: "New" }, null, ["waiting", "now"]],
    ["it joins the queue", { use_queue: true }, inAnHour, ["waiting", "queue"]],
    ["never when it is taken back", { is_draft: true }, inAnHour, null]
  ])("is made again for what was approved: %s", (_, changes, scheduled_at, expected) => {
    const before = { approval: approved, scheduled_at, status: "scheduled" as const }
    assert.deepStrictEqual(askedIn(approvalOnUpdate(changes, before, asker, now)), expected)
  })

  it("asks to go out at once where a draft has no time", () => {
    const before = { approval: null, scheduled_at: null, status: "draft" as const }
    assert.deepStrictEqual(askedIn(approvalOnUpdate(requesting({}), before, asker, now)), ["waiting", "now"])
  })

  it("changes the post as a draft", () => {
    assert.deepStrictEqual(asDraft({ caption: "New", scheduled_at: later, is_draft: false }), {
      caption: "New",
      scheduled_at: later,
      is_draft: true
    })
    for (const timeless of [{ use_queue: true }, { publish: true }]) {
      assert.deepStrictEqual(asDraft(timeless), { scheduled_at: null, is_draft: true })
    }
  })
})

describe("a person's approval", () => {
  const id = PostId.make("0191f7a0-0000-7000-8000-000000000000")
  const approve = (wish: Partial<StoredApproval>, scheduled_at: DateTime.Utc | null, choice: ApprovePost) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now.epochMilliseconds)
      return yield* Effect.result(approving({ id, scheduled_at }, { ...waiting, ...wish }, choice, "UTC"))
    }).pipe(Effect.provide(TestClock.layer()))

  it.effect.each<[string, Partial<StoredApproval>, DateTime.Utc | null, ApprovePost, PostChange]>([
    ["at the time that the app asked for", {}, inAnHour, {}, { is_draft: false }],
    ["in the queue, as the app asked", { wants: "queue" }, null, {}, { use_queue: true }],
    [
      "in the queue of the app's zone",
      { wants: "queue", queue_timezone: "Asia/Tokyo" },
      null,
      {},
      { use_queue: { timezone: "Asia/Tokyo" } }
    ],
    [
      "at the person's time",
      { wants: "now" },
      null,
      { scheduled_at: later },
      { scheduled_at: later, is_draft: false }
    ],
    ["in the queue, as the person says", {}, earlier, { use_queue: true }, { use_queue: true }],
    ["at once, as the person says", {}, inAnHour, { publish_now: true }, { publish: true }],
    ["as the app asked where nothing is chosen", {}, inAnHour, nothing, { is_draft: false }]
  ])("lets it go out %s", ([_, wish, at, choice, expected]) =>
    Effect.map(approve(wish, at, choice), (changes) =>
      assert.deepStrictEqual(changes, Result.succeed(expected))
    )
  )

  it.effect.each<[string, Partial<StoredApproval>, DateTime.Utc | null, ApprovePost, string, RegExp]>([
    ["at once by itself", { wants: "now" }, null, {}, "approval_needs_time", /is to go out at once/],
    ["once its time is over", {}, earlier, {}, "approval_needs_time", /2026-11-22T11:00:00.000Z, has passed/],
    [
      "at a time of the person's that has just passed",
      { wants: "now" },
      null,
      { scheduled_at: "2026-11-22T11:59:59Z" },
      "scheduled_at_past",
      /2026-11-22T11:59:59.000Z has passed/
    ],
    [
      "at two times",
      {},
      inAnHour,
      { publish_now: true, use_queue: true },
      "schedule_conflict",
      /only one of them/
    ]
  ])("never lets it go out %s", ([_, wish, at, choice, code, sentence]) =>
    Effect.map(approve(wish, at, choice), (changes) => {
      const refusal = Result.getOrThrow(Result.flip(changes))
      assert.strictEqual(refusal.code, code)
      assert.match(refusal.detail, sentence)
    })
  )
})

describe("a person's own change of what waits", () => {
  it("approves it by letting it go out, also after a refusal", () => {
    for (const approval of [waiting, refused]) {
      assert.deepStrictEqual(approvalAfterEdit(approval, { publish: true }, true, decision), {
        ...waiting,
        ...decision,
        status: "approved"
      })
    }
  })

  it("leaves the request open otherwise, with the time that they gave it", () => {
    assert.deepStrictEqual(approvalAfterEdit(waiting, { caption: "New" }, false, decision), waiting)
    assert.deepStrictEqual(
      approvalAfterEdit(waiting, { scheduled_at: null, is_draft: true }, false, decision),
      {
        ...waiting,
        wants: "now"
      }
    )
  })

  it("says nothing of a post that no app asked about, or that is approved", () => {
    assert.isNull(approvalAfterEdit(null, {}, true, decision))
    assert.strictEqual(approvalAfterEdit(approved, { scheduled_at: null }, false, decision), approved)
  })
})

it("the warning of a waiting post is known by its beginning, whatever the service's address", () => {
  assert.isTrue(isHeldWarning(heldWarning("https://a.example")))
  assert.isTrue(isHeldWarning(heldWarning("https://b.example")))
  assert.isFalse(isHeldWarning("This is a draft."))
})
