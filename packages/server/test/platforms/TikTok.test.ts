import type { Handle } from "@carillon/server/engine/Handle"
import {
  Accepted,
  type PublishMedia,
  type PublishRequest,
  type Reconciled
} from "@carillon/server/platforms/Platform"
import { SharedSandbox } from "@carillon/testing/SharedService"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Redacted, Schedule, Stream } from "effect"
import type { HttpClientRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { adapters } from "./Adapters.ts"
import { mediaHost } from "./MediaHost.ts"
import { publisher } from "./Publisher.ts"
import { image, video } from "./TestRequest.ts"
import { photoTranscript, videoTranscript } from "./TikTokTranscripts.ts"
import { recorded } from "./Wiretap.ts"

const mebibyte = 1024 * 1024

const film = new Uint8Array(21 * mebibyte).map((_, index) => (index * 31 + (index >> 10)) & 255)
const bytes = (size: number) => film.subarray(0, size)
const clip = (size = 4): PublishMedia => video("clip", Stream.succeed(bytes(size)), size)

/** A connected account with a request of its own, ready to run the steps, and what its adapter sent. */
const connected = Effect.fnUntraced(function* (values: Partial<PublishRequest> = {}, ending = "") {
  const sent: Array<HttpClientRequest.HttpClientRequest> = []
  const own = yield* publisher(
    { ...adapters.tiktok, ending },
    { media: [clip()], ...values },
    { through: (client) => recorded(client, sent) }
  )
  const { commit, prepare, reconcile } = own
  return {
    ...own,
    sent,
    /** What became of it, once TikTok is done. */
    outcome: (handle: Handle): Effect.Effect<Reconciled, unknown> =>
      reconcile(handle).pipe(
        Effect.filterOrFail(
          ({ _tag }) => _tag !== "working",
          () => "working" as const
        ),
        Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 200 }),
        // The network works in its own time.
        TestClock.withLive
      ),
    publish: Effect.gen(function* () {
      const { handle } = yield* prepare()
      const accepted = yield* commit(handle)
      assert.instanceOf(accepted, Accepted)
      return (accepted as Accepted).handle
    })
  }
})

const Network = Layer.merge(SharedSandbox, NodeHttpClient.layerUndici)

const photos = Effect.map(mediaHost, ({ url }) =>
  ["a", "b"].map((id) => image(id, { public_url: Effect.succeed(`${url}/${id}.jpg`) }))
)

layer(Network)("the TikTok adapter", (it) => {
  describe("connecting", () => {
    it.effect("asks for the documented scopes and gives the account with its tokens' end", () =>
      Effect.gen(function* () {
        const { account, page, username } = yield* connected()
        const { pathname, searchParams } = page!
        assert.match(pathname, /\/www\.tiktok\.com\/v2\/auth\/authorize\/$/)
        assert.deepStrictEqual(Object.fromEntries(searchParams), {
          client_key: "1234-app.apps.googleusercontent.com",
          response_type: "code",
          scope: "user.info.basic,user.info.profile,video.publish,video.upload",
          redirect_uri: "http://127.0.0.1:9/oauth/callback/tiktok",
          state: "state"
        })
        assert.strictEqual(account.username, username)
        assert.match(account.remote_id, /^-000\d+$/)
        assert.deepStrictEqual(account.token_expires_at, DateTime.makeUnsafe(7_200_000))
        assert.deepStrictEqual(account.access_expires_at, DateTime.makeUnsafe(180 * 86_400_000))
      })
    )

    it.effect("rotates the tokens, works on with the new ones, and knows when the old one is dead", () =>
      Effect.gen(function* () {
        const { platform, credentials, post } = yield* connected()
        const renewed = yield* platform.refresh(credentials)
        yield* platform.prepare(post, renewed.credentials, null, () => Effect.void)
        const error = yield* Effect.flip(platform.refresh(credentials))
        assert.deepInclude(error, { class: "reconnect", code: "invalid_grant" })
        assert.notInclude(JSON.stringify(error), String(Redacted.value(credentials)["refresh_token"]))
      })
    )

    it.effect("tells what the account offers now", () =>
      Effect.gen(function* () {
        const { platform, credentials, username } = yield* connected({}, "-private")
        assert.deepInclude(yield* platform.choices!(credentials, ""), {
          username,
          privacy_level: ["FOLLOWER_OF_CREATOR", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"],
          allow_comment: true,
          max_video_duration_ms: 180_000
        })
      })
    )
  })

  describe("a video", () => {
    it.effect("goes out with all that was said of it, and its link has all the digits of its id", () =>
      Effect.gen(function* () {
        const { publish, outcome, publications, username, url } = yield* connected({
          media: [clip(11 * mebibyte)],
          caption: "Bells 🔔",
          options: {
            privacy_status: "private",
            video_cover_timestamp_ms: 1500,
            is_aigc: true,
            allow_comment: false,
            allow_duet: true,
            allow_stitch: false,
            disclose_your_brand: true
          }
        })
        yield* outcome(yield* publish)
        const [publication] = yield* publications
        assert.deepInclude(publication, {
          text: "Bells 🔔",
          details: {
            privacy_level: "SELF_ONLY",
            disable_comment: true,
            disable_stitch: true,
            video_cover_timestamp_ms: 1500,
            brand_organic_toggle: true,
            is_aigc: true
          }
        })
        assert.strictEqual(
          publication!.media[0]!.sha256,
          createHash("sha256")
            .update(bytes(11 * mebibyte))
            .digest("hex")
        )

        const open = yield* connected()
        const found = yield* open.outcome(yield* open.publish)
        const id = (yield* open.publications)[0]!.id
        assert.isAbove(Number(id), Number.MAX_SAFE_INTEGER)
        assert.deepStrictEqual(found, {
          _tag: "published",
          data: {
            id,
            url: `${url}/www.tiktok.com/@${open.username}/video/${id}`,
            username: open.username
          }
        })
        assert.notStrictEqual(open.username, username)
      })
    )

    it.effect("a video is nowhere to be seen before the commit", () =>
      Effect.gen(function* () {
        const { prepare, publications, saved } = yield* connected({ media: [clip(21 * mebibyte)] }, "-pieces")
        const { handle } = yield* prepare()
        assert.lengthOf(yield* publications, 0)
        assert.deepInclude(handle, { sent: 10 * mebibyte, size: 21 * mebibyte })
        assert.deepStrictEqual(
          (yield* saved).map(({ sent }) => sent),
          [0, 10 * mebibyte]
        )
        assert.deepStrictEqual(JSON.parse(JSON.stringify(handle)), handle)
      })
    )

    it.effect("a video is resumed where it was, and where TikTok says that more has arrived", () =>
      Effect.gen(function* () {
        const { prepare, commit, outcome, saved, sent, network, username, publications } = yield* connected(
          { media: [clip(21 * mebibyte)] },
          "-pieces"
        )
        yield* prepare()
        const [begun] = yield* saved
        const again = yield* prepare(begun!)
        assert.deepInclude(again.handle, { sent: 10 * mebibyte })
        // A chunk, and one that TikTok refused saying what it had.
        assert.lengthOf(
          sent.filter(({ method }) => method === "PUT"),
          2
        )
        const chunks = (yield* network.requests(username)).filter(({ operation }) => operation === "media")
        assert.deepStrictEqual(
          chunks.map(({ status }) => status),
          [206]
        )
        const accepted = (yield* commit(again.handle)) as Accepted
        assert.strictEqual((yield* outcome(accepted.handle))._tag, "published")
        assert.lengthOf(yield* publications, 1)
      })
    )

    it.effect("a video is begun once more in other chunks where TikTok refuses those of the first init", () =>
      Effect.gen(function* () {
        const { publish, outcome, sent } = yield* connected({ media: [clip(21 * mebibyte)] }, "-pieces")
        assert.strictEqual((yield* outcome(yield* publish))._tag, "published")
        const initsOf = (requests: typeof sent) =>
          requests.flatMap(({ url, body }) =>
            url.endsWith("/video/init/") && body._tag === "Uint8Array"
              ? [JSON.parse(new TextDecoder().decode(body.body)).source_info]
              : []
          )
        const film = { source: "FILE_UPLOAD", video_size: 22_020_096 }
        assert.deepStrictEqual(initsOf(sent), [
          { ...film, chunk_size: 22_020_096, total_chunk_count: 1 },
          { ...film, chunk_size: 10_485_760, total_chunk_count: 2 }
        ])

        const long = yield* connected({ media: [clip(64_000_001)] }, "-whole")
        assert.deepInclude(yield* Effect.flip(long.prepare()), {
          class: "invalid",
          code: "chunk_size_invalid"
        })
        assert.lengthOf(initsOf(long.sent), 2)
      })
    )

    it.effect("a video has the link of the username that TikTok says, not of the one at connecting", () =>
      Effect.gen(function* () {
        const { publish, outcome, publications, url, username } = yield* connected({}, "-renamed")
        const found = yield* outcome(yield* publish)
        const { id } = (yield* publications)[0]!
        const now = username.replace("-renamed", "-named-anew")
        assert.deepInclude(found, {
          data: { id, url: `${url}/www.tiktok.com/@${now}/video/${id}`, username: now }
        })
      })
    )

    it.effect("a video is not begun where TikTok refuses with status 200", () =>
      Effect.gen(function* () {
        const { prepare, script, saved } = yield* connected()
        yield* script({ on: "upload_start", fault: "refuse", status: 200, code: "spam_risk_too_many_posts" })
        assert.deepInclude(yield* Effect.flip(prepare()), {
          class: "quota_exhausted",
          code: "spam_risk_too_many_posts"
        })
        assert.lengthOf(yield* saved, 0)
      })
    )

    it.effect("begins anew when its address has run out or is gone", () =>
      Effect.gen(function* () {
        const { prepare, commit, script, publications, saved } = yield* connected()
        yield* script({ on: "upload_start", fault: "short_lived", seconds: 0 })
        const { handle } = yield* prepare()
        const expired = yield* Effect.flip(commit(handle))
        assert.deepInclude(expired, { class: "transient", code: "upload_expired", discard_handle: true })
        const gone = { ...handle, upload_url: `${String(handle["upload_url"])}x` }
        const missing = yield* Effect.flip(commit(gone))
        assert.deepInclude(missing, { class: "transient", code: "upload_not_found", discard_handle: true })
        yield* commit((yield* prepare()).handle)
        assert.lengthOf(yield* publications, 1)
        assert.lengthOf(yield* saved, 2)
      })
    )

    it.effect("a video that TikTok gives up after a while was refused, and is not there", () =>
      Effect.gen(function* () {
        const reason = "frame_rate_check_failed"
        const { publish, outcome, reconcile, script, publications } = yield* connected()
        yield* script({ on: "post", fault: "processing", polls: 2, becomes: "failed", reason })
        const handle = yield* publish
        assert.strictEqual((yield* reconcile(handle))._tag, "working")
        const found = yield* outcome(handle)
        assert.strictEqual(found._tag, "refused")
        if (found._tag !== "refused") return
        assert.deepInclude(found.failure, { class: "media_rejected", code: reason })
        assert.lengthOf(yield* publications, 0)
      })
    )

    it.effect("a video that is live and has no public id yet is waited for, but not for ever", () =>
      Effect.gen(function* () {
        const { publish, reconcile, username } = yield* connected({}, "-moderated")
        const handle = yield* publish
        yield* reconcile(handle)
        const first = yield* reconcile(handle)
        assert.strictEqual(first._tag, "working")
        const long = { ...handle, complete_at: -120_000 }
        assert.deepStrictEqual(yield* reconcile(long), {
          _tag: "published",
          data: { id: String(handle["publish_id"]), url: null, username }
        })
      })
    )

    it.effect("reaches the inbox as a draft: no more than the file", () =>
      Effect.gen(function* () {
        const { publish, outcome, publications, network, username } = yield* connected({
          options: { draft: true, privacy_level: "PUBLIC_TO_EVERYONE", is_aigc: true }
        })
        const handle = yield* publish
        assert.deepStrictEqual(yield* outcome(handle), {
          _tag: "published",
          data: { id: String(handle["publish_id"]), url: null, username }
        })
        assert.deepInclude((yield* publications)[0], { text: "", details: { inbox: true } })
        const asked = (yield* network.requests(username)).map(({ operation }) => operation)
        assert.notInclude(asked, "creator_info")
      })
    )

    it.effect("longer than the account may post is refused before anything is sent", () =>
      Effect.gen(function* () {
        const { prepare, saved } = yield* connected({ media: [{ ...clip(), duration_ms: 180_001 }] })
        assert.deepInclude(yield* Effect.flip(prepare()), {
          class: "media_rejected",
          code: "duration_check_failed"
        })
        assert.lengthOf(yield* saved, 0)
      })
    )
  })

  describe("the audience", () => {
    const levelOf = Effect.fnUntraced(function* (
      options: PublishRequest["options"],
      ending = "",
      default_privacy_level: string | null = null
    ) {
      const { publish, publications } = yield* connected({ options, default_privacy_level }, ending)
      yield* publish
      return (yield* publications)[0]!.details!["privacy_level"]
    })

    it.effect("the audience is everyone where nothing was said, or the widest that the account has", () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* levelOf({}), "PUBLIC_TO_EVERYONE")
        assert.strictEqual(yield* levelOf({}, "-private"), "FOLLOWER_OF_CREATOR")
        assert.strictEqual(yield* levelOf({}, "-self"), "SELF_ONLY")
      })
    )

    it.effect(
      "the audience is the account's default where nothing was said, which what was said outweighs",
      () =>
        Effect.gen(function* () {
          assert.strictEqual(yield* levelOf({}, "", "MUTUAL_FOLLOW_FRIENDS"), "MUTUAL_FOLLOW_FRIENDS")
          assert.strictEqual(
            yield* levelOf({ privacy_level: "SELF_ONLY" }, "", "MUTUAL_FOLLOW_FRIENDS"),
            "SELF_ONLY"
          )
        })
    )

    it.effect(
      "the audience is never wider than a default that TikTok no longer offers, or that does not fit",
      () =>
        Effect.gen(function* () {
          const narrowed = yield* connected({ default_privacy_level: "PUBLIC_TO_EVERYONE" }, "-private")
          const error = yield* Effect.flip(narrowed.prepare())
          assert.deepInclude(error, { class: "invalid", code: "privacy_level_option_mismatch" })
          assert.match(error.message, /no longer offers the account's default audience, PUBLIC_TO_EVERYONE/)
          const branded = yield* connected({
            default_privacy_level: "SELF_ONLY",
            options: { disclose_branded_content: true }
          })
          assert.match((yield* Effect.flip(branded.prepare())).message, /cannot be used with branded content/)
        })
    )

    it.effect("the audience is what was named, in either spelling", () =>
      Effect.gen(function* () {
        assert.strictEqual(
          yield* levelOf({ privacy_level: "MUTUAL_FOLLOW_FRIENDS" }),
          "MUTUAL_FOLLOW_FRIENDS"
        )
        assert.strictEqual(yield* levelOf({ privacy_status: "private" }), "SELF_ONLY")
        assert.strictEqual(yield* levelOf({ privacy_status: "public" }), "PUBLIC_TO_EVERYONE")
      })
    )

    it.effect.each([
      [{ privacy_level: "PUBLIC_TO_EVERYONE" }, "-private"],
      [{ privacy_status: "public" }, "-self"],
      [{ disclose_branded_content: true }, "-self"]
    ] as const)("refuses %j of an account %s", ([options, ending]) =>
      Effect.gen(function* () {
        const { prepare } = yield* connected({ options }, ending)
        assert.deepInclude(yield* Effect.flip(prepare()), {
          class: "invalid",
          code: "privacy_level_option_mismatch"
        })
      })
    )

    it.effect("a video has no comments, duets and stitches where the account has switched them off", () =>
      Effect.gen(function* () {
        const { publish, publications } = yield* connected({ options: { allow_comment: true } }, "-quiet")
        yield* publish
        assert.deepInclude((yield* publications)[0]!.details, {
          disable_comment: true,
          disable_duet: true,
          disable_stitch: true
        })
      })
    )
  })

  describe("photos", () => {
    it.effect("photos are fetched by TikTok and go out with title, cover and label", () =>
      Effect.gen(function* () {
        const { publish, outcome, publications, url, username } = yield* connected({
          media: yield* photos,
          caption: "Two bells",
          options: { title: "Bells", photo_cover_index: 1, is_aigc: true, auto_add_music: true }
        })
        const found = yield* outcome(yield* publish)
        const [publication] = yield* publications
        assert.deepInclude(publication, {
          title: "Bells",
          text: "Two bells",
          details: {
            privacy_level: "PUBLIC_TO_EVERYONE",
            auto_add_music: true,
            photo_cover_index: 1,
            is_aigc: true
          }
        })
        assert.lengthOf(publication!.media, 2)
        assert.deepInclude(found, {
          data: {
            id: publication!.id,
            url: `${url}/www.tiktok.com/@${username}/photo/${publication!.id}`,
            username
          }
        })
      })
    )

    it.effect("reach the inbox with their words", () =>
      Effect.gen(function* () {
        const { publish, outcome, publications } = yield* connected({
          media: yield* photos,
          caption: "Two bells",
          options: { draft: true, title: "Bells", allow_comment: false }
        })
        assert.deepNestedInclude(yield* outcome(yield* publish), { _tag: "published", "data.url": null })
        assert.deepInclude((yield* publications)[0], {
          title: "Bells",
          text: "Two bells",
          details: { photo_cover_index: 0, inbox: true }
        })
      })
    )

    it.effect("photos that TikTok could not fetch are tried again from the start", () =>
      Effect.gen(function* () {
        const { publish, outcome } = yield* connected({
          media: [image("a", { public_url: Effect.succeed("http://127.0.0.1:1/a.jpg") })]
        })
        const found = yield* outcome(yield* publish)
        assert.deepNestedInclude(found, { _tag: "refused", "failure.class": "media_unreachable" })
      })
    )
  })

  describe("on the wire", () => {
    /** Method, address, the headers that count, and the JSON of each request. */
    const transcript = (sent: ReadonlyArray<HttpClientRequest.HttpClientRequest>, origin: string) =>
      sent.map(({ method, url, headers, body }) => ({
        call: `${method} ${url
          .replace(`${origin}/`, "https://")
          .replace(/upload_id=.*/, "upload_id=…&upload_token=…")}`,
        ...("contentType" in body ? { type: body.contentType } : {}),
        ...(headers["authorization"] === undefined ? {} : { bearer: true }),
        ...(headers["content-range"] === undefined ? {} : { range: headers["content-range"] }),
        ...(body._tag === "Uint8Array" && body.contentType.startsWith("application/json")
          ? { body: JSON.parse(new TextDecoder().decode(body.body)) }
          : {})
      }))

    const settle = (json: unknown) =>
      JSON.parse(JSON.stringify(json).replaceAll(/[vp]_(pub|inbox)_(file|url)~v2-1\.\d+/g, "the-publish-id"))

    it.effect("a video is the documented requests, in their order", () =>
      Effect.gen(function* () {
        const { publish, reconcile, url, sent } = yield* connected({
          media: [clip(11 * mebibyte)],
          caption: "Bells #ring",
          options: { video_cover_timestamp_ms: 900, allow_duet: false }
        })
        yield* reconcile(yield* publish)
        assert.deepStrictEqual(settle(transcript(sent, url)), videoTranscript)
      })
    )

    it.effect("photos are the documented requests, in their order", () =>
      Effect.gen(function* () {
        const media = [image("a"), image("b")]
        const { publish, reconcile, url, sent } = yield* connected({
          media,
          caption: "Two bells",
          options: { title: "Bells", is_aigc: false }
        })
        yield* reconcile(yield* publish)
        assert.deepStrictEqual(settle(transcript(sent, url)), photoTranscript)
      })
    )
  })
})
