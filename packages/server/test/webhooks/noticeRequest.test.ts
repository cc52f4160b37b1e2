import { mostNamed, noticeOf, type Troubles } from "@carillon/server/webhooks/noticeOf"
import { noticeRequest } from "@carillon/server/webhooks/noticeRequest"
import { certainFormat, NotificationFormat } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

const workspace = { id: "01a1", name: "Newsroom" }
const at = "https://carillon.example"

const failed = (caption: string, reason: string): Troubles["first"][number] => ({
  kind: "failed",
  id: "p1",
  platform: "instagram",
  username: "bakery",
  caption,
  reason
})

const reconnect: Troubles["first"][number] = {
  kind: "needs_reconnect",
  id: "7",
  platform: "twitter",
  username: "news",
  caption: null,
  reason: "X no longer accepts its access."
}

const sent = (format: NotificationFormat, troubles: Troubles) => {
  const request = noticeRequest(format, "https://chat.example/x", "m1", noticeOf(troubles, workspace, at))
  const { body, headers } = request
  assert.strictEqual(body._tag, "Uint8Array")
  return { text: Buffer.from((body as { body: Uint8Array }).body).toString(), headers }
}

const two: Troubles = {
  counts: { failed: 8, needs_reconnect: 1 },
  first: [failed("Fresh bread\nat 7", "The picture is too large."), reconnect]
}
const post = "https://carillon.example/app/posts/p1?w=01a1"
const account = "https://carillon.example/app/accounts?reconnect=7&w=01a1"
const all = "https://carillon.example/app/activity?w=01a1"

describe("the messages for people", () => {
  it("are what Slack reads", () => {
    assert.deepStrictEqual(JSON.parse(sent("slack", two).text), {
      text: [
        "Newsroom: 8 results failed, 1 account must be connected again.",
        `• Failed: bakery on Instagram, “Fresh bread at 7”. The picture is too large. <${post}|Open>`,
        `• To be connected again: news on X. X no longer accepts its access. <${account}|Open>`,
        `And 7 more: <${all}|Show all>`
      ].join("\n"),
      unfurl_links: false,
      unfurl_media: false
    })
  })

  it("are what Discord reads", () => {
    const { content, ...rest } = JSON.parse(sent("discord", two).text)
    assert.deepStrictEqual(rest, { allowed_mentions: { parse: [] }, flags: 4 })
    assert.include(content, `[Open](<${post}>)`)
  })

  it("are what Mattermost reads", () => {
    const { text, ...rest } = JSON.parse(sent("mattermost", two).text)
    assert.deepStrictEqual(rest, {})
    assert.include(text, `[Open](${post})`)
  })

  it("are what ntfy reads: a text, and what a touch opens", () => {
    const { headers, text } = sent("ntfy", two)
    assert.include(text, `The picture is too large. ${post}\n`)
    assert.deepStrictEqual(
      [headers["content-type"], headers["title"], headers["click"]],
      ["text/plain", "Carillon", all]
    )
    const one = sent("ntfy", { counts: { needs_reconnect: 1 }, first: [reconnect] })
    assert.strictEqual(one.headers["click"], account)
  })

  it("are what a program reads", () => {
    assert.deepStrictEqual(JSON.parse(sent("json", two).text), {
      id: "m1",
      workspace,
      text: "Newsroom: 8 results failed, 1 account must be connected again.",
      counts: { failed: 8, needs_reconnect: 1 },
      items: [
        {
          text: "Failed: bakery on Instagram, “Fresh bread at 7”. The picture is too large.",
          url: post
        },
        { text: "To be connected again: news on X. X no longer accepts its access.", url: account }
      ],
      url: all
    })
  })

  it("call nobody and write no link of what others wrote", () => {
    const hostile =
      "@everyone <!channel> <@U1> @all [x](https://evil.example) <https://evil.example|x> *b* @here"
    const troubles = { counts: { failed: 1 }, first: [failed(hostile, hostile)] }
    const slack = JSON.parse(sent("slack", troubles).text).text
    assert.deepStrictEqual(slack.match(/<[^>]*>/g), [`<${post}|Open>`])
    const discord = JSON.parse(sent("discord", troubles).text).content
    assert.notMatch(discord, /(?<!\\)\[(?!Open\]\(<https:\/\/carillon)/)
    assert.notMatch(discord.replace(`(<${post}>)`, ""), /(?<!\\)</)
    const mattermost = JSON.parse(sent("mattermost", troubles).text).text
    assert.notMatch(mattermost, /@\w|<[!@h]/)
    assert.notMatch(mattermost, /(?<!\\)\[(?!Open\]\(https:\/\/carillon)/)
  })

  it.prop(
    "fit each receiver, whatever people wrote",
    [
      Schema.Array(
        Schema.Array(Schema.Literals(["*", "<", "&", "é", "😀", "ab ", "@"])).check(Schema.isMaxLength(400))
      )
    ],
    ([words]) => {
      const first = words.slice(0, mostNamed).map((letters) => failed(letters.join(""), letters.join("")))
      const troubles = { counts: { failed: 100 }, first }
      assert.isAtMost(JSON.parse(sent("slack", troubles).text).text.length, 4000)
      assert.isAtMost(JSON.parse(sent("discord", troubles).text).content.length, 2000)
      assert.isAtMost(JSON.parse(sent("mattermost", troubles).text).text.length, 16_383)
      const ntfy = sent("ntfy", troubles).text
      assert.isAtMost(Buffer.byteLength(ntfy), 4096)
      assert.match(ntfy, new RegExp(`And (100|9\\d) more: `))
    },
    { arbitrary: { runs: 50 } }
  )

  it("have the format that the address says, where it is certain", () => {
    for (const [url, format] of [
      ["https://hooks.slack.com/services/T0/B0/x", "slack"],
      ["https://discord.com/api/webhooks/123/abc", "discord"],
      ["https://discord.com/api/v10/webhooks/123/abc", "discord"],
      ["https://discord.com/api/webhooks/123/abc/slack", null],
      ["https://ntfy.sh/topic", "ntfy"],
      ["https://hooks.slack.com.evil.example/services/T0/B0/x", null],
      ["https://chat.example/hooks/x", null],
      ["no address", null]
    ] as const) {
      assert.strictEqual(certainFormat(url), format, url)
    }
  })
})
