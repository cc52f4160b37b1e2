import { describe, expect, it } from "@effect/vitest"
import { nextInGrid } from "@carillon/console/media/nextInGrid"
import { durationWords, mediaFacts, ratioName, sizeWords } from "@carillon/console/media/mediaFacts"
import { filtersOf, librarySearch } from "@carillon/console/library/librarySearch"
import { acceptedBy } from "@carillon/console/library/acceptedBy"
import type { Media } from "@carillon/sdk"

const media = (facts: Partial<Media>): Media =>
  ({
    id: "1",
    name: "bells.jpg",
    status: "ready",
    importing: false,
    error: null,
    kind: "image",
    mime_type: "image/jpeg",
    size_bytes: 181_000,
    width: 1600,
    height: 1200,
    duration_ms: null,
    frame_rate: null,
    frames: null,
    video_codec: null,
    audio_codec: null,
    transfer: null,
    ...facts
  }) as Media

describe("the facts of a file", () => {
  it("the facts of a file are said as people say them", () => {
    expect([999, 181_000, 4_100_000, 66_000_000, 1_800_000_000].map(sizeWords)).toEqual([
      "999 bytes",
      "181 KB",
      "4.1 MB",
      "66 MB",
      "1.8 GB"
    ])
    expect([24_000, 61_000, 3_723_000].map(durationWords)).toEqual(["0:24", "1:01", "1:02:03"])
    expect([ratioName(1600, 1200), ratioName(1080, 1351), ratioName(1200, 885)]).toEqual(["4:3", "4:5", null])
    expect(mediaFacts(media({}))).toBe("JPEG · 4:3")
    expect(mediaFacts(media({ kind: "video", mime_type: "video/mp4", duration_ms: 11_000 }))).toBe(
      "MP4 · 0:11"
    )
    expect(mediaFacts(media({ kind: null, mime_type: null, width: null }))).toBe("")
  })
})

describe("the networks that take a file", () => {
  const refusals = (
    item: Media,
    ...platforms: Parameters<typeof acceptedBy>[1] extends Iterable<infer P> ? Array<P> : never
  ) => acceptedBy(item, platforms, { video_transcoding: false }).map(({ refusal }) => refusal)

  it("the networks that take a file are those of which some placement does", () => {
    expect(refusals(media({}), "instagram", "youtube")).toEqual([null, "accepts only videos"])
    expect(
      refusals(media({ kind: "document", mime_type: "application/pdf" }), "linkedin", "bluesky")
    ).toEqual([null, "accepts only pictures and videos"])
  })

  it("say why not without the words of a program", () => {
    const [reason] = refusals(
      media({ kind: "video", mime_type: "video/webm", duration_ms: 5_000, video_codec: "vp9" }),
      "instagram"
    )
    expect(reason).toMatch(/^accepts MP4/)
  })
})

describe("the address of the library", () => {
  it("holds a filter, a search and a file, and nothing else", () => {
    expect(librarySearch({ show: "unused", q: 2026, file: "x", other: 1 })).toEqual({
      show: "unused",
      q: "2026",
      file: "x"
    })
    expect(librarySearch({ show: "none", q: "" })).toEqual({})
    expect(filtersOf({ show: "undescribed", q: "bells" })).toEqual({ described: false, q: "bells" })
  })
})

describe("the arrows in a grid", () => {
  const boxes = [0, 1, 2, 3, 4].map((place) => ({
    left: (place % 3) * 100,
    top: Math.floor(place / 3) * 100,
    width: 90
  }))

  it("lead to the neighbour, and to the nearest of the next row", () => {
    expect(nextInGrid(boxes, 1, "ArrowDown")).toBe(4)
    expect(nextInGrid(boxes, 2, "ArrowDown")).toBe(4)
    expect(nextInGrid(boxes, 4, "ArrowUp")).toBe(1)
    expect(nextInGrid(boxes, 0, "ArrowUp")).toBe(null)
    expect(nextInGrid(boxes, 4, "ArrowRight")).toBe(null)
    expect(nextInGrid(boxes, 3, "Home")).toBe(0)
    expect(nextInGrid(boxes, 3, "a")).toBe(null)
  })
})
