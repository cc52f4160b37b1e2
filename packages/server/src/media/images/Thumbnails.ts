import { Context, Effect, Layer } from "effect"
import { Readable } from "node:stream"
import { makeKeyedLock } from "../../KeyedLock.ts"
import { PublishError } from "../../platforms/Platform.ts"
import { type BlobRef, BlobStore } from "../files/BlobStore.ts"
import { bytesMissing } from "../files/BytesMissing.ts"
import { type ImageSource, inTurn, openImage, readHeader } from "./Images.ts"
import type { ReadyMedia } from "../files/MediaRow.ts"
import type { SignedUrls } from "../files/SignedUrls.ts"
import { VideoFrames } from "../videos/VideoFrames.ts"

/** As a part of a URL, where other renditions have the name of their variant. */
export const thumbnailName = "thumbnail"

const side = 480

type Pictured = Pick<ReadyMedia, "id" | "kind" | "mime_type">

/** The name in the store, with the size in bytes. */
const thumbnailVariant = /^thumbnail-(\d+)\.webp$/

/** Whether an item has a small picture: HEIC is not decoded here, and a new one of a video needs ffmpeg. */
const hasThumbnail = (frames: VideoFrames["Service"], { id, kind, mime_type }: Pictured) =>
  kind === "video"
    ? frames.has(id, thumbnailVariant)
    : Effect.succeed(kind === "image" && mime_type !== "image/heic")

/** The signed address of its small picture; null where it has none. */
export const thumbnailUrl = Effect.fnUntraced(function* (
  urls: SignedUrls["Service"],
  frames: VideoFrames["Service"],
  item: Pictured
) {
  return (yield* hasThumbnail(frames, item))
    ? yield* urls.variant(item.id, thumbnailName, "thumbnail.webp")
    : null
})

export interface Thumbnail {
  readonly blob: BlobRef
  readonly size_bytes: number
}

/** Small pictures of items for those who look at the library. */
export class Thumbnails extends Context.Service<
  Thumbnails,
  {
    /** Made at the first call, and kept in the store beside the item's bytes, with which it goes. */
    keep(row: ReadyMedia): Effect.Effect<Thumbnail, PublishError>
  }
>()("@carillon/server/media/images/Thumbnails") {
  static readonly layerNoDeps = Layer.effect(
    Thumbnails,
    Effect.gen(function* () {
      const blobs = yield* BlobStore
      const frames = yield* VideoFrames
      const lock = yield* makeKeyedLock<string>()

      const find = Effect.fnUntraced(function* (row: ReadyMedia): Effect.fn.Return<Thumbnail | null> {
        const names = (yield* blobs.variants(row.id)).toSorted()
        const [found] = names.flatMap((variant) => {
          const [, bytes] = thumbnailVariant.exec(variant) ?? []
          const blob = { id: row.id, sha256: row.sha256, variant }
          return bytes === undefined ? [] : [{ blob, size_bytes: Number(bytes) }]
        })
        return found ?? null
      })

      const make = Effect.fn("Thumbnails.make")(function* (row: ReadyMedia) {
        const { mime_type, workspace_id } = row
        const picture =
          row.kind === "video"
            ? yield* frames.cut(row, { at: 0, min_width: 1, min_height: 1 })
            : {
                input: yield* blobs.file(row).pipe(Effect.mapError(bytesMissing(row.id))),
                mime_type,
                workspace_id
              }
        const bytes = yield* shrunk(picture)
        const staged = yield* blobs
          .stage(Readable.from([bytes]), bytes.byteLength)
          .pipe(Effect.mapError(() => notMade("there is no room for it")))
        yield* staged
          .keepVariant(row.id, `thumbnail-${bytes.byteLength}.webp`)
          .pipe(Effect.mapError(() => notMade("there is no room for it")))
      }, Effect.scoped)

      return Thumbnails.of({
        keep: Effect.fn("Thumbnails.keep")(function* (row) {
          const before = yield* find(row)
          if (before !== null) return before
          return yield* lock(row.id)(
            Effect.gen(function* () {
              // Somebody who asked at the same time may have made it.
              const meanwhile = yield* find(row)
              if (meanwhile !== null) return meanwhile
              yield* make(row)
              return (yield* find(row)) ?? (yield* notMade("it is gone again"))
            })
          )
        })
      })
    })
  )
}

/** Decoded within the budget that all images share; of an animation the first frame. */
const shrunk = Effect.fnUntraced(function* (picture: ImageSource) {
  const { alone } = yield* readHeader(picture).pipe(
    Effect.mapError(({ sentence }) => notMade(sentence ?? "the image cannot be read"))
  )
  return yield* Effect.tryPromise({
    try: () =>
      openImage(picture.input)
        .autoOrient()
        .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
        .toColourspace("srgb")
        .webp({ quality: 80 })
        .toBuffer(),
    catch: () => notMade("the image cannot be read")
  }).pipe(inTurn(picture, alone))
})

const notMade = (reason: string) =>
  new PublishError({
    class: "media_rejected",
    code: "thumbnail_not_made",
    message: `The small picture could not be made: ${reason}.`
  })
