import { brokenLimits, type ImageRules, largestSide } from "@carillon/domain"
import { Context, Effect, Layer } from "effect"
import { type FittedImage, PublishError } from "../../platforms/Platform.ts"
import { readFile } from "node:fs/promises"
import type { Metadata } from "sharp"
import { type ImageHeader, type ImageSource, inTurn, millions, openImage, readHeader } from "./Images.ts"

/** An image as it is stored. */
export interface StoredImage extends ImageSource {
  readonly size_bytes: number
}

/** Makes an image that a platform accepts. */
export class ImageFit extends Context.Service<
  ImageFit,
  {
    /**
     * Converted to a type the platform takes, turned upright, in sRGB, without metadata (EXIF holds the place a
     * photo was taken at), scaled to the platform's dimensions and compressed until it is within `max_bytes`.
     */
    fit(image: StoredImage, rules: ImageRules): Effect.Effect<FittedImage, PublishError>
    /** The stored bytes unchanged; refused if they break one of the platform's rules. */
    asIs(image: StoredImage, rules: ImageRules): Effect.Effect<FittedImage, PublishError>
  }
>()("@carillon/server/media/images/ImageFit") {
  static readonly layer = Layer.succeed(
    ImageFit,
    ImageFit.of({
      fit: Effect.fn("ImageFit.fit")((image, rules) => fit(image, rules)),
      asIs: Effect.fn("ImageFit.asIs")((image, rules) => asIs(image, rules))
    })
  )
}

const asIs = Effect.fnUntraced(function* (image: StoredImage, rules: ImageRules) {
  const { width, height } = upright(yield* headerOf(image))
  const facts = {
    ...image,
    width,
    height,
    kind: "image",
    duration_ms: null,
    frame_rate: null,
    video_codec: null,
    audio_codec: null,
    frames: null
  } as const
  const broken = brokenLimits(facts, rules, false)
  if (broken.length > 0) {
    return yield* new PublishError({
      class: "media_rejected",
      code: "image_does_not_fit",
      message:
        `The image cannot be sent as it is: the platform ${broken.map(({ sentence }) => sentence).join("; it ")}. ` +
        "Set processing_enabled to true to have it fitted, or upload another image."
    })
  }
  return { bytes: yield* bytesOf(image), mime_type: image.mime_type, width, height }
})

const fit = Effect.fnUntraced(function* (image: StoredImage, rules: ImageRules) {
  const header = yield* headerOf(image)
  const kept = rules.mime_types.includes(image.mime_type)
  const animated = (header.pages ?? 1) > 1 && kept
  const { width, height } = upright(header)
  if (
    kept &&
    image.size_bytes <= (rules.max_bytes ?? Infinity) &&
    Math.max(width, height) <= largestSide(width, height, rules) &&
    !carriesMetadata(header)
  ) {
    return { bytes: yield* bytesOf(image), mime_type: image.mime_type, width, height }
  }
  if (animated) yield* refuseLong(header)
  const fitted = yield* encodeAny(image, header, animated, rules).pipe(
    inTurn(image, header.alone || animated)
  )
  if (fitted !== null) return fitted
  return yield* new PublishError({
    class: "media_rejected",
    code: "image_does_not_fit",
    message:
      `The ${image.mime_type} image could not be brought within the platform's limits: ` +
      `${rules.mime_types.join(", ")}${rules.max_bytes === undefined ? "" : ` of at most ${rules.max_bytes} bytes`}. Upload a smaller image.`
  })
})

const encodeAny = Effect.fnUntraced(function* (
  image: StoredImage,
  header: ImageHeader,
  animated: boolean,
  rules: ImageRules
) {
  for (const format of formatsFor(image, header, rules)) {
    const fitted = yield* encodeWithin(image, header, format, animated, rules)
    if (fitted !== null) return fitted
  }
  return null
})

/** An animation is changed with all its frames in memory. */
const refuseLong = ({ pages = 1, width, pictureHeight }: ImageHeader) => {
  const pixels = pages * width * pictureHeight
  return pixels <= maximumEncoded
    ? Effect.void
    : new PublishError({
        class: "media_rejected",
        code: "image_does_not_fit",
        message:
          `The animation has ${pages} frames of ${width} x ${pictureHeight} pixels, ${millions(pixels)} million in all, ` +
          `and must be converted for the platform; the limit for that is ${millions(maximumEncoded)} million. Upload a ` +
          "smaller or shorter one, or a video."
      })
}

type Format = "jpeg" | "png" | "webp" | "gif"

const mimeTypeOf = { jpeg: "image/jpeg", png: "image/png", webp: "image/webp", gif: "image/gif" } as const

const maximumSide = { jpeg: 65_535, png: Infinity, webp: 16_383, gif: 65_535 } as const

/** Pixels of a fitted image. */
const maximumEncoded = 50_000_000

/** The encoder of WebP holds ten bytes a pixel, and 33 where there is transparency; an animation about as many. */
const maximumPixels = (format: Format, { hasAlpha }: Metadata, animated: boolean) => {
  if (animated || (format === "webp" && hasAlpha)) return 4_000_000
  return format === "webp" ? 16_000_000 : maximumEncoded
}

/** The longest side of a JPEG with its own tables, which take six bytes a pixel. */
const optimisedSide = 4000

/**
 * The formats to try, best first. An animation stays one where the platform takes its type; transparency is kept where
 * it can be; photos become JPEG.
 */
const formatsFor = (image: StoredImage, metadata: Metadata, rules: ImageRules): ReadonlyArray<Format> => {
  const takes = (format: Format) => rules.mime_types.includes(mimeTypeOf[format])
  const own = (Object.keys(mimeTypeOf) as Array<Format>).filter(
    (format) => mimeTypeOf[format] === image.mime_type && takes(format)
  )
  if ((metadata.pages ?? 1) > 1 && own.length > 0) return own
  const drawn: ReadonlyArray<Format> = image.mime_type === "image/png" ? ["png"] : []
  const transparent: ReadonlyArray<Format> = metadata.hasAlpha ? ["png", "webp"] : []
  return [...new Set<Format>([...drawn, ...transparent, "jpeg", "webp", "png"])].filter(takes)
}

/** Lowers quality first, then size; null when this format does not get there. */
const encodeWithin = Effect.fnUntraced(function* (
  image: StoredImage,
  header: ImageHeader,
  format: Format,
  animated: boolean,
  rules: ImageRules
) {
  const full = upright(header)
  const fullSide = Math.min(
    largestSide(full.width, full.height, rules),
    largestSide(full.width, full.height, {
      max_count: 1,
      mime_types: [],
      max_pixels: maximumPixels(format, header, animated)
    }),
    maximumSide[format]
  )
  // A PNG that is too big is better off as a JPEG of full size than as a small PNG.
  const shrinks = format !== "png" || !rules.mime_types.includes("image/jpeg")
  let side = fullSide
  let tooBig = fullSide
  let quality = 90
  let fitting: FittedImage | null = null
  while (side >= 1) {
    const { data, info } = yield* encode(image, format, side, quality, animated)
    const excess = data.byteLength / (rules.max_bytes ?? Infinity)
    if (excess <= 1) {
      const { width, height, pageHeight } = info
      const better: FittedImage = {
        bytes: data,
        mime_type: mimeTypeOf[format],
        width,
        height: pageHeight ?? height
      }
      if (fitting !== null || side === fullSide || excess > 0.7) return better
      // Much smaller than needed: one more try, half way back.
      fitting = better
      side = Math.round(Math.sqrt(side * tooBig))
    } else if (fitting !== null) return fitting
    else if ((format === "jpeg" || format === "webp") && quality > 70 && excess < 3) quality -= 10
    else if (!shrinks) return null
    else {
      quality = Math.min(quality, 80)
      tooBig = side
      side = Math.floor(side * Math.min(0.9, Math.max(0.25, 1 / Math.sqrt(excess))))
    }
  }
  return null
})

const encode = (image: StoredImage, format: Format, side: number, quality: number, animated: boolean) =>
  Effect.tryPromise({
    try: () => {
      const pipeline = openImage(image.input, { animated })
        .autoOrient()
        .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
        .toColourspace("srgb")
      switch (format) {
        case "jpeg":
          return pipeline
            .flatten({ background: "#ffffff" })
            .jpeg({ quality, optimiseCoding: side <= optimisedSide })
            .toBuffer({ resolveWithObject: true })
        case "png":
          return pipeline.png().toBuffer({ resolveWithObject: true })
        case "webp":
          return pipeline.webp({ quality }).toBuffer({ resolveWithObject: true })
        case "gif":
          return pipeline.gif().toBuffer({ resolveWithObject: true })
      }
    },
    catch: () => unreadable(image)
  })

const headerOf = (image: StoredImage) =>
  readHeader(image).pipe(
    Effect.mapError(({ sentence }) =>
      sentence === null
        ? unreadable(image)
        : new PublishError({ class: "media_rejected", code: "image_too_large", message: sentence })
    )
  )

const upright = ({ autoOrient, pageHeight }: Metadata) => ({
  width: autoOrient.width,
  height: pageHeight ?? autoOrient.height
})

const carriesMetadata = ({ exif, icc, iptc, xmp, comments, orientation }: Metadata) =>
  [exif, icc, iptc, xmp, comments].some((part) => part !== undefined) || (orientation ?? 1) !== 1

const bytesOf = ({ input }: StoredImage) =>
  typeof input === "string"
    ? Effect.promise(async (): Promise<Uint8Array> => readFile(input))
    : Effect.succeed(input)

const unreadable = ({ mime_type }: StoredImage) =>
  new PublishError({
    class: "invalid",
    code: "media_unreadable",
    message: `The ${mime_type} image cannot be converted here. Upload it as JPEG or PNG.`
  })
