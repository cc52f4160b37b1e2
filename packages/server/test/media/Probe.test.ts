import type { MimeType } from "@carillon/domain"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { crc32 } from "node:zlib"
import sharp from "sharp"
import * as TestDirectory from "../../../../test/support/TestDirectory.ts"
import { Probe } from "@carillon/server/media/Probe"
import { encoded, fixture, grainy } from "./Pictures.ts"

const written = Effect.fnUntraced(function* (bytes: Uint8Array) {
  const path = join(yield* TestDirectory.make, "file")
  yield* Effect.promise(() => writeFile(path, bytes))
  return path
})

const probe = Effect.fnUntraced(function* (bytes: Uint8Array, declared: MimeType) {
  const path = yield* written(bytes)
  return yield* (yield* Probe).probe(path, declared)
})

const refusal = (bytes: Uint8Array, declared: MimeType) =>
  Effect.map(Effect.flip(probe(bytes, declared)), ({ code, detail }) => ({ code, detail }))

const text = (content: string) => new TextEncoder().encode(content)

/** `video.mp4` with a number inside one of its tables replaced. */
const withTable = (table: string, offset: number, value: number) =>
  Effect.map(fixture("video.mp4"), (bytes) => {
    const changed = Buffer.from(bytes)
    changed.writeUInt32BE(value, changed.indexOf(table) + offset)
    return new Uint8Array(changed)
  })

const box = (type: string, content: Uint8Array) => {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(8 + content.byteLength)
  header.write(type, 4)
  return Buffer.concat([header, content])
}

const boxAt = (bytes: Buffer, type: string) => {
  const start = bytes.indexOf(type) - 4
  return bytes.subarray(start, start + bytes.readUInt32BE(start))
}

const manyTracks = (count: number) =>
  Effect.map(fixture("video.mp4"), (content) => {
    const bytes = Buffer.from(content)
    const track = boxAt(bytes, "trak")
    const moov = box(
      "moov",
      Buffer.concat([boxAt(bytes, "mvhd"), ...Array.from({ length: count }, () => track)])
    )
    return new Uint8Array(Buffer.concat([boxAt(bytes, "ftyp"), moov]))
  })

const nestedBoxes = (depth: number) =>
  Effect.map(fixture("video.mp4"), (content) => {
    let inner: Buffer = Buffer.alloc(0)
    for (let level = 0; level < depth; level++) inner = box(level % 2 === 0 ? "mdia" : "trak", inner)
    return new Uint8Array(Buffer.concat([boxAt(Buffer.from(content), "ftyp"), box("moov", inner)]))
  })

const pictures = {
  "image/jpeg": encoded(grainy(60, 40).jpeg()),
  "image/png": encoded(grainy(60, 40).png()),
  "image/webp": encoded(grainy(60, 40).webp()),
  "image/gif": encoded(grainy(60, 40).gif()),
  "image/heic": fixture("photo.heic"),
  "video/mp4": fixture("video.mp4"),
  "video/quicktime": fixture("quicktime.mov"),
  "video/webm": fixture("video.webm"),
  "application/pdf": Effect.succeed(text("%PDF-1.7\n%%EOF\n"))
} as const

const types = Object.keys(pictures) as Array<MimeType>
const sameContainer = ["video/mp4", "video/quicktime"]

layer(Probe.layer)("the content of a file", (it) => {
  for (const [name, declared, facts] of [
    ["photo.heic", "image/heic", { width: 64, height: 48, duration_ms: null }],
    ["rotated.heic", "image/heic", { width: 48, height: 64, duration_ms: null }],
    ["video.mp4", "video/mp4", { width: 96, height: 54, duration_ms: 1200 }],
    ["quicktime.mov", "video/quicktime", { width: 96, height: 54, duration_ms: 1000 }],
    ["rotated.mov", "video/quicktime", { width: 54, height: 96, duration_ms: 1000 }],
    ["video.webm", "video/webm", { width: 96, height: 54, duration_ms: 1000 }],
    ["streamed.webm", "video/webm", { width: 96, height: 54, duration_ms: 1000 }]
  ] as const) {
    it.effect(`of ${name} is measured as it is shown`, () =>
      Effect.gen(function* () {
        assert.deepInclude(yield* probe(yield* fixture(name), declared), facts)
      })
    )
  }

  it.effect("of a video names its codecs, its frame rate and its real container", () =>
    Effect.gen(function* () {
      const mp4 = yield* probe(yield* fixture("video.mp4"), "video/mp4")
      assert.deepStrictEqual(mp4.probe, {
        format: "video/mp4",
        video_codec: "avc",
        audio_codec: "aac",
        frame_rate: 5
      })
      const mov = yield* probe(yield* fixture("quicktime.mov"), "video/mp4")
      assert.deepStrictEqual(mov.probe, {
        format: "video/quicktime",
        video_codec: "avc",
        audio_codec: "none",
        frame_rate: 5
      })
    })
  )

  it.effect("of a photo is measured upright", () =>
    Effect.gen(function* () {
      const sideways = yield* encoded(grainy(60, 40).jpeg().withMetadata({ orientation: 6 }))
      assert.deepInclude(yield* probe(sideways, "image/jpeg"), { width: 40, height: 60 })
    })
  )

  it.effect("of an animation is one picture wide and high", () =>
    Effect.gen(function* () {
      const frames = yield* Effect.all([encoded(grainy(60, 40).png()), encoded(grainy(60, 40).png())])
      const animation = sharp(frames, { join: { animated: true } })
      for (const [bytes, type] of [
        [yield* encoded(animation.clone().gif()), "image/gif"],
        [yield* encoded(animation.clone().webp()), "image/webp"]
      ] as const) {
        const facts = yield* probe(bytes, type)
        assert.deepInclude(facts, { width: 60, height: 40 })
        assert.strictEqual(facts.probe?.["frames"], 2)
      }
    })
  )

  for (const declared of types) {
    it.effect(`is refused as ${declared} unless it is that`, () =>
      Effect.gen(function* () {
        for (const type of types) {
          const bytes = yield* pictures[type]
          const fits = type === declared || (sameContainer.includes(type) && sameContainer.includes(declared))
          const outcome = yield* probe(bytes, declared).pipe(
            Effect.match({ onFailure: ({ code }) => code, onSuccess: () => "accepted" })
          )
          assert.strictEqual(outcome, fits ? "accepted" : "media_type_mismatch", `${type} as ${declared}`)
        }
      })
    )
  }

  for (const [what, bytes] of [
    ["SVG", text(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`)],
    ["HTML", text("<!doctype html><script>alert(1)</script>")],
    ["noise", new Uint8Array(randomBytes(1000))],
    ["one byte", new Uint8Array(1)],
    ["PDF after rubbish", text("rubbish %PDF-1.7")]
  ] as const) {
    it.effect(`of ${what} is none of the types`, () =>
      Effect.gen(function* () {
        for (const declared of types) {
          assert.strictEqual((yield* refusal(bytes, declared)).code, "media_type_mismatch", declared)
        }
      })
    )
  }

  it.effect("of an AVIF or a Matroska file is not taken for its relatives", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        (yield* refusal(yield* fixture("photo.avif"), "image/heic")).code,
        "media_type_mismatch"
      )
      assert.strictEqual(
        (yield* refusal(yield* fixture("matroska.mkv"), "video/webm")).code,
        "media_type_mismatch"
      )
    })
  )

  it.effect("that was cut off is unreadable", () =>
    Effect.gen(function* () {
      for (const type of [
        "image/jpeg",
        "image/png",
        "image/webp",
        "image/gif",
        "video/mp4",
        "video/webm"
      ] as const) {
        const bytes = yield* pictures[type]
        const half = bytes.subarray(0, Math.ceil(bytes.byteLength / 2))
        assert.strictEqual((yield* refusal(half, type)).code, "media_unreadable", type)
      }
    })
  )

  it.effect("without a picture is no video", () =>
    Effect.gen(function* () {
      const { code, detail } = yield* refusal(yield* fixture("sound-only.mp4"), "video/mp4")
      assert.strictEqual(code, "media_unreadable")
      assert.include(detail, "no picture track")
    })
  )

  it.effect("of more than 100 megapixels is refused by its header", () =>
    Effect.gen(function* () {
      const bytes = Buffer.from(yield* encoded(grainy(60, 40).png()))
      bytes.writeUInt32BE(20_000, bytes.indexOf("IHDR") + 4)
      bytes.writeUInt32BE(20_000, bytes.indexOf("IHDR") + 8)
      bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29)
      const { code, detail } = yield* refusal(new Uint8Array(bytes), "image/png")
      assert.strictEqual(code, "media_unreadable")
      assert.include(detail, "20000 x 20000")
    })
  )

  for (const [what, bytes] of [
    ["a run of four billion samples", withTable("stts", 12, 0xffffffff)],
    ["four billion table entries", withTable("stsz", 12, 0xffffffff)],
    ["twenty thousand tracks", manyTracks(20_000)],
    ["boxes in boxes in boxes", nestedBoxes(5000)]
  ] as const) {
    it.effect(`made of ${what} harms nothing but itself`, () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* refusal(yield* bytes, "video/mp4")).code, "media_unreadable")
        assert.strictEqual((yield* probe(yield* fixture("video.mp4"), "video/mp4")).width, 96)
      })
    )
  }

  it.effect("with an index of a gigabyte is not read into memory", () =>
    Effect.gen(function* () {
      const start = Buffer.from((yield* fixture("video.mp4")).subarray(0, 40))
      const moov = start.readUInt32BE(0)
      start.writeUInt32BE(1 << 30, moov)
      start.write("moov", moov + 4)
      const path = yield* written(start)
      yield* Effect.promise(() => truncate(path, moov + (1 << 30)))
      const refused = yield* (yield* Probe).probe(path, "video/mp4").pipe(Effect.flip)
      assert.strictEqual(refused.code, "media_unreadable")
    })
  )
})
