import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import sharp from "sharp"
import { connectInBrowser } from "@carillon/testing/ConsentVisit"
import { create, ServiceWithSandbox, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"

const able = spawnSync("ffmpeg", ["-version"]).status === 0
const mp4 = readFileSync(join(import.meta.dirname, "../../packages/server/test/media/fixtures/video.mp4"))

/** A second of red, one of lime, one of blue, with one picture every half second. */
const colours = () => {
  const directory = mkdtempSync(join(tmpdir(), "carillon-film-"))
  const path = join(directory, "film.mp4")
  const inputs = ["red", "lime", "blue"].flatMap((colour) => [
    "-f",
    "lavfi",
    "-i",
    `color=${colour}:size=640x360:rate=2:duration=1`
  ])
  const joined = ["-filter_complex", "[0][1][2]concat=n=3", "-c:v", "mpeg4"]
  execFileSync("ffmpeg", ["-loglevel", "error", ...inputs, ...joined, path])
  const bytes = readFileSync(path)
  rmSync(directory, { recursive: true })
  return bytes
}

/** The images that the test network was sent. */
const images = Effect.map(SandboxProcess, ({ directory }) =>
  readdirSync(join(directory, "media"))
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readFileSync(join(directory, "media", name)))
    .filter((bytes) => !bytes.includes("ftyp"))
)

/** Publishes the film and gives the result with the thumbnail that YouTube was sent for it. */
const publish = Effect.fnUntraced(function* (media: string, options: object) {
  const before = yield* images
  const [account] = yield* connectInBrowser("youtube", "cutter")
  const { id } = yield* create({
    social_accounts: [account],
    caption: "Colours",
    media: [media],
    platform_configurations: { youtube: options }
  })
  const post = yield* settled(id)
  assert.strictEqual(post.status, "published", JSON.stringify(post))
  const sent = (yield* images).filter((bytes) => !before.some((one) => one.equals(bytes)))
  assert.isAtMost(sent.length, 1)
  return { post, thumbnail: sent[0] }
})

// Without ffmpeg there is nothing to cut with.
describe.skipIf(!able)("with ffmpeg on the machine", () => {
  layer(SharedService, { excludeTestServices: true, timeout: "180 seconds" })(
    "a thumbnail by its time",
    (it) => {
      it.effect("a thumbnail by its time is the frame that is shown at that moment, as a large JPEG", () =>
        Effect.gen(function* () {
          const service = yield* Service
          const media = yield* service.upload(colours(), "video/mp4", "film.mp4")
          // The last is where the last picture has been shown for its half second.
          const moments = [
            [0, "255,0,0"],
            [999, "255,0,0"],
            [1000, "0,255,0"],
            [3000, "0,0,255"]
          ] as const
          for (const [at, colour] of moments) {
            const { post, thumbnail } = yield* publish(media, { video_cover_timestamp_ms: at })
            assert.deepStrictEqual(post.warnings, [])
            assert.isUndefined(post.results[0].platform_data.warnings)
            // The same picture was there already.
            if (at === 999) {
              assert.isUndefined(thumbnail)
              continue
            }
            const picture = sharp(thumbnail)
            const { format, width, height } = yield* Effect.promise(() => picture.metadata())
            assert.deepStrictEqual({ format, width, height }, { format: "jpeg", width: 1280, height: 720 })
            const { channels } = yield* Effect.promise(() => picture.stats())
            for (const [index, wanted] of colour.split(",").entries()) {
              assert.approximately(channels[index]!.mean, Number(wanted), 8, `at ${at}`)
            }
          }
        })
      )

      it.effect("gives way to an image that the post names, with a warning", () =>
        Effect.gen(function* () {
          const service = yield* Service
          const media = yield* service.upload(mp4, "video/mp4", "film.mp4")
          const picture = yield* Effect.promise(() =>
            sharp({ create: { width: 1600, height: 900, channels: 3, background: "teal" } })
              .png()
              .toBuffer()
          )
          const named = yield* service.upload(picture, "image/png", "cover.png")
          const { post, thumbnail } = yield* publish(media, {
            video_cover_timestamp_ms: 10,
            thumbnail: named
          })
          assert.lengthOf(post.warnings, 1)
          assert.include(
            post.warnings[0],
            "shows the image in thumbnail and ignores video_cover_timestamp_ms."
          )
          assert.strictEqual((yield* Effect.promise(() => sharp(thumbnail).metadata())).width, 1600)
        })
      )

      it.effect("a thumbnail by its time is refused beyond the end of the video", () =>
        Effect.gen(function* () {
          const service = yield* Service
          const [account] = yield* connectInBrowser("youtube", "cutter")
          const { status, body } = yield* service.call("POST", "/v1/posts/validate", {
            social_accounts: [account],
            media: [yield* service.upload(mp4, "video/mp4", "film.mp4")],
            platform_configurations: { youtube: { video_cover_timestamp_ms: 60_000 } }
          })
          assert.strictEqual(status, 400)
          assert.strictEqual(body.errors[0].rule, "cover_in_video")
        })
      )
    }
  )
})

layer(ServiceWithSandbox({ env: { FFMPEG: "no-such-program" } }), {
  excludeTestServices: true,
  timeout: "180 seconds"
})("an instance without ffmpeg", (it) => {
  it.effect("says before the post goes out that no frame can be cut, and what to do, and publishes", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const media = yield* service.upload(mp4, "video/mp4", "film.mp4")
      const [account] = yield* connectInBrowser("youtube", "cutter")
      const draft = {
        social_accounts: [account],
        media: [media],
        platform_configurations: { youtube: { video_cover_timestamp_ms: 10 } }
      }
      const { body } = yield* service.call("POST", "/v1/posts/validate", draft)
      assert.deepStrictEqual(body.warnings, [
        `YouTube (account ${account}) chooses the thumbnail itself: this service has no ffmpeg to extract the frame at ` +
          "10 milliseconds. Set thumbnail to an image, or ask the operator to install ffmpeg or to set FFMPEG to its path."
      ])
      const { post, thumbnail } = yield* publish(media, { video_cover_timestamp_ms: 10 })
      assert.deepStrictEqual(post.warnings, body.warnings)
      assert.isUndefined(thumbnail)
      const [warning, ...others] = post.results[0].platform_data.warnings
      assert.lengthOf(others, 0)
      assert.match(
        warning,
        /^The thumbnail could not be set\. This service has no ffmpeg .+ FFMPEG to its path\.$/
      )
    })
  )
})
