import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Exit, Layer, Schedule } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { s3Server } from "../packages/server/test/media/S3Server.ts"
import { create, inSeconds, ServiceWithSandbox, settled } from "@carillon/testing/Publishing"
import { Service, startService } from "@carillon/testing/ServiceProcess"

const encoders = spawnSync("ffmpeg", ["-hide_banner", "-encoders"], { encoding: "utf8" }).stdout ?? ""
const filters = spawnSync("ffmpeg", ["-hide_banner", "-filters"], { encoding: "utf8" }).stdout ?? ""
const able =
  ["libx264", "libvpx-vp9"].every((name) => encoders.includes(name)) &&
  ["zscale", "tonemap"].every((name) => filters.includes(name))

/** Four seconds of 120 frames each, VP9 and Opus in WebM. */
const fastWebm = () => {
  const directory = mkdtempSync(join(tmpdir(), "carillon-clip-"))
  const path = join(directory, "clip.webm")
  const picture = ["-f", "lavfi", "-i", "testsrc2=size=360x640:rate=120:duration=4"]
  const sound = ["-f", "lavfi", "-i", "sine=frequency=440:duration=4"]
  const codecs = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-c:a", "libopus"]
  execFileSync("ffmpeg", ["-loglevel", "error", ...picture, ...sound, ...codecs, path])
  const bytes = readFileSync(path)
  rmSync(directory, { recursive: true })
  return bytes
}

/** Four seconds of grey at 203 candelas, 120 frames each, after the curve PQ. */
const brightFilm = () => {
  const directory = mkdtempSync(join(tmpdir(), "carillon-clip-"))
  const path = join(directory, "clip.mp4")
  const picture = ["-f", "lavfi", "-i", "color=c=0x949494:size=360x640:rate=120:duration=4"]
  const colours = ["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc"]
  const marks = "h264_metadata=colour_primaries=9:transfer_characteristics=16:matrix_coefficients=9"
  const codec = ["-pix_fmt", "yuv420p10le", "-c:v", "libx264", "-preset", "ultrafast", "-bsf:v", marks]
  execFileSync("ffmpeg", ["-loglevel", "error", ...picture, ...codec, ...colours, path])
  const bytes = readFileSync(path)
  rmSync(directory, { recursive: true })
  return bytes
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

const connectTikTok = Effect.fnUntraced(function* (username: string) {
  const service = yield* Service
  const { body } = yield* service.call("POST", "/v1/social-accounts/connect", {
    platform: "tiktok",
    redirect_url: "http://127.0.0.1:9/done"
  })
  return yield* Effect.promise(async () => {
    const begun = await fetch(body.authorize_url, { redirect: "manual" })
    const cookie = begun.headers.get("set-cookie")!.split(";", 1)[0]!
    const consent = new URL(begun.headers.get("location")!)
    const allowed = await fetch(consent, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams([
        ["username", username],
        ["decision", "allow"],
        ...consent.searchParams
          .get("scope")!
          .split(",")
          .map((scope): [string, string] => ["scope", scope])
      ])
    })
    const ended = await fetch(allowed.headers.get("location")!, { redirect: "manual", headers: { cookie } })
    return Number(new URL(ended.headers.get("location")!).searchParams.get("social_account_id"))
  })
})

/** The files of the media store. */
const stored = (dataDir: string) =>
  readdirSync(join(dataDir, "media"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

const conversions = (output: string) => output.split("a video was converted").length - 1

const withS3 = Layer.unwrap(
  Effect.map(s3Server, (env) => ServiceWithSandbox({ env: { ...env, VIDEO_TRANSCODING: "on" } }))
)

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
          const account = yield* connectTikTok("converted")
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
            scheduled_at: inSeconds(12),
            platform_configurations: { tiktok: { privacy_level: "SELF_ONLY" } }
          })
          const { body } = yield* service.call("GET", `/v1/posts/${post.id}`)
          assert.lengthOf(body.warnings, 1)
          assert.include(body.warnings[0], "converted copy")
          assert.include(body.warnings[0], "at most 60 frames per second, and this one has 120")

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
        const account = yield* connectTikTok("bright")
        const media = yield* service.upload(brightFilm(), "video/mp4", "clip.mp4")
        const { id } = yield* create({ social_accounts: [account], media: [media] })
        const post = yield* settled(id)
        assert.strictEqual(post.status, "published", JSON.stringify(post))
        assert.include(post.warnings.join(), "Its high dynamic range is mapped to the standard one.")
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

    it.effect("does not start without the program", () =>
      Effect.gen(function* () {
        const exit = yield* Effect.exit(
          Effect.scoped(startService({ env: { VIDEO_TRANSCODING: "on", FFMPEG: "no-such-program" } }))
        )
        assert.isTrue(Exit.isFailure(exit))
        assert.include(
          String(Exit.isFailure(exit) ? exit.cause : ""),
          "VIDEO_TRANSCODING is on, but the program no-such-program could not be run."
        )
      })
    )
  })

  layer(withS3, { excludeTestServices: true, timeout: "180 seconds" })(
    "an instance that converts videos and keeps its media in S3",
    (it) => {
      it.effect("makes the copy once, and finds it in the bucket after a restart", () =>
        Effect.gen(function* () {
          const service = yield* Service
          const sandbox = (yield* SandboxProcess).on("tiktok")
          const account = yield* connectTikTok("bucket")
          const media = yield* service.upload(fastWebm(), "video/webm", "clip.webm")
          for (const restart of [false, true]) {
            if (restart) {
              yield* service.kill
              yield* service.start
            }
            const { id } = yield* create({ social_accounts: [account], media: [media] })
            const post = yield* settled(id)
            assert.strictEqual(post.status, "published", JSON.stringify(post))
          }
          assert.strictEqual(conversions(service.output()), 1)
          const [first, second] = yield* sandbox.publications("bucket")
          assert.strictEqual(first!.media[0]!.content_type, "video/mp4")
          assert.strictEqual(second!.media[0]!.sha256, first!.media[0]!.sha256)
          assert.deepStrictEqual(stored(service.dataDir), [])
          assert.strictEqual((yield* service.call("DELETE", `/v1/media/${media}`)).status, 200)
        })
      )
    }
  )
})
