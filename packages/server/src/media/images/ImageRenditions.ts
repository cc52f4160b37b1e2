import type { ImageRules, MimeType } from "@carillon/domain"
import { Context, DateTime, Effect, Layer } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { mkdir, open, readdir, readFile, rename, stat } from "node:fs/promises"
import { join } from "node:path"
import { AppConfig } from "../../AppConfig.ts"
import { makeKeyedLock } from "../../KeyedLock.ts"
import { type FittedImage, PublishError } from "../../platforms/Platform.ts"
import { BlobStore } from "../files/BlobStore.ts"
import { bytesMissing } from "../files/BytesMissing.ts"
import { codeOf, unlinkIfThere } from "../files/DiskErrors.ts"
import { extensions } from "../files/FileNames.ts"
import { ImageFit } from "./ImageFit.ts"
import type { ReadyMedia } from "../files/MediaRow.ts"
import { type Variant, variantRules } from "../files/Variant.ts"
import type { WantedFrame } from "../videos/FrameArguments.ts"
import { VideoFrames } from "../videos/VideoFrames.ts"

/** A fitted image on this machine's disk. */
export interface KeptImage {
  readonly path: string
  readonly mime_type: MimeType
  readonly size_bytes: number
  /** The same for the same bytes. */
  readonly etag: string
}

/** How long a rendition is kept: longer than any address of it is valid. It is made again when it is wanted. */
const keptFor = { hours: 48 } as const

/** Makes images as platforms get them. */
export class ImageRenditions extends Context.Service<
  ImageRenditions,
  {
    fit(row: ReadyMedia, variant: Variant): Effect.Effect<FittedImage, PublishError>
    /** The same as a file under `<DATA_DIR>/fitted`, so that every fetch gets the same bytes. */
    keep(row: ReadyMedia, variant: Variant): Effect.Effect<KeptImage, PublishError>
    /** A frame of a video as a JPEG within the rules; cut once, and kept in the same place. */
    frame(
      row: ReadyMedia,
      frame: WantedFrame,
      rules: ImageRules
    ): Effect.Effect<Pick<FittedImage, "bytes" | "mime_type">, PublishError>
    readonly sweep: Effect.Effect<void>
  }
>()("@carillon/server/media/images/ImageRenditions") {
  static readonly layerNoDeps = Layer.effect(
    ImageRenditions,
    Effect.gen(function* () {
      const blobs = yield* BlobStore
      const imageFit = yield* ImageFit
      const frames = yield* VideoFrames
      const directory = join((yield* AppConfig).dataDir, "fitted")
      const lock = yield* makeKeyedLock<string>()

      const fit = Effect.fn("ImageRenditions.fit")(function* (row: ReadyMedia, variant: Variant) {
        const rules = yield* rulesOf(row, variant)
        const input = yield* blobs.file(row).pipe(Effect.mapError(bytesMissing(row.id)))
        const { mime_type, size_bytes, workspace_id } = row
        const stored = { input, mime_type, size_bytes, workspace_id }
        return yield* variant.fitted ? imageFit.fit(stored, rules) : imageFit.asIs(stored, rules)
      }, Effect.scoped)

      const keep = Effect.fn("ImageRenditions.keep")(function* (row: ReadyMedia, variant: Variant) {
        const rules = yield* rulesOf(row, variant)
        return yield* once([row.sha256, rules, variant.fitted], fit(row, variant))
      })

      const frame = Effect.fn("ImageRenditions.frame")(
        function* (row: ReadyMedia, wanted: WantedFrame, rules: ImageRules) {
          const jpeg = { ...rules, mime_types: ["image/jpeg"] }
          const { path, mime_type } = yield* once(
            [row.sha256, wanted, jpeg],
            Effect.scoped(Effect.flatMap(frames.cut(row, wanted), (image) => imageFit.fit(image, jpeg)))
          )
          return { bytes: yield* Effect.promise(async (): Promise<Uint8Array> => readFile(path)), mime_type }
        },
        // If the store is away or the disk is full, a post loses its cover and nothing more.
        Effect.catchDefect((defect) =>
          Effect.andThen(Effect.logError("cutting a frame out of a video failed", defect), frameLost)
        )
      )

      /** Gives the rendition that was made before, or makes it. */
      const once = (of: ReadonlyArray<unknown>, make: Effect.Effect<FittedImage, PublishError>) => {
        const etag = createHash("sha256").update(JSON.stringify(of)).digest("hex")
        return lock(etag)(
          Effect.gen(function* (): Effect.fn.Return<KeptImage, PublishError> {
            for (const mime_type of imageTypes) {
              const path = pathOf(etag, mime_type)
              const size_bytes = yield* Effect.promise(() => sizeOf(path))
              if (size_bytes !== null) return { path, mime_type, size_bytes, etag }
            }
            const { bytes, mime_type } = yield* make
            const path = pathOf(etag, mime_type as MimeType)
            yield* Effect.promise(() => write(path, bytes))
            return { path, mime_type: mime_type as MimeType, size_bytes: bytes.byteLength, etag }
          })
        )
      }

      const pathOf = (etag: string, mimeType: MimeType) => join(directory, `${etag}.${extensions[mimeType]}`)

      const sweep = Effect.gen(function* () {
        const before = DateTime.toEpochMillis(DateTime.subtract(yield* DateTime.now, keptFor))
        yield* Effect.promise(() => removeOlder(directory, before))
      })

      return ImageRenditions.of({ fit, keep, frame, sweep })
    })
  )
}

const frameLost = new PublishError({
  class: "transient",
  code: "frame_not_cut",
  message: "The service could not read the video or had no room for its frame. Tell the operator."
})

const rulesOf = (row: ReadyMedia, variant: Variant): Effect.Effect<ImageRules, PublishError> => {
  const rules = row.kind === "image" ? variantRules(variant, row.mime_type) : undefined
  return rules === undefined
    ? Effect.fail(
        new PublishError({
          class: "media_rejected",
          code: "not_an_image",
          message: `Media item ${row.id} is ${row.mime_type} and cannot be sent as an image.`
        })
      )
    : Effect.succeed(rules)
}

/** The types that fitting can give. */
const imageTypes = ["image/jpeg", "image/png", "image/webp", "image/gif", "image/heic"] as const

const sizeOf = async (path: string): Promise<number | null> => {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null
    throw error
  }
}

/** Other processes may write the same file at the same time; a reader finds a whole one or none. */
const write = async (path: string, bytes: Uint8Array): Promise<void> => {
  const temporary = `${path}.${randomBytes(8).toString("hex")}`
  await mkdir(join(path, ".."), { recursive: true, mode: 0o700 })
  const file = await open(temporary, "wx", 0o600)
  try {
    await file.writeFile(bytes)
  } finally {
    await file.close()
  }
  await rename(temporary, path)
}

const removeOlder = async (directory: string, before: number): Promise<void> => {
  const names = await readdir(directory).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return []
    throw error
  })
  for (const name of names) {
    const path = join(directory, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }))
    if (mtimeMs < before) await unlinkIfThere(path)
  }
}
