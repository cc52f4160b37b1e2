import type { PlacementRules, PlatformId, ByteRange } from "@carillon/domain"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Stream } from "effect"
import { PublishError, type PublishMedia } from "../../platforms/Platform.ts"
import type { BlobStore } from "../files/BlobStore.ts"
import { bytesMissing } from "../files/BytesMissing.ts"
import type { ConvertedVideo } from "../videos/VideoRenditions.ts"
import { extensions } from "../files/FileNames.ts"
import type { ImageRenditions } from "../images/ImageRenditions.ts"
import type { ReadyMedia } from "../files/MediaRow.ts"
import type { SignedUrls } from "../files/SignedUrls.ts"
import { type Variant, variantName } from "../files/Variant.ts"

export interface PublishOptions {
  readonly platform: PlatformId
  /** The platform's rules for the kind of post. */
  readonly placement: PlacementRules
  readonly use: "media" | "cover"
  /** Whether the platform can fetch anything from this instance. */
  readonly reachable: boolean
  readonly processing_enabled: boolean
  /** The description; it is given what the library has. */
  readonly describe: (item: ReadyMedia) => string | null
}

/** An item as a platform gets it; its bytes are read only when the adapter asks for them. */
export const toPublishMedia = (
  blobs: BlobStore["Service"],
  images: ImageRenditions["Service"],
  urls: SignedUrls["Service"],
  row: ReadyMedia,
  copy: ConvertedVideo | null,
  { reachable, describe, ...options }: PublishOptions
): PublishMedia => {
  const variant = variantFor(options)

  const read = (range?: ByteRange) =>
    blobs.open(copy?.blob ?? row, range).pipe(
      Effect.mapError(bytesMissing(row.id)),
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

  const { id, kind, name } = row
  const { mime_type, size_bytes, width, height, duration_ms, sha256 } = copy ?? row
  // Fitted before the platform asks: an image that cannot be fitted fails here, with its reason.
  const imageUrl = Effect.flatMap(images.keep(row, variant), ({ mime_type: fitted }) =>
    urls.variant(id, variantName(variant), `image.${extensions[fitted]}`)
  )
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
    alt_text: describe(row),
    image: images.fit(row, variant),
    content: read(),
    part: read,
    public_url: reachable
      ? kind === "image"
        ? imageUrl
        : copy === null
          ? urls.file(row)
          : urls.variant(id, variantName(variant), `video.${extensions[copy.mime_type]}`)
      : Effect.fail(unreached)
  }
}

export const variantFor = ({
  platform,
  placement,
  use,
  processing_enabled
}: Omit<PublishOptions, "reachable" | "describe">): Variant => ({
  platform,
  placement,
  use,
  fitted: processing_enabled
})

const unreached = new PublishError({
  class: "config",
  code: "platform_cannot_fetch",
  message:
    "The platform fetches this media from this service, whose PUBLIC_URL is not an https address on a host of the public " +
    "internet. Tell the operator."
})
