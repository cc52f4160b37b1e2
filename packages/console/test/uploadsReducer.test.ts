import { describe, expect, it } from "@effect/vitest"
import {
  uploadsReducer,
  isUnderWay,
  percent,
  secondsLeft,
  toStart,
  type UploadEvent,
  type Uploads
} from "@carillon/console/media/uploadsReducer"
import type { Media } from "@carillon/sdk"

const after = (...events: ReadonlyArray<UploadEvent>) => events.reduce<Uploads>(uploadsReducer, [])

const added = (...keys: ReadonlyArray<string>): UploadEvent => ({
  type: "added",
  files: keys.map((key) => ({ key, name: `${key}.jpg`, size: 1_000, kind: "image", preview: null }))
})

const states = (uploads: Uploads) => uploads.map(({ state }) => state)

const one = (uploads: Uploads) => uploads[0]!

describe("uploads", () => {
  it("uploads are sent three at once, in the order of their choice", () => {
    const five = after(added("a", "b", "c", "d", "e"))
    expect(toStart(five).map(({ key }) => key)).toEqual(["a", "b", "c"])
    const started = ["a", "b", "c"].reduce<Uploads>(
      (uploads, key) => uploadsReducer(uploads, { type: "started", key, at: 0 }),
      five
    )
    expect(toStart(started)).toEqual([])
    const ended = uploadsReducer(started, { type: "ended", key: "b", media: { id: "1" } as Media, at: 5 })
    expect(toStart(ended).map(({ key }) => key)).toEqual(["d"])
  })

  it("make room for the next when one breaks, and take it up again behind those that wait", () => {
    const cut = after(
      added("a", "b", "c", "d"),
      { type: "started", key: "a", at: 0 },
      { type: "started", key: "b", at: 0 },
      { type: "started", key: "c", at: 0 },
      { type: "cut", key: "a", problem: "The connection broke" }
    )
    expect(toStart(cut).map(({ key }) => key)).toEqual(["d"])
    expect(cut.filter(isUnderWay)).toHaveLength(4)
    expect(states(uploadsReducer(cut, { type: "again", key: "a" }))).toEqual([
      "waiting",
      "sending",
      "sending",
      "waiting"
    ])
  })

  it("tell how far they are, and what is left once that is known", () => {
    const begun = after(added("a"), { type: "started", key: "a", at: 1_000 })
    expect([percent(one(begun)), secondsLeft(one(begun))]).toEqual([0, null])
    const early = uploadsReducer(begun, { type: "progressed", key: "a", sent: 100, at: 1_500 })
    expect(secondsLeft(one(early))).toBe(null)
    const later = uploadsReducer(begun, { type: "progressed", key: "a", sent: 250, at: 3_000 })
    expect([percent(one(later)), secondsLeft(one(later))]).toEqual([25, 6])
    const whole = uploadsReducer(later, { type: "progressed", key: "a", sent: 1_000, at: 9_000 })
    expect([percent(one(whole)), secondsLeft(one(whole))]).toEqual([100, null])
  })

  it("reckon anew when the bytes are sent again", () => {
    const again = after(
      added("a"),
      { type: "started", key: "a", at: 0 },
      { type: "progressed", key: "a", sent: 900, at: 60_000 },
      { type: "progressed", key: "a", sent: 0, at: 70_000 },
      { type: "progressed", key: "a", sent: 500, at: 72_000 }
    )
    expect(secondsLeft(one(again))).toBe(2)
  })

  it("uploads that are refused or given up are not under way", () => {
    const refused = after(
      added("a", "b"),
      { type: "refused", key: "a", problem: "No" },
      { type: "removed", key: "b" }
    )
    expect(refused.map(({ problem }) => problem)).toEqual(["No"])
    expect(refused.some(isUnderWay)).toBe(false)
  })
})
