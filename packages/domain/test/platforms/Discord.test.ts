import { assert, describe, it } from "@effect/vitest"
import { check, fitting } from "../preflight/Samples.ts"
import { platformRules } from "@carillon/domain"

const [few] = platformRules.discord.placements
const picture = fitting(few!, "image")
const film = fitting(few!, "video")

// https://docs.discord.com/developers/resources/message#embed-object-embed-limits
describe("an embed of a Discord message", () => {
  const rules = (embeds: ReadonlyArray<object>, more: Parameters<typeof check>[1] = {}, options = {}) =>
    check("discord", { ...more, options: { embeds, ...options } }).map(({ rule }) => rule)
  const full = { title: "x".repeat(256), description: "x".repeat(4096) }

  it.each([
    ["stands alone", [{ title: "Bells" }], {}, {}, []],
    ["is as long as it may be", [full, { footer: "x".repeat(6000 - 256 - 4096) }], {}, {}, []],
    [
      "shares its total with the others, without the spaces around",
      [full, { footer: ` ${"x".repeat(6001 - 256 - 4096)} ` }],
      {},
      {},
      ["embeds_total"]
    ],
    ["has a title of its own length", [{ title: "x".repeat(257) }], {}, {}, ["option_value"]],
    ["has a color by its number", [{ title: "Bells", color: "red" }], {}, {}, ["option_value"]],
    [
      "has one of ten places",
      Array.from({ length: 11 }, () => ({ title: "Bells" })),
      {},
      {},
      ["option_value"]
    ],
    [
      "has something to show",
      [{ title: "Bells" }, { color: "#5865f2", title: " " }],
      {},
      {},
      ["embed_blank"]
    ],
    ["shows a picture from elsewhere", [{ image: "https://example.com/bell.png" }], {}, {}, []],
    ["shows a picture of the post", [{ image: picture.id.toUpperCase() }], { media: [picture] }, {}, []],
    [
      "shows no other picture of the library",
      [{ image: picture.id }],
      { library: [picture] },
      {},
      ["embed_image"]
    ],
    ["shows no video", [{ image: film.id }], { media: [film] }, {}, ["embed_image"]],
    ["is not hidden", [{ title: "Bells" }], {}, { suppress_embeds: true }, ["embeds_shown"]]
  ] as const)("an embed of a Discord message %s", (_, embeds, post, options, expected) => {
    assert.deepStrictEqual(rules(embeds, post, options), [...expected])
  })

  it("an embed of a Discord message is no content of the items behind the first", () => {
    const thread = [{ caption: "", media: [] }]
    assert.deepStrictEqual(rules([{ title: "Bells" }], {}, { thread }), ["content"])
  })
})

describe("a thread in a Discord forum", () => {
  const forum = {
    webhook: false,
    forum_tags: [{ id: "123456789012345678", name: "News" }],
    tag_required: true
  }
  const plain = { ...forum, tag_required: false }
  const bells = { thread_name: "Bells" }

  it.each([
    ["takes a tag by its name", forum, { ...bells, applied_tags: ["News"] }, []],
    [
      "takes a tag by an id that is not known yet",
      forum,
      { ...bells, applied_tags: ["223456789012345678"] },
      []
    ],
    ["takes no other tag", plain, { ...bells, applied_tags: ["Bells"] }, ["tags_exist"]],
    ["needs a tag where the forum says so", forum, bells, ["tag_needed"]],
    ["needs none elsewhere", plain, bells, []],
    ["needs a title", plain, {}, ["thread_needed"]],
    ["is one of both", plain, { ...bells, thread_id: "123456789012345678" }, ["one_thread"]],
    [
      "has its tags already",
      plain,
      { thread_id: "123456789012345678", applied_tags: ["News"] },
      ["tags_of_new_thread"]
    ],
    [
      "gets the ids of tags from a webhook",
      { webhook: true },
      { ...bells, applied_tags: ["123456789012345678"] },
      []
    ],
    ["gets no names from a webhook", { webhook: true }, { ...bells, applied_tags: ["News"] }, ["tag_ids"]],
    [
      "has five tags",
      plain,
      { ...bells, applied_tags: Array.from({ length: 6 }, () => "News") },
      ["option_value"]
    ]
  ] as const)("a thread in a Discord forum %s", (_, limits, options, expected) => {
    const found = check("discord", { caption: "Bells", options, limits })
    assert.deepStrictEqual(
      found.map(({ rule }) => rule),
      [...expected]
    )
  })

  it("a thread in a Discord forum is refused with the tags that there are", () => {
    const [found] = check("discord", { caption: "Bells", options: bells, limits: forum })
    assert.match(
      found!.message,
      /requires a tag on every thread; give applied_tags\. The forum has: "News"\.$/
    )
  })
})
