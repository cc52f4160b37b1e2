import { platformRules, type PreflightMedia } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { check, fitting } from "../preflight/Samples.ts"

const [feed, , reel, story] = platformRules.instagram.placements
const picture = fitting(feed!, "image")
const film = fitting(reel!, "video")
const still = fitting(story!, "image")
const unknown: PreflightMedia = {
  ...film,
  kind: null,
  mime_type: null,
  size_bytes: null,
  status: "reserved",
  importing: true
}

const poll = { options: ["Great", "Small"] }
const comment_prompt = true
const audio_id = "1234"

const broken = (
  options: object,
  media: PreflightMedia,
  { caption = "Which bell?", facebook_login = null as boolean | null } = {}
) =>
  check("instagram", {
    caption,
    media: [media],
    options,
    ...(facebook_login === null ? {} : { limits: { facebook_login } })
  }).map(({ path, rule }) => `${path!.split(".").at(-1)}: ${rule}`)

describe("the add-ons and the music of a post on Instagram", () => {
  it.each([
    ["a poll of two choices", { poll }, picture, []],
    [
      "a poll of four that stays open",
      { poll: { options: [..."1234"], is_duration_extended: true } },
      film,
      []
    ],
    ["a poll of one choice", { poll: { options: ["Great"] } }, picture, ["poll: option_value"]],
    ["a poll of five", { poll: { options: [..."12345"] } }, picture, ["poll: option_value"]],
    ["a comment prompt", { comment_prompt }, picture, []],
    ["both", { poll, comment_prompt }, picture, ["comment_prompt: one_add_on"]],
    ["a poll, and no prompt", { poll, comment_prompt: false }, picture, []],
    ["a poll on a story", { poll, placement: "story" }, still, ["poll: no_story"]],
    ["music of a reel", { audio_id, audio_volume: 0, video_volume: 100 }, film, []],
    ["music that is too loud", { audio_id, audio_volume: 101 }, film, ["audio_volume: option_value"]],
    ["music of a picture", { audio_id }, picture, ["audio_id: audio_on_a_reel"]],
    ["music of what is still fetched", { audio_id }, unknown, []],
    [
      "volumes alone",
      { audio_volume: 1, video_volume: 1 },
      film,
      ["audio_volume: needs_audio_id", "video_volume: needs_audio_id"]
    ]
  ] as const)("fit together or not: %s", (_, options, media, expected) => {
    assert.deepStrictEqual(broken(options, media), [...expected])
  })

  it("need a caption", () => {
    assert.deepStrictEqual(broken({ poll }, picture, { caption: " " }), ["poll: needs_caption"])
    assert.deepStrictEqual(broken({ comment_prompt }, picture, { caption: "" }), [
      "comment_prompt: needs_caption"
    ])
  })

  it("need Facebook Login, where the account's login is known", () => {
    const all = { poll, audio_id }
    assert.deepStrictEqual(broken(all, film, { facebook_login: true }), [])
    assert.deepStrictEqual(broken(all, film, { facebook_login: false }), [
      "poll: facebook_login",
      "audio_id: facebook_login"
    ])
    assert.deepStrictEqual(broken({ comment_prompt: false }, film, { facebook_login: false }), [])
  })
})
