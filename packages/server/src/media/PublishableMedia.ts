import { imageRulesFor, type PlacementRules } from "@carillon/domain"
import { NodeStream } from "@effect/platform-node"
import { Effect, Stream } from "effect"
import { PublishError, type PublishMedia } from "../platforms/Platform.ts"
import type { BlobMissing, BlobStore, ByteRange } from "./BlobStore.ts"
import type { ImageFit } from "./ImageFit.ts"
import type { ReadyMedia } from "./MediaRepository.ts"

export interface PublishOptions {
  /** The platform's rules for the kind of post that the item goes into. */
  readonly placement: PlacementRules
  readonly processing_enabled: boolean
  readonly alt_text: string | null
}

/** An item as a platform gets it; its bytes are read only when they are asked for. */
export const toPublishMedia = (
  blobs: BlobStore["Service"],
  imageFit: ImageFit["Service"],
  row: ReadyMedia,
  { placement, processing_enabled, alt_text }: PublishOptions
): PublishMedia => {
  const gone = (_: BlobMissing) =>
    new PublishError({
      class: "media_unreachable",
      code: "media_bytes_missing",
      message: `The bytes of media item ${row.id} are not in the store. Tell the operator.`
    })

  const rules = imageRulesFor(placement, row.mime_type)

  const image = Effect.gen(function* () {
    if (row.kind !== "image" || rules === undefined) {
      return yield* new PublishError({
        class: "media_rejected",
        code: "not_an_image",
        message: `Media item ${row.id} is ${row.mime_type} and cannot be sent as an image.`
      })
    }
    const input = yield* blobs.file(row).pipe(Effect.mapError(gone))
    const stored = { input, mime_type: row.mime_type, size_bytes: row.size_bytes }
    return yield* processing_enabled ? imageFit.fit(stored, rules) : imageFit.asIs(stored, rules)
  }).pipe(Effect.scoped)

  const read = (range?: ByteRange) =>
    blobs.open(row, range).pipe(
      Effect.mapError(gone),
      Effect.map((readable) =>
        NodeStream.fromReadable<Uint8Array, PublishError>({
          evaluate: () => readable,
          onError: () =>
            new PublishError({
              class: "transient",
              code: "media_read_failed",
              message: `The bytes of media item ${row.id} could not be read to the end.`
            })
        })
      ),
      Stream.unwrap
    )

  const { id, kind, name, mime_type, size_bytes, width, height, duration_ms, sha256 } = row
  return {
    id,
    kind,
    name,
    mime_type,
    size_bytes,
    width,
    height,
    duration_ms,
    sha256,
    alt_text,
    image,
    content: read(),
    part: read
  }
}
