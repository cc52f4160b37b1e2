import { MimeType, problem, type UnprocessableContent } from "@carillon/domain"
import { Context, Effect, Layer } from "effect"
import { fileTypeFromBuffer, fileTypeFromFile } from "file-type"
import { imageSlots, maximumPixels, openImage } from "./Images.ts"
import type { MediaFacts } from "./MediaRepository.ts"
import { probeVideo } from "./VideoProbe.ts"

/** Finds out what a file is, from its bytes alone. */
export class Probe extends Context.Service<
  Probe,
  {
    /**
     * Fails with `media_type_mismatch` when the content is not of the declared type, `media_unreadable` when it is
     * but cannot be read.
     */
    probe(path: string, declared: MimeType): Effect.Effect<MediaFacts, UnprocessableContent>
    /** The type of a file that nobody declared, from its first bytes or all of them; null: none that is taken. */
    identify(content: string | Uint8Array): Effect.Effect<MimeType | null>
  }
>()("@carillon/server/media/Probe") {
  static readonly layer = Layer.succeed(
    Probe,
    Probe.of({
      probe: Effect.fn("Probe.probe")(function* (path, declared) {
        const found = yield* sniff(path)
        if (!(accepted[declared] as ReadonlyArray<string>).includes(found)) {
          return yield* mismatch(found, declared)
        }
        if (declared === "application/pdf")
          return { width: null, height: null, duration_ms: null, probe: null }
        return yield* declared.startsWith("video/") ? videoFacts(path, found) : imageFacts(path, found)
      }),
      identify: Effect.fn("Probe.identify")((content) => Effect.map(sniff(content), typeOf))
    })
  )
}

const unknownType = "unknown"

/**
 * What the bytes may be for each declared type. MP4 and QuickTime are one container (ISO base media) that differs in
 * the brand: phones and browsers name them by extension, so either is taken for the other; what the file really is
 * stands in the item's facts. An animated PNG is a PNG. HEIC is the HEVC kind of HEIF and its bursts.
 */
const accepted: Record<MimeType, ReadonlyArray<string>> = {
  "image/jpeg": ["image/jpeg"],
  "image/png": ["image/png", "image/apng"],
  "image/webp": ["image/webp"],
  "image/gif": ["image/gif"],
  "image/heic": ["image/heic", "image/heic-sequence", "image/heif", "image/heif-sequence"],
  "video/mp4": ["video/mp4", "video/x-m4v", "video/quicktime", "video/3gpp", "video/3gpp2"],
  "video/quicktime": ["video/quicktime", "video/mp4", "video/x-m4v"],
  "video/webm": ["video/webm"],
  "application/pdf": ["application/pdf"]
}

/** The type of its own name, or the one that also takes it. */
const typeOf = (found: string): MimeType | null =>
  MimeType.literals.find((type) => type === found) ??
  MimeType.literals.find((type) => accepted[type].includes(found)) ??
  null

/** A file that confuses the detector is none of our types. */
const sniff = (content: string | Uint8Array) =>
  Effect.tryPromise(() =>
    typeof content === "string" ? fileTypeFromFile(content) : fileTypeFromBuffer(content)
  ).pipe(
    Effect.map((found) => found?.mime ?? unknownType),
    Effect.orElseSucceed(() => unknownType)
  )

const mismatch = (found: string, declared: string) =>
  problem(
    "media_type_mismatch",
    `The bytes are ${found === unknownType ? "of no known media type" : found}, but ${declared} was declared. ` +
      "Reserve the upload again with the type of the file."
  )

const unreadable = (sentence: string) =>
  problem("media_unreadable", `${sentence} Check that the file opens, and upload it again.`)

const imageFacts = (path: string, found: string): Effect.Effect<MediaFacts, UnprocessableContent> =>
  Effect.gen(function* () {
    const image = yield* Effect.tryPromise({
      try: () => openImage(path, { limitInputPixels: false }).metadata(),
      catch: () => unreadable(`The ${found} file has no readable header.`)
    })
    const pixels = image.width * (image.pageHeight ?? image.height)
    if (pixels > maximumPixels) {
      return yield* unreadable(
        `The image has ${image.width} x ${image.height} pixels; ${maximumPixels / 1_000_000} million is the most that is taken.`
      )
    }
    // libvips as it comes with sharp reads the header of a HEIC but has no decoder for HEVC.
    if (image.format !== "heif") yield* decodes(path, found)
    else if (image.compression !== "hevc") return yield* mismatch("image/avif", "image/heic")
    return {
      width: image.autoOrient.width,
      height: image.pageHeight ?? image.autoOrient.height,
      duration_ms: null,
      probe: { format: found, frames: image.pages ?? 1, alpha: image.hasAlpha }
    }
  }).pipe(imageSlots.withPermits(1))

/** Down to a few pixels: reads every byte, keeps next to none. */
const decodes = (path: string, found: string) =>
  Effect.tryPromise({
    try: () => openImage(path).resize(8, 8, { fit: "fill" }).raw().toBuffer(),
    catch: () => unreadable(`The ${found} file is damaged or cut off.`)
  })

const videoFacts = Effect.fnUntraced(function* (path: string, found: string) {
  const facts = yield* probeVideo(path).pipe(
    Effect.mapError(() => unreadable(`The ${found} file is damaged or cut off.`))
  )
  if (facts === null) return yield* unreadable(`The ${found} file has no picture track.`)
  const { width, height, duration_ms, frame_rate, transfer, ...codecs } = facts
  const probe = {
    format: found,
    ...codecs,
    ...(frame_rate === null ? {} : { frame_rate }),
    ...(transfer === null ? {} : { transfer })
  }
  return { width, height, duration_ms, probe }
})
