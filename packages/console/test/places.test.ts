import { describe, expect, it } from "@effect/vitest"
import { filled, idsOf, movedTo, withIds, withMore } from "@carillon/console/compose/media/places"

describe("the places of a post's files", () => {
  it("the places of a post's files are kept for what is still on its way", () => {
    const places = withMore(["a", "b"], ["upload-1"])
    expect(idsOf(places)).toEqual(["a", "b"])
    expect(filled(movedTo(places, "upload-1", 1), "upload-1", "c")).toEqual(["a", "c", "b"])
  })

  it("stay behind their file when the files are changed elsewhere", () => {
    expect(withIds(["a", "upload-1", "b"], ["a", "b"])).toEqual(["a", "upload-1", "b"])
    expect(withIds(["a", "upload-1", "upload-2", "b"], ["c", "a", "b"])).toEqual([
      "c",
      "a",
      "upload-1",
      "upload-2",
      "b"
    ])
    expect(withIds(["a", "upload-1"], ["b"])).toEqual(["upload-1", "b"])
    expect(withIds([], ["a"])).toEqual(["a"])
  })

  it("hold a file once", () => {
    expect(withMore(["a"], ["a", "b"])).toEqual(["a", "b"])
    expect(filled(["a", "upload-1"], "upload-1", "a")).toEqual(["a"])
  })

  it("the places of a post's files are changed by carrying, at most to the ends", () => {
    expect(movedTo(["a", "b", "c"], "a", 2)).toEqual(["b", "c", "a"])
    expect(movedTo(["a", "b", "c"], "c", -1)).toEqual(["c", "a", "b"])
    expect(movedTo(["a", "b", "c"], "b", 9)).toEqual(["a", "c", "b"])
  })
})
