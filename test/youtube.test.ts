import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import sharp from "sharp"
import { connectInBrowser } from "@carillon/testing/ConsentVisit"
import { create, inSeconds, ServiceWithSandbox, settled } from "@carillon/testing/Publishing"
import { assertSealed } from "@carillon/testing/SealedHandles"
import { Service } from "@carillon/testing/ServiceProcess"

const mebibyte = 1024 * 1024
const mp4 = readFileSync(join(import.meta.dirname, "../packages/server/test/media/fixtures/video.mp4"))

/** A video of so many mebibytes that is made while it is sent: a small one, and a box that players skip. */
const bigFilm = (mebibytes: number) => {
  const size = mebibytes * mebibyte
  const box = Buffer.alloc(8)
  box.writeUInt32BE(size - mp4.length)
  box.write("free", 4)
  const hash = createHash("sha256")
  const filling = new Uint8Array(mebibyte).map((_, index) => index % 241)
  const chunks = function* () {
    let left = size
    for (const head of [mp4, box]) {
      left -= head.length
      hash.update(head)
      yield head
    }
    while (left > 0) {
      const chunk = filling.subarray(0, Math.min(left, mebibyte))
      left -= chunk.length
      hash.update(chunk)
      yield chunk
    }
  }
  return { size, chunks, sha256: () => hash.digest("hex") }
}

const uploadFilm = Effect.fnUntraced(function* (film: ReturnType<typeof bigFilm>) {
  const service = yield* Service
  const { body } = yield* service.call("POST", "/v1/media/create-upload-url", {
    mime_type: "video/mp4",
    size_bytes: film.size,
    name: "film.mp4"
  })
  yield* Effect.promise(async () => {
    const response = await fetch(body.upload_url, {
      method: "PUT",
      headers: { "content-type": "video/mp4", "content-length": String(film.size) },
      body: ReadableStream.from(film.chunks()),
      duplex: "half"
    } as RequestInit)
    assert.strictEqual(response.status, 200, await response.text())
  })
  return body.media_id as string
})

layer(ServiceWithSandbox(), { excludeTestServices: true, timeout: "180 seconds" })("YouTube", (it) => {
  it.effect("is connected on Google's consent page and gets a video with all that belongs to it", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const sandbox = yield* SandboxProcess
      const [account] = yield* connectInBrowser("youtube", "bells")
      const picture = yield* Effect.promise(() =>
        sharp({ create: { width: 1600, height: 900, channels: 3, background: "teal" } })
          .webp()
          .toBuffer()
      )
      const { id } = yield* create({
        social_accounts: [account],
        caption: "Evening bells\nfrom the valley",
        media: [yield* service.upload(mp4, "video/mp4", "film.mp4")],
        platform_configurations: {
          youtube: {
            privacy_status: "unlisted",
            thumbnail: yield* service.upload(picture, "image/webp", "cover.webp"),
            playlist_ids: ["PLbells"]
          }
        }
      })
      const post = yield* settled(id)
      assert.strictEqual(post.status, "published", JSON.stringify(post.results))
      const [publication, ...others] = yield* sandbox.on("youtube").publications("bells")
      assert.lengthOf(others, 0)
      assert.deepInclude(publication, { title: "Evening bells", text: "Evening bells\nfrom the valley" })
      const asked = (yield* sandbox.on("youtube").requests("bells")).map(
        ({ operation, status }) => `${operation} ${status}`
      )
      assert.includeMembers(asked, ["thumbnail 200", "playlist 200"])
      const { url, username } = post.results[0].platform_data
      assert.strictEqual(username, "bells")
      const page = yield* Effect.promise(() => fetch(url))
      assert.isTrue(page.url.endsWith(`/posts/${publication!.id}`))
    })
  )

  it.effect("has a demo account from the start where the test network plays it", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const sandbox = yield* SandboxProcess
      const { body } = yield* service.call("GET", "/v1/social-accounts")
      const named = (wanted: string) =>
        body.data.find(({ username }: { username: string }) => username === wanted)
      assert.strictEqual(named("demo").platform, "sandbox")
      assert.strictEqual(named("instagram-demo").platform, "instagram")
      const account = named("youtube-demo").id
      const { id } = yield* create({
        social_accounts: [account],
        caption: "First",
        media: [yield* service.upload(mp4, "video/mp4", "film.mp4")]
      })
      assert.strictEqual((yield* settled(id)).status, "published")
      assert.lengthOf(yield* sandbox.on("youtube").publications("youtube-demo"), 1)
    })
  )

  it.effect("says why a video was not kept", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const sandbox = yield* SandboxProcess
      const [account] = yield* connectInBrowser("youtube", "twice")
      yield* sandbox
        .on("youtube")
        .script("twice", [
          { on: "post", fault: "processing", polls: 1, becomes: "failed", reason: "duplicate" }
        ])
      const { id } = yield* create({
        social_accounts: [account],
        caption: "Again",
        media: [yield* service.upload(mp4, "video/mp4", "film.mp4")]
      })
      const post = yield* settled(id)
      assert.strictEqual(post.status, "failed")
      assert.deepInclude(post.results[0].error, { class: "media_rejected", code: "duplicate" })
    })
  )

  it.effect("gets a video once when the reply to its last byte is lost", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const sandbox = yield* SandboxProcess
      const [account] = yield* connectInBrowser("youtube", "lost")
      yield* sandbox.on("youtube").script("lost", [{ on: "post", fault: "effect_then_lost_reply" }])
      const { id } = yield* create({
        social_accounts: [account],
        caption: "Once",
        media: [yield* service.upload(mp4, "video/mp4", "film.mp4")]
      })
      assert.strictEqual((yield* settled(id)).status, "published")
      assert.lengthOf(yield* sandbox.on("youtube").publications("lost"), 1)
    })
  )
})

/** 1024 in .ci/run. */
const filmMebibytes = Number(process.env["YOUTUBE_FILM_MIB"] ?? "96")
const patience = 60 + filmMebibytes

layer(ServiceWithSandbox(), { excludeTestServices: true, timeout: "180 seconds" })(
  "a large video whose upload is killed in the middle",
  (it) => {
    it.effect(
      "goes on where it was, in flat memory, and is there once, at its time",
      () =>
        Effect.gen(function* () {
          const service = yield* Service
          const sandbox = yield* SandboxProcess
          const film = bigFilm(filmMebibytes)
          const [account] = yield* connectInBrowser("youtube", "cinema")
          const media = yield* uploadFilm(film)
          const chunks = Math.ceil(film.size / (8 * mebibyte))
          yield* sandbox.on("youtube").script("cinema", [{ on: "media", fault: "slow", ms: 50, times: 1000 }])
          const due = inSeconds(15)
          const { id } = yield* create({
            social_accounts: [account],
            caption: "A long film",
            media: [media],
            scheduled_at: due
          })
          const taken = Effect.map(sandbox.on("youtube").requests("cinema"), (requests) =>
            requests.filter(({ operation, status }) => operation === "media" && status === 308)
          )
          yield* Effect.filterOrFail(taken, ({ length }) => length >= chunks / 3).pipe(
            Effect.retry({ schedule: Schedule.spaced("20 millis"), times: patience * 50 })
          )
          yield* service.kill
          yield* assertSealed(service, "upload_id")
          const before = (yield* taken).length
          assert.isBelow(before, chunks)
          yield* service.start
          const { now } = service.memory()

          const post = yield* settled(id, patience)
          assert.strictEqual(post.status, "published", JSON.stringify(post.results))
          assert.notInclude(service.output() + JSON.stringify(post), "upload_id")
          const [publication, ...others] = yield* sandbox.on("youtube").publications("cinema")
          assert.lengthOf(others, 0)
          assert.deepInclude(publication!.media[0], { size: film.size, sha256: film.sha256() })
          assert.isAtLeast(Date.parse(publication!.published_at), Date.parse(due))
          // At most the chunk that broke off is cut in two.
          const after = (yield* taken).length
          assert.isAtMost(after, chunks + 1)
          const grown = (service.memory().peak - now) / mebibyte
          yield* Effect.log(
            `${filmMebibytes} MiB: ${before} of ${chunks} chunks before the kill, ${after} in all, memory +${Math.round(grown)} MiB`
          )
          // The embedded database alone takes a few hundred for a while after a start; the whole film takes a thousand.
          assert.isBelow(grown, 640)
        }),
      (patience + 60) * 1000
    )
  }
)
