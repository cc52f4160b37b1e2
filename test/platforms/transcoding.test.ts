import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { connectInBrowser } from "@carillon/testing/ConsentVisit"
import { create, inSeconds, ServiceWithSandbox, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"

const encoders = spawnSync("ffmpeg", ["-hide_banner", "-encoders"], { encoding: "utf8" }).stdout ?? ""
const filters = spawnSync("ffmpeg", ["-hide_banner", "-filters"], { encoding: "utf8" }).stdout ?? ""
const able =
  ["libx264", "libvpx-vp9"].every((name) => encoders.includes(name)) &&
  ["zscale", "tonemap"].every((name) => filters.includes(name))

/** Somewhat more than three seconds of 120 frames each, which is more than TikTok takes. */
const clip = (file: string, colour: string, ...codecs: ReadonlyArray<string>) => {
  const directory = mkdtempSync(join(tmpdir(), "carillon-clip-"))
  const path = join(directory, file)
  const picture = ["-f", "lavfi", "-i", `color=c=${colour}:size=360x640:rate=120:duration=3.2`]
  const sound = ["-f", "lavfi", "-i", "sine=frequency=440:duration=3.2"]
  execFileSync("ffmpeg", ["-loglevel", "error", ...picture, ...sound, ...codecs, path])
  const bytes = readFileSync(path)
  rmSync(directory, { recursive: true })
  return bytes
}

const fastWebm = () =>
  clip(
    "clip.webm",
    "teal",
    "-c:v",
    "libvpx-vp9",
    "-deadline",
    "realtime",
    "-cpu-used",
    "8",
    "-c:a",
    "libopus"
  )

/** Grey at 203 candelas, after the curve PQ. */
const brightFilm = () => {
  const colours = ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc"]
  const marks = "h264_metadata=colour_primaries=9:transfer_characteristics=16:matrix_coefficients=9"
  const codec = ["-pix_fmt", "yuv420p10le", "-c:v", "libx264", "-preset", "ultrafast", "-bsf:v", marks]
  return clip("clip.mp4", "0x949494", ...codec, ...colours)
}

/** The mean grey of a video's first picture. */
const greyOf = (path: string) => {
  const picture = ["-frames:v", "1", "-vf", "scale=1:1", "-f", "rawvideo", "-pix_fmt", "gray", "-"]
  return execFileSync("ffmpeg", ["-loglevel", "error", "-i", path, ...picture])[0]!
}

const probed = (path: string) =>
  JSON.parse(
    execFileSync("ffprobe", ["-v", "error", "-of", "json", "-show_streams", "-show_format", path], {
      encoding: "utf8"
    })
  ) as { readonly streams: ReadonlyArray<Record<string, unknown>>; readonly format: Record<string, unknown> }

const connected = (username: string) =>
  Effect.map(connectInBrowser("tiktok", username), ([account]) => account!)

/** The files of the media store. */
const stored = (dataDir: string) =>
  readdirSync(join(dataDir, "media"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

const conversions = (output: string) => output.split("a video was converted").length - 1

// Without an ffmpeg that has these there is nothing to convert with.
describe.skipIf(!able)("with ffmpeg on the machine", () => {
  layer(ServiceWithSandbox({ env: { VIDEO_TRANSCODING: "on" } }), {
    excludeTestServices: true,
    timeout: "180 seconds"
  })("an instance that converts videos", (it) => {
    it.effect(
      "sends an H.264 MP4 for a WebM with too many frames, made once though it is killed and asked twice",
      () =>
        Effect.gen(function* () {
          const service = yield* Service
          const sandbox = (yield* SandboxProcess).on("tiktok")
          const account = yield* connected("converted")
          const media = yield* service.upload(fastWebm(), "video/webm", "clip.webm")
          const refused = yield* service.call("POST", "/v1/posts", {
            social_accounts: [account],
            media: [media],
            processing_enabled: false
          })
          assert.strictEqual(refused.status, 400)
          assert.strictEqual(refused.body.errors[0].rule, "max_fps")

          const post = yield* create({
            social_accounts: [account],
            media: [media],
            scheduled_at: inSeconds(8),
            platform_configurations: { tiktok: { privacy_level: "SELF_ONLY" } }
          })
          const { body } = yield* service.call("GET", `/v1/posts/${post.id}`)
          assert.lengthOf(body.warnings, 1)
          assert.include(body.warnings[0], "converted copy")
          assert.include(body.warnings[0], "at most 60 frames per second, but this one has 120")

          yield* Effect.sync(() => conversions(service.output())).pipe(
            Effect.filterOrFail((count) => count === 1),
            Effect.retry({ schedule: Schedule.spaced("50 millis"), times: 2400 })
          )
          yield* service.kill
          yield* service.start
          const after = yield* settled(post.id)
          assert.strictEqual(after.status, "published", JSON.stringify(after))
          const again = yield* create({ social_accounts: [account], media: [media] })
          assert.strictEqual((yield* settled(again.id)).status, "published")
          assert.strictEqual(conversions(service.output()), 1)

          const files = stored(service.dataDir)
          const copies = files.filter((path) => path.endsWith(".mp4"))
          assert.lengthOf(copies, 1)
          assert.lengthOf(files, 2)
          const published = yield* sandbox.publications("converted")
          assert.lengthOf(published, 2)
          for (const { media: sent } of published) {
            assert.strictEqual(sent[0]!.content_type, "video/mp4")
            assert.include(basename(copies[0]!), sent[0]!.sha256)
          }
          const { streams, format } = probed(copies[0]!)
          assert.deepInclude(streams[0], {
            codec_name: "h264",
            profile: "High",
            pix_fmt: "yuv420p",
            width: 360,
            height: 640,
            r_frame_rate: "60/1"
          })
          assert.deepInclude(streams[1], { codec_name: "aac", sample_rate: "48000", channels: 2 })
          assert.strictEqual(Number(format["size"]), published[0]!.media[0]!.size)

          const gone = yield* service.call("DELETE", `/v1/media/${media}`)
          assert.strictEqual(gone.status, 200, JSON.stringify(gone.body))
          assert.deepStrictEqual(stored(service.dataDir), [])
        })
    )

    it.effect("brings a high dynamic range to the standard one, and says so", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const account = yield* connected("bright")
        const media = yield* service.upload(brightFilm(), "video/mp4", "clip.mp4")
        const { id } = yield* create({ social_accounts: [account], media: [media] })
        const post = yield* settled(id)
        assert.strictEqual(post.status, "published", JSON.stringify(post))
        assert.include(post.warnings.join(), "Its HDR is tone-mapped to SDR.")
        const copy = stored(service.dataDir).find((path) => path.endsWith(".mp4"))!
        assert.deepInclude(probed(copy).streams[0], {
          pix_fmt: "yuv420p",
          color_space: "bt709",
          color_transfer: "bt709",
          color_primaries: "bt709"
        })
        // The value itself is 148; seen as it is meant, it is the white of paper.
        assert.isAbove(greyOf(copy), 175)
      })
    )
  })
})
