import { type Fault, SandboxProcess } from "@carillon/sandbox/testing"
import type { Handle } from "@carillon/server/engine/Handle"
import type { PublishRequest } from "@carillon/server/platforms/Platform"
import { SharedSandbox } from "@carillon/testing/SharedService"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer, Redacted, Schedule, Stream } from "effect"
import { HttpClient } from "effect/http"
import { stat } from "node:fs/promises"
import { join } from "node:path"
import { adapters } from "./Adapters.ts"
import { mediaHost } from "./MediaHost.ts"
import { publisher, somebody } from "./Publisher.ts"
import { scriptedServer } from "./ScriptedServer.ts"
import { image, live, noneTaken, request, video } from "./TestRequest.ts"

const ofLogin = { instagram: adapters.instagram, facebook: adapters.instagram_facebook }

const Network = Layer.merge(SharedSandbox, NodeHttpClient.layerUndici)

/** `POST graph.instagram.com/v25.0/{ig}/media caption=… image_url=…`: what went over the wire, without what changes. */
const recording = (client: HttpClient.HttpClient, base: string, seen: Array<string>) =>
  HttpClient.tapRequest(client, (sent) =>
    Effect.sync(() => {
      const url = new URL(sent.url.slice(base.length + 1), "https://x")
      const query = Object.fromEntries(sent.urlParams)
      const form =
        sent.body._tag === "Uint8Array"
          ? Object.fromEntries(new URLSearchParams(Buffer.from(sent.body.body).toString()))
          : {}
      const headers = Object.entries(sent.headers).filter(([name]) => ["offset", "file_size"].includes(name))
      const fields = { ...query, ...form, ...Object.fromEntries(headers) }
      const words = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
      seen.push(
        [sent.method, url.pathname.slice(1), ...words]
          .join(" ")
          .replaceAll(/\b\d{17}\b/g, "{id}")
          .replaceAll(/\b75\d{17}\b/g, "{media}")
          .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "{host}")
      )
    })
  )

const connected = Effect.fnUntraced(function* (
  values: Partial<PublishRequest> = {},
  login: "instagram" | "facebook" = "instagram",
  ending = ""
) {
  const { url } = yield* mediaHost
  const seen: Array<string> = []
  const at = (name: string) => Effect.succeed(`${url}/${name}`)
  const own = yield* publisher(
    { ...ofLogin[login], ending },
    {
      ...values,
      media: (values.media ?? [image("a")]).map((one) => ({
        ...one,
        public_url: at(one.kind === "video" ? "film.mp4" : "image.jpg")
      })),
      cover: values.cover ? { ...values.cover, public_url: at("cover.jpg") } : null
    },
    { through: (client, base) => recording(client, base, seen) }
  )
  const prepare = own.prepare()
  const whole = Effect.flatMap(prepare, ({ handle }) => Effect.map(own.commit(handle), live))
  return { ...own, seen, prepare, whole }
})

const until = <A>(read: Effect.Effect<A>, wanted: (value: A) => boolean) =>
  read.pipe(
    Effect.filterOrFail(wanted, () => "not yet"),
    Effect.retry({ schedule: Schedule.spaced("20 millis") }),
    Effect.orDie
  )

const film = (size = 10) => video("v", Stream.succeed(new Uint8Array(size).fill(7)), size)

/**
 * Written from Meta's documents, below https://developers.facebook.com/docs/instagram-platform: `content-publishing` and
 * `instagram-graph-api/reference/ig-user/media` for the requests, `content-publishing/resumable-uploads` for those with bytes,
 * `instagram-graph-api/reference/ig-container` for what becomes of them, `instagram-graph-api/reference/error-codes` for refusals,
 * `instagram-api-with-instagram-login/business-login` for tokens.
 */
layer(Network, { excludeTestServices: true })("Instagram's adapter", (it) => {
  it.effect("sends the requests of the documents for a picture", () =>
    Effect.gen(function* () {
      const options = {
        collaborators: ["bea"],
        user_tags: [{ username: "cal", x: 0.1, y: 0.2 }, { username: "dee" }],
        location_id: "42",
        is_aigc: true
      }
      const { seen, whole, platform, post, credentials, account } = yield* connected({
        options,
        media: [image("a", { alt_text: "A bell" })]
      })
      seen.length = 0
      const data = yield* whole
      const { url } = yield* platform.confirm(post, credentials, {}, data)
      assert.include(url, data.id)
      yield* platform.comments!.create({ ...account, text: "First", post: data }, credentials)
      assert.deepStrictEqual(seen, [
        `POST graph.instagram.com/v25.0/{id}/media caption=Hello collaborators=["bea"] location_id=42 is_ai_generated=true ` +
          `user_tags=[{"username":"cal","x":0.1,"y":0.2},{"username":"dee","x":0.5,"y":0.5}] alt_text=A bell image_url={host}/image.jpg`,
        "GET graph.instagram.com/v25.0/{id} fields=status_code,status",
        "GET graph.instagram.com/v25.0/{id}/content_publishing_limit fields=config,quota_usage",
        "POST graph.instagram.com/v25.0/{id}/media_publish creation_id={id}",
        "GET graph.instagram.com/v25.0/{media} fields=permalink",
        "POST graph.instagram.com/v25.0/{media}/comments message=First"
      ])
    })
  )

  it.effect("sends the requests of the documents for a trial reel with either login", () =>
    Effect.gen(function* () {
      const reel = {
        media: [film()],
        cover: image("c"),
        options: {
          is_trial_reel: true,
          trial_graduation: "SS_PERFORMANCE",
          share_to_feed: false,
          video_cover_timestamp_ms: 500
        }
      }
      const first = yield* connected(reel)
      first.seen.length = 0
      yield* first.whole
      assert.strictEqual(
        first.seen[0],
        "POST graph.instagram.com/v25.0/{id}/media media_type=REELS caption=Hello share_to_feed=false " +
          `cover_url={host}/cover.jpg trial_params={"graduation_strategy":"SS_PERFORMANCE"} video_url={host}/film.mp4`
      )
      const second = yield* connected(
        {
          ...reel,
          cover: null,
          options: {
            is_trial_reel: true,
            video_cover_timestamp_ms: 500,
            poll: { options: ["Great", "Small"], is_duration_extended: true },
            audio_id: "9040001001",
            video_volume: 20
          }
        },
        "facebook"
      )
      second.seen.length = 0
      yield* second.whole
      assert.deepStrictEqual(second.seen.slice(0, 2), [
        "POST graph.facebook.com/v25.0/{id}/media media_type=REELS caption=Hello " +
          `poll_attachment={"option_a":"Great","option_b":"Small"} is_poll_duration_extended=true thumb_offset=500 ` +
          `trial_params={"graduation_strategy":"MANUAL"} audio_configuration={"audio_id":"9040001001","video_volume":20} ` +
          "upload_type=resumable",
        "POST rupload.facebook.com/ig-api-upload/v25.0/{id} offset=0 file_size=10"
      ])
    })
  )

  const onServer = Effect.fnUntraced(function* (answers: Readonly<Record<string, unknown>>, login: string) {
    const server = yield* scriptedServer(({ headers, path, query: { audio_type } }) => ({
      status: audio_type !== undefined && headers.authorization !== "Bearer u" ? 401 : 200,
      json: answers[audio_type ?? path.split("/v25.0/")[1]!]
    }))
    const app = { id: "1", secret: Redacted.make("s"), at: (host: string) => `${server.url}/${host}` }
    const platform = adapters.instagram_facebook.make(
      yield* HttpClient.HttpClient,
      { ...app, stand_in: true },
      ""
    )
    const person = { user_id: "1", user_token: "u", page_id: "2", issued_at: "2026-01-01T00:00:00Z" }
    return { platform, credentials: Redacted.make({ login, token: "t", ...person }) }
  })

  it.effect.each([
    ["poll_attachment", { poll: { options: ["Great", "Small"] } }, /without its poll/],
    ["prompt_response", { comment_prompt: true }, /without its comment prompt/]
  ] as const)("says of a post whose %s is null what is missing", ([edge, options, words]) =>
    Effect.gen(function* () {
      const post = request({ options })
      const data = { id: "75", url: null, username: "bells" }
      const warningsOf = Effect.fnUntraced(function* (there: unknown) {
        const { credentials, platform } = yield* onServer({ "75": {}, [`75/${edge}`]: there }, "facebook")
        return (yield* platform.confirm(post, credentials, {}, data)).warnings ?? []
      })
      assert.match((yield* warningsOf(null)).join(), words)
      assert.lengthOf(yield* warningsOf({ option_a: "Great" }), 0)
    })
  )

  it.effect(
    "offers popular music to an account of Facebook Login, and knows the login of every account",
    () =>
      Effect.gen(function* () {
        const answers = {
          music: { audio: [{ audio_id: 12, title: "Bells", display_artist: "The Ringers" }] },
          original_sound: { data: [{ id: "13", ig_username: "bob" }] }
        }
        for (const [login, choices] of [
          [
            "facebook",
            {
              audio_id: [
                { id: "12", name: "Bells – The Ringers" },
                { id: "13", name: "bob" }
              ]
            }
          ],
          ["instagram", {}]
        ] as const) {
          const { credentials, platform } = yield* onServer(answers, login)
          assert.deepStrictEqual(yield* platform.choices!(credentials, "17"), choices)
          assert.deepStrictEqual(yield* platform.limits!(credentials), {
            facebook_login: login === "facebook"
          })
        }
      })
  )

  it.effect("makes the parent of a carousel when every child is finished, and not before", () =>
    Effect.gen(function* () {
      const { seen, script, prepare, platform, post, credentials } = yield* connected({
        media: [image("a"), film()]
      })
      yield* script({ on: "media", fault: "processing", polls: 2 })
      seen.length = 0
      const first = yield* prepare
      assert.strictEqual(first._tag, "wait")
      const parents = () => seen.filter((line) => line.includes("media_type=CAROUSEL"))
      const second = yield* platform.poll(post, credentials, first.handle)
      assert.lengthOf(parents(), 0)
      const third = yield* platform.poll(post, credentials, second.handle)
      assert.deepStrictEqual(parents(), [
        "POST graph.instagram.com/v25.0/{id}/media media_type=CAROUSEL children={id},{id} caption=Hello"
      ])
      assert.strictEqual((yield* platform.poll(post, credentials, third.handle))._tag, "ready")
      assert.deepStrictEqual(
        seen.filter((line) => line.includes("is_carousel_item")),
        [
          "POST graph.instagram.com/v25.0/{id}/media is_carousel_item=true image_url={host}/image.jpg",
          "POST graph.instagram.com/v25.0/{id}/media is_carousel_item=true media_type=VIDEO video_url={host}/film.mp4"
        ]
      )
    })
  )

  it.effect("Instagram's adapter has a container that has run out made anew", () =>
    Effect.gen(function* () {
      const { script, prepare, platform, post, credentials } = yield* connected({ media: [film()] })
      yield* script({ on: "media", fault: "processing", polls: 1, becomes: "failed", reason: "EXPIRED" })
      const { handle } = yield* prepare
      const error = yield* Effect.flip(platform.poll(post, credentials, handle))
      assert.deepInclude(error, { class: "transient", discard_handle: true })
    })
  )

  // Codes that Meta's list of them does not have.
  const unexplained = {
    on: "media",
    fault: "processing",
    polls: 1,
    becomes: "failed",
    reason: "2207999"
  } as const

  it.effect(
    "makes new containers once where Instagram does not explain why one failed, and then gives up",
    () =>
      Effect.gen(function* () {
        const { script, prepare, platform, post, credentials, seen } = yield* connected({
          media: [image("a"), image("b")]
        })
        const made = () => seen.filter((line) => line.includes("is_carousel_item")).length
        yield* script(unexplained)
        const next = (handle: Handle) => platform.poll(post, credentials, handle)
        const failed = yield* next((yield* prepare).handle)
        assert.deepStrictEqual([failed._tag, made()], ["wait", 2])
        const second = yield* next(failed.handle)
        assert.strictEqual(made(), 4)
        assert.strictEqual((yield* next(second.handle))._tag, "ready")

        yield* script(unexplained)
        const third = yield* next(failed.handle)
        assert.deepInclude(yield* Effect.flip(next(third.handle)), {
          class: "media_rejected",
          code: "2207999",
          discard_handle: true
        })
      })
  )

  it.effect("knows that Instagram could not fetch a video, and prepares it anew", () =>
    Effect.gen(function* () {
      const { script, prepare, platform, post, credentials } = yield* connected({ media: [film()] })
      yield* script({ ...unexplained, reason: "2207077" })
      const { handle } = yield* prepare
      assert.deepInclude(yield* Effect.flip(platform.poll(post, credentials, handle)), {
        class: "media_unreachable",
        discard_handle: true
      })
    })
  )

  it.effect.each(["media", "post"] as const)(
    "wants an account connected again that %s says does not exist",
    (on) =>
      Effect.gen(function* () {
        const { script, whole } = yield* connected()
        yield* script({ on, fault: "refuse", status: 400, code: "100/33" })
        assert.strictEqual((yield* Effect.flip(whole)).class, "reconnect")
      })
  )

  it.effect("says how a personal account becomes one that can be published to", () =>
    Effect.gen(function* () {
      const { prepare } = yield* connected({}, "instagram", "-personal")
      const { class: refused, message } = yield* Effect.flip(prepare)
      assert.strictEqual(refused, "forbidden")
      assert.match(message, /Switch to professional account/)
    })
  )

  it.effect.each([
    [{ fault: "refuse", status: 403, code: "9/2207042" }, "quota_exhausted"],
    [{ fault: "rate_limited", retry_after: 1140 }, "rate_limited"],
    [{ fault: "refuse", status: 400, code: "9007/2207027" }, "transient"],
    [{ fault: "refuse", status: 400, code: "24/2207006" }, "transient"],
    [{ fault: "refuse", status: 400, code: "24/2207008" }, "ambiguous"],
    [{ fault: "refuse", status: 400, code: "2" }, "ambiguous"]
  ] as const)("knows %o of the publication, and that nothing came of it", ([fault, errorClass]) =>
    Effect.gen(function* () {
      const { script, prepare, platform, post, credentials, publications } = yield* connected({
        due_at: yield* DateTime.now
      })
      const { handle } = yield* prepare
      yield* script({ on: "post", ...fault } as Fault)
      const error = yield* Effect.flip(platform.commit(post, credentials, handle))
      assert.strictEqual(error.class, errorClass)
      assert.lengthOf(yield* publications, 0)
      if (errorClass === "rate_limited") {
        assert.strictEqual(error.code, "80002")
        const wait = DateTime.toEpochMillis(error.retry_at!) - DateTime.toEpochMillis(yield* DateTime.now)
        assert.strictEqual(Math.ceil(wait / 60_000), 19)
      }
      if (errorClass !== "ambiguous") return
      const found = yield* platform.reconcile(post, credentials, handle, noneTaken)
      assert.strictEqual(found._tag, "not_published")
    })
  )

  it.effect("leaves open what became of a comment that failed for a passing reason", () =>
    Effect.gen(function* () {
      const { account, credentials, platform, script, whole } = yield* connected()
      const post = yield* whole
      yield* script({ on: "comment", fault: "refuse", status: 400, code: "2" } as Fault)
      const error = yield* Effect.flip(
        platform.comments!.create({ ...account, text: "First", post }, credentials)
      )
      assert.strictEqual(error.class, "ambiguous")
    })
  )

  it.effect("knows that a post is live where it cannot be looked for", () =>
    Effect.gen(function* () {
      const { script, prepare, platform, post, credentials, publications } = yield* connected({
        due_at: yield* DateTime.now
      })
      const { handle } = yield* prepare
      yield* script({ on: "post", fault: "effect_then_lost_reply" })
      yield* Effect.flip(platform.commit(post, credentials, handle))
      yield* script({ on: "post_search", fault: "long_answer" })
      const found = yield* platform.reconcile(post, credentials, handle, noneTaken)
      assert.strictEqual(found._tag, "published")
      assert.lengthOf(yield* publications, 1)
    })
  )

  it.effect("goes on with an upload from the byte that Instagram has", () =>
    Effect.gen(function* () {
      const size = 300_000
      const whole = video("v", Stream.succeed(new Uint8Array(size).fill(7)), size)
      const { seen, platform, post, credentials, save, saved } = yield* connected(
        { media: [whole] },
        "facebook"
      )
      const { token } = Redacted.value(credentials) as { readonly token: string }
      const sandbox = yield* SandboxProcess

      const stuck = Stream.concat(Stream.succeed(new Uint8Array(100_000).fill(7)), Stream.never)
      const cut = { ...post, media: [{ ...post.media[0]!, part: () => stuck }] }
      const upload = yield* Effect.forkChild(platform.prepare(cut, credentials, null, save))
      const [handle] = yield* until(saved, ([first]) => first !== undefined)
      const { items } = handle as any
      const unfinished = join(sandbox.directory, "media", "unfinished", items[0].id)
      yield* until(
        Effect.promise(() =>
          stat(unfinished).then(
            (file) => file.size,
            () => 0
          )
        ),
        (bytes) => bytes > 0
      )
      yield* Fiber.interrupt(upload)
      const there = yield* until(
        Effect.promise(async () => {
          const answer = await fetch(
            `${sandbox.url}/graph.facebook.com/v25.0/${items[0].id}?fields=video_status&access_token=${token}`
          )
          return ((await answer.json()) as any).video_status.uploading_phase.bytes_transferred as number
        }),
        (bytes) => bytes > 0
      )

      const [kept] = yield* saved
      seen.length = 0
      assert.strictEqual((yield* platform.prepare(post, credentials, kept!, save))._tag, "ready")
      assert.deepStrictEqual(seen.slice(0, 2), [
        "GET graph.facebook.com/v25.0/{id} fields=status_code,video_status",
        `POST rupload.facebook.com/ig-api-upload/v25.0/{id} offset=${there} file_size=300000`
      ])
    })
  )

  it.effect(
    "renews a token that is a day old, and wants a new connection where a younger one is refused",
    () =>
      Effect.gen(function* () {
        const { platform, credentials, account } = yield* connected({}, "instagram", "-aged")
        assert.isNotNull(account.token_expires_at)
        assert.deepStrictEqual(account.access_expires_at, account.token_expires_at)
        assert.deepInclude(yield* Effect.flip(platform.refresh(credentials)), {
          class: "reconnect",
          code: "token_refused"
        })
        const stored = Redacted.value(credentials)
        const old = Redacted.make({ ...stored, issued_at: "2026-01-01T00:00:00.000Z" })
        const renewed = yield* platform.refresh(old)
        assert.notStrictEqual(Redacted.value(renewed.credentials)["token"], stored["token"])
        const page = yield* connected({}, "facebook")
        assert.isNull(page.account.token_expires_at)
        assert.isNull((yield* platform.refresh(page.credentials)).token_expires_at)
      })
  )

  it.effect("connects every account of a sign-in, and nobody without one", () =>
    Effect.gen(function* () {
      const signIn = (login: "instagram" | "facebook", ending: string) =>
        Effect.flatMap(somebody({ ...ofLogin[login], ending }), ({ exchange }) => exchange())
      assert.strictEqual((yield* Effect.flip(signIn("facebook", "-nopages"))).code, "no_accounts")
      assert.lengthOf(yield* signIn("facebook", "-two"), 2)
      assert.lengthOf(yield* signIn("instagram", "-wrapped"), 1)
    })
  )
})
