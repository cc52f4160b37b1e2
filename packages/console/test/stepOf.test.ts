import { describe, expect, it } from "@effect/vitest"
import { beginsHere, firstPostOf, stepOf } from "@carillon/console/welcome/stepOf"
import type { PostSummary } from "@carillon/sdk"

const now = Date.parse("2026-12-03T13:20:00Z")

const post = (id: string, status: string, scheduled_at: string | null, published = 0) =>
  ({ id, status, scheduled_at, progress: { published } }) as unknown as PostSummary

const draft = post("draft", "draft", null)
const planned = post("planned", "scheduled", "2026-12-03T13:21:00Z")
const going = post("going", "scheduled", "2026-12-03T13:19:59Z")
const failed = post("failed", "failed", "2026-12-03T13:00:00Z")
const out = post("out", "published", "2026-12-03T13:00:00Z", 1)
const partly = post("partly", "scheduled", "2026-12-03T13:00:00Z", 1)

const state = (...posts: ReadonlyArray<PostSummary>) => firstPostOf(posts, now).state

describe("the first post", () => {
  it("the first post is the one that is nearest to being out", () => {
    expect(state()).toBe("none")
    expect(state(draft)).toBe("draft")
    expect(state(draft, planned)).toBe("planned")
    expect(state(draft, planned, going)).toBe("going")
    expect(state(failed, draft)).toBe("failed")
    expect(state(failed, planned)).toBe("planned")
    expect(state(planned, out)).toBe("out")
    expect(state(partly)).toBe("out")
    expect(state(post("now", "scheduled", null))).toBe("going")
  })
})

describe("the first steps", () => {
  it("go from an account to a post that is out", () => {
    const at = (accounts: number, ...posts: ReadonlyArray<PostSummary>) =>
      stepOf(accounts, firstPostOf(posts, now))
    expect([at(0), at(1), at(1, draft), at(1, planned), at(1, out)]).toEqual([
      "connect",
      "write",
      "plan",
      "plan",
      "over"
    ])
    expect(at(0, draft)).toBe("plan")
  })

  it("the first steps are for the owner of a workspace that has no posts yet, until they are over", () => {
    const begins = (
      kept: "begun" | "over" | null,
      hasPosts: boolean,
      isOwner = true,
      asksForCalendar = false
    ) => beginsHere({ kept, hasPosts, isOwner, asksForCalendar })
    expect([begins(null, false), begins(null, true), begins("begun", true), begins("over", false)]).toEqual([
      true,
      false,
      true,
      false
    ])
    expect(begins(null, false, false)).toBe(false)
    expect(begins("begun", false, true, true), "an address of the calendar wins").toBe(false)
  })
})
