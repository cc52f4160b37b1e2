import type { ByteRange, Forbidden, ImageRules, MimeType, NotFound, WorkspaceId } from "@carillon/domain"
import { Context, type DateTime, Effect, Layer, type Scope } from "effect"
import { open as openFile } from "node:fs/promises"
import type { Readable } from "node:stream"
import { PublishError, type PublishMedia } from "../../platforms/Platform.ts"
import { type BlobRef, BlobStore } from "../files/BlobStore.ts"
import { extensions } from "../files/FileNames.ts"
import { type Signature, SignedUrls } from "../files/SignedUrls.ts"
import { variantOf } from "../files/Variant.ts"
import { ImageRenditions } from "../images/ImageRenditions.ts"
import { thumbnailName, Thumbnails } from "../images/Thumbnails.ts"
import { noSuchItem, toMediaId } from "../files/MediaIds.ts"
import { MediaRepository } from "../files/MediaRepository.ts"
import { isReady, type ReadyMedia } from "../files/MediaRow.ts"
import type { WantedFrame } from "../videos/FrameArguments.ts"
import { VideoFrames } from "../videos/VideoFrames.ts"
import { VideoRenditions } from "../videos/VideoRenditions.ts"
import { type PublishOptions, toPublishMedia, variantFor } from "./PublishableMedia.ts"

/** The bytes of an item for a holder of its signed URL. */
export interface ServedFile {
  readonly name: string
  readonly mime_type: MimeType
  readonly kind: ReadyMedia["kind"]
  readonly size_bytes: number
  /** The same for the same bytes. */
  readonly etag: string
  readonly created_at: DateTime.Utc
  readonly open: (range?: ByteRange) => Effect.Effect<Readable, NotFound, Scope.Scope>
}

/** The bytes of items, for holders of their URLs and for platforms. */
export class MediaFiles extends Context.Service<
  MediaFiles,
  {
    serve(mediaId: string, given: Signature): Effect.Effect<ServedFile, Forbidden | NotFound>
    /** The same for an image, or a converted video, as a platform gets it. */
    serveVariant(
      mediaId: string,
      variant: string,
      given: Signature
    ): Effect.Effect<ServedFile, Forbidden | NotFound>

    /** An item as a platform gets it. */
    publishable(
      workspaceId: WorkspaceId,
      mediaId: string,
      options: PublishOptions
    ): Effect.Effect<PublishMedia, PublishError>
    /** A frame of a video, as a JPEG within the rules. */
    frame(
      workspaceId: WorkspaceId,
      mediaId: string,
      frame: WantedFrame,
      rules: ImageRules
    ): ReturnType<ImageRenditions["Service"]["frame"]>
    /** Copies of videos with a high dynamic range have the standard one. */
    readonly toneMaps: boolean
    /** Whether frames can be cut here. */
    readonly cutsFrames: Effect.Effect<boolean>
  }
>()("@carillon/server/media/serving/MediaFiles") {
  static readonly layerNoDeps = Layer.effect(
    MediaFiles,
    Effect.gen(function* () {
      const repository = yield* MediaRepository
      const blobs = yield* BlobStore
      const urls = yield* SignedUrls
      const images = yield* ImageRenditions
      const videos = yield* VideoRenditions
      const frames = yield* VideoFrames
      const thumbnails = yield* Thumbnails

      const readyItem = Effect.fnUntraced(function* (mediaId: string) {
        const id = toMediaId(mediaId)
        const row = id === null ? null : yield* repository.byId(id)
        return row === null || row.deleted_at !== null || !isReady(row) ? yield* noSuchItem(mediaId) : row
      })

      const opening = (mediaId: string, blob: BlobRef) => (range?: ByteRange) =>
        blobs.open(blob, range).pipe(Effect.catchTag("BlobMissing", () => noSuchItem(mediaId)))

      const serve = Effect.fn("MediaFiles.serve")(function* (mediaId: string, given: Signature) {
        yield* urls.verifyFile(mediaId, given)
        const row = yield* readyItem(mediaId)
        const { name, mime_type, kind, size_bytes, sha256: etag, created_at } = row
        return { name, mime_type, kind, size_bytes, etag, created_at, open: opening(mediaId, row) }
      })

      const serveThumbnail = Effect.fnUntraced(function* (row: ReadyMedia) {
        const { blob, size_bytes } = yield* thumbnails.keep(row).pipe(
          Effect.tapError((failure) => Effect.logWarning("a thumbnail could not be made", failure.message)),
          Effect.catch(() => noSuchItem(row.id))
        )
        return {
          name: "thumbnail.webp",
          mime_type: "image/webp" as const,
          kind: "image" as const,
          size_bytes,
          etag: `${row.sha256}-thumbnail`,
          created_at: row.created_at,
          open: opening(row.id, blob)
        }
      })

      const serveVariant = Effect.fn("MediaFiles.serveVariant")(function* (
        mediaId: string,
        name: string,
        given: Signature
      ) {
        yield* urls.verifyVariant(mediaId, name, given)
        const row = yield* readyItem(mediaId)
        if (name === thumbnailName) return yield* serveThumbnail(row)
        const variant = variantOf(name)
        if (variant === undefined) return yield* noSuchItem(mediaId)
        if (row.kind === "video") {
          const copy = yield* videos.kept(row, variant)
          if (copy === null) return yield* noSuchItem(mediaId)
          const { blob, mime_type, size_bytes, sha256: etag } = copy
          const { created_at, kind } = row
          return {
            name: `video.${extensions[mime_type]}`,
            mime_type,
            kind,
            size_bytes,
            etag,
            created_at,
            open: opening(mediaId, blob)
          }
        }
        const { path, ...kept } = yield* images.keep(row, variant).pipe(
          Effect.tapError((failure) => Effect.logWarning("an image could not be fitted", failure.message)),
          Effect.catch(() => noSuchItem(mediaId))
        )
        const open = (range?: ByteRange) =>
          Effect.acquireRelease(
            Effect.tryPromise(async () => (await openFile(path)).createReadStream(range ?? {})).pipe(
              Effect.catch(() => noSuchItem(mediaId))
            ),
            (stream) => Effect.sync(() => stream.destroy())
          )
        const { created_at } = row
        return {
          ...kept,
          name: `image.${extensions[kept.mime_type]}`,
          kind: "image" as const,
          created_at,
          open
        }
      })

      const withBytes = Effect.fnUntraced(function* (workspaceId: WorkspaceId, mediaId: string) {
        const id = toMediaId(mediaId)
        const [row] = id === null ? [] : yield* repository.byIds(workspaceId, [id])
        if (row === undefined || !isReady(row)) {
          return yield* new PublishError({
            class: "invalid",
            code: "media_not_found",
            message: `Media item ${mediaId} has no bytes any more. Upload the file again and put it on the post.`
          })
        }
        return row
      })

      const publishable = Effect.fn("MediaFiles.publishable")(function* (
        workspaceId: WorkspaceId,
        mediaId: string,
        options: PublishOptions
      ) {
        const row = yield* withBytes(workspaceId, mediaId)
        const copy = yield* videos.fit(row, variantFor(options))
        return toPublishMedia(blobs, images, urls, row, copy, options)
      })

      return MediaFiles.of({
        serve,
        serveVariant,
        publishable,
        frame: (workspaceId, mediaId, wanted, rules) =>
          Effect.flatMap(withBytes(workspaceId, mediaId), (row) => images.frame(row, wanted, rules)),
        toneMaps: videos.toneMaps,
        cutsFrames: frames.available
      })
    })
  )
}
