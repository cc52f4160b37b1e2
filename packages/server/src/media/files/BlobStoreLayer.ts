import { Effect, Layer } from "effect"
import { AppConfig } from "../../AppConfig.ts"
import { FileBlobStoreLayer } from "./FileBlobStore.ts"
import { S3BlobStoreLayer } from "./S3BlobStore.ts"

/** The store of this instance: MEDIA_STORE. */
export const BlobStoreLayer = Layer.unwrap(
  Effect.map(AppConfig, ({ s3 }) => (s3 === null ? FileBlobStoreLayer : S3BlobStoreLayer(s3)))
)
