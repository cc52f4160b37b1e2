import { Accepted, type PublishMedia, type PublishRequest } from "@carillon/server/platforms/Platform"
import { shown } from "@carillon/server/platforms/twitter/OwnPosts"
import { makeTwitter } from "@carillon/server/platforms/twitter/Twitter"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, layer, test } from "@effect/vitest"
import { DateTime, Duration, Effect, Redacted, Stream } from "effect"
import { HttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { type Received, type Reply, scriptedServer } from "./ScriptedServer.ts"
import { dueAt, image, live, noneTaken, request, savedHandles, takenAre, video } from "./TestRequest.ts"

// Every expectation here is from https://docs.x.com: fundamentals/authentication/oauth-2-0, x-api/media, x-api/posts.

const api = "/api.x.com/2"
const stored = Redacted.make({ access_token: "access", refresh_token: "refresh" })
const created: Reply = { status: 201, json: { data: { id: "1990000000000000001", text: "Hello" } } }
const uploadOf = (id: string, more: object = {}): Reply => ({
  status: 200,
  json: { data: { id, media_key: `3_${id}`, expires_after_secs: 86_400, ...more } }
})
const timeline = (...posts: ReadonlyArray<object>): Reply => ({
  status: 200,
  headers: { date: DateTime.toDateUtc(dueAt).toUTCString() },
  json:
    posts.length === 0 ? { meta: { result_count: 0 } } : { data: posts, meta: { result_count: posts.length } }
})
const at = (seconds: number) => DateTime.formatIso(DateTime.add(dueAt, { seconds }))
const duplicate: Reply = {
  status: 403,
  json: {
    detail: "You are not allowed to create a Tweet with duplicate content.",
    type: "about:blank",
    title: "Forbidden",
    status: 403
  }
}

/** What X answers to each call; what is not named here was not to be called. */
type Script = Readonly<Record<string, Reply | ((request: Received, before: number) => Reply)>>

const onX = Effect.fnUntraced(function* (script: Script) {
  // Two hours before anything is due.
  yield* TestClock.setTime(DateTime.toEpochMillis(dueAt) - 7_200_000)
  const counts = new Map<string, number>()
  const server = yield* scriptedServer((received) => {
    const call = `${received.method} ${received.path.replace(api, "")}`
    const reply = script[call]
    const before = counts.get(call) ?? 0
    counts.set(call, before + 1)
    if (reply === undefined) return { status: 500, json: { title: `nobody expects ${call}` } }
    return typeof reply === "function" ? reply(received, before) : reply
  })
  const platform = makeTwitter(yield* HttpClient.HttpClient, {
    id: "client",
    secret: Redacted.make("s3cret"),
    at: (host) => `${server.url}/${host}`,
    stand_in: true
  })
  const calls = () => server.received.map(({ method, path }) => `${method} ${path.replace(api, "")}`)
  const json = (call: string) =>
    server.received
      .filter(({ method, path }) => `${method} ${path.replace(api, "")}` === call)
      .map(({ body }) => JSON.parse(body.toString()))
  return { platform, server, calls, json }
})

const prepared = Effect.fnUntraced(function* (
  { platform }: Effect.Success<ReturnType<typeof onX>>,
  post: PublishRequest
) {
  const { all, save } = yield* savedHandles
  let done = yield* platform.prepare(post, stored, null, save)
  const waits: Array<number> = []
  while (done._tag === "wait") {
    waits.push(Duration.toSeconds(done.poll_after))
    done = yield* platform.poll(post, stored, done.handle)
  }
  return { handle: done.handle, saved: yield* all, waits }
})

const post = (values: Partial<PublishRequest> = {}) =>
  request({ remote_id: "2244994945", username: "alice", ...values })
const film = (size: number, values: Partial<PublishMedia> = {}) => ({
  ...video("film", Stream.succeed(new Uint8Array(size).fill(7)), size),
  ...values
})

layer(NodeHttpClient.layerUndici)("X", (it) => {
  describe("connect", () => {
    const consent = {
      login: "twitter",
      redirect_uri: "https://carillon.example/oauth/callback/twitter",
      state: "state",
      code_verifier: "v".repeat(64)
    }
    const tokens = {
      status: 200,
      json: {
        token_type: "bearer",
        expires_in: 7200,
        access_token: "access2",
        refresh_token: "refresh2",
        scope: "tweet.read tweet.write users.read media.write offline.access"
      }
    }
    const basic = `Basic ${Buffer.from("client:s3cret").toString("base64")}`
    const me = (subscription_type: string) => ({
      status: 200,
      json: { data: { id: "2244994945", username: "alice", name: "Alice", subscription_type } }
    })

    it.effect(
      "asks for all scopes with a challenge of its verifier, and exchanges the code before all else",
      () =>
        Effect.gen(function* () {
          const x = yield* onX({ "POST /oauth2/token": tokens, "GET /users/me": me("None") })
          const page = new URL(x.platform.oauth!.authorizeUrl(consent))
          assert.match(page.pathname, /\/x\.com\/i\/oauth2\/authorize$/)
          assert.deepStrictEqual(Object.fromEntries(page.searchParams), {
            response_type: "code",
            client_id: "client",
            redirect_uri: consent.redirect_uri,
            scope: "tweet.read tweet.write users.read media.write offline.access",
            state: "state",
            code_challenge: createHash("sha256").update(consent.code_verifier).digest("base64url"),
            code_challenge_method: "S256"
          })
          const [account] = yield* x.platform.oauth!.exchange({ ...consent, code: "once" })
          assert.deepStrictEqual(x.calls(), ["POST /oauth2/token", "GET /users/me"])
          const [asked, read] = x.server.received
          assert.strictEqual(asked!.headers.authorization, basic)
          assert.deepStrictEqual(Object.fromEntries(new URLSearchParams(asked!.body.toString())), {
            grant_type: "authorization_code",
            code: "once",
            redirect_uri: consent.redirect_uri,
            code_verifier: consent.code_verifier
          })
          assert.strictEqual(read!.headers.authorization, "Bearer access2")
          assert.deepInclude(account, { remote_id: "2244994945", username: "alice", limits: {} })
        })
    )

    it.effect("names the scope that a person left out", () =>
      Effect.gen(function* () {
        const x = yield* onX({
          "POST /oauth2/token": { ...tokens, json: { ...tokens.json, scope: "tweet.read users.read" } }
        })
        const failure = yield* Effect.flip(x.platform.oauth!.exchange({ ...consent, code: "once" }))
        assert.deepInclude(failure, { class: "reconnect", code: "scopes_missing" })
        assert.include(failure.message, "media.write")
      })
    )

    it.effect.each([
      ["Premium", { characters: 25_000, video_ms: 14_400_000 }],
      ["Basic", { characters: 25_000, video_ms: 14_400_000 }],
      ["None", {}]
    ] as const)("gives an account of subscription %s its limits", ([subscription, limits]) =>
      Effect.gen(function* () {
        const x = yield* onX({ "GET /users/me": me(subscription) })
        assert.deepStrictEqual(yield* x.platform.limits!(stored), limits)
      })
    )

    it.effect("renews with the refresh token, which X changes each time", () =>
      Effect.gen(function* () {
        const x = yield* onX({ "POST /oauth2/token": tokens })
        const renewed = yield* x.platform.refresh(stored)
        assert.strictEqual(
          x.server.received[0]!.body.toString(),
          "grant_type=refresh_token&refresh_token=refresh"
        )
        assert.deepStrictEqual(Redacted.value(renewed.credentials), {
          access_token: "access2",
          refresh_token: "refresh2"
        })
      })
    )

    it.effect("takes back both tokens, also where one is gone with the other", () =>
      Effect.gen(function* () {
        const x = yield* onX({
          "POST /oauth2/revoke": (_, before) =>
            before === 0
              ? { status: 200, json: { revoked: true } }
              : {
                  status: 400,
                  json: {
                    error: "invalid_request",
                    error_description: "Value passed for the token was invalid."
                  }
                }
        })
        assert.strictEqual(yield* x.platform.revocation!.revoke(stored), "revoked")
        assert.deepStrictEqual(
          x.server.received.map(({ body }) => body.toString()),
          ["token=refresh", "token=access"]
        )
      })
    )
  })

  describe("publish", () => {
    it.effect("sends pictures, describes them, and posts with every option", () =>
      Effect.gen(function* () {
        const x = yield* onX({
          "POST /media/upload": (_, before) => uploadOf(`9${before}`),
          "POST /media/metadata": { status: 200, json: { data: { id: "90" } } },
          "POST /tweets": created
        })
        const one = post({
          media: [image("a", { alt_text: "A bell" }), image("b")],
          options: {
            reply_settings: "following",
            community_id: "1146654567674912769",
            made_with_ai: true,
            paid_partnership: true,
            for_super_followers_only: true
          }
        })
        const { handle, saved } = yield* prepared(x, one)
        const data = live(yield* x.platform.commit(one, stored, handle))
        assert.deepStrictEqual(x.calls(), [
          "POST /media/upload",
          "POST /media/metadata",
          "POST /media/upload",
          "POST /tweets"
        ])
        const form = x.server.received[0]!
        assert.match(form.headers["content-type"]!, /^multipart\/form-data; boundary=/)
        assert.match(form.body.toString(), /name="media_category"\r\n\r\ntweet_image\r\n/)
        assert.match(
          form.body.toString(),
          /name="media"; filename="media"\r\ncontent-type: image\/jpeg\r\n\r\nimage a\r\n/
        )
        assert.deepStrictEqual(x.json("POST /media/metadata"), [
          { id: "90", metadata: { alt_text: { text: "A bell" } } }
        ])
        assert.deepStrictEqual(x.json("POST /tweets"), [
          {
            text: "Hello",
            media: { media_ids: ["90", "91"] },
            reply_settings: "following",
            community_id: "1146654567674912769",
            made_with_ai: true,
            paid_partnership: true,
            for_super_followers_only: true
          }
        ])
        assert.deepInclude(data, { id: "1990000000000000001", username: "alice" })
        assert.match(data.url!, /\/x\.com\/alice\/status\/1990000000000000001$/)
        // With the last of them nothing is sent again.
        yield* x.platform.prepare(one, stored, saved.at(-1)!, () => Effect.void)
        assert.lengthOf(x.calls(), 4)
      })
    )

    it.effect("sends a poll, and leaves out what is as X has it anyway", () =>
      Effect.gen(function* () {
        const x = yield* onX({ "POST /tweets": created })
        const one = post({
          options: {
            poll: { options: ["Ding", "Dong"], duration_minutes: 60 },
            reply_settings: "everyone",
            made_with_ai: false
          }
        })
        yield* x.platform.commit(one, stored, (yield* prepared(x, one)).handle)
        assert.deepStrictEqual(x.json("POST /tweets"), [
          { text: "Hello", poll: { options: ["Ding", "Dong"], duration_minutes: 60 } }
        ])
      })
    )

    it.effect("sends a video in segments, goes on after a break, and asks when X wants to be asked", () =>
      Effect.gen(function* () {
        const mebibyte = 1024 * 1024
        const sizes: Array<number> = []
        let broken = true
        const segment = (body: Buffer) => {
          const text = body.toString("latin1")
          const from = text.indexOf("\r\n\r\n", text.indexOf('name="media"')) + 4
          sizes.push(text.indexOf("\r\n--", from) - from)
          return Number(/name="segment_index"\r\n\r\n(\d+)/.exec(text)![1])
        }
        const segments: Array<number> = []
        const x = yield* onX({
          "POST /media/upload/initialize": uploadOf("77"),
          "POST /media/upload/77/append": ({ body }) => {
            segments.push(segment(body))
            if (segments.length === 2 && broken) {
              broken = false
              return "reset"
            }
            return { status: 204 }
          },
          "POST /media/upload/77/finalize": uploadOf("77", {
            processing_info: { state: "pending", check_after_secs: 7 }
          }),
          "GET /media/upload": (_, before) =>
            uploadOf("77", {
              processing_info:
                before === 0 ? { state: "in_progress", check_after_secs: 11 } : { state: "succeeded" }
            }),
          "POST /tweets": created
        })
        const one = post({ media: [film(2 * mebibyte + 5)] })
        const { all, save } = yield* savedHandles
        const failure = yield* Effect.flip(x.platform.prepare(one, stored, null, save))
        assert.strictEqual(failure.class, "transient")
        const done = yield* x.platform.prepare(one, stored, (yield* all).at(-1)!, save)
        assert.deepStrictEqual(x.json("POST /media/upload/initialize"), [
          { media_category: "tweet_video", media_type: "video/mp4", total_bytes: 2 * mebibyte + 5 }
        ])
        assert.deepStrictEqual(segments, [0, 1, 1, 2])
        assert.deepStrictEqual(sizes, [mebibyte, mebibyte, mebibyte, 5])
        assert.isTrue(done._tag === "wait" && Duration.toSeconds(done.poll_after) === 7)
        const second = yield* x.platform.poll(one, stored, done.handle)
        assert.isTrue(second._tag === "wait" && Duration.toSeconds(second.poll_after) === 11)
        const third = yield* x.platform.poll(one, stored, second.handle)
        assert.strictEqual(third._tag, "ready")
        assert.deepStrictEqual(x.server.received.at(-1)!.query, { command: "STATUS", media_id: "77" })
        yield* x.platform.commit(one, stored, third.handle)
        assert.deepInclude(x.json("POST /tweets")[0], { media: { media_ids: ["77"] } })
      })
    )

    it.effect("gives a long video its category, and its subtitles a track each", () =>
      Effect.gen(function* () {
        const x = yield* onX({
          "POST /media/upload/initialize": (_, before) => uploadOf(`8${before}`),
          "POST /media/upload/80/append": { status: 204 },
          "POST /media/upload/80/finalize": uploadOf("80"),
          "POST /media/upload/81/append": { status: 204 },
          "POST /media/upload/81/finalize": uploadOf("81"),
          "POST /media/subtitles": { status: 200, json: { data: { id: "80" } } }
        })
        yield* prepared(
          x,
          post({
            media: [film(10, { duration_ms: 140_001 })],
            options: { captions: [{ lang: "fr", text: "WEBVTT" }] }
          })
        )
        assert.deepStrictEqual(x.json("POST /media/upload/initialize"), [
          { media_category: "amplify_video", media_type: "video/mp4", total_bytes: 10 },
          { media_category: "subtitles", media_type: "text/vtt", total_bytes: 6 }
        ])
        assert.deepStrictEqual(x.json("POST /media/subtitles"), [
          {
            id: "80",
            media_category: "AmplifyVideo",
            subtitles: { id: "81", language_code: "FR", display_name: "français" }
          }
        ])
      })
    )

    it.effect("sends a GIF in segments", () =>
      Effect.gen(function* () {
        const x = yield* onX({
          "POST /media/upload/initialize": uploadOf("66"),
          "POST /media/upload/66/append": { status: 204 },
          "POST /media/upload/66/finalize": uploadOf("66")
        })
        const bytes = new TextEncoder().encode("GIF89a")
        const gif = Effect.succeed({ bytes, mime_type: "image/gif", width: 1, height: 1 })
        yield* prepared(x, post({ media: [image("a", { image: gif })] }))
        assert.deepStrictEqual(x.json("POST /media/upload/initialize"), [
          { media_category: "tweet_gif", media_type: "image/gif", total_bytes: 6 }
        ])
      })
    )

    it.effect("says why X rejects a file, and sends anew one that X has lost or will have dropped", () =>
      Effect.gen(function* () {
        const x = yield* onX({
          "POST /media/upload/initialize": (_, before) => uploadOf(`5${before}`),
          "POST /media/upload/50/append": { status: 404, json: { title: "Not Found", status: 404 } },
          "POST /media/upload/51/append": { status: 204 },
          "POST /media/upload/51/finalize": uploadOf("51", { expires_after_secs: 60 }),
          "POST /media/upload/52/append": { status: 204 },
          "POST /media/upload/52/finalize": uploadOf("52", {
            processing_info: {
              state: "failed",
              error: { code: 1, name: "InvalidMedia", message: "Unsupported video format" }
            }
          })
        })
        const one = post({ media: [film(10)] })
        const prepare = (handle: Parameters<typeof x.platform.prepare>[2]) =>
          x.platform.prepare(one, stored, handle, () => Effect.void)
        const lost = yield* Effect.flip(prepare(null))
        assert.deepInclude(lost, { class: "transient", discard_handle: true })
        const { handle } = yield* prepare(null)
        const rejected = yield* Effect.flip(prepare(handle))
        assert.deepInclude(rejected, { class: "media_rejected", code: "InvalidMedia" })
        assert.include(rejected.message, "Unsupported video format")
      })
    )

    it.effect.each([
      ["its id", "1990000000000000001"],
      ["the address that a person confirmed", "https://x.com/alice/status/1990000000000000001?s=20"]
    ] as const)("answers the item before by %s", ([, id]) =>
      Effect.gen(function* () {
        const x = yield* onX({ "POST /tweets": created })
        const parent = { id, url: null, username: "alice" }
        const one = post({ thread: { index: 1, count: 2, root: parent, parent, rest: [] } })
        yield* x.platform.commit(one, stored, (yield* prepared(x, one)).handle)
        assert.deepStrictEqual(x.json("POST /tweets"), [
          { text: "Hello", reply: { in_reply_to_tweet_id: "1990000000000000001" } }
        ])
      })
    )

    it.effect("answers nothing where the item before was confirmed with another address", () =>
      Effect.gen(function* () {
        const x = yield* onX({})
        const parent = { id: "https://example.com/1", url: null, username: "alice" }
        const one = post({ thread: { index: 1, count: 2, root: parent, parent, rest: [] } })
        assert.deepInclude(yield* Effect.flip(prepared(x, one)), { class: "invalid", code: "parent_unknown" })
        assert.deepStrictEqual(x.calls(), [])
      })
    )

    it.effect("waits until a window ends, and longer for what the app has used up", () =>
      Effect.gen(function* () {
        const reset = Math.floor(DateTime.toEpochMillis(dueAt) / 1000) + 600
        const x = yield* onX({
          "POST /tweets": (_, before) => ({
            status: 429,
            headers: { "x-rate-limit-remaining": "0", "x-rate-limit-reset": String(reset) },
            json:
              before === 0
                ? { title: "Too Many Requests", type: "about:blank", status: 429 }
                : { title: "UsageCapExceeded", type: "https://api.x.com/2/problems/usage-capped" }
          })
        })
        const one = post()
        const { handle } = yield* prepared(x, one)
        yield* TestClock.setTime(DateTime.toEpochMillis(dueAt))
        const limited = yield* Effect.flip(x.platform.commit(one, stored, handle))
        assert.strictEqual(limited.class, "rate_limited")
        assert.strictEqual(DateTime.toEpochMillis(limited.retry_at!), reset * 1000)
        assert.deepInclude(yield* Effect.flip(x.platform.commit(one, stored, handle)), {
          class: "quota_exhausted",
          code: "usage-capped"
        })
      })
    )

    it.effect(
      "names the limits of an account without a subscription where X says only that it is not permitted",
      () =>
        Effect.gen(function* () {
          const x = yield* onX({
            "POST /tweets": {
              status: 403,
              json: {
                detail: "You are not permitted to perform this action.",
                title: "Forbidden",
                status: 403
              }
            }
          })
          const classOf = (one: PublishRequest) =>
            Effect.flip(
              x.platform.commit(one, stored, { files: { film: { id: "1", whole: true, ready: true } } })
            )
          assert.strictEqual((yield* classOf(post())).class, "forbidden")
          const long = yield* classOf(post({ caption: "x".repeat(281) }))
          assert.strictEqual(long.class, "invalid")
          assert.include(long.message, "280 characters")
          const slow = yield* classOf(post({ media: [film(10, { duration_ms: 140_001 })] }))
          assert.strictEqual(slow.class, "invalid")
          assert.include(slow.message, "140 seconds")
        })
    )

    it.effect("refuses what has errors alone beside a status of success", () =>
      Effect.gen(function* () {
        const x = yield* onX({
          "POST /tweets": {
            status: 200,
            json: { errors: [{ title: "Forbidden", detail: "No.", status: 403 }] }
          }
        })
        const failure = yield* Effect.flip(x.platform.commit(post(), stored, { files: {} }))
        assert.strictEqual(failure.class, "forbidden")
      })
    )
  })

  describe("after a lost reply", () => {
    const looking = Effect.fnUntraced(function* (
      values: Partial<PublishRequest>,
      handle: Parameters<ReturnType<typeof makeTwitter>["reconcile"]>[2],
      reply: Reply | ((request: Received, before: number) => Reply),
      taken = noneTaken
    ) {
      const x = yield* onX({ "GET /users/2244994945/tweets": reply })
      yield* TestClock.setTime(DateTime.toEpochMillis(dueAt))
      return { found: yield* x.platform.reconcile(post(values), stored, handle, taken), x }
    })
    const alone = { files: {} }
    const withFile = { files: { a: { id: "90", media_key: "3_90", whole: true, ready: true } } }
    const mine = { id: "5", text: "Hello", created_at: at(1) }

    it.effect("reads few posts of the account, and asks for no more than it compares", () =>
      Effect.gen(function* () {
        const { found, x } = yield* looking({}, alone, timeline(mine))
        assert.deepStrictEqual(x.server.received[0]!.query, {
          max_results: "5",
          "tweet.fields": "created_at,text,attachments,referenced_tweets,note_tweet",
          exclude: "retweets"
        })
        assert.strictEqual(found._tag === "published" ? found.data.id : found._tag, "5")
      })
    )

    it.effect.each([
      [
        "its words, with an address that X replaced",
        { caption: "R&D: https://example.com/a" },
        alone,
        { text: "R&amp;D: https://t.co/AbCdEf1234" }
      ],
      [
        "its words beyond what the list shows",
        { caption: "x".repeat(300) },
        alone,
        { text: "xxx…", note_tweet: { text: "x".repeat(300) } }
      ],
      [
        "its words that weigh more than they are long",
        { caption: "鐘".repeat(200) },
        alone,
        { text: "鐘鐘鐘…", note_tweet: { text: "鐘".repeat(200) } }
      ],
      [
        "its file, whatever the words",
        { media: [image("a")] },
        withFile,
        { text: "Hi https://t.co/pic1234567", attachments: { media_keys: ["3_90"] } }
      ],
      [
        "its words and what it answers",
        {
          thread: {
            index: 1,
            count: 2,
            root: null,
            parent: { id: "4", url: null, username: "alice" },
            rest: []
          }
        },
        alone,
        { referenced_tweets: [{ type: "replied_to", id: "4" }] }
      ]
    ] as const)("knows a post by %s", ([, values, handle, shownAs]) =>
      Effect.gen(function* () {
        const { found } = yield* looking(values, handle, timeline({ ...mine, ...shownAs }))
        assert.strictEqual(found._tag === "published" ? found.data.id : found._tag, "5")
      })
    )

    it.effect.each([
      ["other words", {}, alone, { text: "Hello!" }, noneTaken],
      ["the same words with a picture", {}, alone, { attachments: { media_keys: ["3_1"] } }, noneTaken],
      [
        "the same words as an answer",
        {},
        alone,
        { referenced_tweets: [{ type: "replied_to", id: "4" }] },
        noneTaken
      ],
      [
        "another file",
        { media: [image("a")] },
        withFile,
        { attachments: { media_keys: ["3_91"] } },
        noneTaken
      ],
      ["the same words before it was due", {}, alone, { created_at: at(-61) }, noneTaken],
      ["the same words that were there before", {}, { ...alone, seen: ["5"] }, {}, noneTaken],
      ["the same words that are another post's", {}, alone, {}, takenAre(["5"])]
    ] as const)("is not fooled by %s", ([, values, handle, shownAs, taken]) =>
      Effect.gen(function* () {
        const { found } = yield* looking(values, handle, timeline({ ...mine, ...shownAs }), taken)
        assert.strictEqual(found._tag, "not_published")
      })
    )

    it.effect("reads on until the time of the post, by the clock of X", () =>
      Effect.gen(function* () {
        const hour = 3600
        const others = (id: number, seconds: number) => ({
          id: String(id),
          text: "Other",
          created_at: at(seconds)
        })
        const { found, x } = yield* looking({}, alone, ({ query }) => ({
          status: 200,
          headers: { date: new Date(DateTime.toEpochMillis(dueAt) + hour * 1000).toUTCString() },
          json:
            query["pagination_token"] === undefined
              ? { data: [others(9, hour + 9), others(8, hour + 8)], meta: { next_token: "next" } }
              : {
                  data: [{ ...mine, created_at: at(hour + 1) }, others(3, hour - 61)],
                  meta: { next_token: "more" }
                }
        }))
        assert.strictEqual(found._tag, "published")
        assert.deepStrictEqual(
          x.server.received.map(({ query }) => query["pagination_token"]),
          [undefined, "next"]
        )
      })
    )

    it.effect(
      "does not know after a hundred newer posts, nor where it could not see what was there before",
      () =>
        Effect.gen(function* () {
          const busy = yield* looking({}, alone, {
            status: 200,
            headers: { date: DateTime.toDateUtc(dueAt).toUTCString() },
            json: { data: [{ ...mine, text: "Other" }], meta: { next_token: "next" } }
          })
          assert.strictEqual(busy.found._tag, "unknown")
          assert.lengthOf(busy.x.server.received, 20)
          const unseen = yield* looking({}, { ...alone, seen: null }, timeline(mine))
          assert.strictEqual(unseen.found._tag, "unknown")
        })
    )

    it.effect("looks before a text that is due already, at what a person may have said by hand", () =>
      Effect.gen(function* () {
        const x = yield* onX({ "GET /users/2244994945/tweets": timeline(mine) })
        const ahead = yield* prepared(x, post())
        assert.deepStrictEqual([ahead.handle, x.calls().length], [{ files: {} }, 0])
        yield* TestClock.setTime(DateTime.toEpochMillis(dueAt))
        const { handle } = yield* prepared(x, post())
        assert.deepStrictEqual(handle, { files: {}, seen: ["5"] })
      })
    )

    it.effect(
      "takes a refused duplicate for the post itself where the account has it, and else refuses it",
      () =>
        Effect.gen(function* () {
          const x = yield* onX({
            "POST /tweets": duplicate,
            "GET /users/2244994945/tweets": (_, before) => (before === 0 ? timeline(mine) : timeline())
          })
          const done = yield* x.platform.commit(post(), stored, alone)
          assert.instanceOf(done, Accepted)
          const { handle } = done as Accepted
          yield* TestClock.setTime(DateTime.toEpochMillis(dueAt))
          const look = () => x.platform.reconcile(post(), stored, handle, noneTaken)
          assert.strictEqual((yield* look())._tag, "published")
          const other = yield* look()
          assert.deepInclude(other._tag === "refused" ? other.failure : {}, {
            class: "invalid",
            code: "duplicate_content"
          })
        })
    )
  })
})

test.each([
  ["See https://example.com/a?b=c, please", "See https://t.co/abc, please"],
  ["one\r\n\r\n two", "one two"],
  ["Cafe\u0301 example.com", "Café https://t.co/abc"]
])("a text of X is the same as what was sent: %j", (sent, shownAs) => {
  assert.strictEqual(shown(shownAs), shown(sent))
})
