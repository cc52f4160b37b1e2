import { fold } from "@carillon/console/preview/fold"
import { frameOf, gridOf, lengthOf, ratioName } from "@carillon/console/preview/layout"
import { folds, lookOf } from "@carillon/console/preview/looks"
import { formattedPieces, piecesOf } from "@carillon/console/preview/pieces"
import {
  placementFacts,
  platformFacts,
  platformIds,
  platformRules,
  type PlatformId,
  telegramText
} from "@carillon/domain"
import { describe, expect, it } from "@effect/vitest"

describe("a folded text", () => {
  it("a folded text is cut between words at the network's length", () => {
    expect(fold("The evening bells ring at six", { characters: 18, lines: 3 })).toBe("The evening bells")
    expect(fold("The evening bells ring", { characters: 17, lines: 3 })).toBe("The evening bells")
    expect(fold("The evening bells", { characters: 17, lines: 3 })).toBeNull()
  })

  it("a folded text is cut in a word that is longer than half of the room", () => {
    expect(fold("abcdefghijklmnop", { characters: 6, lines: 1 })).toBe("abcdef")
  })

  it("a folded text is cut at the lines that are shown, but an empty end is nothing more", () => {
    expect(fold("One\nTwo\nThree", { characters: 100, lines: 2 })).toBe("One\nTwo")
    expect(fold("One\nTwo\n\n", { characters: 100, lines: 2 })).toBeNull()
    expect(fold("One\n\nTwo", { characters: 100, lines: 2 })).toBe("One")
  })

  it("keeps what a person sees as one character in one", () => {
    expect(fold("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", { characters: 2, lines: 1 })).toBe("👩‍👩‍👧👩‍👩‍👧")
  })
})

describe("the pieces of a text", () => {
  const text = "Bells at https://north.com/a#b, #advent with @choir.example."
  const kinds = (platform: string) =>
    piecesOf(text, platform).flatMap((piece) =>
      piece.kind === "text" ? [] : [`${piece.kind} ${piece.text}`]
    )

  it.each(Object.keys(platformRules))("the pieces of a text for %s are together the text", (platform) => {
    for (const one of [text, "", "#1 @ # http:// a@b.example", "🔔 #fête @a\n\n#b"])
      expect(
        piecesOf(one, platform)
          .map((piece) => piece.text)
          .join("")
      ).toBe(one)
  })

  it("the pieces of a text for X are links with a scheme and without", () => {
    expect(
      piecesOf("Tickets at https://north.com/a and choir.london", "twitter").filter(
        ({ kind }) => kind === "link"
      )
    ).toEqual([
      { kind: "link", text: "https://north.com/a" },
      { kind: "link", text: "choir.london" }
    ])
  })

  it("the pieces of a text are links where the network makes them", () => {
    expect(kinds("bluesky")).toEqual(["link https://north.com/a#b", "tag #advent", "mention @choir.example"])
    expect(kinds("instagram")).toEqual(["tag #advent", "mention @choir.example"])
    expect(kinds("youtube")).toEqual(["link https://north.com/a#b", "tag #advent", "mention @choir.example"])
    expect(kinds("google_business")).toEqual([])
  })

  it.each(platformIds)("the pieces of a text for %s are plain where its facts say so", (platform) => {
    const plain = platformFacts[platform].plain ?? []
    const linked = ["link", "tag", "mention"].filter((kind) => !plain.some((one) => one === kind))
    expect(piecesOf(text, platform).flatMap(({ kind }) => (kind === "text" ? [] : [kind]))).toEqual(linked)
  })

  it("the pieces of a text are cut where a format begins or ends, and a link in code is none", () => {
    const caption = "**Bells #at _six_** [here](https://a.b) `#code` on https://c.example"
    const { entities, text } = telegramText({ caption, options: { markup: "markdown" } })
    expect(
      formattedPieces(piecesOf(text, "telegram"), entities).map(({ formats = [], kind, text: said }) =>
        [kind, said, ...formats].join("|")
      )
    ).toEqual([
      "text|Bells |bold",
      "tag|#at|bold",
      "text| |bold",
      "text|six|bold|italic",
      "text| ",
      "link|here|text_link",
      "text| ",
      "text|#code|code",
      "text| on ",
      "link|https://c.example"
    ])
  })

  it("follow Bluesky's own rules there", () => {
    expect(
      piecesOf("@choir sings on www.north.com", "bluesky").filter(({ kind }) => kind !== "text")
    ).toEqual([{ kind: "link", text: "www.north.com" }])
  })
})

describe("the layout of pictures", () => {
  it("fills a grid of two by two", () => {
    const area = (count: number) => gridOf(count).reduce((sum, { columns, rows }) => sum + columns * rows, 0)
    expect([0, 1, 2, 3, 4, 9].map(area)).toEqual([0, 4, 4, 4, 4, 4])
    expect([0, 1, 2, 3, 4, 9].map((count) => gridOf(count).length)).toEqual([0, 1, 2, 3, 4, 4])
  })

  it("shows a picture in its own form as far as the network has it", () => {
    const feed = { least: 4 / 5, most: 1.91, usual: 1 }
    expect(frameOf({ width: 1080, height: 1350 }, feed)).toEqual({ ratio: 0.8, cut: false })
    expect(frameOf({ width: 900, height: 1600 }, feed)).toEqual({ ratio: 0.8, cut: true })
    expect(frameOf({ width: 3000, height: 1000 }, feed)).toEqual({ ratio: 1.91, cut: true })
    expect(frameOf({ width: null, height: null }, feed)).toEqual({ ratio: 1, cut: false })
  })

  it("the layout of pictures has names for forms and lengths", () => {
    expect([4 / 5, 1600 / 1200, 1080 / 1920, 1.91, 3, 0.4].map(ratioName)).toEqual([
      "4:5",
      "4:3",
      "9:16",
      "1.91:1",
      "3:1",
      "1:2.5"
    ])
    expect([400, 42_000, 62_400, 3_725_000].map(lengthOf)).toEqual(["0:00", "0:42", "1:02", "1:02:05"])
  })
})

describe("the look of a post", () => {
  const image = { kind: "image", width: 1080, height: 1350, duration_ms: null } as const
  const upright = { kind: "video", width: 1080, height: 1920, duration_ms: 30_000 } as const
  const wide = { ...upright, width: 1920, height: 1080 }
  const names = (platform: PlatformId, media: Parameters<typeof lookOf>[2], options = {}) =>
    Object.values(
      lookOf(platform, placementFacts(platformRules[platform], options, media).placement, media)
    ).join(" ")

  it("the look of a post is that of the placement", () => {
    expect(names("instagram", [image])).toBe("photo-feed Feed")
    expect(names("instagram", [image, upright])).toBe("photo-feed Feed")
    expect(names("instagram", [upright])).toBe("upright Reel")
    expect(names("instagram", [image], { placement: "story" })).toBe("story Story")
    expect(names("tiktok", [image, image])).toBe("upright Photos")
    expect(names("tiktok", [upright])).toBe("upright Video")
    expect(names("pinterest", [image])).toBe("pin Pin")
    expect(names("google_business", [image])).toBe("post Update")
    expect(names("bluesky", [])).toBe("post Post")
  })

  it("the look of a video is a Short where it is upright and not long", () => {
    expect(names("youtube", [upright])).toBe("upright Short")
    expect(names("youtube", [{ ...upright, duration_ms: 200_000 }])).toBe("watch Video")
    expect(names("youtube", [wide])).toBe("watch Video")
    expect(names("youtube", [])).toBe("watch Video")
  })

  it("folds texts of networks that there are", () => {
    expect(
      Object.keys(folds).filter((name) => platformRules[name.split(" ")[0] as PlatformId] === undefined)
    ).toEqual([])
  })
})
