import type { Fault } from "@carillon/sandbox/testing"
import type { Handle } from "@carillon/server/engine/Handle"
import { Accepted, PublishError, type PublishRequest } from "@carillon/server/platforms/Platform"
import { metadataOf } from "@carillon/server/platforms/youtube/Metadata"
import type { Quota } from "@carillon/server/platforms/youtube/Quota"
import { makeYouTube } from "@carillon/server/platforms/youtube/YouTube"
import { SharedSandbox } from "@carillon/testing/SharedService"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it as test, layer } from "@effect/vitest"
import { Data, DateTime, Effect, Fiber, Layer, Redacted, Stream } from "effect"
import { HttpClient } from "effect/http"
import { createHash } from "node:crypto"
import { adapters } from "./Adapters.ts"
import { publisher, somebody } from "./Publisher.ts"
import { scriptedServer } from "./ScriptedServer.ts"
import { image, live, request, video } from "./TestRequest.ts"

const mebibyte = 1024 * 1024
const chunk = new Uint8Array(mebibyte).map((_, index) => index % 253)

/** A video of so many mebibytes and a few bytes more. */
const film = (mebibytes: number) => {
  const tail = new Uint8Array([1, 2, 3])
  const bytes = [...Array.from({ length: mebibytes }, () => chunk), tail]
  return {
    media: video("film", Stream.fromIterable(bytes), mebibytes * mebibyte + 3),
    sha256: createHash("sha256").update(Buffer.concat(bytes)).digest("hex")
  }
}

const scopes = ["youtube.upload", "youtube.readonly", "youtube.force-ssl", "youtube"].map(
  (name) => `https://www.googleapis.com/auth/${name}`
)
/** An account of its own with what is needed to publish for it, and what it took of the quota. */
const connected = Effect.fn(function* (
  values: Partial<PublishRequest> = {},
  granted: ReadonlyArray<string> = scopes,
  ending = ""
) {
  const taken: Array<readonly [string, number]> = []
  const take: Quota["Service"]["take"] = (_, bucket, cost) =>
    Effect.sync(() => void taken.push([bucket, cost]))
  const own = yield* publisher(
    { ...adapters.youtube, ending, make: (client, app) => makeYouTube(client, app, { take }) },
    { caption: "Evening bells\nRecorded in the valley", media: [film(1).media], ...values },
    { granted }
  )
  const token = (Redacted.value(own.credentials) as { readonly access_token: string }).access_token
  return {
    ...own,
    taken,
    /** As YouTube shows it to its owner. */
    resource: (id: string) =>
      Effect.promise(async () => {
        const query = `part=snippet,status,processingDetails&id=${id}`
        const answer = await fetch(`${own.url}/www.googleapis.com/youtube/v3/videos?${query}`, {
          headers: { authorization: `Bearer ${token}` }
        })
        return ((await answer.json()) as { items: Array<any> }).items[0]
      }),
    /** What was asked of it: method, path without secrets, status. */
    transcript: Effect.map(own.requests, (requests) =>
      requests.map(({ method, path, status, outcome }) => [method, path, status ?? outcome].join(" "))
    )
  }
})

class Interrupted extends Data.TaggedError("Interrupted") {}

layer(Layer.merge(SharedSandbox, NodeHttpClient.layerUndici))("YouTube", (it) => {
  describe("connect and refresh", () => {
    it.effect("asks for lasting access to uploads, with PKCE", () =>
      Effect.gen(function* () {
        const { pathname, searchParams } = (yield* somebody(adapters.youtube)).page!
        assert.isTrue(pathname.endsWith("/accounts.google.com/o/oauth2/v2/auth"))
        assert.deepStrictEqual(Object.fromEntries(searchParams), {
          client_id: "1234-app.apps.googleusercontent.com",
          redirect_uri: "http://127.0.0.1:9/oauth/callback/youtube",
          response_type: "code",
          scope: scopes.join(" "),
          access_type: "offline",
          prompt: "consent",
          include_granted_scopes: "true",
          code_challenge: createHash("sha256").update("v".repeat(64)).digest("base64url"),
          code_challenge_method: "S256",
          state: "state"
        })
      })
    )

    it.effect("connects the channel, and nobody without one", () =>
      Effect.gen(function* () {
        const { account, username } = yield* connected({}, scopes.slice(0, 2))
        assert.match(account.remote_id, /^UC[\w-]{22}$/)
        assert.strictEqual(account.username, username)
        assert.isTrue(URL.canParse(account.avatar_url!))
        assert.isNotNull(account.token_expires_at)
        const channelless = yield* somebody({ ...adapters.youtube, ending: "-nochannel" })
        assert.strictEqual((yield* Effect.flip(channelless.exchange())).code, "no_accounts")
      })
    )

    // https://developers.google.com/identity/protocols/oauth2/web-server#exchange-authorization-code
    it.effect("knows when the access ends for good where Google says it, and nothing of it otherwise", () =>
      Effect.gen(function* () {
        const answer = { access_token: "new", expires_in: 3599, scope: "" }
        const ends = Effect.fnUntraced(function* (json: object) {
          const { url } = yield* scriptedServer(() => ({ status: 200, json }))
          const app = { id: "1", secret: Redacted.make("sandbox"), at: () => url, stand_in: true }
          const platform = makeYouTube(yield* HttpClient.HttpClient, app, { take: () => Effect.void })
          const credentials = Redacted.make({ access_token: "old", refresh_token: "lasting", scope: "" })
          return (yield* platform.refresh(credentials)).access_expires_at
        })
        const now = yield* DateTime.now
        assert.deepStrictEqual(
          yield* ends({ ...answer, refresh_token_expires_in: 604_799 }),
          DateTime.add(now, { seconds: 604_799 })
        )
        assert.isUndefined(yield* ends(answer))
      }).pipe(Effect.scoped)
    )

    it.effect("keeps the refresh token, and asks to connect again once it is revoked", () =>
      Effect.gen(function* () {
        const { platform, url, credentials, post } = yield* connected()
        const renewed = yield* platform.refresh(credentials)
        const again = yield* platform.refresh(renewed.credentials)
        const { handle } = yield* platform.prepare(post, again.credentials, null, () => Effect.void)
        assert.isString(live(yield* platform.commit(post, again.credentials, handle)).id)
        const { refresh_token } = Redacted.value(credentials) as { readonly refresh_token: string }
        yield* Effect.promise(() =>
          fetch(`${url}/oauth2.googleapis.com/revoke?token=${refresh_token}`, { method: "POST" })
        )
        const error = yield* Effect.flip(platform.refresh(again.credentials))
        assert.deepInclude(error, { class: "reconnect", code: "invalid_grant" })
        assert.notInclude(JSON.stringify(error), refresh_token)
      })
    )
  })

  describe("publish", () => {
    it.effect("makes these requests and no others", () =>
      Effect.gen(function* () {
        const { media, sha256 } = film(20)
        const { transcript, publications, prepare, commit, account, username, taken, resource } =
          yield* connected({
            media: [media],
            options: { notify_subscribers: false }
          })
        const prepared = yield* prepare()
        assert.strictEqual(prepared._tag, "ready")
        assert.lengthOf(yield* publications, 0)
        const data = live(yield* commit(prepared.handle))

        const api = "/www.googleapis.com/youtube/v3"
        const uploads = "/www.googleapis.com/upload/youtube/v3/videos"
        const query = "?uploadType=resumable&part=snippet%2Cstatus&notifySubscribers=false"
        const put = `PUT ${uploads}${query}&upload_id=…`
        assert.deepStrictEqual(yield* transcript, [
          // The code for tokens, then the channel: https://developers.google.com/youtube/v3/guides/auth/server-side-web-apps
          "POST /oauth2.googleapis.com/token 200",
          `GET ${api}/channels?part=snippet&mine=true 200`,
          // The session: https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol
          `POST ${uploads}${query} 200`,
          // 8 MiB, 8 MiB, and what is left but the last 3 bytes.
          `${put} 308`,
          `${put} 308`,
          `${put} 308`,
          // The commit: the last byte makes the video.
          `${put} 201`
        ])
        assert.deepStrictEqual(taken, [
          ["units", 1],
          ["uploads", 1]
        ])
        const [publication, ...others] = yield* publications
        assert.lengthOf(others, 0)
        assert.strictEqual(publication!.media[0]!.sha256, sha256)
        assert.deepStrictEqual(data.username, username)
        assert.isTrue(data.url!.endsWith(`/www.youtube.com/watch?v=${data.id}`))
        assert.deepNestedInclude(yield* resource(data.id), {
          id: data.id,
          "snippet.channelId": account.remote_id,
          "snippet.title": "Evening bells",
          "snippet.description": "Evening bells\nRecorded in the valley",
          "status.privacyStatus": "public"
        })
      })
    )

    it.effect("carries out every option", () =>
      Effect.gen(function* () {
        const { prepare, commit, resource, platform, post, credentials, transcript } = yield* connected({
          cover: image("cover"),
          options: {
            title: "A title",
            description: "A description",
            tags: ["bells", "two words"],
            category_id: "27",
            privacy_status: "unlisted",
            made_for_kids: true,
            contains_synthetic_media: true,
            playlist_ids: ["PLone", "PLtwo"]
          }
        })
        const { handle } = yield* prepare()
        const data = live(yield* commit(handle))
        yield* platform.confirm(post, credentials, handle, data)
        yield* platform.confirm(post, credentials, handle, data)
        const { snippet, status } = yield* resource(data.id)
        assert.deepInclude(snippet, {
          title: "A title",
          description: "A description",
          tags: ["bells", "two words"],
          categoryId: "27"
        })
        assert.isString(snippet.thumbnails.default.url)
        assert.deepInclude(status, {
          privacyStatus: "unlisted",
          selfDeclaredMadeForKids: true,
          containsSyntheticMedia: true
        })
        const inserted = (yield* transcript).filter(
          (line) => line.startsWith("POST") && line.includes("playlistItems")
        )
        assert.lengthOf(inserted, 2)
      })
    )

    it.effect.each([
      ["a frame of the video as the thumbnail", null, "frame", 0],
      ["a named image rather than a frame", image("named"), "image named", 0],
      ["no thumbnail, and says why, when no frame can be cut", null, null, 1]
    ] as const)("a video is published with %s", ([, cover, expected, warned]) =>
      Effect.gen(function* () {
        let cuts = 0
        const cut = Effect.suspend(() => {
          cuts += 1
          return expected === null
            ? Effect.fail(
                new PublishError({ class: "config", code: "frame_not_cut", message: "There is no ffmpeg." })
              )
            : Effect.succeed({ bytes: new TextEncoder().encode("frame"), mime_type: "image/jpeg" })
        })
        const { url, prepare, commit, resource, platform, post, credentials } = yield* connected({
          cover,
          cover_frame: cut
        })
        const { handle } = yield* prepare()
        // Before the commit, which does not wait for it then.
        assert.strictEqual(cuts, 1)
        const data = live(yield* commit(handle))
        const { warnings = [] } = yield* platform.confirm(post, credentials, handle, data)
        assert.lengthOf(warnings, warned)
        const { thumbnails } = (yield* resource(data.id)).snippet
        if (expected === null) return assert.deepStrictEqual(thumbnails, {})
        const sent = yield* Effect.promise(() => fetch(`${url}/${thumbnails.default.url}`))
        assert.strictEqual(yield* Effect.promise(() => sent.text()), expected)
      })
    )

    it.effect(
      "a video is published without its thumbnail, and says so, when the image cannot be read any more",
      () =>
        Effect.gen(function* () {
          let reads = 0
          const named = image("gone")
          const cover = {
            ...named,
            image: Effect.suspend(() =>
              reads++ === 0 ? named.image : Effect.die(new Error("The store is away."))
            )
          }
          const { prepare, commit, resource, platform, post, credentials } = yield* connected({ cover })
          const { handle } = yield* prepare()
          const data = live(yield* commit(handle))
          const { warnings = [] } = yield* platform.confirm(post, credentials, handle, data)
          assert.deepStrictEqual(warnings, [
            "The thumbnail could not be set. The service could not read the image. Tell the operator."
          ])
          assert.deepStrictEqual((yield* resource(data.id)).snippet.thumbnails, {})
        })
    )

    it.effect("calls an upright video of three minutes at most a Short", () =>
      Effect.gen(function* () {
        const upright = { ...film(1).media, width: 1080, height: 1920, duration_ms: 180_000 }
        const { prepare, commit } = yield* connected({ media: [upright] })
        const { url, id } = live(yield* commit((yield* prepare()).handle))
        assert.isTrue(url!.endsWith(`/shorts/${id}`))
      })
    )

    it.effect("holds the last byte back even of a small file", () =>
      Effect.gen(function* () {
        const tiny = video("tiny", Stream.succeed(new Uint8Array([7])), 1)
        const { prepare, commit, publications } = yield* connected({ media: [tiny] })
        const { handle } = yield* prepare()
        assert.lengthOf(yield* publications, 0)
        yield* commit(handle)
        assert.lengthOf(yield* publications, 1)
      })
    )

    it.effect("goes on where it was after an end in the middle, and sends nothing twice", () =>
      Effect.gen(function* () {
        const { media, sha256 } = film(24)
        const { platform, post, credentials, prepare, commit, publications, transcript } = yield* connected({
          media: [media]
        })
        let handle: Handle | null = null
        let saves = 0
        const ended = yield* Effect.flip(
          platform.prepare(post, credentials, null, (next) => {
            handle = JSON.parse(JSON.stringify(next))
            return ++saves === 3
              ? (new Interrupted() as unknown as Effect.Effect<never, PublishError>)
              : Effect.void
          })
        )
        assert.strictEqual((ended as unknown as Interrupted)._tag, "Interrupted")
        const prepared = yield* prepare(handle)
        yield* commit(prepared.handle)
        const puts = (yield* transcript).filter((line) => line.startsWith("PUT"))
        // Two chunks, the probe, the one that was left, the commit.
        assert.lengthOf(puts, 5)
        const [publication, ...others] = yield* publications
        assert.lengthOf(others, 0)
        assert.strictEqual(publication!.media[0]!.sha256, sha256)
      })
    )
  })

  describe("what goes wrong", () => {
    it.effect(
      "a quota that is used up comes back at midnight Pacific Time, by the clock of the test at eight",
      () =>
        Effect.gen(function* () {
          const { prepare, script } = yield* connected()
          yield* script({ on: "upload_start", fault: "refuse", status: 403, code: "quotaExceeded" })
          const error = yield* Effect.flip(prepare())
          assert.strictEqual(error.class, "quota_exhausted")
          assert.strictEqual(DateTime.formatIso(error.retry_at!), "1970-01-01T08:00:00.000Z")
        })
    )

    it.effect.each(["media", "post"] as const)("begins anew when the session is gone at %s", (on) =>
      Effect.gen(function* () {
        const { prepare, commit, script, publications } = yield* connected()
        yield* script({ on, fault: "refuse", status: 404, code: "notFound" })
        const error = yield* Effect.flip(Effect.flatMap(prepare(), ({ handle }) => commit(handle)))
        assert.deepInclude(error, { class: "transient", discard_handle: true })
        yield* commit((yield* prepare()).handle)
        assert.lengthOf(yield* publications, 1)
      })
    )

    it.effect("refuses playlists that were not granted before anything is sent", () =>
      Effect.gen(function* () {
        const { prepare, transcript } = yield* connected(
          { options: { playlist_ids: ["PLone"] } },
          scopes.slice(0, 2)
        )
        const error = yield* Effect.flip(prepare())
        assert.deepInclude(error, { class: "forbidden", code: "playlists_not_granted" })
        assert.lengthOf(yield* transcript, 2)
      })
    )

    it.effect("publishes all the same when the thumbnail or a playlist is refused", () =>
      Effect.gen(function* () {
        const { platform, post, credentials, prepare, commit, script, resource, transcript } =
          yield* connected({
            cover: image("cover"),
            options: { playlist_ids: ["nobody's", "PLmine"] }
          })
        yield* script({ on: "thumbnail", fault: "forbidden" })
        const { handle } = yield* prepare()
        const data = live(yield* commit(handle))
        const { warnings = [], ...rest } = yield* platform.confirm(post, credentials, handle, data)
        assert.deepStrictEqual(rest, data)
        assert.deepStrictEqual(
          warnings.map((warning) => /^The (.+?) could not be set\. YouTube .+$/.exec(warning)?.[1]),
          ["thumbnail", "playlist nobody's"]
        )
        assert.strictEqual(
          (yield* transcript).at(-1),
          "POST /www.googleapis.com/youtube/v3/playlistItems?part=snippet 200"
        )
        assert.deepStrictEqual((yield* resource(data.id)).snippet.thumbnails, {})
      })
    )
  })

  describe("after a commit that stayed open", () => {
    it.effect("believes that a session is gone only as long as sessions surely live", () =>
      Effect.gen(function* () {
        const { prepare, reconcile, script } = yield* connected()
        const { handle } = yield* prepare()
        const gone: Fault = { on: "post_search", fault: "refuse", status: 404, code: "notFound", times: 2 }
        yield* script(gone)
        assert.deepStrictEqual(yield* reconcile(handle), { _tag: "not_published" })
        const old = { ...handle, started_at: "1969-12-20T00:00:00.000Z" }
        assert.deepStrictEqual(yield* reconcile(old), { _tag: "unknown" })
      })
    )

    it.effect("sees to thumbnail and playlists that the lost process did not", () =>
      Effect.gen(function* () {
        const { prepare, commit, reconcile, script, resource } = yield* connected({ cover: image("cover") })
        const { handle } = yield* prepare()
        yield* script({ on: "post", fault: "effect_then_lost_reply" })
        yield* Effect.flip(commit(handle))
        const found = yield* reconcile(handle)
        assert.strictEqual(found._tag, "published")
        const id = found._tag === "published" ? found.data.id : ""
        assert.isString((yield* resource(id)).snippet.thumbnails.default.url)
      })
    )
  })

  describe("while YouTube works on the video", () => {
    const accepted = Effect.fn(function* (
      fault: Omit<Extract<Fault, { fault: "processing" }>, "on" | "fault">
    ) {
      const account = yield* connected()
      yield* account.script({ on: "post", fault: "processing", ...fault })
      const done = yield* account.commit((yield* account.prepare()).handle)
      assert.instanceOf(done, Accepted)
      return { ...account, handle: (done as Accepted).handle }
    })

    it.effect("asks until it is done", () =>
      Effect.gen(function* () {
        const { handle, reconcile } = yield* accepted({ polls: 1 })
        const first = yield* reconcile(handle)
        assert.strictEqual(first._tag, "working")
        const second = yield* reconcile(first._tag === "working" ? first.handle : {})
        assert.strictEqual(second._tag, "published")
      })
    )

    // https://developers.google.com/youtube/v3/revision_history (3 November 2026)
    describe("on a Short", () => {
      const upright = { ...film(1).media, width: 1080, height: 1920, duration_ms: 60_000 }
      const uploaded = Effect.fnUntraced(function* (polls: number) {
        const account = yield* connected(
          { media: [upright], cover: image("cover"), options: { playlist_ids: ["PLone"] } },
          scopes,
          "-shorts"
        )
        if (polls > 0) yield* account.script({ on: "post", fault: "processing", polls })
        const { handle } = yield* account.prepare()
        return { ...account, handle, done: yield* account.commit(handle) }
      })
      const thumbnails = (lines: ReadonlyArray<string>) =>
        lines.filter((line) => line.includes("thumbnails/set"))

      it.effect("sends its thumbnail only when the video is processed, once, and it is there", () =>
        Effect.gen(function* () {
          const { done, reconcile, resource, transcript } = yield* uploaded(2)
          let handle = (done as Accepted).handle
          for (let look = 0; look < 2; look++) {
            const seen = yield* reconcile(handle)
            assert.strictEqual(seen._tag, "working")
            if (seen._tag === "working") handle = seen.handle
          }
          assert.deepStrictEqual(thumbnails(yield* transcript), [])
          const last = yield* reconcile(handle)
          assert.strictEqual(last._tag, "published")
          const data = last._tag === "published" ? last.data : undefined
          assert.notProperty(data, "warnings")
          assert.lengthOf(thumbnails(yield* transcript), 1)
          assert.isString((yield* resource(data!.id)).snippet.thumbnails.default.url)
        })
      )

      it.effect("sends it at once where the video is processed at once", () =>
        Effect.gen(function* () {
          const { platform, post, credentials, handle, done, resource } = yield* uploaded(0)
          const data = live(done)
          yield* platform.confirm(post, credentials, handle, data)
          assert.isString((yield* resource(data.id)).snippet.thumbnails.default.url)
        })
      )

      it.effect("says that it is missing where the processing does not end", () =>
        Effect.gen(function* () {
          const { done, reconcile, transcript } = yield* uploaded(5)
          const { handle } = done as Accepted
          const last = yield* reconcile({ ...handle, finished: true, looks: 13 })
          assert.strictEqual(last._tag, "published")
          const { warnings = [] } = last._tag === "published" ? last.data : {}
          assert.match(warnings.join(), /^The thumbnail could not be set\. .+ Set it in YouTube Studio\.$/)
          assert.deepStrictEqual(thumbnails(yield* transcript), [])
        })
      )
    })

    it.effect("sends the thumbnail of a video that is no Short before it is processed", () =>
      Effect.gen(function* () {
        const { script, prepare, commit, reconcile, resource } = yield* connected({ cover: image("cover") })
        yield* script({ on: "post", fault: "processing", polls: 3 })
        const { handle } = (yield* commit((yield* prepare()).handle)) as Accepted
        assert.strictEqual((yield* reconcile(handle))._tag, "working")
        assert.isString((yield* resource(String(handle["video"]))).snippet.thumbnails.default.url)
      })
    )

    it.effect("says that YouTube keeps a video private that was to be seen", () =>
      Effect.gen(function* () {
        const { platform, post, credentials, prepare, commit } = yield* connected({}, scopes, "-private")
        const { handle } = yield* prepare()
        const data = live(yield* commit(handle))
        const { warnings = [] } = yield* platform.confirm(post, credentials, handle, data)
        assert.deepStrictEqual(warnings, [
          "YouTube made the video private instead of public. Change it in YouTube Studio."
        ])
      })
    )

    it.effect.each([
      ["duplicate", "rejected"],
      ["length", "rejected"],
      ["codec", "failed"]
    ] as const)("says that it was not kept: %s", ([reason, status]) =>
      Effect.gen(function* () {
        const { handle, reconcile } = yield* accepted({ polls: 1, becomes: "failed", reason })
        const first = yield* reconcile(handle)
        const second = yield* reconcile(first._tag === "working" ? first.handle : {})
        assert.strictEqual(second._tag, "refused")
        const failure = second._tag === "refused" ? second.failure : undefined
        assert.deepInclude(failure, { class: "media_rejected", code: reason })
        assert.include(failure!.message, status)
      })
    )

    it.effect("takes a video that is long in work, or cannot be looked at, for published", () =>
      Effect.gen(function* () {
        const { handle, reconcile, script } = yield* accepted({ polls: 1000 })
        yield* script({ on: "media_status", fault: "server_error_before", times: 1000 })
        let next = yield* reconcile(handle)
        let looks = 1
        while (next._tag === "working") {
          next = yield* reconcile(next.handle)
          looks += 1
        }
        assert.deepStrictEqual([next._tag, looks], ["published", 14])
      })
    )
  })

  it.effect("lets itself be interrupted while it uploads", () =>
    Effect.gen(function* () {
      const endless = Stream.never as Stream.Stream<Uint8Array>
      const { prepare } = yield* connected({ media: [video("stuck", endless, 10 * mebibyte)] })
      const fiber = yield* Effect.forkChild(prepare(), { startImmediately: true })
      yield* Fiber.interrupt(fiber)
    })
  )
})

describe("the title of a video", () => {
  const titleOf = (values: Partial<PublishRequest>) =>
    metadataOf(request({ media: [film(1).media], ...values })).snippet.title

  test("the title of a video is the one that the post gives", () => {
    assert.strictEqual(titleOf({ caption: "A caption", options: { title: "A title" } }), "A title")
  })
  test("the title of a video without one is the caption's first line that says something", () => {
    assert.strictEqual(titleOf({ caption: "\n  \r\n Bells \nand more" }), "Bells")
  })
  test("the title of a video is cut between words to 100 characters", () => {
    const title = titleOf({ caption: "bells and ".repeat(20) })
    assert.isAtMost([...title].length, 100)
    assert.match(title, /^(bells and )+(bells|bells and)…$/)
    assert.strictEqual([...titleOf({ caption: "🔔".repeat(150) })].length, 100)
  })
  test("the title of a video without a title or caption is the name of the file", () => {
    assert.strictEqual(titleOf({ caption: "" }), "film")
  })
})
