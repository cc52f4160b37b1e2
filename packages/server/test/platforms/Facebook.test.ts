import { Accepted, PublishError } from "@carillon/server/platforms/Platform"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Result } from "effect"
import {
  connected,
  consent,
  created_time,
  credentials,
  facebook,
  film,
  formOf,
  kinds,
  ok,
  ours,
  page,
  phase,
  pictured,
  post,
  published,
  refusal,
  state,
  token,
  uploaded
} from "./FacebookScript.ts"
import type { Received, Reply } from "./ScriptedServer.ts"
import { dueAt, image, live, noneTaken, savedHandles, takenAre } from "./TestRequest.ts"

layer(NodeHttpClient.layerUndici, { excludeTestServices: true })("Facebook's adapter", (it) => {
  it.effect("offers each Page once on which the person may publish, with what it is called", () =>
    Effect.gen(function* () {
      const one = (id: string, more: object = {}) => ({
        id,
        name: `Bells ${id}`,
        access_token: `t${id}`,
        ...more
      })
      const more = { paging: { cursors: { after: "next" }, next: "https://…" } }
      const { platform } = yield* connected(
        facebook({
          accounts: ok({
            data: [
              one("1", {
                username: "one",
                tasks: ["CREATE_CONTENT"],
                picture: { data: { url: "https://a/1" } }
              }),
              one("2", { tasks: ["ANALYZE"] }),
              one("5", { tasks: ["PROFILE_PLUS_CREATE_CONTENT"] })
            ]
          }),
          businesses: ({ query }) =>
            ok(
              query["after"] === undefined
                ? { data: [{ id: "60", owned_pages: { data: [one("2"), one("1"), one("3")] } }], ...more }
                : { data: [{ id: "61", client_pages: { data: [{ id: "4" }, one("6")], ...more } }] }
            ),
          "GET client_pages": ({ path, query }) =>
            ok({ data: path.includes("/61/") && query["after"] === "next" ? [one("7")] : [] })
        })
      )
      const accounts = yield* platform.oauth!.exchange(consent)
      assert.deepStrictEqual(
        accounts.map(({ remote_id, username, display_name, avatar_url }) => [
          remote_id,
          username,
          display_name,
          avatar_url
        ]),
        [
          ["5", "Bells 5", "Bells 5", null],
          ["1", "one", "Bells 1", "https://a/1"],
          ...["3", "6", "7"].map((id) => [id, `Bells ${id}`, `Bells ${id}`, null])
        ]
      )
      const none = yield* connected(facebook({ accounts: ok({ data: [] }) }))
      assert.strictEqual((yield* Effect.flip(none.platform.oauth!.exchange(consent))).code, "no_accounts")
    })
  )

  it.effect("sends all pictures of a post hidden, and then one post with them in order", () =>
    Effect.gen(function* () {
      let made = 500
      const { platform, prepared, server } = yield* connected(
        facebook({ photos: () => ok({ id: String(made++) }) })
      )
      const one = post({ media: [image("a", { alt_text: "A bell" }), image("b")] })
      yield* platform.commit(one, credentials, yield* prepared(one))
      assert.deepStrictEqual(server.received.slice(1).map(formOf), [
        { published: "false", alt_text_custom: "A bell", source: "image a" },
        { published: "false", source: "image b" },
        {
          message: "Hello",
          attached_media: '[{"media_fbid":"500"},{"media_fbid":"501"}]',
          published: "true"
        }
      ])
    })
  )

  const early = DateTime.formatIso(DateTime.subtract(dueAt, { seconds: 61 })).replace(".000Z", "+0000")
  const photos = { a: "500" }

  it.effect.each([
    ["it is there", [ours], {}, [], `published ${page}_1`],
    ["there is none", [], {}, [], "not_published"],
    ["one is older", [{ ...ours, created_time: early }], {}, [], "not_published"],
    ["one belongs to another result", [ours], {}, [`${page}_1`], "not_published"],
    ["there are two alike", [ours, { ...ours, id: "2" }], {}, [], "unknown"],
    ["one of two is another result's", [{ ...ours, id: "2" }, ours], {}, ["2"], `published ${page}_1`],
    ["one has other words", [{ ...ours, message: "Hello all" }], {}, [], "not_published"],
    ["one is a visitor's", [{ ...ours, from: { id: "8" } }], {}, [], "not_published"],
    ["one has a picture, and this one has none", [{ ...ours, ...pictured("9") }], {}, [], "not_published"],
    [
      "one has a video",
      [{ ...ours, attachments: { data: [{ media_type: "video_inline" }] } }],
      {},
      [],
      "not_published"
    ],
    [
      "its picture has other words",
      [{ ...ours, message: "Hi", ...pictured("500") }],
      photos,
      [],
      `published ${page}_1`
    ],
    [
      "its picture is one of two",
      [
        { ...ours, id: "2", ...pictured("9") },
        { ...ours, ...pictured("500") }
      ],
      photos,
      [],
      `published ${page}_1`
    ],
    [
      "it has a picture without an id",
      [{ ...ours, attachments: { data: [{ media_type: "photo" }] } }],
      photos,
      [],
      `published ${page}_1`
    ],
    ["one has its words without a picture", [ours], photos, [], "not_published"]
  ] as const)("looks for a post whose reply was lost: %s", ([, data, sent, others, expected]) =>
    Effect.gen(function* () {
      const { look } = yield* connected(facebook({ "GET feed": ok({ data }) }))
      const one = post(Object.keys(sent).length === 0 ? {} : { media: [image("a")] })
      assert.strictEqual(yield* look(one, { photos: sent }, takenAre(others)), expected)
    })
  )

  it.effect("knows a post by its pictures exactly, and by its words only if the feed was read before", () =>
    Effect.gen(function* () {
      const { look, platform } = yield* connected()
      assert.strictEqual(yield* look(post(), { photos: {}, seen: null }), "unknown")
      const one = post({ media: [image("a")] })
      const found = yield* platform.reconcile(one, credentials, { photos, seen: null }, noneTaken)
      assert.deepInclude(found, { _tag: "published", exact: true })
    })
  )

  it.effect("reads the feed on until the due time, and does not know of a post behind what it reads", () =>
    Effect.gen(function* () {
      const full = (created: string, next = true) =>
        ok({
          data: [{ ...ours, message: "Other", created_time: created }],
          paging: { cursors: { after: "next" }, ...(next ? { next: "https://…" } : {}) }
        })
      const busy = yield* connected(facebook({ "GET feed": full(created_time) }))
      assert.strictEqual(yield* busy.look(post(), { photos: {} }), "unknown")
      const calm = yield* connected(
        facebook({ "GET feed": ({ query }) => full(query["after"] === undefined ? created_time : early) })
      )
      assert.strictEqual(yield* calm.look(post(), { photos: {} }), "not_published")
      assert.lengthOf(calm.server.received, 2)
    })
  )

  it.effect.each([
    [506, {}, [ours], `published ${page}_1`],
    [100, { error_subcode: 1_366_051 }, [], "refused invalid 100/1366051"]
  ] as const)("looks for the post before it believes %s %o", ([code, more, data, expected]) =>
    Effect.gen(function* () {
      const { look, platform } = yield* connected(
        facebook({ "POST feed": refusal(code, more), "GET feed": ok({ data }) })
      )
      const done = yield* platform.commit(post(), credentials, { photos: {} })
      assert.instanceOf(done, Accepted)
      assert.strictEqual(yield* look(post(), (done as Accepted).handle), expected)
    })
  )

  it.effect("wants the Page connected again that is out of reach, and sends again what is gone", () =>
    Effect.gen(function* () {
      const missing = (id: string) =>
        refusal(100, {
          error_subcode: 33,
          message: `Object with ID '${id}' does not exist`,
          error_user_msg: "It is gone."
        })
      const failure = Effect.fnUntraced(function* (id: string) {
        const { platform } = yield* connected(facebook({ feed: missing(id) }))
        const { class: errorClass, discard_handle } = yield* Effect.flip(
          platform.commit(post(), credentials, { photos: {} })
        )
        return [errorClass, discard_handle]
      })
      assert.deepStrictEqual(yield* failure(page), ["reconnect", true])
      assert.deepStrictEqual(yield* failure(`${page}_2`), ["transient", true])
    })
  )

  const ranges = (received: ReadonlyArray<Received>) =>
    received
      .map(formOf)
      .flatMap(({ start_offset, video_file_chunk: chunk }) =>
        chunk === undefined ? [] : [`${start_offset as string}+${(chunk as string).length}`]
      )

  it.effect("sends a video in the ranges that Facebook asks for, and goes on after a cut", () =>
    Effect.gen(function* () {
      let broken = true
      const script = facebook()
      const { platform, server } = yield* connected((received) =>
        broken && formOf(received)["start_offset"] === "4" ? { status: 503 } : script(received)
      )
      const { save, all } = yield* savedHandles
      const one = post({ media: [film()] })
      assert.strictEqual(
        (yield* Effect.flip(platform.prepare(one, credentials, null, save))).class,
        "transient"
      )
      broken = false
      const kept = JSON.parse(JSON.stringify((yield* all).at(-1)))
      const { _tag, handle } = yield* platform.prepare(one, credentials, kept, save)
      assert.strictEqual(_tag, "ready")
      assert.deepStrictEqual(ranges(server.received), ["0+4", "4+4", "4+4", "8+2"])
      const cover_frame = Effect.succeed({ bytes: new Uint8Array([1]), mime_type: "image/jpeg" })
      yield* platform.commit({ ...one, options: { title: "Bells" }, cover_frame }, credentials, handle)
      assert.deepStrictEqual(formOf(server.received.at(-1)!), {
        upload_phase: "finish",
        upload_session_id: "800",
        description: "Hello",
        title: "Bells",
        thumb: "\u0001"
      })
    })
  )

  it.effect("sends the range that Facebook names instead, and gives up where the ranges make no sense", () =>
    Effect.gen(function* () {
      const answered = Effect.fnUntraced(function* (wrong: Reply, first: boolean) {
        let once = true
        const script = facebook()
        const { prepared, server } = yield* connected((received) => {
          const isWrong = formOf(received)["upload_phase"] === "transfer" && (once || !first)
          once = once && !isWrong
          return isWrong ? wrong : script(received)
        })
        const failure = yield* Effect.result(prepared(post({ media: [film()] })))
        return { failure, sent: ranges(server.received) }
      })
      const expected = { start_offset: 2, end_offset: 6 }
      const other = refusal(6000, { error_subcode: 1_363_037, error_data: expected })
      const corrected = yield* answered(other, true)
      assert.deepStrictEqual(corrected.sent.slice(0, 2), ["0+4", "2+4"])
      assert.strictEqual(corrected.failure._tag, "Success")
      for (const wrong of [
        other,
        ok({ start_offset: 0, end_offset: 4 }),
        ok({ start_offset: 8, end_offset: 12 })
      ]) {
        const { failure } = yield* answered(wrong, false)
        assert.deepInclude(failure, { _tag: "Failure" })
        assert.deepInclude((failure as any).failure, { code: "upload_ranges", discard_handle: true })
      }
    })
  )

  it.effect.each(["bytes_transferred", "bytes_transfered"])("sends the rest of a reel, by %s", (counted) =>
    Effect.gen(function* () {
      const looks = [state({ uploading_phase: { status: "in_progress", [counted]: 6 } }), uploaded]
      const { platform, server } = yield* connected(facebook({ "GET 900": () => ok(looks.shift()) }))
      const upload_url = `${server.url}/rupload.facebook.com/video-upload/900`
      const handle = { photos: {}, video: { id: "900", upload_url } }
      const { _tag } = yield* platform.prepare(post(kinds.reel), credentials, handle, () => Effect.void)
      assert.strictEqual(_tag, "ready")
      const sent = server.received.find(({ path }) => path.includes("rupload"))
      assert.deepInclude(sent!.headers, { authorization: `OAuth ${token}`, offset: "6", file_size: "10" })
      assert.lengthOf(sent!.body, 4)
    })
  )

  const processing = state({ uploading_phase: phase("complete"), processing_phase: phase("in_progress") })
  const broken = state({
    processing_phase: { status: "error", errors: [{ message: "The frame rate is 12." }] }
  })

  it.effect("waits while a reel is processed, and says why one cannot be", () =>
    Effect.gen(function* () {
      let now: unknown = processing
      const { platform, prepared } = yield* connected(facebook({ "900": () => ok(now) }))
      const one = post(kinds.reel)
      const handle = yield* prepared(one)
      const poll = platform.poll(one, credentials, handle)
      assert.strictEqual((yield* poll)._tag, "wait")
      now = broken
      const failure = yield* Effect.flip(poll)
      assert.deepInclude(failure, { class: "media_rejected", discard_handle: true })
      assert.include(failure.message, "The frame rate is 12.")
      now = uploaded
      assert.strictEqual((yield* poll)._tag, "ready")
    })
  )

  it.effect.each([
    ["published that is still processed", processing, "ready"],
    ["sent again that did not arrive", state({ uploading_phase: phase("in_progress") }), "upload_not_taken"]
  ] as const)("has a reel %s after half an hour", ([, seen, expected]) =>
    Effect.gen(function* () {
      const { platform } = yield* connected(facebook({ "900": ok(seen) }))
      const handle = { photos: {}, video: { id: "900", upload_url: "https://a.example" }, since: 1 }
      const found = yield* platform.poll(post(kinds.reel), credentials, handle).pipe(
        Effect.map(({ _tag }) => _tag as string),
        Effect.catch(({ code }) => Effect.succeed(code))
      )
      assert.strictEqual(found, expected)
    })
  )

  const sent = { photos: {}, video: { id: "900" } }
  const accepted = { ...sent, accepted: true }
  const inRanges = {
    photos: {},
    video: { id: "900", session: { id: "800", start_offset: 10, end_offset: 10 } }
  }

  it.effect.each([
    ["of which nothing came", sent, uploaded, "not_published"],
    ["that is processed", sent, processing, "working"],
    ["in the feed that waits to be processed", inRanges, uploaded, "working"],
    [
      "in the feed of which nothing came",
      inRanges,
      state({ video_status: "upload_complete" }),
      "not_published"
    ],
    ["that was taken", accepted, uploaded, "working"],
    ["that was taken a day ago", { ...accepted, since: 1 }, uploaded, "unknown"],
    ["that is being published", sent, state({ publishing_phase: phase("in_progress") }), "working"],
    ["that is live", sent, published, "published 900"],
    [
      "that is live in spite of an error",
      sent,
      { status: { ...published.status, video_status: "error" } },
      "published 900"
    ],
    [
      "that is live and has no such phase",
      sent,
      { ...state({ video_status: "ready" }), published: true },
      "published 900"
    ],
    [
      "that is a draft",
      sent,
      state({ video_status: "ready", publishing_phase: { status: "not_started", publish_status: "draft" } }),
      "not_published"
    ],
    ["that failed", accepted, broken, "refused media_rejected video_error"],
    ["that ran out", sent, state({ video_status: "expired" }), "refused media_rejected video_error"]
  ] as const)("knows what became of a video %s", ([, handle, seen, expected]) =>
    Effect.gen(function* () {
      const { look } = yield* connected(facebook({ "900": ok(seen) }))
      assert.strictEqual(yield* look(post({ media: [film()] }), handle), expected)
    })
  )

  it.effect.each([
    [100, "invalid", state({ video_status: "upload_complete" })],
    [100, "working", uploaded],
    [100, "published 900", published],
    [1_363_030, "published 900", published]
  ] as const)("looks for a video before it believes %s: %s", ([code, expected, seen]) =>
    Effect.gen(function* () {
      const { look, platform } = yield* connected(facebook({ videos: refusal(code), "900": ok(seen) }))
      const one = post({ media: [film()] })
      const done = yield* Effect.result(platform.commit(one, credentials, inRanges))
      assert.strictEqual(
        Result.isFailure(done) ? done.failure.class : yield* look(one, (done.success as Accepted).handle),
        expected
      )
    })
  )

  it.effect("makes the cover before anything is sent", () =>
    Effect.gen(function* () {
      const { prepared, server } = yield* connected()
      const failure = new PublishError({ class: "media_rejected", code: "cover", message: "By script." })
      const error = yield* Effect.flip(prepared(post({ media: [film()], cover_frame: Effect.fail(failure) })))
      assert.deepStrictEqual([error.code, server.received.length], ["cover", 0])
    })
  )

  it.effect("completes the address of a video", () =>
    Effect.gen(function* () {
      const { platform, server } = yield* connected()
      const found = yield* platform.reconcile(post(kinds.reel), credentials, accepted, noneTaken)
      const url = `${server.url}/www.facebook.com/reel/900/`
      const data = { id: "900", url, username: "bells" }
      assert.deepStrictEqual(found, { _tag: "published", data, exact: true })
    })
  )

  it.effect("knows a story by its file, and one that is not shown by what Facebook called it", () =>
    Effect.gen(function* () {
      const shown = yield* connected()
      assert.strictEqual(yield* shown.look(post(kinds.photoStory), { photos }), "published 600")
      assert.strictEqual(yield* shown.look(post(kinds.story), accepted), "published 601")
      const hidden = yield* connected(facebook({ stories: ok({ data: [] }) }))
      assert.strictEqual(yield* hidden.look(post(kinds.photoStory), { photos }), "not_published")
      assert.strictEqual(
        yield* hidden.look(post(kinds.story), { ...accepted, post_id: "602" }),
        "published 602"
      )
      const used = yield* connected(
        facebook({
          photo_stories: refusal(100, { message: "(#100) Invalid parameter photo_id" }),
          stories: ok({ data: [] })
        })
      )
      const again = yield* used.platform.commit(post(kinds.photoStory), credentials, { photos })
      assert.strictEqual(yield* used.look(post(kinds.photoStory), (again as Accepted).handle), "unknown")
      const data = live(yield* hidden.platform.commit(post(kinds.photoStory), credentials, { photos }))
      assert.strictEqual(data.id, "600")
    })
  )
  const first = { id: "700", message: "First", from: { id: page } }

  it.effect.each([
    ["it is there", [first], "700"],
    ["it is there with a space less", [{ ...first, message: "First ." }], "700"],
    ["there is none", [{ ...first, message: "Second" }], "not_published"],
    ["one is a visitor's", [{ ...first, from: { id: "8" } }], "not_published"],
    ["one is of nobody that Facebook names", [{ id: "700", message: "First" }], "unknown"],
    ["there are more than are read", Array.from({ length: 50 }, () => ({ id: "701" })), "unknown"]
  ] as const)("looks for a comment whose reply was lost: %s", ([, data, expected]) =>
    Effect.gen(function* () {
      const { platform } = yield* connected(
        facebook({ "GET comments": ok({ data }), "POST comments": refusal(2) })
      )
      const on = { id: `${page}_1`, url: null, username: "bells" }
      const comment = { text: "First.", post: on, remote_id: page, username: "bells" }
      const found = yield* platform.comments!.find(comment, credentials)
      assert.strictEqual(typeof found === "string" ? found : found.id, expected)
      const lost = yield* Effect.flip(platform.comments!.create(comment, credentials))
      assert.strictEqual(lost.class, "ambiguous")
    })
  )
})
