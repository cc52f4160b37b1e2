import { approvalSentence } from "@carillon/console/post/approvalSentence"
import { needsTime } from "@carillon/console/post/needsTime"
import type { Approval } from "@carillon/sdk"
import { describe, expect, it } from "@effect/vitest"

const now = Date.parse("2026-12-03T12:00:00Z")

const held = (wants: Approval["wants"], scheduled_at: string | null = null) => ({
  approval: { wants, asked_by: { type: "app", name: "Desk Helper" } } as Approval,
  scheduled_at
})

describe("a post that waits for approval", () => {
  it("goes out as its app asked where that is still to come", () => {
    expect(needsTime(held("scheduled", "2026-12-03T12:00:01Z"), now)).toBe(false)
    expect(needsTime(held("queue"), now)).toBe(false)
  })

  it("needs a time from the person where the app asked for at once, or for a time that has passed", () => {
    expect(needsTime(held("now"), now)).toBe(true)
    expect(needsTime(held("scheduled", "2026-12-03T12:00:00Z"), now)).toBe(true)
    expect(needsTime(held("scheduled"), now)).toBe(true)
  })

  it("says who asks, and for when", () => {
    const sentence = (...given: Parameters<typeof held>) =>
      approvalSentence(held(...given), now, "Europe/Paris")
    expect(sentence("now")).toBe("Desk Helper asks to publish this at once.")
    expect(sentence("queue")).toBe("Desk Helper asks to publish this at the queue’s next free slot.")
    expect(sentence("scheduled", "2026-12-03T17:00:00Z")).toBe(
      "Desk Helper asks to publish this today, 18:00."
    )
  })
})
