import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { create, eventually, inSeconds, ServiceWithSandbox, settled } from "@carillon/testing/Publishing"
import { assertSealed } from "@carillon/testing/SealedHandles"
import { Service } from "@carillon/testing/ServiceProcess"
import { bigVideo, uprightVideo } from "@carillon/testing/UprightVideo"

const mebibyte = 1024 * 1024
const photo = new Uint8Array(readFileSync(new URL("../examples/media/bells.jpg", import.meta.url)))
const clip = uprightVideo()

const visit = (url: string, init: RequestInit = {}) =>
  Effect.promise(() => fetch(url, { redirect: "manual", ...init }))

/** Connects an account on the consent page, with plain HTTP; its id. */
const connect = Effect.fnUntraced(function* (username: string, without: ReadonlyArray<string> = []) {
  const service = yield* Service
  const { body } = yield* service.call("POST", "/v1/social-accounts/connect", {
    platform: "tiktok",
    redirect_url: "http://127.0.0.1:9/done"
  })
  const begun = yield* visit(body.authorize_url)
  const cookie = begun.headers.get("set-cookie")!.split(";", 1)[0]!
  const consent = new URL(begun.headers.get("location")!)
  const scopes = consent.searchParams.get("scope")!.split(",")
  const allowed = yield* visit(consent.href, {
    method: "POST",
    body: new URLSearchParams([
      ["username", username],
      ["decision", "allow"],
      ...scopes.filter((scope) => !without.includes(scope)).map((scope): [string, string] => ["scope", scope])
    ])
  })
  const ended = yield* visit(allowed.headers.get("location")!, { headers: { cookie } })
  return new URL(ended.headers.get("location")!).searchParams
})

const uploadFilm = Effect.fnUntraced(function* (film: ReturnType<typeof bigVideo>, size: number) {
  const { body } = yield* (yield* Service).call("POST", "/v1/media/create-upload-url", {
    mime_type: "video/mp4",
    size_bytes: size,
    name: "big.mp4"
  })
  yield* Effect.promise(async () => {
    const response = await fetch(body.upload_url, {
      method: "PUT",
      headers: { "content-type": "video/mp4", "content-length": String(size) },
      body: ReadableStream.from(film()),
      duplex: "half"
    } as RequestInit)
    assert.strictEqual(response.status, 200, await response.text())
  })
  return body.media_id as string
})

const accountOf = (end: URLSearchParams) => Number(end.get("social_account_id"))

layer(ServiceWithSandbox(), { excludeTestServices: true, timeout: "180 seconds" })("TikTok", (it) => {
  it.effect(
    "publishes a video for an account that was connected in the browser, once and with its link",
    () =>
      Effect.gen(function* () {
        const service = yield* Service
        const sandbox = yield* SandboxProcess
        const account = accountOf(yield* connect("filmer"))
        const media = yield* service.upload(clip, "video/mp4", "clip.mp4")
        const post = yield* create({
          social_accounts: [account],
          caption: "Bells #ring",
          media: [media],
          platform_configurations: { tiktok: { video_cover_timestamp_ms: 100, is_aigc: true } }
        })
        const { status, results, warnings } = yield* settled(post.id)
        assert.strictEqual(status, "published")
        assert.lengthOf(warnings, 1)
        assert.include(warnings[0], "privacy_level")
        const published = yield* sandbox.on("tiktok").publications("filmer")
        assert.lengthOf(published, 1)
        assert.deepInclude(published[0], {
          text: "Bells #ring",
          details: { privacy_level: "PUBLIC_TO_EVERYONE", video_cover_timestamp_ms: 100, is_aigc: true }
        })
        const { url, id } = results[0].platform_data
        assert.strictEqual(id, published[0]!.id)
        assert.strictEqual((yield* visit(url)).headers.get("location"), `/posts/${id}`)
        assert.deepInclude(results[0], { attempts: 1, error: null })
      })
  )

  it.effect("publishes photos that it fetches from here", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const sandbox = yield* SandboxProcess
      const account = accountOf(yield* connect("photographer"))
      const media = yield* service.upload(photo, "image/jpeg", "bells.jpg")
      const post = yield* create({
        social_accounts: [account],
        caption: "Two bells",
        media: [media],
        platform_configurations: { tiktok: { title: "Bells", privacy_status: "private" } }
      })
      const { status, results, warnings } = yield* settled(post.id)
      assert.deepStrictEqual([status, warnings], ["published", []])
      assert.isNull(results[0].platform_data.url)
      const [published] = yield* sandbox.on("tiktok").publications("photographer")
      assert.deepInclude(published, { title: "Bells", text: "Two bells" })
      assert.strictEqual(published!.media[0]!.content_type, "image/jpeg")
    })
  )

  it.effect("brings a draft to the inbox and says what does not go with it", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const sandbox = yield* SandboxProcess
      const account = accountOf(yield* connect("drafter"))
      const media = yield* service.upload(clip, "video/mp4", "clip.mp4")
      const post = yield* create({
        social_accounts: [account],
        caption: "Later",
        media: [media],
        platform_configurations: { tiktok: { draft: true } }
      })
      const { status, warnings } = yield* settled(post.id)
      assert.strictEqual(status, "published")
      assert.include(warnings[0], "inbox")
      assert.deepInclude((yield* sandbox.on("tiktok").publications("drafter"))[0], { text: "" })
    })
  )

  it.effect("keeps the warnings of a post true when it is changed", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = accountOf(yield* connect("changer"))
      const media = yield* service.upload(clip, "video/mp4", "clip.mp4")
      const post = yield* create({ social_accounts: [account], media: [media], is_draft: true })
      const warningsOf = Effect.fnUntraced(function* (tiktok: object | null) {
        const { body } = yield* service.call("PATCH", `/v1/posts/${post.id}`, {
          platform_configurations: tiktok === null ? null : { tiktok }
        })
        return body.warnings as ReadonlyArray<string>
      })
      assert.deepStrictEqual(yield* warningsOf({ privacy_level: "SELF_ONLY" }), [])
      assert.include((yield* warningsOf({ draft: true }))[0], "inbox")
      const back = yield* warningsOf(null)
      assert.lengthOf(back, 1)
      assert.include(back[0], "privacy_level")
    })
  )

  it.effect("fails with TikTok's reason when it gives up on a video, and publishes nothing", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const sandbox = yield* SandboxProcess
      const account = accountOf(yield* connect("unlucky"))
      yield* sandbox
        .on("tiktok")
        .script("unlucky", [
          { on: "post", fault: "processing", polls: 2, becomes: "failed", reason: "frame_rate_check_failed" }
        ])
      const media = yield* service.upload(clip, "video/mp4", "clip.mp4")
      const post = yield* create({ social_accounts: [account], media: [media] })
      const { status, results } = yield* settled(post.id)
      assert.strictEqual(status, "failed")
      assert.deepInclude(results[0].error, { code: "frame_rate_check_failed", action: "fix_content" })
      assert.lengthOf(yield* sandbox.on("tiktok").publications("unlucky"), 0)
    })
  )

  it.effect("publishes once when the answer to the last chunk is lost", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const sandbox = yield* SandboxProcess
      const account = accountOf(yield* connect("lost"))
      yield* sandbox.on("tiktok").script("lost", [{ on: "post", fault: "effect_then_lost_reply" }])
      const media = yield* service.upload(clip, "video/mp4", "clip.mp4")
      const post = yield* create({ social_accounts: [account], media: [media] })
      assert.strictEqual((yield* settled(post.id)).status, "published")
      assert.lengthOf(yield* sandbox.on("tiktok").publications("lost"), 1)
    })
  )

  it.effect("shows what the account offers now, and connects nothing without what posting needs", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const account = accountOf(yield* connect("chooser-private"))
      const { body } = yield* service.call("GET", `/v1/social-accounts/${account}/options`)
      assert.deepStrictEqual(body.choices.privacy_level, [
        "FOLLOWER_OF_CREATOR",
        "MUTUAL_FOLLOW_FRIENDS",
        "SELF_ONLY"
      ])
      assert.isNull(body.choices_error)
      assert.strictEqual((yield* connect("unticked", ["video.publish"])).get("error"), "scopes_missing")
      assert.strictEqual(accountOf(yield* connect("chooser-private")), account)
    })
  )

  it.effect(
    "goes on with a big video where it was when the service was killed in the middle, and publishes once",
    () =>
      Effect.gen(function* () {
        const service = yield* Service
        const sandbox = (yield* SandboxProcess).on("tiktok")
        const account = accountOf(yield* connect("killed"))
        const size = Number(process.env["BIG_VIDEO_MEBIBYTES"] ?? 96) * mebibyte
        const film = bigVideo(size)
        const media = yield* uploadFilm(film, size)
        const chunks = Effect.map(sandbox.requests("killed"), (requests) =>
          requests.filter(({ operation }) => operation === "media")
        )
        const post = yield* create({
          social_accounts: [account],
          media: [media],
          scheduled_at: inSeconds(8)
        })
        yield* chunks.pipe(
          Effect.filterOrFail(({ length }) => length >= 4),
          Effect.retry({ schedule: Schedule.spaced("10 millis"), times: 12_000 })
        )
        yield* service.kill
        yield* assertSealed(service, "upload_token")
        yield* service.start
        yield* eventually(post.id, ({ status }) => status === "published", 60 + size / (4 * mebibyte))
        const sent = yield* chunks
        // What was under way when the process died may be there twice, once refused.
        assert.isAtMost(sent.length, Math.floor(size / (5 * mebibyte)) - 1 + 2)
        const begun = (yield* sandbox.requests("killed")).filter(
          ({ operation }) => operation === "upload_start"
        )
        assert.lengthOf(begun, 1)
        const published = yield* sandbox.publications("killed")
        assert.lengthOf(published, 1)
        assert.strictEqual(
          published[0]!.media[0]!.sha256,
          [...film()].reduce((hash, part) => hash.update(part), createHash("sha256")).digest("hex")
        )
      }),
    600_000
  )
})
