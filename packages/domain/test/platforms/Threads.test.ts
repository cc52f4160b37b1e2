import { platformOptions, platformRules, spoilerRanges } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { check } from "../preflight/Samples.ts"

const rules = platformRules.threads

const broken = (
  options: { readonly [name: string]: unknown },
  {
    caption = "Bells",
    media = 0,
    thread = [] as ReadonlyArray<{ readonly media: ReadonlyArray<unknown> }>
  } = {}
) =>
  rules.conflicts!({
    caption,
    options,
    media: Array.from({ length: media }, (_, index) => ({
      id: `${index}`,
      kind: "image",
      duration_ms: null
    })),
    placement: rules.placements[0]!,
    thread
  }).map(({ option, rule }) => `${option}: ${rule}`)

const poll = { options: ["Great", "Small"] }
const links = (count: number) =>
  Array.from({ length: count }, (_, index) => `https://${index}.example.com`).join(" ")

describe("the options of a Threads post", () => {
  it.each([
    ["a poll", { poll }, {}, []],
    ["a poll with a picture", { poll }, { media: 1 }, ["poll: poll_without_media"]],
    ["a link with a picture", { link: "https://a.com" }, { media: 1 }, ["link: link_without_media"]],
    ["a GIF with a picture", { gif_id: "a1" }, { media: 1 }, ["gif_id: gif_id_without_media"]],
    [
      "a poll and a long text",
      { poll, text_attachment: "Long" },
      {},
      ["text_attachment: text_attachment_without_poll"]
    ],
    ["a ghost post with spoilers", { is_ghost_post: true, spoilers: ["Bells"] }, {}, []],
    ["what is no ghost post, with a topic", { is_ghost_post: false, topic_tag: "bells" }, { media: 1 }, []],
    [
      "a ghost post with a topic",
      { is_ghost_post: true, topic_tag: "b" },
      {},
      ["is_ghost_post: ghost_is_text"]
    ],
    [
      "a ghost post with a picture",
      { is_ghost_post: true },
      { media: 1 },
      ["is_ghost_post: is_ghost_post_without_media"]
    ],
    [
      "a thread of ghost posts",
      { is_ghost_post: true },
      { thread: [{ media: [] }] },
      ["is_ghost_post: ghost_is_alone"]
    ],
    ["a sixth link", { link: "https://a.com" }, { caption: links(5) }, ["link: max_links"]],
    [
      "hidden pictures of a text",
      { is_spoiler_media: true },
      {},
      ["is_spoiler_media: is_spoiler_media_with_media"]
    ],
    ["hidden pictures further on", { is_spoiler_media: true }, { thread: [{ media: ["1"] }] }, []],
    ["a link of the caption", { link: "https://0.Example.com/" }, { caption: `${links(5)} main.py` }, []],
    ["a spoiler that is not there", { spoilers: ["Bell", "bell"] }, {}, ["spoilers: spoiler_in_caption"]],
    [
      "a spoiler in eleven places",
      { spoilers: ["a"] },
      { caption: "a ".repeat(11) },
      ["spoilers: max_spoilers"]
    ]
  ] as const)("with %s conflict as they do on Threads", (_, options, post, expected) => {
    assert.deepStrictEqual<ReadonlyArray<string>>(broken(options, post), expected)
  })

  it("hide every place of their spoilers, and places that touch as one, counted in code points", () => {
    assert.deepStrictEqual(spoilerRanges("🔔 one two one", ["one", "tw", "wo"]), [
      { offset: 2, length: 3 },
      { offset: 6, length: 3 },
      { offset: 10, length: 3 }
    ])
  })

  it.each(["", " ", "a.b", "a & b", "x".repeat(51)])("take no topic like %j", (topic_tag) => {
    assert.isFalse(Schema.is(platformOptions.threads)({ topic_tag }))
  })

  it("count the different links of every item of a thread", () => {
    const found = check("threads", {
      caption: "Bells",
      options: { thread: [{ caption: links(6), media: [] }] }
    })
    assert.deepStrictEqual(
      found.map(({ code, rule, path }) => [code, rule, path]),
      [["caption_not_accepted", "max_links", "platform_configurations.threads.thread[0].caption"]]
    )
    assert.deepStrictEqual(check("threads", { caption: `${links(5)} https://0.example.com/` }), [])
  })
})
