import { describe, expect, it } from "@effect/vitest"
import { cutName, largest, moved, rounded, scaled, stretched } from "@carillon/console/media/cropBox"
import { ratioChoices } from "@carillon/console/media/ratioChoices"

const size = { width: 1600, height: 1200 }

describe("the part of a picture that is kept", () => {
  it("begins as the largest of its ratio, in the middle", () => {
    expect(largest(size, 4 / 5)).toEqual({ x: 320, y: 0, width: 960, height: 1200 })
    expect(largest(size, 16 / 9)).toEqual({ x: 0, y: 150, width: 1600, height: 900 })
    expect(largest(size, null)).toEqual({ x: 0, y: 0, ...size })
  })

  it("never leaves the picture", () => {
    const box = largest(size, 1)
    expect(moved(box, size, -9_999, 40)).toEqual({ ...box, x: 0, y: 0 })
    expect(moved(box, size, 9_999, 0).x).toBe(400)
    expect(scaled(box, size, 3)).toEqual(box)
    expect(stretched(box, size, 1, "bottom-right", { x: 9_999, y: 9_999 }).width).toBe(1200)
  })

  it("keeps its ratio and its middle when it gets smaller, and stays a picture", () => {
    const smaller = scaled(largest(size, 4 / 5), size, 0.5)
    expect(smaller).toEqual({ x: 560, y: 300, width: 480, height: 600 })
    expect(Math.min(...Object.values(rounded(scaled(smaller, size, 0.0001), size, 4 / 5)).slice(2))).toBe(32)
  })

  it("follows a corner while the opposite one stays", () => {
    const box = { x: 200, y: 200, width: 400, height: 400 }
    expect(stretched(box, size, 1, "top-left", { x: 400, y: 100 })).toEqual({
      x: 100,
      y: 100,
      width: 500,
      height: 500
    })
    expect(stretched(box, size, null, "bottom-right", { x: 700, y: 300 })).toEqual({
      x: 200,
      y: 200,
      width: 500,
      height: 100
    })
  })

  it("the part of a picture that is kept has whole pixels in its ratio", () => {
    const { height, width } = rounded(
      scaled(largest({ width: 1333, height: 999 }, 4 / 5), size, 0.7),
      size,
      4 / 5
    )
    expect(Number.isInteger(width) && Number.isInteger(height)).toBe(true)
    expect(Math.abs(width / height - 4 / 5)).toBeLessThan(0.005)
    expect(cutName("bells.at.dusk.jpeg", "4:5", "jpg")).toBe("bells.at.dusk (4:5).jpg")
  })
})

describe("the ratios on offer", () => {
  it("the ratios on offer are those that a chosen network takes, with those that do not", () => {
    const both = ratioChoices(["instagram", "youtube", "instagram"])
    expect(both.find(({ name }) => name === "4:5")).toEqual({
      name: "4:5",
      takenBy: ["instagram"],
      notBy: ["youtube"]
    })
    expect(ratioChoices([]).map(({ name }) => name)).toContain("1.91:1")
    expect(ratioChoices(["youtube"])).toHaveLength(ratioChoices([]).length)
  })
})
