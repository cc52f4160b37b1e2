import { fieldsOf, withOption } from "@carillon/console/compose/options/fieldsOf"
import { givenWords } from "@carillon/console/compose/options/valueWords"
import { optionOf } from "@carillon/console/compose/options/optionOf"
import { listed, refused, takes } from "@carillon/console/data/offered"
import type { Offer } from "@carillon/console/data/accounts"
import { optionSchemas, type PlatformId } from "@carillon/domain"
import { describe, expect, it } from "@effect/vitest"

const platforms = Object.keys(optionSchemas) as ReadonlyArray<PlatformId>
const field = (platform: PlatformId, name: string) => fieldsOf(platform).find((one) => one.name === name)!

describe("the fields of a network's options", () => {
  it.each(platforms)("%s: each of its options has one", (platform) => {
    const properties = Object.keys(optionSchemas[platform]["properties"] as object)
    const elsewhere = ["caption", "media", "thread", "thread_fallback"]
    expect(
      fieldsOf(platform)
        .map(({ name }) => name)
        .sort()
    ).toEqual(properties.filter((name) => !elsewhere.includes(name)).sort())
  })

  it.each(platforms)("%s: have the words of a person", (platform) => {
    for (const { control, help, name, title } of fieldsOf(platform)) {
      expect(title, name).toMatch(/^\p{Lu}[^_`]+$/u)
      expect(title, name).not.toBe(name)
      expect(help ?? "", name).not.toMatch(/`|_|media id/i)
      if (control.kind === "choice" || control.kind === "several")
        for (const choice of control.choices) expect(choice.name, name).toMatch(/^\p{Lu}[^_`]+$/u)
    }
  })

  it("the fields of a network's options are of the kind of their values", () => {
    const kinds = Object.fromEntries(
      platforms.map((platform) => [
        platform,
        Object.fromEntries(fieldsOf(platform).map(({ control, name }) => [name, control.kind]))
      ])
    )
    expect(kinds).toMatchObject({
      tiktok: {
        title: "line",
        privacy_level: "choice",
        allow_comment: "switch",
        video_cover_timestamp_ms: "frame",
        photo_cover_index: "photo"
      },
      instagram: {
        placement: "choice",
        cover_image: "picture",
        collaborators: "tokens",
        user_tags: "tokens",
        first_comment: "text",
        share_to_feed: "choice",
        alt_text: "texts"
      },
      youtube: { description: "text", tags: "tokens", thumbnail: "picture", playlist_ids: "tokens" },
      pinterest: { link: "line", board_ids: "tokens", board_section_id: "section" },
      mastodon: { focus: "texts", thumbnail: "picture" },
      twitter: { poll: "json" },
      bluesky: {
        langs: "tokens",
        reply_gate: "several",
        reply_lists: "tokens",
        quote: "line",
        captions: "json",
        presentation: "choice"
      }
    })
  })

  it("say what holds where nothing is chosen", () => {
    expect(field("tiktok", "allow_comment").control).toEqual({ kind: "switch", rest: true })
    expect(field("tiktok", "is_aigc").control).toEqual({ kind: "switch", rest: false })
    expect(field("youtube", "made_for_kids").control).toEqual({
      kind: "choice",
      choices: [
        { value: true, name: "Yes" },
        { value: false, name: "No" }
      ]
    })
  })

  it("leave out the second words that programs may send", () => {
    expect(field("instagram", "placement").control).toEqual({
      kind: "choice",
      choices: [
        { value: "feed", name: "Feed" },
        { value: "reel", name: "Reel" },
        { value: "story", name: "Story" }
      ]
    })
    expect(field("tiktok", "privacy_status").spare).toBe(true)
    expect(field("youtube", "privacy_status").spare).toBe(false)
  })
})

describe("an option", () => {
  it("an option that is cleared leaves no key behind", () => {
    const options = { title: "Bells", is_aigc: true, tags: ["a"] }
    expect(withOption(options, "title", "")).toEqual({ is_aigc: true, tags: ["a"] })
    expect(withOption(options, "tags", [])).toEqual({ title: "Bells", is_aigc: true })
    expect(withOption(options, "is_aigc", undefined)).toEqual({ title: "Bells", tags: ["a"] })
    expect(withOption({}, "allow_comment", false)).toEqual({ allow_comment: false })
    expect(withOption({}, "video_cover_timestamp_ms", 0)).toEqual({ video_cover_timestamp_ms: 0 })
  })

  it("those that are given are said in a line", () => {
    const said = (platform: PlatformId, options: Readonly<Record<string, unknown>>) =>
      givenWords(fieldsOf(platform), options, (option) =>
        option === "board_ids" ? [{ id: "b1", name: "Bread" }] : []
      )
    expect(said("tiktok", { title: "Bells", privacy_level: "SELF_ONLY", allow_comment: false })).toBe(
      "Title: Bells · Who can see it: Only me · Allow comments: No"
    )
    expect(said("pinterest", { board_ids: ["b1"] })).toBe("Boards: Bread")
    expect(said("instagram", { collaborators: ["choir", { username: "bakery" }], cover_image: "m" })).toBe(
      "Cover image: chosen · Collaborators: choir and 1 more"
    )
    expect(said("youtube", { description: "Bells ".repeat(20), video_cover_timestamp_ms: 4200 })).toMatch(
      /^Description: Bells .{30,40}… · Thumbnail frame: 0:04\.2$/
    )
    expect(said("bluesky", {})).toBe("")
  })

  it("an option is found in the path of its problem", () => {
    expect(
      [
        "platform_configurations.tiktok.privacy_level",
        "account_configurations[3].thread[1]",
        "account_configurations[0].poll.options[2]",
        "title",
        "platform_configurations.tiktok"
      ].map(optionOf)
    ).toEqual(["privacy_level", "thread", "poll", "title", ""])
  })
})

describe("what accounts offer", () => {
  const offer = (name: string, choices: Offer["choices"]) => ({ account: { name }, choices }) as Offer

  it("what accounts offer is listed with whose it is, where there are several", () => {
    const north = offer("@north", {
      board_ids: [{ id: "1", name: "Bread", sections: [{ id: "s", name: "Rye" }] }]
    })
    const south = offer("@south", { board_ids: [{ id: "2", name: "Cakes" }] })
    expect(listed([north, offer("@west", null)], "board_ids")).toEqual([
      { id: "1", name: "Bread", sections: [{ id: "s", name: "Rye", sections: [] }] }
    ])
    expect(listed([north, south], "board_ids").map(({ name }) => name)).toEqual([
      "Bread (@north)",
      "Cakes (@south)"
    ])
  })

  it("what accounts offer is what all of them take", () => {
    const open = offer("@north", { privacy_level: ["PUBLIC_TO_EVERYONE", "SELF_ONLY"], allow_duet: false })
    const narrow = offer("@south", { privacy_level: ["SELF_ONLY"], allow_duet: true })
    expect(takes([open, narrow], "privacy_level", "PUBLIC_TO_EVERYONE")).toBe(false)
    expect(takes([open, offer("@west", null)], "privacy_level", "PUBLIC_TO_EVERYONE")).toBe(true)
    expect([
      refused([open], "allow_duet"),
      refused([open, narrow], "allow_duet"),
      refused([], "allow_duet")
    ]).toEqual([true, false, false])
  })
})
