import type { MimeType, WorkspaceId } from "@carillon/domain"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch, Layer } from "effect"
import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { open, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { crc32 } from "node:zlib"
import sharp from "sharp"
import * as TestDirectory from "@carillon/testing/TestDirectory"
import { inTurn, readHeader } from "@carillon/server/media/images/Images"
import { Probe } from "@carillon/server/media/Probe"
import { VideoProbe } from "@carillon/server/media/videos/VideoProbe"
import { elsewhere, home } from "./MediaServer.ts"
import { encoded, fixture, grainy } from "./Pictures.ts"

const written = Effect.fnUntraced(function* (bytes: Uint8Array) {
  const path = join(yield* TestDirectory.make, "file")
  yield* Effect.promise(() => writeFile(path, bytes))
  return path
})

const probe = Effect.fnUntraced(function* (bytes: Uint8Array, declared: MimeType) {
  const path = yield* written(bytes)
  return yield* (yield* Probe).probe(path, declared, home)
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

const gibibyte = 1 << 30

/** Up to its tables, which have a gigabyte. */
const moovOf = (bytes: Buffer) => {
  const header = Buffer.from(bytes.subarray(0, 40))
  const moov = header.readUInt32BE(0)
  header.writeUInt32BE(8 + gibibyte, moov)
  header.write("moov", moov + 4)
  return header.subarray(0, moov + 8)
}

/** Up to its first cluster, before which cues of a gigabyte stand. */
const cuesOf = (bytes: Buffer) => {
  const cluster = bytes.indexOf(Buffer.from("1f43b675", "hex"))
  return Buffer.concat([bytes.subarray(0, cluster), Buffer.from("1c53bb6b0100000040000000", "hex")])
}

/** A header alone: nothing of it can be decoded. */
const sizedPng = (width: number, height: number, channels: 3 | 4, progressive: boolean) =>
  Effect.map(encoded(grainy(60, 40, channels).png({ progressive })), (picture) => {
    const bytes = Buffer.from(picture)
    bytes.writeUInt32BE(width, bytes.indexOf("IHDR") + 4)
    bytes.writeUInt32BE(height, bytes.indexOf("IHDR") + 8)
    bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29)
    return new Uint8Array(bytes)
  })

const sizedJpeg = (width: number, height: number, progressive: boolean) =>
  Effect.map(encoded(grainy(60, 40).jpeg({ progressive, chromaSubsampling: "4:4:4" })), (picture) => {
    const bytes = Buffer.from(picture)
    const frame = bytes.indexOf(Buffer.from([0xff, progressive ? 0xc2 : 0xc0]))
    bytes.writeUInt16BE(height, frame + 5)
    bytes.writeUInt16BE(width, frame + 7)
    return new Uint8Array(bytes)
  })

const sizedWebp = (width: number, height: number) =>
  Effect.map(encoded(grainy(60, 40).webp({ lossless: true })), (picture) => {
    const bytes = Buffer.from(picture)
    bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), bytes.indexOf("VP8L") + 9)
    return new Uint8Array(bytes)
  })

const sizedGif = (width: number, height: number) =>
  Effect.map(encoded(grainy(60, 40).gif()), (picture) => {
    const bytes = Buffer.from(picture)
    for (const at of [6, bytes.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, 60, 0])) + 5]) {
      bytes.writeUInt16LE(width, at)
      bytes.writeUInt16LE(height, at + 2)
    }
    return new Uint8Array(bytes)
  })

/** One pixel, so many times. */
const gifOf = (frames: number) =>
  Effect.sync(() => {
    const start = Buffer.from("47494638396101000100800000000000ffffff", "hex")
    const frame = Buffer.from("2c00000000010001000002024401003b", "hex").subarray(0, -1)
    return new Uint8Array(Buffer.concat([start, ...Array<Buffer>(frames).fill(frame), Buffer.from(";")]))
  })

const webpOf = (frames: number) =>
  Effect.map(
    encoded(
      sharp({ create: { width: 1, height: 1, channels: 3, background: "#000" } }).webp({ lossless: true })
    ),
    (picture) => {
      const chunk = (tag: string, content: Uint8Array) => {
        const header = Buffer.alloc(8)
        header.write(tag)
        header.writeUInt32LE(content.byteLength, 4)
        return Buffer.concat([header, content])
      }
      const frame = chunk("ANMF", Buffer.concat([Buffer.alloc(16), picture.subarray(12)]))
      const content = Buffer.concat([
        Buffer.from("WEBP"),
        chunk("VP8X", Buffer.from([2, 0, 0, 0, 0, 0, 0, 0, 0, 0])),
        chunk("ANIM", Buffer.alloc(6)),
        ...Array<Buffer>(frames).fill(frame)
      ])
      return new Uint8Array(chunk("RIFF", content))
    }
  )

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
    it.effect(`the content of ${name} is measured as it is shown`, () =>
      Effect.gen(function* () {
        assert.deepInclude(yield* probe(yield* fixture(name), declared), facts)
      })
    )
  }

  it.effect("a video names its codecs, its frame rate and its real container", () =>
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

  it.effect("a photo is measured upright", () =>
    Effect.gen(function* () {
      const sideways = yield* encoded(grainy(60, 40).jpeg().withMetadata({ orientation: 6 }))
      assert.deepInclude(yield* probe(sideways, "image/jpeg"), { width: 40, height: 60 })
    })
  )

  it.effect("an animation is one picture wide and high", () =>
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
    it.effect(`the content of a file is refused as ${declared} unless it is that`, () =>
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
    it.effect(`a file of ${what} is none of the types`, () =>
      Effect.gen(function* () {
        for (const declared of types) {
          assert.strictEqual((yield* refusal(bytes, declared)).code, "media_type_mismatch", declared)
        }
      })
    )
  }

  it.effect("an AVIF or a Matroska file is not taken for its relatives", () =>
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

  it.effect("a file that was cut off is unreadable", () =>
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

  it.effect("a file without a picture is no video", () =>
    Effect.gen(function* () {
      const { code, detail } = yield* refusal(yield* fixture("sound-only.mp4"), "video/mp4")
      assert.strictEqual(code, "media_unreadable")
      assert.include(detail, "no picture track")
    })
  )

  it.effect("an image of more than 100 megapixels is refused by its header", () =>
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
    ["boxes in boxes in boxes", nestedBoxes(5000)]
  ] as const) {
    it.effect(`made of ${what} harms nothing but itself`, () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* refusal(yield* bytes, "video/mp4")).code, "media_unreadable")
        assert.strictEqual((yield* probe(yield* fixture("video.mp4"), "video/mp4")).width, 96)
      })
    )
  }

  it.effect("a video of more than 100 tracks is refused by their number", () =>
    Effect.gen(function* () {
      for (const count of [101, 20_000]) {
        const { code, detail } = yield* refusal(yield* manyTracks(count), "video/mp4")
        assert.strictEqual(code, "media_unreadable")
        assert.include(detail, `The video has ${count} tracks; the limit is 100.`)
      }
      assert.strictEqual((yield* probe(yield* manyTracks(100), "video/mp4")).width, 96)
    })
  )

  for (const [what, type, bytes, sentence] of [
    [
      "an interlaced PNG with 4 channels",
      "image/png",
      sizedPng(9000, 9000, 4, true),
      "309 MiB of memory, and the limit is 256 MiB"
    ],
    ["a progressive JPEG", "image/jpeg", sizedJpeg(9000, 9000, true), "464 MiB of memory"],
    ["a WebP with transparency or without loss", "image/webp", sizedWebp(9000, 9000), "618 MiB of memory"],
    ["a GIF", "image/gif", sizedGif(9000, 9000), "618 MiB of memory"]
  ] as const) {
    it.effect(`${what} that unpacks to more than the budget is refused by its header`, () =>
      Effect.gen(function* () {
        const { code, detail } = yield* refusal(yield* bytes, type)
        assert.strictEqual(code, "media_unreadable")
        assert.include(detail, `The image has 9000 x 9000 pixels and is ${what}`)
        assert.include(detail, sentence)
        assert.include(detail, "Scale it down, or save it as a JPEG or PNG")
      })
    )
  }

  for (const [what, type, bytes] of [
    ["PNG", "image/png", sizedPng(9000, 9000, 4, false)],
    ["JPEG", "image/jpeg", sizedJpeg(9000, 9000, false)]
  ] as const) {
    it.effect(`a ${what} that is read from top to bottom has no such limit`, () =>
      Effect.gen(function* () {
        const outcome = yield* probe(yield* bytes, type).pipe(
          Effect.match({ onFailure: ({ detail }) => detail, onSuccess: () => "accepted" })
        )
        assert.match(outcome, /accepted|damaged or cut off/)
      })
    )
  }

  for (const [type, animation] of [
    ["image/gif", gifOf],
    ["image/webp", webpOf]
  ] as const) {
    it.effect(`an animation, ${type}, has 5,000 frames at most`, () =>
      Effect.gen(function* () {
        const most = yield* probe(yield* animation(5000), type)
        assert.strictEqual(most.probe?.["frames"], 5000)
        // As many as a minute or two of libvips: they are counted before it sees them.
        for (const frames of [5001, 300_000]) {
          const { code, detail } = yield* refusal(yield* animation(frames), type)
          assert.strictEqual(code, "media_unreadable")
          assert.include(detail, "more than 5,000 frames")
        }
      })
    )
  }

  for (const [what, type, start, index] of [
    ["tables", "video/mp4", "video.mp4", moovOf],
    ["cues", "video/webm", "video.webm", cuesOf]
  ] as const) {
    it.effect(`a video with ${what} of a gigabyte is not read into memory, and says so`, () =>
      Effect.gen(function* () {
        const bytes = index(Buffer.from(yield* fixture(start)))
        const path = yield* written(bytes)
        yield* Effect.promise(() => truncate(path, bytes.byteLength + gibibyte))
        const { code, detail } = yield* (yield* Probe).probe(path, type, home).pipe(Effect.flip)
        assert.strictEqual(code, "media_unreadable")
        assert.include(detail, "The index of the video has 1024 MiB; the limit is 32 MiB")
      })
    )
  }
})

layer(VideoProbe.layer)("the videos of one workspace", (it) => {
  it.effect(
    "the videos of one workspace are looked at one after the other, and keep those of another waiting for none",
    () =>
      Effect.gen(function* () {
        const probe = yield* VideoProbe
        const pipe = join(yield* TestDirectory.make, "pipe")
        yield* Effect.promise(() => promisify(execFile)("mkfifo", [pipe]))
        // Nobody writes to it: who opens it to read waits.
        const waiting = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(probe.probe(pipe, home)))
        const facts = yield* probe.probe(yield* written(yield* fixture("video.mp4")), elsewhere)
        assert.strictEqual(facts?.width, 96)
        assert.isTrue(waiting.every((fiber) => fiber.pollUnsafe() === undefined))
        const writer = yield* Effect.promise(() => open(pipe, "r+"))
        for (const fiber of waiting) assert.isTrue(Exit.isFailure(yield* Fiber.await(fiber)))
        yield* Effect.promise(() => writer.close())
      })
  )
})

layer(Layer.empty)("images", (it) => {
  const image = (workspace_id: WorkspaceId) => ({ input: "", mime_type: "image/png", workspace_id })

  it.effect("of more than 50 megapixels, or half the budget, are worked on alone", () =>
    Effect.gen(function* () {
      const alone = Effect.fnUntraced(function* (input: Uint8Array) {
        return (yield* readHeader({ ...image(home), input })).alone
      })
      assert.isFalse(yield* alone(yield* sizedPng(7000, 7000, 4, false)))
      assert.isTrue(yield* alone(yield* sizedPng(7000, 7200, 4, false)))
      assert.isFalse(yield* alone(yield* sizedPng(5000, 5000, 4, true)))
      assert.isTrue(yield* alone(yield* sizedPng(6000, 6000, 4, true)))
    })
  )

  it.effect("take turns by workspace, and a large one waits for no more than its turn", () =>
    Effect.gen(function* () {
      const order: Array<string> = []
      const gate = yield* Latch.make()
      const work = (name: string, workspace: WorkspaceId, alone: boolean) =>
        Effect.forkChild(
          Effect.andThen(
            Effect.sync(() => void order.push(name)),
            gate.await
          ).pipe(inTurn(image(workspace), alone)),
          { startImmediately: true }
        )
      const fibers = [
        yield* work("first", home, false),
        yield* work("large", home, true),
        yield* work("later", home, false),
        yield* work("another's", elsewhere, false)
      ]
      assert.deepStrictEqual(order, ["first"])
      yield* gate.open
      yield* Fiber.joinAll(fibers)
      assert.deepStrictEqual(order, ["first", "large", "another's", "later"])
    })
  )
})
