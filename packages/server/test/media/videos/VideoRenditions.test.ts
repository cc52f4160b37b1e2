import { platformRules } from "@carillon/domain"
import { assert, describe, it as test, layer } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Stream } from "effect"
import { createHash } from "node:crypto"
import { readFile, readdir } from "node:fs/promises"
import { join } from "node:path"
import { conversionArguments } from "@carillon/server/media/videos/ConversionArguments"
import { lastWords } from "@carillon/server/media/videos/Ffmpeg"
import { MediaFiles } from "@carillon/server/media/serving/MediaFiles"
import { BlobStoreLayer } from "@carillon/server/media/files/BlobStoreLayer"
import { VideoProbe } from "@carillon/server/media/videos/VideoProbe"
import { VideoRenditions } from "@carillon/server/media/videos/VideoRenditions"
import * as TestDirectory from "@carillon/testing/TestDirectory"
import {
  call,
  home,
  MediaServer,
  mediaServerWith,
  stagedFiles,
  storedFiles,
  testConfig,
  upload
} from "../MediaServer.ts"
import { fixture } from "../Pictures.ts"
import { s3Server } from "../files/S3Server.ts"

const post = platformRules.facebook.placementOf(["video"], undefined)
const { max_bytes = 0, max_count, mime_types } = post.videos!

const publishable = (id: string, videos: object = {}, options: object = {}) =>
  Effect.flatMap(MediaFiles, (files) =>
    files.publishable(home, id, {
      platform: "facebook",
      placement: { ...post, videos: { max_bytes, max_count, mime_types, ...videos } },
      use: "media",
      reachable: true,
      processing_enabled: true,
      describe: () => null,
      ...options
    })
  )

const webm = Effect.flatMap(fixture("video.webm"), (bytes) => upload("video/webm", bytes, "film.webm"))

const program = join(import.meta.dirname, "../fixtures/ffmpeg.sh")

layer(mediaServerWith({ VIDEO_TRANSCODING: "on", FFMPEG: program }))("a video for a platform", (it) => {
  it.effect("a video for a platform is converted once, and is then what is sent and what is fetched", () =>
    Effect.gen(function* () {
      const { id } = yield* webm
      const mp4 = yield* fixture("video.mp4")
      const [media, same] = yield* Effect.all([publishable(id), publishable(id)], { concurrency: 2 })
      assert.deepInclude(media, {
        id,
        mime_type: "video/mp4",
        size_bytes: mp4.length,
        sha256: createHash("sha256").update(mp4).digest("hex")
      })
      assert.strictEqual(same.sha256, media.sha256)
      assert.deepStrictEqual(new Uint8Array(Buffer.concat(yield* Stream.runCollect(media.content))), mp4)
      const part = Buffer.concat(yield* Stream.runCollect(media.part({ start: 10, end: 19 })))
      assert.deepStrictEqual(new Uint8Array(part), mp4.subarray(10, 20))

      const url = yield* media.public_url
      assert.match(new URL(url).pathname, /\/video\.mp4$/)
      const response = yield* Effect.promise(() => fetch(url))
      assert.strictEqual(response.headers.get("content-type"), "video/mp4")
      assert.deepStrictEqual(yield* Effect.promise(() => response.bytes()), mp4)

      assert.lengthOf(yield* storedFiles, 2)
      assert.deepStrictEqual(yield* stagedFiles, [])
      yield* call("DELETE", `/v1/media/${id}`)
      assert.deepStrictEqual(yield* storedFiles, [])
      assert.strictEqual((yield* Effect.promise(() => fetch(url))).status, 404)
    })
  )

  it.effect("a video for a platform is sent as it is where it fits or may not be changed", () =>
    Effect.gen(function* () {
      const { id, sha256 } = yield* webm
      assert.strictEqual((yield* publishable(id, {}, { processing_enabled: false })).sha256, sha256)
      assert.strictEqual((yield* publishable(id, { mime_types: ["video/webm"] })).sha256, sha256)
      assert.lengthOf(yield* storedFiles, 1)
      yield* call("DELETE", `/v1/media/${id}`)
    })
  )

  it.effect(
    "a video for a platform that cannot be converted is refused in ffmpeg's words, without the names of files",
    () =>
      Effect.gen(function* () {
        const { id } = yield* webm
        const refused = yield* Effect.flip(publishable(id, { max_width: 50 }))
        assert.deepInclude(refused, { class: "media_rejected", code: "video_not_converted" })
        assert.include(refused.message, 'ffmpeg said "the file: Invalid data"')
        assert.notInclude(refused.message, (yield* MediaServer).dataDir)
        const large = yield* Effect.flip(publishable(id, { max_width: 60 }))
        assert.include(large.message, "accepts at most 60 pixels in width")
        assert.deepStrictEqual(yield* stagedFiles, [])
        assert.lengthOf(yield* storedFiles, 1)
        yield* call("DELETE", `/v1/media/${id}`)
      })
  )

  it.effect("leaves no process and no file when the service stops in the middle", () =>
    Effect.gen(function* () {
      const { id } = yield* webm
      const { dataDir } = yield* MediaServer
      const staging = join(dataDir, "media/staging")
      const fiber = yield* Effect.forkChild(publishable(id, { max_width: 40 }))
      const pid = yield* Effect.promise(async () => {
        while (true) {
          for (const name of await readdir(staging)) {
            const text = await readFile(join(staging, name), "utf8")
            if (text.endsWith("\n")) return Number(text)
          }
          await new Promise(setImmediate)
        }
      })
      const runs = () => process.kill(pid, 0)
      assert.isTrue(runs())
      yield* Fiber.interrupt(fiber)
      assert.throws(runs, "ESRCH")
      assert.deepStrictEqual(yield* stagedFiles, [])
      yield* call("DELETE", `/v1/media/${id}`)
    })
  )
})

const inBucket = Layer.unwrap(
  Effect.map(s3Server, (env) => mediaServerWith({ ...env, VIDEO_TRANSCODING: "on", FFMPEG: program }))
)

layer(inBucket)("a video that is kept in S3", (it) => {
  it.effect("a video that is kept in S3 is converted out of the bucket and into it, and found there", () =>
    Effect.gen(function* () {
      const { id } = yield* webm
      const mp4 = yield* fixture("video.mp4")
      for (const media of [yield* publishable(id), yield* publishable(id)]) {
        assert.deepStrictEqual(new Uint8Array(Buffer.concat(yield* Stream.runCollect(media.content))), mp4)
      }
      assert.deepStrictEqual(yield* storedFiles, [])
      assert.deepStrictEqual(yield* stagedFiles, [])
      yield* call("DELETE", `/v1/media/${id}`)
    })
  )
})

test.effect("nothing is converted, and no service starts, without the program", () =>
  Effect.gen(function* () {
    const config = testConfig(yield* TestDirectory.make, "http://127.0.0.1", {
      VIDEO_TRANSCODING: "on",
      FFMPEG: "no-such-program"
    })
    const renditions = VideoRenditions.layerNoDeps.pipe(
      Layer.provide([BlobStoreLayer, VideoProbe.layer]),
      Layer.provide(config)
    )
    const exit = yield* Effect.exit(Layer.build(renditions))
    assert.include(
      String(Exit.isFailure(exit) ? exit.cause : ""),
      "VIDEO_TRANSCODING is on, but the program no-such-program could not be run."
    )
  })
)

describe("what ffmpeg is told and what it says", () => {
  test("what ffmpeg is told and what it says is one local file in, one out, and the shape", () => {
    const input = { path: "/data/in", mime_type: "video/quicktime" } as const
    const shape = { width: 720, height: 1280, frame_rate: 29.97, bit_rate: 4_000_000 }
    const given = conversionArguments(input, "/data/out", shape, null)
    const after = (name: string, all = given) => all[all.indexOf(name) + 1]
    assert.strictEqual(after("-protocol_whitelist"), "file")
    assert.isBelow(given.indexOf("-protocol_whitelist"), given.indexOf("-i"))
    assert.strictEqual(after("-f"), "mov")
    assert.strictEqual(after("-i"), "file:/data/in")
    assert.strictEqual(after("-vf"), "fps=29.97,scale=720:1280,setsar=1,format=yuv420p")
    assert.strictEqual(after("-maxrate"), "4000000")
    assert.strictEqual(given.at(-1), "file:/data/out")
    const bright = after("-vf", conversionArguments(input, "/data/out", shape, "hlg"))!
    assert.match(bright, /^fps=.*,scale=.*,zscale=tin=arib-std-b67:.*,tonemap=hable.*,format=yuv420p$/)
  })

  test("names no files and stays short", () => {
    assert.strictEqual(
      lastWords("a\n[mov @ 0x12ab] file:/var/data/x: No such file\n"),
      "the file: No such file"
    )
    assert.strictEqual(lastWords(""), "")
    assert.lengthOf(lastWords("x".repeat(900)), 200)
  })
})
