import { PublishError, type PublishRequest } from "@carillon/server/platforms/Platform"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Redacted, Stream } from "effect"
import type { Received, Reply } from "./ScriptedServer.ts"
import { image, noneTaken, takenAre, video } from "./TestRequest.ts"
import { callOf, credentials, formOf, post, threads, user } from "./ThreadsScript.ts"

const film = video("v", Stream.empty, 10)
const filmUrl = "https://carillon.example/media/v/video.mp4"
const imageUrl = (id: string) => `https://carillon.example/media/${id}/image.jpg`

const refusal = (code: number, error_subcode?: number, message = "By script."): Reply => ({
  status: 400,
  json: { error: { message, code, ...(error_subcode === undefined ? {} : { error_subcode }) } }
})

const inThread = (index: number, parent: string) => ({
  thread: {
    index,
    count: 3,
    root: { id: "700", url: null, username: "alice" },
    parent: { id: parent, url: null, username: "alice" },
    rest: []
  }
})

const onCall =
  (call: RegExp, reply: Reply | ((received: Received) => Reply | undefined)) => (received: Received) =>
    !call.test(callOf(received)) ? undefined : typeof reply === "function" ? reply(received) : reply

const newest = (...texts: ReadonlyArray<string>): Reply => ({
  status: 200,
  json: {
    data: texts.map((text, index) => ({
      id: String(901 + index),
      text,
      permalink: `https://www.threads.com/@alice/post/D${901 + index}`,
      timestamp: "2026-11-21T12:00:05+0000"
    }))
  }
})

/** https://developers.facebook.com/documentation/threads/posts and the pages below create-posts. */
const kinds: ReadonlyArray<readonly [what: string, post: Partial<PublishRequest>, fields: object]> = [
  ["a text", {}, { media_type: "TEXT", text: "Hello" }],
  [
    "a picture",
    { media: [image("a", { alt_text: "A bell" })], options: { is_spoiler_media: true, topic_tag: "bells" } },
    {
      media_type: "IMAGE",
      image_url: imageUrl("a"),
      alt_text: "A bell",
      text: "Hello",
      topic_tag: "bells",
      is_spoiler_media: "true"
    }
  ],
  [
    "a video without a text, for two countries",
    { caption: "", media: [film], options: { countries: ["US", "CA"], reply_control: "followers_only" } },
    {
      media_type: "VIDEO",
      video_url: filmUrl,
      reply_control: "followers_only",
      allowlisted_country_codes: "US,CA"
    }
  ],
  [
    "a poll at a place",
    { options: { poll: { options: ["Great", "Small", "None"] }, location: "12345" } },
    {
      media_type: "TEXT",
      text: "Hello",
      location_id: "12345",
      poll_attachment: '{"option_a":"Great","option_b":"Small","option_c":"None"}'
    }
  ],
  [
    "a long text with a link and a quote",
    { options: { text_attachment: "Once …", link: "https://a.com", quote_post_id: "77" } },
    {
      media_type: "TEXT",
      text: "Hello",
      link_attachment: "https://a.com",
      quote_post_id: "77",
      text_attachment: '{"plaintext":"Once …"}'
    }
  ],
  [
    "a ghost post with a spoiler",
    { caption: "🔔 The butler", options: { is_ghost_post: true, spoilers: ["butler"] } },
    {
      media_type: "TEXT",
      text: "🔔 The butler",
      is_ghost_post: "true",
      text_entities: '[{"entity_type":"SPOILER","offset":6,"length":6}]'
    }
  ],
  [
    "a GIF",
    { options: { gif_id: "a1", is_ghost_post: false, is_spoiler_media: true } },
    { media_type: "TEXT", text: "Hello", gif_attachment: '{"gif_id":"a1","provider":"GIPHY"}' }
  ],
  ["an answer in a thread", inThread(1, "700"), { media_type: "TEXT", text: "Hello", reply_to_id: "700" }]
]

layer(NodeHttpClient.layerUndici)("Threads' adapter", (it) => {
  it.effect.each(kinds)(
    "sends what the documents say for %s, and publishes it in one call",
    ([, values, fields]) =>
      Effect.gen(function* () {
        const { calls, containers, platform, prepare } = yield* threads()
        const { handle } = yield* prepare(values)
        assert.notInclude(calls(), `POST /v1.0/${user}/threads_publish`)
        const done = yield* platform.commit(post(values), credentials(), handle)
        assert.deepStrictEqual(done, { id: "900", url: null, username: "alice" })
        assert.deepStrictEqual(containers(), [fields])
        assert.deepStrictEqual(calls(), [
          `POST /v1.0/${user}/threads`,
          "GET /v1.0/1",
          `GET /v1.0/${user}/threads_publishing_limit`,
          `POST /v1.0/${user}/threads_publish`
        ])
      })
  )

  it.effect("makes a carousel of its items when all are finished, and none of them twice", () =>
    Effect.gen(function* () {
      let busy = true
      const { containers, platform, prepare, saved } = yield* threads(
        onCall(/^GET \/v1\.0\/2$/, () =>
          busy ? { status: 200, json: { status: "IN_PROGRESS" } } : undefined
        )
      )
      const values = { media: [image("a"), film], options: { is_spoiler_media: true } }
      const first = yield* prepare(values)
      assert.strictEqual(first._tag, "wait")
      const items = [
        { media_type: "IMAGE", image_url: imageUrl("a"), is_carousel_item: "true" },
        { media_type: "VIDEO", video_url: filmUrl, is_carousel_item: "true" }
      ]
      assert.deepStrictEqual(containers(), items)
      const [afterOne] = yield* saved
      assert.deepStrictEqual(afterOne?.["items"], [{ id: "1", finished: false }])
      busy = false
      // Another process goes on with what was saved.
      const second = yield* prepare(values, (yield* saved).at(-1)!)
      assert.strictEqual(second._tag, "ready")
      assert.deepStrictEqual(containers(), [
        ...items,
        { media_type: "CAROUSEL", children: "1,2", text: "Hello", is_spoiler_media: "true" }
      ])
      assert.deepInclude(second.handle["post"], { id: "3" })
      const polled = yield* platform.poll(post(values), credentials(), first.handle)
      assert.strictEqual(polled._tag, "wait")
    })
  )

  it.effect("publishes without a topic that Threads refuses, and says so", () =>
    Effect.gen(function* () {
      const { containers, publish } = yield* threads((received) =>
        formOf(received)["topic_tag"] === undefined ? undefined : refusal(100, 4_279_071)
      )
      const done = yield* publish({ options: { topic_tag: "bells" } })
      assert.deepInclude(done, { warnings: ['Threads refused the topic "bells": the post has none.'] })
      assert.deepStrictEqual(
        containers().map(({ topic_tag }) => topic_tag),
        ["bells", undefined]
      )
    })
  )

  it.effect.each([
    ["posts", {}, { quota_usage: 250, config: { quota_total: 250 } }],
    ["replies", inThread(1, "700"), { reply_quota_usage: 1000, reply_config: { quota_total: 1000 } }]
  ] as const)("lets a post wait when the account has no more %s in 24 hours", ([kind, values, limit]) =>
    Effect.gen(function* () {
      const { calls, publish } = yield* threads(
        onCall(/threads_publishing_limit$/, { status: 200, json: { data: [limit] } })
      )
      const refused = yield* Effect.flip(publish(values))
      assert.strictEqual(refused.class, "quota_exhausted")
      assert.include(refused.message, `0 ${kind} in 24 hours`)
      assert.notInclude(calls(), `POST /v1.0/${user}/threads_publish`)
    })
  )

  const container = (status: string, error_message?: string): Reply => ({
    status: 200,
    json: { status, ...(error_message === undefined ? {} : { error_message }) }
  })

  it.effect.each([
    ["transient", container("EXPIRED")],
    ["media_unreachable", container("ERROR", "FAILED_DOWNLOADING_VIDEO")],
    ["media_rejected", container("ERROR", "INVALID_DURATION")],
    ["transient", container("ERROR")],
    ["transient", refusal(100, 33, "Object with ID '1' does not exist")]
  ] as const)("fails with %s and prepares anew when a container answers %o", ([expected, reply]) =>
    Effect.gen(function* () {
      const { prepare } = yield* threads(onCall(/^GET \/v1\.0\/1$/, reply))
      const failure = yield* Effect.flip(prepare({ media: [film] }))
      assert.deepInclude(failure, { class: expected, discard_handle: true })
    })
  )

  it.effect.each([
    ["2", refusal(2), "ambiguous"],
    ["that the container is gone", refusal(24, 4_279_009), "ambiguous"],
    ["that there is none", refusal(100, 33, "Object with ID '1' does not exist"), "ambiguous"],
    ["that it does not know something", refusal(100, 33), "ambiguous"],
    ["spam", refusal(100, 2_207_051), "forbidden"],
    [
      "that it does not know the account",
      refusal(100, 33, `Object with ID '${user}' does not exist`),
      "reconnect"
    ]
  ] as const)("knows what became of a post when the publication answers %s", ([, reply, expected]) =>
    Effect.gen(function* () {
      const { publish } = yield* threads(onCall(/threads_publish$/, reply))
      assert.strictEqual((yield* Effect.flip(publish())).class, expected)
    })
  )

  const lost = (status: string | Reply, more: (received: Received) => Reply | undefined = () => undefined) =>
    Effect.gen(function* () {
      let isLost = false
      const { platform, prepare } = yield* threads((received) => {
        if (callOf(received).endsWith("/threads_publish")) {
          isLost = true
          return "reset"
        }
        return isLost && /^GET \/v1\.0\/\d$/.test(callOf(received))
          ? typeof status === "string"
            ? { status: 200, json: { status } }
            : status
          : more(received)
      })
      return Effect.fnUntraced(function* (values: Partial<PublishRequest>, taken = noneTaken) {
        const { handle } = yield* prepare(values)
        const failure = yield* Effect.flip(platform.commit(post(values), credentials(), handle))
        assert.strictEqual(failure.class, "ambiguous")
        return yield* platform.reconcile(post(values), credentials(), handle, taken)
      })
    })

  it.effect.each([
    ["FINISHED", "not_published"],
    ["EXPIRED", "refused"],
    ["ERROR", "refused"],
    ["IN_PROGRESS", "working"]
  ] as const)("asks the container after a lost reply: %s is %s", ([status, expected]) =>
    Effect.gen(function* () {
      const look = yield* lost(status)
      assert.strictEqual((yield* look({}))._tag, expected)
    })
  )

  it.effect("prepares anew after a lost reply when the container is gone and Threads lists no post", () =>
    Effect.gen(function* () {
      const look = yield* lost(refusal(100, 33, "Object with ID '1' does not exist"))
      const found = yield* look({})
      assert(found._tag === "refused")
      assert.deepInclude(found.failure, { class: "transient", discard_handle: true })
    })
  )

  it.effect("finds its post after a lost reply among those with the same words that are no other's", () =>
    Effect.gen(function* () {
      const look = yield* lost("PUBLISHED", onCall(/^GET \S+\/threads$/, newest("Bye", "Hello", "Hello")))
      assert.deepStrictEqual(yield* look({}, takenAre(["902"])), {
        _tag: "published",
        data: { id: "903", url: "https://www.threads.com/@alice/post/D903", username: "alice" }
      })
      const late = { due_at: DateTime.makeUnsafe("2026-11-21T13:00:00Z") }
      assert.deepInclude(yield* look(late), { data: { id: "2", url: null, username: "alice" } })
    })
  )

  it.effect.each([
    ["an answer", inThread(2, "701"), "replies"],
    ["a ghost post", { options: { is_ghost_post: true } }, "ghost_posts"]
  ] as const)("finds %s in the list of its kind", ([, values, list]) =>
    Effect.gen(function* () {
      const look = yield* lost("PUBLISHED", onCall(new RegExp(`/${list}$`), newest("Hello")))
      assert.deepInclude(yield* look(values), {
        data: { id: "901", url: "https://www.threads.com/@alice/post/D901", username: "alice" }
      })
    })
  )

  it.effect("knows that a post is live where Threads lists none to the app", () =>
    Effect.gen(function* () {
      const look = yield* lost("PUBLISHED", onCall(/^GET \S+\/(threads|replies)$/, refusal(10)))
      assert.deepInclude(yield* look(inThread(1, "700")), {
        _tag: "published",
        data: { id: "1", url: null, username: "alice" }
      })
    })
  )

  it.effect("is asked again for a live post while Threads cannot list any", () =>
    Effect.gen(function* () {
      const look = yield* lost("PUBLISHED", onCall(/^GET \S+\/threads$/, { status: 500, json: {} }))
      const failure = yield* Effect.flip(look({}))
      assert(failure instanceof PublishError)
      assert.strictEqual(failure.class, "transient")
    })
  )

  it.effect("answers a post that a person confirmed by its address, if Threads lists it", () =>
    Effect.gen(function* () {
      const { containers, publish } = yield* threads(onCall(/^GET \S+\/replies$/, newest("Before")))
      yield* publish(inThread(2, "https://www.threads.net/@alice/post/D901?x=1"))
      assert.deepInclude(containers()[0], { reply_to_id: "901" })
      const refused = yield* Effect.flip(publish(inThread(2, "https://www.threads.net/@alice/post/D555")))
      assert.deepInclude(refused, { class: "invalid", code: "parent_unknown" })
    })
  )

  const consent = {
    login: "threads",
    redirect_uri: "https://carillon.example/oauth/callback/threads",
    state: "s",
    code_verifier: "v".repeat(64)
  }

  it.effect("connects the account of a code with a token of 60 days and what it was allowed", () =>
    Effect.gen(function* () {
      const { platform, received } = yield* threads()
      const asked = new URL(platform.oauth!.authorizeUrl({ ...consent, permissions: ["locations"] }))
      assert.strictEqual(
        asked.searchParams.get("scope"),
        "threads_basic,threads_content_publish,threads_read_replies,threads_location_tagging"
      )
      const [account] = yield* platform.oauth!.exchange({ ...consent, code: "c0de#_" })
      assert.deepInclude(account, { remote_id: user, username: "alice", display_name: "Alice" })
      assert.include(account!.scopes!, "threads_location_tagging")
      assert.deepInclude(Redacted.value(account!.credentials), { login: "threads", token: "a-l0ng-token" })
      assert.strictEqual(account!.token_expires_at!.epochMilliseconds, 60 * 24 * 3_600_000)
      assert.deepStrictEqual(account!.access_expires_at, account!.token_expires_at!)
      assert.deepInclude(formOf(received[0]!), { code: "c0de", grant_type: "authorization_code" })
    })
  )

  it.effect.each([
    ["missing", { status: 200, json: { data: { scopes: ["threads_basic"] } } }, "scopes_missing"],
    ["not told", refusal(10), "connected"]
  ] as const)("connects an account unless a permission is known to be missing: %s", ([, reply, expected]) =>
    Effect.gen(function* () {
      const { platform } = yield* threads(onCall(/debug_token$/, reply))
      const end = yield* platform
        .oauth!.exchange({ ...consent, code: "c0de" })
        .pipe(Effect.match({ onFailure: ({ code }) => code, onSuccess: () => "connected" }))
      assert.strictEqual(end, expected)
    })
  )

  it.effect("renews a token that is a day old, and no younger one", () =>
    Effect.gen(function* () {
      const { calls, platform } = yield* threads()
      const young = DateTime.formatIso(yield* DateTime.now)
      assert.deepInclude(yield* Effect.flip(platform.refresh(credentials(young))), { class: "reconnect" })
      const old = "1969-12-30T00:00:00.000Z"
      const renewed = yield* platform.refresh(credentials(old))
      assert.deepInclude(Redacted.value(renewed.credentials), { token: "a-l0ng-token" })
      assert.deepStrictEqual(calls(), ["GET /refresh_access_token"])
    })
  )
})
