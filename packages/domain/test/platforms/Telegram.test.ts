import { type AccountLimits, platformRules } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { check, fitting } from "../preflight/Samples.ts"

// https://core.telegram.org/bots/api#sending-files and …#using-a-local-bot-api-server

const placementOf = (name: string) =>
  platformRules.telegram.placements.find((placement) => placement.name === name)!
const broken = (media: ReadonlyArray<ReturnType<typeof fitting>>, limits: AccountLimits) =>
  check("telegram", { media, limits }).map(({ rule }) => rule)

describe("the size of a file", () => {
  it.each([
    ["media", "video"],
    ["documents", "document"]
  ] as const)(
    "the size of a file is 50 MB at Telegram, and 2,000 MB at a server of the operator's own: %s",
    (name, kind) => {
      const own = { video_bytes: 2_000_000_000, document_bytes: 2_000_000_000 }
      const of = (size_bytes: number) => [fitting(placementOf(name), kind, { size_bytes })]
      assert.deepStrictEqual(broken(of(50_000_000), {}), [])
      assert.deepStrictEqual(broken(of(50_000_001), {}), ["max_bytes"])
      assert.deepStrictEqual(broken(of(2_000_000_000), own), [])
      assert.deepStrictEqual(broken(of(2_000_000_001), own), ["max_bytes"])
    }
  )
})

const rulesOf = (post: Parameters<typeof check>[1]) => check("telegram", post).map(({ rule }) => rule)

describe("a caption in Markdown", () => {
  const markup = { markup: "markdown" }

  it("a caption in Markdown counts without its marks", () => {
    const link = "[bells](https://example.com/a/long/address)"
    for (const [caption, expected] of [
      [`${link}${"x".repeat(4091)}`, []],
      [`${link}${"x".repeat(4092)}`, ["max"]]
    ] as const) {
      assert.deepStrictEqual(rulesOf({ caption, options: markup }), [...expected])
      assert.deepStrictEqual(rulesOf({ caption, options: {} }), ["max"])
    }
  })

  it("so does one under a file, and each item of a thread", () => {
    const bold = (length: number) => `**${"x".repeat(length)}**`
    const media = [fitting(placementOf("media"), "image")]
    assert.deepStrictEqual(rulesOf({ caption: bold(1024), media, options: markup }), [])
    assert.deepStrictEqual(rulesOf({ caption: bold(1025), media, options: markup }), ["max"])
    const thread = (caption: string) => ({ ...markup, thread: [{ caption, media: [] }] })
    assert.deepStrictEqual(rulesOf({ caption: "One", options: thread(bold(4096)) }), [])
    assert.deepStrictEqual(rulesOf({ caption: "One", options: thread(bold(4097)) }), ["max"])
  })

  it("so does one that is a poll's question or its description", () => {
    const poll = { options: ["High", "Low"] }
    const asks = (length: number, more = {}) =>
      rulesOf({ caption: `_${"x".repeat(length)}_`, options: { ...markup, poll: { ...poll, ...more } } })
    assert.deepStrictEqual([asks(300), asks(301)], [[], ["poll_question"]])
    const own = { question: "Which?" }
    assert.deepStrictEqual([asks(1024, own), asks(1025, own)], [[], ["poll_description"]])
  })
})

describe("a quiz", () => {
  const quiz = (more: object) =>
    rulesOf({
      caption: "Which bell is the oldest?",
      options: { poll: { options: ["High", "Low"], ...more } }
    })

  it.each([
    [{ correct_option: 1, explanation: "It was cast\nin 1410\nin Bath." }, []],
    [{ correct_option: 2 }, ["poll_correct_option"]],
    [{ correct_option: 12 }, ["poll_correct_option"]],
    [{ correct_option: -1 }, ["option_value"]],
    [{ explanation: "It was cast in 1410." }, ["poll_explanation"]],
    [{ correct_option: 0, explanation: "x".repeat(201) }, ["option_value"]],
    [{ correct_option: 0, explanation: "a\nb\nc\nd" }, ["poll_explanation_lines"]],
    [{ correct_option: 0, multiple: true }, ["poll_quiz_multiple"]]
  ])("a quiz of %o breaks the rules %o", (more, expected) => {
    assert.deepStrictEqual(quiz(more), expected)
  })
})

describe("buttons", () => {
  const button = { text: "Tickets", url: "https://example.com/tickets" }
  const withButtons = (buttons: unknown, media: ReadonlyArray<ReturnType<typeof fitting>> = []) =>
    rulesOf({ caption: "Bells", media, options: { buttons } })
  const row = (count: number) => Array.from({ length: count }, () => button)

  it("buttons are at most twelve rows of one to eight, each with words and a web address", () => {
    const rows = (count: number) => Array.from({ length: count }, () => row(8))
    assert.deepStrictEqual([withButtons(rows(12)), withButtons(rows(13))], [[], ["option_value"]])
    for (const wrong of [
      [row(9)],
      [[]],
      [[{ ...button, text: "" }]],
      [[{ ...button, url: "tel:1" }]],
      [button]
    ])
      assert.deepStrictEqual(withButtons(wrong), ["option_value"], JSON.stringify(wrong))
  })

  it("buttons go under one file, and not under an album", () => {
    const image = () => fitting(placementOf("album"), "image")
    assert.deepStrictEqual(withButtons([row(1)], [image()]), [])
    assert.deepStrictEqual(withButtons([row(1)], [image(), image()]), ["buttons_without_album"])
  })
})

describe("a pin", () => {
  it("a pin is refused where the bot is known to lack the right, which the sentence names", () => {
    const pinned = (limits: AccountLimits) =>
      check("telegram", { caption: "Bells", options: { pin: true }, limits })
    for (const limits of [{}, { pins: true }]) assert.deepStrictEqual(pinned(limits), [])
    const [problem] = pinned({ pins: false })
    assert.deepInclude(problem, { code: "option_not_accepted", rule: "pin_right" })
    assert.match(
      problem!.message,
      /edit messages \(in a channel\).*pin messages \(in a group\).*connect the account again/
    )
    assert.deepStrictEqual(
      rulesOf({ caption: "Bells", options: { pin: false }, limits: { pins: false } }),
      []
    )
  })
})
