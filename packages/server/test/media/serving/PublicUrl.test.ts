import { platformRules } from "@carillon/domain"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { readdir, utimes } from "node:fs/promises"
import { join } from "node:path"
import sharp from "sharp"
import { MediaLibrary } from "@carillon/server/media/MediaLibrary"
import { MediaFiles } from "@carillon/server/media/serving/MediaFiles"
import { home, mediaServer, MediaServer, send, upload } from "../MediaServer.ts"
import { encoded, grainy } from "../Pictures.ts"

const feed = platformRules.instagram.placementOf(["image"], "feed")
const reel = platformRules.instagram.placementOf(["video"], "reel")

const publishable = (id: string, values: object = {}) =>
  Effect.flatMap(MediaFiles, (files) =>
    files.publishable(home, id, {
      platform: "instagram",
      placement: feed,
      use: "media",
      reachable: true,
      processing_enabled: true,
      describe: () => null,
      ...values
    })
  )

const fetched = (url: string, init: RequestInit = {}) =>
  Effect.promise(async () => {
    const response = await fetch(url, { redirect: "manual", ...init })
    return {
      status: response.status,
      header: (name: string) => response.headers.get(name),
      bytes: Buffer.from(await response.arrayBuffer())
    }
  })

const kept = Effect.flatMap(MediaServer, ({ dataDir }) =>
  Effect.promise(async () =>
    (await readdir(join(dataDir, "fitted"))).map((name) => join(dataDir, "fitted", name))
  )
)

layer(mediaServer)("the address that a platform fetches an image from", (it) => {
  const picture = Effect.runSync(Effect.cached(encoded(grainy(1500, 800).png())))
  const drawing = Effect.flatMap(picture, (bytes) => upload("image/png", bytes, "Zeichnung für dich.png"))

  it.effect("gives the image within the platform's limits, whole, in parts and to HEAD", () =>
    Effect.gen(function* () {
      const { id } = yield* drawing
      const url = yield* (yield* publishable(id)).public_url
      assert.match(url, /^[\x21-\x7e]+$/)
      assert.match(new URL(url).pathname, /\.jpg$/)
      const whole = yield* fetched(url, { headers: { "user-agent": "facebookexternalhit/1.1" } })
      assert.strictEqual(whole.status, 200)
      assert.strictEqual(whole.header("content-type"), "image/jpeg")
      assert.strictEqual(whole.header("content-length"), String(whole.bytes.length))
      const { width, format } = yield* Effect.promise(() => sharp(whole.bytes).metadata())
      assert.deepStrictEqual({ width, format }, { width: 1440, format: "jpeg" })
      const head = yield* fetched(url, { method: "HEAD" })
      assert.strictEqual(head.status, 200)
      assert.strictEqual(head.header("content-length"), String(whole.bytes.length))
      const part = yield* fetched(url, { headers: { range: "bytes=100-199" } })
      assert.strictEqual(part.status, 206)
      assert.deepStrictEqual(part.bytes, whole.bytes.subarray(100, 200))
    })
  )

  it.effect("gives the same bytes each time, from what was fitted once and when it is fitted again", () =>
    Effect.gen(function* () {
      const { id } = yield* drawing
      const url = yield* (yield* publishable(id)).public_url
      const first = yield* fetched(url)
      assert.deepStrictEqual((yield* fetched(url)).bytes, first.bytes)
      yield* TestClock.adjust("23 hours")
      const library = yield* MediaLibrary
      for (const path of yield* kept) yield* Effect.promise(() => utimes(path, 0, 0))
      yield* library.collect
      assert.lengthOf(yield* kept, 0)
      const again = yield* fetched(url)
      assert.deepStrictEqual(again.bytes, first.bytes)
      assert.strictEqual(again.header("etag"), first.header("etag"))
    })
  )

  it.effect("stops after a day or a little more, and is good for nothing else", () =>
    Effect.gen(function* () {
      const { id } = yield* drawing
      const url = yield* (yield* publishable(id)).public_url
      const other = url.replace("instagram-feed-media-fitted", "instagram-feed-media-stored")
      assert.notStrictEqual(other, url)
      assert.strictEqual((yield* send(other)).body.code, "signature_invalid")
      const stored = url.replace("instagram-feed-media-fitted/", "")
      assert.strictEqual((yield* send(stored)).body.code, "signature_invalid")
      yield* TestClock.adjust("24 hours")
      assert.strictEqual((yield* fetched(url)).status, 200)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* send(url)).body.code, "signature_expired")
    })
  )

  it.effect(
    "the address that a platform fetches an image from is not given where the image cannot be fitted, or the platform does not reach this instance",
    () =>
      Effect.gen(function* () {
        const { id } = yield* drawing
        const asIs = yield* Effect.flip((yield* publishable(id, { processing_enabled: false })).public_url)
        assert.strictEqual(asIs.class, "media_rejected")
        const unreached = yield* Effect.flip((yield* publishable(id, { reachable: false })).public_url)
        assert.deepInclude(unreached, { class: "config", code: "platform_cannot_fetch" })
        const none = yield* Effect.flip((yield* publishable(id, { placement: reel })).public_url)
        assert.strictEqual(none.code, "not_an_image")
      })
  )

  it.effect(
    "the address that a platform fetches an image from is a cover's within the limits of covers",
    () =>
      Effect.gen(function* () {
        const { id } = yield* drawing
        const url = yield* (yield* publishable(id, { placement: reel, use: "cover" })).public_url
        const { bytes, header } = yield* fetched(url)
        assert.strictEqual(header("content-type"), "image/jpeg")
        assert.isAtMost(bytes.length, reel.covers!.max_bytes!)
      })
  )
})
