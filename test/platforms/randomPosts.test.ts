import {
  type Content,
  type KnownMedia,
  platformOptions,
  preflight,
  xSubscriberLimits
} from "@carillon/domain"
import { SandboxProcess } from "@carillon/sandbox/testing"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Schema, Stream } from "effect"
import { HttpClient } from "effect/http"
import { SeededRandom } from "../contract/SeededRandom.ts"
import { accountOnX } from "./AccountOnX.ts"

const seed = Number(process.env["HOSTILE_SEED"] ?? Date.now() % 1_000_000_000)
const posts = 1000
/** X takes a hundred of an account in a quarter of an hour. */
const each = 50

const pieces = [
  "bells",
  "Glocken & Türme",
  "鐘の音",
  "колокол",
  "👩‍👩‍👧‍👦",
  "🇫🇷",
  "1️⃣",
  "cafe\u0301",
  "<b>",
  "https://example.com/a?b=c&d=(e)",
  "example.org/♥",
  "bell.museum",
  "@somebody",
  "#bells",
  "\n\n",
  "\u200d",
  "\u00a0",
  "x".repeat(40),
  "鐘".repeat(30)
]

/** A post with something of everything, and with what is wrong here and there. */
const randomPost = (random: SeededRandom, index: number) => {
  const maybe = <A>(name: string, value: () => A) => (random.chance(0.2) ? { [name]: value() } : {})
  const kind = random.pick(["none", "none", "pictures", "gif", "film"] as const)
  const count =
    kind === "none" ? 0 : kind === "pictures" ? 1 + random.below(5) : 1 + Number(random.chance(0.1))
  const words = [`No. ${index}`, ...Array.from({ length: random.below(12) }, () => random.pick(pieces))]
  const options = {
    ...maybe("reply_settings", () =>
      random.pick(["everyone", "following", "mentionedUsers", "subscribers", "verified"])
    ),
    ...maybe("community_id", () =>
      random.pick(["1", "1493446837214187523", "12345678901234567890", "bells"])
    ),
    ...maybe("poll", () => ({
      options: Array.from({ length: 1 + random.below(4) }, () =>
        random.pick(["Big", "鐘".repeat(25), "x".repeat(26), "👍🏽", ""])
      ),
      duration_minutes: random.pick([4, 5, 60, 10_080, 10_081])
    })),
    ...maybe("made_with_ai", () => true),
    ...maybe("paid_partnership", () => random.chance(0.5)),
    ...maybe("for_super_followers_only", () => true),
    ...maybe("alt_text", () => random.pick(["A bell", "👍🏽".repeat(250), "x".repeat(1000), "x".repeat(1001)])),
    ...maybe("captions", () => [{ lang: random.pick(["en", "pt-BR", "deu"]), text: "WEBVTT" }])
  }
  return { caption: words.join(random.pick([" ", "", "\n"])), kind, count, options }
}

const type = { pictures: "image/jpeg", gif: "image/gif", film: "video/mp4" }

const fileOf = (kind: keyof typeof type, index: number): KnownMedia => ({
  id: `00000000-0000-7000-8000-00000000000${index}`,
  name: "file",
  status: "ready",
  importing: false,
  error: null,
  kind: kind === "film" ? "video" : "image",
  mime_type: type[kind],
  size_bytes: 100,
  width: 720,
  height: 720,
  duration_ms: kind === "film" ? 10_000 : null,
  frame_rate: kind === "film" ? 30 : null,
  video_codec: kind === "film" ? "avc" : null,
  audio_codec: kind === "film" ? "aac" : null,
  frames: kind === "film" ? null : 1,
  transfer: null
})

const Network = Layer.merge(SandboxProcess.layer, NodeHttpClient.layerUndici)

layer(Network, { excludeTestServices: true, timeout: "240 seconds" })("the stand-in for X", (it) => {
  it.effect(`takes what pre-flight accepts of ${posts} random posts (HOSTILE_SEED=${seed})`, () =>
    Effect.gen(function* () {
      const random = new SeededRandom(seed)
      const client = yield* HttpClient.HttpClient
      const due_at = DateTime.add(yield* DateTime.now, { hours: 1 })
      let accepted = 0
      for (let begun = 0; begun < posts; begun += each) {
        const isSubscriber = begun % (2 * each) === 0
        const { publish } = yield* accountOnX(`random-${begun}${isSubscriber ? "-premium" : ""}`, client)
        for (let index = begun; index < begun + each; index++) {
          const { caption, count, kind, options } = randomPost(random, index)
          const media = kind === "none" ? [] : Array.from({ length: count }, (_, at) => fileOf(kind, at))
          const problems = preflight({
            content: {
              caption,
              media: media.map(({ id }) => id),
              platform_configurations: { twitter: options } as Content["platform_configurations"],
              account_configurations: null
            },
            processing_enabled: false,
            video_transcoding: false,
            social_accounts: [7],
            accounts: [
              {
                id: 7,
                platform: "twitter",
                username: "random",
                status: "connected",
                limits: isSubscriber ? xSubscriberLimits : null
              }
            ],
            media,
            public_url: { url: "http://localhost:4400", closed_to: [] }
          })
          if (problems.length > 0) continue
          accepted += 1
          const { alt_text = null, ...rest } = Schema.decodeUnknownSync(platformOptions.twitter)(options)
          yield* publish({
            caption,
            due_at,
            options: rest,
            media: media.map((item) => ({
              ...item,
              sha256: "0".repeat(64),
              alt_text: Array.isArray(alt_text) ? alt_text[0] : alt_text,
              image: Effect.succeed({
                bytes: new Uint8Array(100),
                mime_type: item.mime_type,
                width: 720,
                height: 720
              }),
              content: Stream.empty,
              part: () => Stream.succeed(new Uint8Array(100)),
              public_url: Effect.succeed("https://example.com/file")
            }))
          }).pipe(
            Effect.catch((error) =>
              Effect.die(new Error(`${error.message}\n${JSON.stringify({ caption, count, kind, options })}`))
            )
          )
        }
      }
      const { on } = yield* SandboxProcess
      assert.lengthOf(yield* on("twitter").publications(), accepted)
      assert.isAbove(accepted, posts / 5)
      assert.isBelow(accepted, posts * 0.9)
    })
  )
})
