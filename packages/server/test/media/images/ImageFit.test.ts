import type { ImageRules } from "@carillon/domain"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import sharp, { type Color } from "sharp"
import { ImageFit } from "@carillon/server/media/images/ImageFit"
import { home } from "../MediaServer.ts"
import { encoded, fixture, grainy } from "../Pictures.ts"

const bluesky: ImageRules = {
  max_count: 4,
  mime_types: ["image/jpeg", "image/png", "image/webp"],
  max_bytes: 2_000_000,
  max_side: 4000
}
const everything: ImageRules = {
  max_count: 4,
  mime_types: ["image/jpeg", "image/png", "image/webp", "image/gif"],
  max_bytes: 20_000_000
}

const stored = (input: Uint8Array, mime_type: string) => ({
  input,
  mime_type,
  size_bytes: input.byteLength,
  workspace_id: home
})

const fit = Effect.fnUntraced(function* (input: Uint8Array, mime_type: string, rules: ImageRules) {
  const fitted = yield* (yield* ImageFit).fit(stored(input, mime_type), rules)
  const metadata = yield* Effect.promise(() => sharp(fitted.bytes, { animated: true }).metadata())
  return { ...fitted, metadata }
})

const asIs = Effect.fnUntraced(function* (input: Uint8Array, mime_type: string, rules: ImageRules) {
  return yield* (yield* ImageFit).asIs(stored(input, mime_type), rules)
})

const pixel = (bytes: Uint8Array, left: number, top: number) =>
  Effect.promise(async () => [
    ...(await sharp(bytes).removeAlpha().extract({ left, top, width: 1, height: 1 }).raw().toBuffer())
  ])

const near = (actual: ReadonlyArray<number>, expected: ReadonlyArray<number>, tolerance: number) => {
  assert.deepStrictEqual(
    actual.filter((value, index) => Math.abs(value - expected[index]!) > tolerance),
    [],
    `${actual} is not ${expected}`
  )
}

const red = { r: 255, g: 0, b: 0 }
const plain = (width: number, height: number, background: Color = red) =>
  sharp({ create: { width, height, channels: 3, background } })

const animation = Effect.gen(function* () {
  const frames = yield* Effect.forEach([1, 2, 3], () => encoded(grainy(120, 80).png()))
  return yield* encoded(sharp(frames, { join: { animated: true } }).gif({ delay: [100, 200, 300], loop: 0 }))
})

layer(ImageFit.layer)("an image for a platform", (it) => {
  it.effect("an image of four times the bytes that a platform takes comes under them", () =>
    Effect.gen(function* () {
      const photo = yield* encoded(grainy(2016, 1512, 3, 30).jpeg({ quality: 97 }))
      assert.isAbove(photo.byteLength, 2_000_000)
      const fitted = yield* fit(photo, "image/jpeg", { ...bluesky, max_bytes: 500_000, max_side: 2000 })
      assert.strictEqual(fitted.mime_type, "image/jpeg")
      assert.isAtMost(fitted.bytes.byteLength, 500_000)
      // Close enough to the limit not to waste what the platform would show.
      assert.isAbove(fitted.bytes.byteLength, 175_000)
      assert.isAtMost(fitted.width, 2000)
      near([fitted.width / fitted.height], [4 / 3], 0.01)
    })
  )

  it.effect("loses the place it was taken at and everything else that is not picture", () =>
    Effect.gen(function* () {
      const photo = yield* encoded(
        grainy(60, 40)
          .jpeg()
          .withExif({
            IFD0: { Copyright: "somebody" },
            IFD3: { GPSLatitudeRef: "N", GPSLatitude: "48/1 51/1 0/1" }
          })
          .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"/>`)
      )
      const { metadata, bytes } = yield* fit(photo, "image/jpeg", everything)
      assert.deepInclude(metadata, { width: 60, height: 40, format: "jpeg" })
      for (const part of ["exif", "xmp", "iptc", "icc"] as const) assert.isUndefined(metadata[part], part)
      assert.strictEqual(Buffer.from(bytes).indexOf("somebody"), -1)
    })
  )

  it.effect("an image for a platform is turned upright", () =>
    Effect.gen(function* () {
      const left = Buffer.from(yield* encoded(plain(40, 40).png()))
      const leftRed = plain(80, 40, "#00f").composite([{ input: left, left: 0, top: 0 }])
      const sideways = yield* encoded(
        sharp(yield* encoded(leftRed.png()))
          .jpeg({ quality: 95 })
          .withMetadata({ orientation: 6 })
      )
      const fitted = yield* fit(sideways, "image/jpeg", everything)
      assert.deepInclude(fitted, { width: 40, height: 80 })
      near(yield* pixel(fitted.bytes, 20, 10), [255, 0, 0], 12)
      near(yield* pixel(fitted.bytes, 20, 70), [0, 0, 255], 12)
      assert.isUndefined(fitted.metadata.orientation)
    })
  )

  it.effect("an image for a platform is in sRGB whatever it was in", () =>
    Effect.gen(function* () {
      const wide = yield* encoded(plain(40, 40).png().withIccProfile("p3"))
      near(
        yield* Effect.promise(async () => [...(await sharp(wide).raw().toBuffer()).subarray(0, 3)]),
        [255, 0, 0],
        3
      )
      const fitted = yield* fit(wide, "image/png", everything)
      assert.isUndefined(fitted.metadata.icc)
      near(yield* pixel(fitted.bytes, 20, 20), [255, 0, 0], 3)
      const print = yield* encoded(plain(40, 40).toColourspace("cmyk").jpeg().withIccProfile("cmyk"))
      assert.strictEqual((yield* fit(print, "image/jpeg", everything)).metadata.space, "srgb")
    })
  )

  it.effect("stays byte for byte what it is when there is nothing to do", () =>
    Effect.gen(function* () {
      for (const [bytes, type] of [
        [yield* encoded(grainy(60, 40).jpeg()), "image/jpeg"],
        [yield* encoded(grainy(60, 40, 4).png()), "image/png"],
        [yield* encoded(grainy(60, 40).webp()), "image/webp"],
        [yield* animation, "image/gif"]
      ] as const) {
        const fitted = yield* fit(bytes, type, everything)
        assert.strictEqual(fitted.mime_type, type)
        assert.deepStrictEqual(new Uint8Array(fitted.bytes), bytes)
      }
    })
  )

  it.effect("stays a PNG while it fits, and becomes a JPEG when it does not", () =>
    Effect.gen(function* () {
      const rules = { ...bluesky, max_bytes: 500_000, max_side: 1000 }
      const drawing = yield* encoded(plain(1250, 750).png())
      const small = yield* fit(drawing, "image/png", rules)
      assert.deepInclude(small, { mime_type: "image/png", width: 1000, height: 600 })
      const noisy = yield* encoded(grainy(1000, 750).png())
      assert.isAbove(noisy.byteLength, 500_000)
      const photo = yield* fit(noisy, "image/png", rules)
      assert.deepInclude(photo, { mime_type: "image/jpeg", width: 1000, height: 750 })
    })
  )

  it.effect("keeps what is transparent so where it can, and white where it cannot", () =>
    Effect.gen(function* () {
      const clear = yield* encoded(
        sharp({
          create: { width: 40, height: 40, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } }
        }).webp()
      )
      const png = yield* fit(clear, "image/webp", { ...everything, mime_types: ["image/jpeg", "image/png"] })
      assert.strictEqual(png.mime_type, "image/png")
      assert.isTrue(png.metadata.hasAlpha)
      const jpeg = yield* fit(clear, "image/webp", { ...everything, mime_types: ["image/jpeg"] })
      assert.strictEqual(jpeg.mime_type, "image/jpeg")
      near(yield* pixel(jpeg.bytes, 20, 20), [255, 255, 255], 2)
    })
  )

  it.effect("keeps moving where the platform takes its type, smaller if it must be", () =>
    Effect.gen(function* () {
      const moving = yield* animation
      const smaller = yield* fit(moving, "image/gif", { ...everything, max_side: 60 })
      assert.deepInclude(smaller, { mime_type: "image/gif", width: 60, height: 40 })
      assert.strictEqual(smaller.metadata.pages, 3)
      assert.deepStrictEqual(smaller.metadata.delay, [100, 200, 300])
      const lighter = yield* fit(moving, "image/gif", { ...everything, max_bytes: 10_000 })
      assert.strictEqual(lighter.metadata.pages, 3)
      assert.isAtMost(lighter.bytes.byteLength, 10_000)
      const still = yield* fit(moving, "image/gif", bluesky)
      assert.deepInclude(still, { mime_type: "image/png", width: 120, height: 80 })
      assert.isUndefined(still.metadata.pages)
    })
  )

  it.effect("an image that cannot be decoded or made small enough says so", () =>
    Effect.gen(function* () {
      const heic = yield* Effect.flip(fit(yield* fixture("photo.heic"), "image/heic", bluesky))
      assert.deepInclude(heic, { class: "invalid", code: "media_unreadable" })
      assert.include(heic.message, "Upload it as JPEG or PNG")
      const photo = yield* encoded(grainy(60, 40).jpeg())
      const tiny = yield* Effect.flip(
        fit(photo, "image/jpeg", { ...bluesky, mime_types: ["image/jpeg"], max_bytes: 50 })
      )
      assert.deepInclude(tiny, { class: "media_rejected", code: "image_does_not_fit" })
    })
  )

  it.effect("an image that must not be changed is sent as it is or refused with the rule it breaks", () =>
    Effect.gen(function* () {
      const photo = yield* encoded(grainy(60, 40).jpeg().withMetadata({ orientation: 6 }))
      const sent = yield* asIs(photo, "image/jpeg", everything)
      assert.deepStrictEqual(new Uint8Array(sent.bytes), photo)
      assert.deepInclude(sent, { mime_type: "image/jpeg", width: 40, height: 60 })
      for (const [rules, sentence] of [
        [{ mime_types: ["image/png"] }, "accepts image/png, but this one is image/jpeg"],
        [
          { max_bytes: 100 },
          `accepts at most 100 bytes, but this one has ${photo.byteLength.toLocaleString("en")} bytes`
        ],
        [{ max_side: 50 }, "accepts at most 50 pixels on the longer side, but this one has 60 pixels"]
      ] as const) {
        const refused = yield* Effect.flip(asIs(photo, "image/jpeg", { ...everything, ...rules }))
        assert.strictEqual(refused.class, "media_rejected")
        assert.include(refused.message, sentence)
      }
    })
  )

  it.effect("an animation of too many pixels to change says how many there are", () =>
    Effect.gen(function* () {
      const bytes = Buffer.from(yield* animation)
      // The width of the canvas, and of its first frame.
      for (const at of [6, bytes.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, 120, 0])) + 5]) {
        bytes.writeUInt16LE(20_000, at)
        bytes.writeUInt16LE(1500, at + 2)
      }
      const refused = yield* Effect.flip(
        fit(new Uint8Array(bytes), "image/gif", { ...everything, max_side: 4000 })
      )
      assert.deepInclude(refused, { class: "media_rejected", code: "image_does_not_fit" })
      assert.include(refused.message, "3 frames of 20000 x 1500 pixels, 90 million in all")
      assert.include(refused.message, "the limit for that is 50 million")
    })
  )

  it.effect("an image with transparency is scaled down to what the encoder of WebP can hold", () =>
    Effect.gen(function* () {
      const drawing = yield* encoded(
        sharp({
          create: { width: 3000, height: 2000, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } }
        }).png()
      )
      const fitted = yield* fit(drawing, "image/png", { ...everything, mime_types: ["image/webp"] })
      assert.strictEqual(fitted.mime_type, "image/webp")
      near([fitted.width / fitted.height], [1.5], 0.01)
      near([fitted.width * fitted.height], [4_000_000], 10_000)
    })
  )

  const side = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 300 }))
  it.effect.prop(
    "an image for a platform is always within the platform's rules",
    [
      side,
      side,
      Schema.Literals(["jpeg", "png", "webp", "gif"]),
      Schema.Boolean,
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 8 })),
      Schema.Array(Schema.Literals(["image/png", "image/webp", "image/gif"])).check(Schema.isMaxLength(3)),
      Schema.Int.check(Schema.isBetween({ minimum: 2000, maximum: 100_000 })),
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 400 }))
    ],
    ([width, height, format, alpha, orientation, types, max_bytes, max_side]) =>
      Effect.gen(function* () {
        const picture = yield* encoded(
          grainy(width, height, alpha ? 4 : 3, 50)
            .toFormat(format)
            .withMetadata({ orientation })
        )
        const rules = { max_count: 1, mime_types: [...types, "image/jpeg"], max_bytes, max_side }
        const fitted = yield* fit(picture, `image/${format}`, rules)
        assert.include(rules.mime_types, fitted.mime_type)
        assert.strictEqual(fitted.mime_type, `image/${fitted.metadata.format}`)
        assert.isAtMost(fitted.bytes.byteLength, max_bytes)
        assert.isAtMost(Math.max(fitted.width, fitted.height), max_side)
        assert.strictEqual(fitted.metadata.width, fitted.width)
        assert.strictEqual(fitted.metadata.height, fitted.height)
        assert.isUndefined(fitted.metadata.exif)
      }).pipe(Effect.orDie),
    { arbitrary: { runs: 60 } }
  )
})
