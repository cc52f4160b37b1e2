import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { clientOf, send } from "./PlatformClient.ts"

const hostile = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>&lt;`

layer(SandboxProcess.layer)("the feed", (it) => {
  it.effect("tells how to publish something while there is nothing", () =>
    Effect.gen(function* () {
      const { url } = yield* SandboxProcess
      const { status, text, headers } = yield* send("/")
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
      assert.include(text, "Nothing has been published yet")
      assert.include(text, "carillon -- post")
      assert.include(text, `${url}/api/posts`)
    })
  )

  it.effect("shows what was published, newest first, with pictures, videos and their alt texts", () =>
    Effect.gen(function* () {
      const anna = yield* clientOf("anna.berg")
      const picture = (yield* anna.upload("a picture", "image/png")).body.id
      const video = (yield* anna.upload("a video", "video/mp4")).body.id
      const first = yield* anna.post({ text: "The first post" })
      const second = yield* anna.post({
        title: "The second title",
        text: "The second post",
        media: [{ id: picture, alt_text: "A brass bell" }, { id: video }]
      })

      const { text } = yield* send("/")
      assert.notInclude(text, "Nothing has been published yet")
      assert.isBelow(text.indexOf("The second post"), text.indexOf("The first post"))
      assert.include(text, `<img src="/media/${picture}" alt="A brass bell"`)
      assert.include(text, "<b>ALT</b>A brass bell</figcaption>")
      assert.include(text, `<video src="/media/${video}"`)
      assert.include(text, "The second title")
      assert.include(text, "Anna Berg")
      assert.include(text, `<time datetime="${second.body.created_at}"`)

      const permalink = yield* send(first.body.url)
      assert.include(permalink.text, "The first post")
      assert.notInclude(permalink.text, "The second post")
      assert.strictEqual((yield* send("/posts/1")).status, 404)
    })
  )

  it.effect("shows one account alone", () =>
    Effect.gen(function* () {
      yield* (yield* clientOf("alone")).post({ text: "Of alone" })
      yield* (yield* clientOf("another")).post({ text: "Of another" })
      const { text } = yield* send("/?account=alone")
      assert.include(text, "Of alone")
      assert.notInclude(text, "Of another")
    })
  )

  it.effect("shows hostile texts as texts", () =>
    Effect.gen(function* () {
      const client = yield* clientOf("hostile")
      const { body } = yield* client.upload("a picture")
      yield* client.post({ title: hostile, text: hostile, media: [{ id: body.id, alt_text: hostile }] })
      const { text, headers } = yield* send(`/?account=${encodeURIComponent(hostile)}`)
      const feed = yield* send("/?account=hostile")
      assert.notInclude(feed.text, "<script>alert")
      assert.notInclude(feed.text, "<img src=x")
      assert.notInclude(text, "<script>alert")
      assert.strictEqual(
        feed.text.split("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&gt;").length - 1,
        4
      )
      assert.include(feed.text, "&amp;lt;")
      assert.include(headers.get("content-security-policy"), "default-src 'none'")
    })
  )

  it.effect("needs nothing from elsewhere, and runs only its own script", () =>
    Effect.gen(function* () {
      yield* (yield* clientOf("links")).post({ text: "https://elsewhere.example/script.js" })
      const { text, headers } = yield* send("/")
      const addresses = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address!)
      assert.isNotEmpty(addresses)
      assert.deepStrictEqual(
        addresses.filter((address) => !address.startsWith("/") || address.startsWith("//")),
        []
      )
      const policy = headers.get("content-security-policy")!
      assert.notInclude(policy, "unsafe-inline")
      const [, style] = /<style>(.*)<\/style>/s.exec(text)!
      const [, script] = /<script>(.*)<\/script>/s.exec(text)!
      for (const own of [style!, script!]) {
        assert.include(policy, `'sha256-${createHash("sha256").update(own).digest("base64")}'`)
      }
      assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
    })
  )

  it.effect("the feed can be read as JSON", () =>
    Effect.gen(function* () {
      const { url } = yield* SandboxProcess
      const client = yield* clientOf("as-json")
      const picture = (yield* client.upload("a picture", "image/png")).body.id
      yield* client.post({ text: "Before" })
      const { body: post } = yield* client.post({
        text: "Hello",
        media: [{ id: picture, alt_text: "A bell" }]
      })
      const { body } = yield* send("/feed.json?account=as-json&limit=1")
      assert.deepStrictEqual(body, {
        total: 2,
        posts: [
          {
            id: post.id,
            platform: "sandbox",
            url: post.url,
            account: { username: "as-json", display_name: "As Json", avatar_url: `${url}/avatars/as-json` },
            title: null,
            text: "Hello",
            media: [
              {
                id: picture,
                size: 9,
                content_type: "image/png",
                alt_text: "A bell",
                url: `${url}/media/${picture}`
              }
            ],
            published_at: post.created_at
          }
        ]
      })
    })
  )

  it.effect.each([
    { range: "bytes=2-4", status: 206, part: "234", says: "bytes 2-4/10" },
    { range: "bytes=7-", status: 206, part: "789", says: "bytes 7-9/10" },
    { range: "bytes=-2", status: 206, part: "89", says: "bytes 8-9/10" },
    { range: "bytes=8-99", status: 206, part: "89", says: "bytes 8-9/10" },
    { range: "bytes=10-", status: 416, part: "", says: "bytes */10" },
    { range: "bytes=0-1,4-5", status: 200, part: "0123456789", says: null }
  ])("sends $range of a video", ({ range, status, part, says }) =>
    Effect.gen(function* () {
      const client = yield* clientOf("ranges")
      const { body } = yield* client.upload("0123456789", "video/mp4")
      const answer = yield* send(`/media/${body.id}`, { headers: { range } })
      assert.deepStrictEqual(
        [answer.status, answer.text, answer.headers.get("content-range")],
        [status, part, says]
      )
    })
  )

  it.effect("sends media as what it was declared, and never as a page that runs", () =>
    Effect.gen(function* () {
      const client = yield* clientOf("svg")
      const { body } = yield* client.upload("<svg><script>alert(1)</script></svg>", "image/svg+xml")
      const { headers } = yield* send(`/media/${body.id}`)
      assert.strictEqual(headers.get("content-type"), "image/svg+xml")
      assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
      assert.include(headers.get("content-security-policy"), "sandbox")
      const head = yield* send(`/media/${body.id}`, { method: "HEAD" })
      assert.deepStrictEqual([head.status, head.headers.get("content-length")], [200, "36"])
      assert.strictEqual((yield* send("/media/1")).status, 404)
    })
  )
})
