import { describe, expect, it } from "@effect/vitest"
import { fieldOf } from "@carillon/console/compose/fieldOf"
import { change, emptyForm, type Form, toRequest } from "@carillon/console/compose/Form"
import { kindsTaken } from "@carillon/console/compose/kindsTaken"
import { joined, onlyThere, placeOf } from "@carillon/console/compose/problems"
import { mediaNeeded, sentenceOf } from "@carillon/console/compose/sentenceOf"
import { troubleOf } from "@carillon/console/compose/troubleOf"
import type { PlatformId, ProblemItem } from "@carillon/sdk"

const form: Form = [
  { type: "caption", of: "tiktok", caption: "Short" } as const,
  { type: "options", of: 7, options: { title: "Mine" } } as const,
  { type: "caption", of: 9, caption: "Own" } as const,
  { type: "media", of: 9, media: ["own"] } as const
].reduce(change, { ...emptyForm, accounts: [5, 7, 9], caption: "For all" })

const request = toRequest(form, "Europe/Paris")

const problem = (path: string, more: Partial<ProblemItem> = {}): ProblemItem => ({
  path,
  code: "invalid_value",
  message: path,
  ...more
})

describe("the place of a problem", () => {
  it.each([
    ["caption", {}, { on: "text", level: "everywhere" }],
    ["platform_configurations.tiktok.caption", {}, { on: "text", level: "tiktok" }],
    ["account_configurations[1].caption", {}, { on: "text", level: 9 }],
    ["media", { media_id: "m" }, { on: "media", level: "everywhere", media: "m" }],
    ["media", {}, { on: "media", level: "everywhere", media: null }],
    ["platform_configurations.tiktok.media", { media_id: "m" }, { on: "media", level: "tiktok", media: "m" }],
    ["account_configurations[0].media", {}, { on: "media", level: 7, media: null }],
    ["thread", {}, { on: "thread", level: "everywhere", item: null, media: null }],
    ["thread[1].caption", {}, { on: "thread", level: "everywhere", item: 1, media: null }],
    [
      "platform_configurations.tiktok.thread[0].media",
      { media_id: "m" },
      { on: "thread", level: "tiktok", item: 0, media: "m" }
    ],
    ["social_accounts[2]", {}, { on: "accounts", account: 9 }],
    ["social_accounts", {}, { on: "accounts", account: null }],
    ["account_configurations[0].account_id", {}, { on: "accounts", account: 7 }],
    ["scheduled_at", {}, { on: "time" }],
    ["use_queue", {}, { on: "time" }],
    [
      "platform_configurations.pinterest.board_ids[0]",
      {},
      { on: "option", platform: "pinterest", account: null, path: "board_ids[0]" }
    ],
    [
      "account_configurations[0].title",
      { platform: "youtube", account_id: 7 },
      { on: "option", platform: "youtube", account: 7, path: "title" }
    ],
    // An option that nobody has given has the path that the shared one would have.
    [
      "privacy_level",
      { platform: "tiktok", account_id: 5 },
      { on: "option", platform: "tiktok", account: null, path: "privacy_level" }
    ],
    ["", {}, { on: "text", level: "everywhere" }]
  ] as const)("the place of a problem with %s is where it can be mended", (path, more, place) => {
    expect(placeOf(problem(path, more), request)).toEqual(place)
  })
})

describe("problems that are found twice", () => {
  const long = problem("caption", { code: "caption_too_long", account_id: 5 })
  const other = problem("caption", { code: "caption_too_long", account_id: 7 })
  const board = problem("board_ids", { code: "board_required", account_id: 9 })

  it("problems that are found twice are shown once, with those of the service behind", () => {
    expect(joined([long], [long, other, board])).toEqual([long, other, board])
  })

  it("leave, of an old answer, what only the service knows", () => {
    expect(onlyThere([long, other], [long, board])).toEqual([board])
  })

  it("are said of their account in a few words, also where the account itself is the problem", () => {
    const placed = [
      { ...long, rule: "max", limit: 300, value: 1374 },
      { ...long, rule: "max", limit: 300, value: 374 },
      board,
      problem("account_configurations[0].title", { account_id: board.account_id!, platform: "pinterest" }),
      problem("social_accounts[1]", { code: "social_account_disconnected" })
    ].map((item) => ({ item, place: placeOf(item, request) }))
    expect([5, 9, 7, 1].map((account) => troubleOf(placed, account))).toEqual([
      "1,074 over",
      "1 to set · 1 problem",
      "1 problem",
      ""
    ])
  })
})

describe("the sentence of a problem", () => {
  const unnamed = { fileName: () => undefined }

  it("says how much is too much", () => {
    const item = problem("caption", {
      code: "caption_too_long",
      platform: "bluesky",
      rule: "max",
      limit: 300,
      value: 311
    })
    expect(sentenceOf(item, unnamed)).toBe("Bluesky allows 300 characters; this is 11 too many.")
  })

  it("names files by their names, and nothing by an id", () => {
    const id = "01a20550-fe45-7210-b6ab-65a9e8213d2a"
    const kind = problem("media", {
      platform: "youtube",
      sentence: `does not take images (media ${id}, bells.jpg).`
    })
    expect(sentenceOf(kind, unnamed)).toBe("YouTube does not take images (bells.jpg).")
    const waits = problem("media", { code: "media_not_ready", media_id: id })
    expect(sentenceOf(waits, { fileName: () => "bells.jpg" })).toBe("bells.jpg is not uploaded yet.")
  })
})

describe("a post without files", () => {
  it("is told once what all of its networks accept", () => {
    const said = (...platforms: ReadonlyArray<PlatformId>) => mediaNeeded(platforms, kindsTaken(platforms))
    expect(said("instagram", "tiktok")).toBe(
      "Instagram and TikTok do not accept text alone. Add a picture or a video."
    )
    expect(said("youtube")).toBe("YouTube does not accept text alone. Add a video.")
    expect(said("instagram", "youtube")).toBe("Instagram and YouTube do not accept text alone. Add a video.")
  })
})

describe("the field of a problem", () => {
  it.each([
    [problem("caption"), "text everywhere"],
    [problem("media", { media_id: "m" }), "media everywhere m"],
    [problem("platform_configurations.tiktok.thread[1].media", { media_id: "m" }), "thread tiktok 1 media m"],
    [problem("thread[0].caption"), "thread everywhere 0"],
    [problem("social_accounts[2]"), "account 9"],
    [problem("account_configurations[0].board_ids[0]", { platform: "pinterest" }), "option 7 board_ids"],
    [problem("scheduled_at"), "time"]
  ])("of %o is %s", (item, field) => {
    expect(fieldOf({ item, place: placeOf(item, request) }).field).toBe(field)
  })
})
