import { MimeType, problem, type UnprocessableContent, type WorkspaceId } from "@carillon/domain"
import { Context, Effect, Layer } from "effect"
import { fileTypeFromBuffer, fileTypeFromFile } from "file-type"
import { type ImageSource, inTurn, openImage, readHeader } from "./images/Images.ts"
import type { MediaFacts } from "./files/MediaRow.ts"
import { VideoProbe } from "./videos/VideoProbe.ts"

/** Finds out what a file is, from its bytes alone. */
export class Probe extends Context.Service<
  Probe,
  {
    /**
     * Fails with `media_type_mismatch` when the content is not of the declared type, `media_unreadable` when it is but
     * cannot be read, or not at the cost of one file.
     */
    probe(
      path: string,
      declared: MimeType,
      workspaceId: WorkspaceId
    ): Effect.Effect<MediaFacts, UnprocessableContent>
    /** The type of an undeclared file, from its first bytes or all of them; null: none that is taken. */
    identify(content: string | Uint8Array): Effect.Effect<MimeType | null>
  }
>()("@carillon/server/media/Probe") {
  static readonly layer = Layer.effect(
    Probe,
    Effect.gen(function* () {
      const videos = yield* VideoProbe
      return Probe.of({
        probe: Effect.fn("Probe.probe")(function* (path, declared, workspaceId) {
          const found = yield* sniff(path)
          if (!(accepted[declared] as ReadonlyArray<string>).includes(found)) {
            return yield* mismatch(found, declared)
          }
          if (declared === "application/pdf")
            return { width: null, height: null, duration_ms: null, probe: null }
          return yield* declared.startsWith("video/")
            ? videoFacts(videos.probe(path, workspaceId), found)
            : imageFacts({ input: path, mime_type: declared, workspace_id: workspaceId }, found)
        }),
        identify: Effect.fn("Probe.identify")((content) => Effect.map(sniff(content), typeOf))
      })
    })
  ).pipe(Layer.provide(VideoProbe.layer))
}

const unknownType = "unknown"

/**
 * The detected types accepted for each declared type. MP4 and QuickTime are one container (ISO base media), differing in
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

/** The declared type of its own name, or the one that also takes it. */
const typeOf = (found: string): MimeType | null =>
  MimeType.literals.find((type) => type === found) ??
  MimeType.literals.find((type) => accepted[type].includes(found)) ??
  null

/** A file that confuses the detector has none of our types. */
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

const imageFacts = Effect.fnUntraced(function* (image: ImageSource, found: string) {
  const header = yield* readHeader(image).pipe(
    Effect.mapError(({ sentence }) =>
      sentence === null
        ? unreadable(`The ${found} file has no readable header.`)
        : problem("media_unreadable", sentence)
    )
  )
  // libvips as it comes with sharp reads the header of a HEIC but has no decoder for HEVC.
  if (header.format !== "heif") yield* decodes(image, found).pipe(inTurn(image, header.alone))
  else if (header.compression !== "hevc") return yield* mismatch("image/avif", "image/heic")
  return {
    width: header.autoOrient.width,
    height: header.pageHeight ?? header.autoOrient.height,
    duration_ms: null,
    probe: { format: found, frames: header.pages ?? 1, alpha: header.hasAlpha }
  }
})

/** Decodes down to a few pixels: reads every byte, keeps next to none. */
const decodes = ({ input }: ImageSource, found: string) =>
  Effect.tryPromise({
    try: () => openImage(input).resize(8, 8, { fit: "fill" }).raw().toBuffer(),
    catch: () => unreadable(`The ${found} file is damaged or cut off.`)
  })

const videoFacts = Effect.fnUntraced(function* (
  probed: ReturnType<VideoProbe["Service"]["probe"]>,
  found: string
) {
  const facts = yield* probed.pipe(
    Effect.mapError(({ sentence }) =>
      sentence === null
        ? unreadable(`The ${found} file is damaged or cut off.`)
        : problem("media_unreadable", sentence)
    )
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
