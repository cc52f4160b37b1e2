import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type HostedFiles, jpeg, mediaHost } from "./MediaHost.ts"
import { json, send } from "./PlatformClient.ts"

// As a client that has read https://developers.facebook.com/docs/threads, and nothing else, would speak.
const scopes = ["threads_basic", "threads_content_publish", "threads_read_replies"]
const app = { client_id: "an-app", client_secret: "sandbox" }
const api = "/graph.threads.net/v1.0"

const png = (width: number, height: number) => {
  const bytes = Buffer.alloc(24)
  bytes.write("\x89PNG\r\n\x1a\n", "latin1")
  bytes.write("IHDR", 12, "latin1")
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

const files: HostedFiles = {
  "/square.jpg": ["image/jpeg", jpeg(1080, 1080)],
  "/narrow.png": ["image/png", png(200, 300)],
  "/ribbon.png": ["image/png", png(1100, 100)],
  "/torn.png": ["image/png", Buffer.from("png")],
  "/large.jpg": ["image/jpeg", Buffer.alloc(8_000_001)],
  "/drawing.webp": ["image/webp", Buffer.from("webp")],
  "/film.mp4": ["video/mp4", Buffer.alloc(70_000, 7)],
  "/film.avi": ["video/x-msvideo", Buffer.alloc(10)]
}

const tokenOf = (account: string, granted: ReadonlyArray<string>) => {
  const grant = JSON.stringify({ platform: "threads", account, client_id: "an-app", scopes: granted })
  return `demo-access-${Buffer.from(grant).toString("base64url")}`
}

const clientOf = (username: string, more: ReadonlyArray<string> = []) => {
  const authorization = `Bearer ${tokenOf(username, [...scopes, ...more])}`
  const call = (path: string, init: RequestInit = {}) =>
    send(`${api}${path}`, { ...init, headers: { authorization, ...(init.headers as object) } })
  const container = (fields: Record<string, string>) =>
    call("/me/threads", { method: "POST", body: new URLSearchParams(fields) })
  const publish = (creation_id: string) =>
    call("/me/threads_publish", { method: "POST", body: new URLSearchParams({ creation_id }) })
  const posted = Effect.fnUntraced(function* (fields: Record<string, string>) {
    const { body } = yield* container({ media_type: "TEXT", ...fields })
    return (yield* publish(body.id)).body.id as string
  })
  const status = (id: string) => call(`/${id}?fields=status,error_message`)
  return { username, call, container, publish, posted, status }
}

const errorOf = ({ status, body }: { readonly status: number; readonly body: any }) => [
  status,
  body.error.code,
  body.error.error_subcode
]
const absent = [400, 24, 4279009]

layer(SandboxProcess.layer, { excludeTestServices: true })("Threads, as the test network plays it", (it) => {
  it.effect("gives a token for an hour, sixty days for that, and tells what was granted", () =>
    Effect.gen(function* () {
      const redirect_uri = "http://127.0.0.1:9/callback"
      const query = { ...app, redirect_uri, response_type: "code", scope: scopes.join(",") }
      const { headers } = yield* send(`/www.threads.com/oauth/authorize?${new URLSearchParams(query)}`, {
        method: "POST",
        redirect: "manual",
        body: new URLSearchParams([
          ["username", "alice"],
          ["decision", "allow"],
          ["scope", "threads_basic"]
        ])
      })
      const code = new URL(headers.get("location")!).searchParams.get("code")!
      const form = new FormData()
      const fields = { ...app, redirect_uri, grant_type: "authorization_code", code }
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      const redeem = send("/graph.threads.net/oauth/access_token", { method: "POST", body: form })
      const { body, text } = yield* redeem
      assert.match(text, /"user_id":178414\d+/)
      assert.deepInclude((yield* redeem).body, { error_type: "OAuthException", code: 400 })
      const long = yield* send(
        `/graph.threads.com/access_token?grant_type=th_exchange_token&client_secret=sandbox&access_token=${body.access_token}`
      )
      assert.deepInclude(long.body, { token_type: "bearer", expires_in: 5_184_000 })
      const { access_token } = long.body
      const refresh = `/graph.threads.net/refresh_access_token?grant_type=th_refresh_token&access_token=${access_token}`
      assert.deepStrictEqual(errorOf(yield* send(refresh)), [400, 10, undefined])
      const told = yield* send(`${api}/debug_token?input_token=${access_token}&access_token=${access_token}`)
      const { data } = told.body
      assert.deepInclude(data, { is_valid: true, scopes: ["threads_basic"], type: "USER" })
      assert.strictEqual(data.expires_at - data.issued_at, 5_184_000)
      assert.match(text, new RegExp(`"user_id":${data.user_id}\\b`))
      const limit = yield* send(`${api}/me/threads_publishing_limit?access_token=${access_token}`)
      assert.deepStrictEqual(errorOf(limit), [403, 10, undefined])
    })
  )

  it.effect("publishes a text with all that belongs to it, from any kind of body, once", () =>
    Effect.gen(function* () {
      const account = clientOf("bea", ["threads_location_tagging"])
      const sent = {
        media_type: "TEXT",
        text: "Bells and towers",
        topic_tag: "Evening bells",
        location_id: "12345",
        reply_control: "followers_only",
        text_entities: [{ entity_type: "SPOILER", offset: 0, length: 5 }],
        poll_attachment: { option_a: "High", option_b: "Low" }
      }
      const form = new FormData()
      for (const [name, value] of Object.entries(sent))
        form.set(name, typeof value === "string" ? value : JSON.stringify(value))
      const { body } = yield* account.call("/me/threads", json(sent))
      assert.isAbove(Number(body.id), 2 ** 53)
      assert.strictEqual((yield* account.call("/me/threads", { method: "POST", body: form })).status, 200)
      const published = yield* account.publish(body.id)
      assert.deepStrictEqual((yield* account.status(body.id)).body, { id: body.id, status: "PUBLISHED" })
      assert.deepStrictEqual(errorOf(yield* account.publish(body.id)), absent)
      const { on, url } = yield* SandboxProcess
      const [post, ...more] = yield* on("threads").publications("bea")
      assert.lengthOf(more, 0)
      const { text, ...details } = sent
      assert.deepInclude(post, { id: published.body.id, text, details })
      const shown = "media_type,permalink,text,topic_tag,poll_attachment,timestamp"
      const { body: seen } = yield* account.call(`/${post!.id}?fields=${shown}`)
      assert.deepInclude(seen, {
        media_type: "TEXT_POST",
        permalink: `${url}/posts/${post!.id}`,
        topic_tag: "Evening bells"
      })
      assert.match(seen.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/)
      assert.deepStrictEqual(errorOf(yield* clientOf("bob").call(`/${post!.id}`)), [400, 100, 33])
    })
  )

  const links = [1, 2, 3, 4, 5].map((at) => `https://example.com/${at}.`).join(" ")
  const text = (fields: Record<string, string>) => ({ media_type: "TEXT", text: "Bells", ...fields })
  const attachment = (fields: object) => JSON.stringify({ plaintext: "Long", ...fields })
  const spoiler = '{"entity_type":"SPOILER","offset":0,"length":1}'
  const poll = '{"option_a":"High","option_b":"Low"}'

  it.effect.each([
    ["no kind", { text: "Bells" }],
    ["no text", { media_type: "TEXT" }],
    ["a parameter that it does not know", text({ title: "Bells" })],
    ["its publication in the same call", text({ auto_publish_text: "true" })],
    ["an emoji that is longer than a character", text({ text: `${"x".repeat(497)}🔔` })],
    ["a sixth link", text({ text: links, link_attachment: "https://example.com/6" })],
    [
      "a spoiler beyond the text",
      text({ text_entities: '[{"entity_type":"SPOILER","offset":3,"length":3}]' })
    ],
    ["eleven spoilers", text({ text_entities: `[${Array(11).fill(spoiler).join()}]` })],
    ["a hidden picture that it does not have", text({ is_spoiler_media: "true" })],
    ["a poll with one choice", text({ poll_attachment: '{"option_a":"High"}' })],
    ["a choice of 26 characters", text({ poll_attachment: poll.replace("Low", "x".repeat(26)) })],
    ["a poll and a long text", text({ poll_attachment: poll, text_attachment: attachment({}) })],
    [
      "a long text of 10,001 characters",
      text({ text_attachment: attachment({ plaintext: "x".repeat(10_001) }) })
    ],
    [
      "a link in both of its texts",
      text({
        link_attachment: "https://example.com/",
        text_attachment: attachment({ link_attachment_url: "https://example.com/" })
      })
    ],
    ["a GIF of somebody else's", text({ gif_attachment: '{"gif_id":"1","provider":"TENOR"}' })],
    ["countries without the feature", text({ allowlisted_country_codes: "US,CA" })],
    ["a topic in a post that vanishes", text({ is_ghost_post: "true", topic_tag: "Bells" })],
    [
      "a link card on a picture",
      { media_type: "IMAGE", image_url: "https://example.com/", link_attachment: "https://example.com/" }
    ],
    ["a picture that is not named", { media_type: "IMAGE" }],
    ["one child", { media_type: "CAROUSEL", children: "1" }]
  ] as ReadonlyArray<readonly [string, Record<string, string>]>)("refuses a post with %s", ([, fields]) =>
    Effect.gen(function* () {
      const answer = yield* clientOf("refused").container(fields)
      assert.deepStrictEqual(errorOf(answer), [400, 100, undefined], answer.text)
      assert.strictEqual(answer.body.error.type, "THApiException")
    })
  )

  it.effect("takes what is just within its limits", () =>
    Effect.gen(function* () {
      const account = clientOf("edge-geo")
      for (const fields of [
        text({ text: `${"x".repeat(496)}🔔` }),
        text({ text: links, link_attachment: "https://example.com/5" }),
        text({ is_ghost_post: "true", text_entities: '[{"entity_type":"spoiler","offset":0,"length":5}]' }),
        text({ text_attachment: attachment({ plaintext: "x".repeat(10_000) }) }),
        text({ topic_tag: "x".repeat(50), allowlisted_country_codes: '["US","CA"]' })
      ])
        assert.strictEqual((yield* account.container(fields)).status, 200, JSON.stringify(fields))
      for (const topic_tag of ["a.b", "a&b", "x".repeat(51)])
        assert.deepStrictEqual(errorOf(yield* account.container(text({ topic_tag }))), [400, 100, 4279071])
      assert.deepStrictEqual(errorOf(yield* account.container(text({ location_id: "1" }))), [
        403,
        10,
        undefined
      ])
    })
  )

  it.effect("fetches a picture at once as facebookexternalhit, and says of a video later what is wrong", () =>
    Effect.gen(function* () {
      const host = yield* mediaHost(files)
      const account = clientOf("dora")
      const image = (file: string) => account.container({ media_type: "IMAGE", image_url: host.url + file })
      for (const file of ["/square.jpg", "/narrow.png"])
        assert.strictEqual((yield* image(file)).status, 200, file)
      assert.deepStrictEqual(
        host.asked.slice(0, 2).map(({ headers, method }) => [method, headers["user-agent"]]),
        [
          ["HEAD", "facebookexternalhit/1.1"],
          ["GET", "facebookexternalhit/1.1"]
        ]
      )
      for (const [file, code, subcode] of [
        ["/none.jpg", 9004, 2207052],
        ["/moved.jpg", 9004, 2207052],
        ["/drawing.webp", 36001, 2207005],
        ["/torn.png", 36001, 2207005],
        ["/large.jpg", 36000, 2207004],
        ["/ribbon.png", 36003, 2207009]
      ] as const)
        assert.deepStrictEqual(errorOf(yield* image(file)), [400, code, subcode], file)
      for (const [file, error_message] of [
        ["/none.mp4", "FAILED_DOWNLOADING_VIDEO"],
        ["/film.avi", "FAILED_PROCESSING_VIDEO"]
      ] as const) {
        const { body } = yield* account.container({ media_type: "VIDEO", video_url: host.url + file })
        const { body: state } = yield* account.status(body.id)
        assert.deepStrictEqual(state, { id: body.id, status: "ERROR", error_message })
        assert.deepStrictEqual(errorOf(yield* account.publish(body.id)), absent)
      }
    })
  )

  it.effect("makes a carousel of children that are finished, and shows none of them alone", () =>
    Effect.gen(function* () {
      const { url } = yield* mediaHost(files)
      const sandbox = (yield* SandboxProcess).on("threads")
      const account = clientOf("fay")
      yield* sandbox.script("fay", [{ on: "media", fault: "processing", polls: 1 }])
      const child = { is_carousel_item: "true" }
      const film = yield* account.container({ ...child, media_type: "VIDEO", video_url: `${url}/film.mp4` })
      const picture = yield* account.container({
        ...child,
        media_type: "IMAGE",
        image_url: `${url}/square.jpg`,
        alt_text: "A square"
      })
      const children = `${picture.body.id},${film.body.id}`
      const whole = account.container({
        media_type: "CAROUSEL",
        children,
        text: "Two",
        is_spoiler_media: "true"
      })
      assert.deepStrictEqual(errorOf(yield* whole), absent)
      assert.strictEqual((yield* account.status(film.body.id)).body.status, "IN_PROGRESS")
      assert.strictEqual((yield* account.status(film.body.id)).body.status, "FINISHED")
      assert.deepStrictEqual(errorOf(yield* account.publish(picture.body.id)), absent)
      const { body } = yield* account.publish((yield* whole).body.id)
      const [post] = yield* sandbox.publications("fay")
      assert.deepStrictEqual(
        post!.media.map(({ alt_text, content_type }) => [content_type, alt_text]),
        [
          ["image/jpeg", "A square"],
          ["video/mp4", null]
        ]
      )
      assert.deepInclude(post!.details, { media_type: "CAROUSEL", is_spoiler_media: true })
      const { body: seen } = yield* account.call(`/${body.id}?fields=media_type`)
      assert.strictEqual(seen.media_type, "CAROUSEL_ALBUM")
    })
  )

  it.effect("keeps replies in a list of their own, for those who may read them", () =>
    Effect.gen(function* () {
      const account = clientOf("gil")
      const first = yield* account.posted({ text: "One" })
      const second = yield* account.posted({ text: "Two", reply_to_id: first })
      const third = yield* account.posted({ text: "Three", reply_to_id: second })
      const list = (name: string, query = "") =>
        Effect.map(
          account.call(`/me/${name}?fields=id,text,replied_to,root_post${query}`),
          ({ body }) => body
        )
      assert.deepStrictEqual((yield* list("threads")).data, [{ id: first, text: "One" }])
      const { data, paging } = yield* list("replies", "&limit=1")
      assert.deepStrictEqual(data, [
        { id: third, text: "Three", replied_to: { id: second }, root_post: { id: first } }
      ])
      const next = yield* list("replies", `&limit=1&after=${paging.cursors.after}`)
      assert.strictEqual(next.data[0].id, second)
      for (const [since, count] of [
        ["4102444800", 0],
        ["2024-01-01", 2]
      ] as const)
        assert.lengthOf((yield* list("replies", `&since=${since}`)).data, count)
      const token = tokenOf("gil", scopes.slice(0, 2))
      const denied = yield* send(`${api}/me/replies?access_token=${token}`)
      assert.deepStrictEqual(errorOf(denied), [403, 10, undefined])
      const strange = yield* clientOf("gus").container(text({ reply_to_id: first }))
      assert.deepStrictEqual(errorOf(strange), [400, 100, 33])
      const vanishing = yield* account.container(text({ is_ghost_post: "true", reply_to_id: first }))
      assert.deepStrictEqual(errorOf(vanishing), [400, 100, undefined])
    })
  )

  it.effect("counts posts and replies apart", () =>
    Effect.gen(function* () {
      const account = clientOf("hal-quota")
      const first = yield* account.posted({ text: "One" })
      yield* account.posted({ text: "Two", reply_to_id: first })
      const over = yield* account.container(text({}))
      assert.deepStrictEqual(errorOf(yield* account.publish(over.body.id)), [403, 9, 2207042])
      const fields = "quota_usage,config,reply_quota_usage,reply_config"
      const { body } = yield* account.call(`/me/threads_publishing_limit?fields=${fields}`)
      const config = { quota_total: 1, quota_duration: 86_400 }
      assert.deepStrictEqual(body.data, [
        { quota_usage: 1, config, reply_quota_usage: 1, reply_config: config }
      ])
    })
  )

  it.effect("still knows its containers after a kill, and when they have run out", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const account = clientOf("jo")
      const { body } = yield* account.container(text({}))
      const ending = {
        on: "media",
        fault: "processing",
        polls: 1,
        becomes: "failed",
        reason: "EXPIRED"
      } as const
      yield* sandbox.on("threads").script("jo", [ending])
      const late = yield* account.container(text({}))
      yield* sandbox.kill
      yield* sandbox.restart
      assert.strictEqual((yield* account.status(late.body.id)).body.status, "IN_PROGRESS")
      assert.strictEqual((yield* account.status(late.body.id)).body.status, "EXPIRED")
      assert.deepStrictEqual(errorOf(yield* account.publish(late.body.id)), absent)
      assert.strictEqual((yield* account.publish(body.id)).status, 200)
      assert.strictEqual((yield* account.status(body.id)).body.status, "PUBLISHED")
    })
  )

  it.effect.each([
    ["unauthorized", [400, 190, 463]],
    ["forbidden", [403, 10, undefined]],
    ["rate_limited", [403, 4, undefined]],
    ["server_error_before", [500, 2, undefined]]
  ] as const)("answers %s by script in Meta's form", ([fault, expected]) =>
    Effect.gen(function* () {
      const account = clientOf(`scripted-${fault.replaceAll("_", "-")}`)
      yield* (yield* SandboxProcess).on("threads").script(account.username, [{ on: "media", fault }])
      assert.deepStrictEqual(errorOf(yield* account.container(text({}))), [...expected])
    })
  )
})
