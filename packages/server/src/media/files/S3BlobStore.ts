import type { MediaId, ByteRange } from "@carillon/domain"
import { Effect, Layer } from "effect"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { AppConfig, type S3Settings } from "../../AppConfig.ts"
import { BlobMissing, type BlobRef, BlobStore, type ByteCount } from "./BlobStore.ts"
import { makeS3Bucket } from "./S3Bucket.ts"
import { makeStaging } from "./Staging.ts"

/**
 * The store in an S3 bucket; bytes arrive in a local directory first, because they are checked before they are stored.
 * A key has the item's id and the hash of the bytes: two processes that fill one item at once do not overwrite each
 * other, and the item's row says whose bytes count.
 */
export const S3BlobStoreLayer = (settings: S3Settings) =>
  Layer.effect(
    BlobStore,
    Effect.gen(function* () {
      const staging = yield* makeStaging(join((yield* AppConfig).dataDir, "media", "staging"))
      const bucket = makeS3Bucket(settings)

      const folder = (id: MediaId) => `media/${id.toLowerCase()}/`
      const keyOf = ({ id, sha256, variant }: BlobRef) => `${folder(id)}${variant ?? sha256}`

      const stage = Effect.fnUntraced(function* (source: Readable, size: ByteCount) {
        const staged = yield* staging.stage(source, size)
        const keyFor = (id: MediaId) => keyOf({ id, sha256: staged.sha256 })
        return {
          ...staged,
          send: (id: MediaId) => bucket.putFile(keyFor(id), staged.path),
          publish: () => Effect.void,
          keepVariant: (id: MediaId, name: string) => bucket.putFile(`${folder(id)}${name}`, staged.path),
          discard: (id: MediaId) => bucket.remove(keyFor(id))
        }
      })

      const open = Effect.fn("BlobStore.open")(function* (blob: BlobRef, range?: ByteRange) {
        return (yield* bucket.get(keyOf(blob), range)) ?? (yield* new BlobMissing({ id: blob.id }))
      })

      const file = Effect.fn("BlobStore.file")(function* (blob: BlobRef) {
        const { path } = yield* staging
          .stage(yield* open(blob), { at_most: Number.POSITIVE_INFINITY })
          .pipe(Effect.catchTags({ BytesRefused: Effect.die, StorageFull: Effect.die }))
        return path
      })

      const variants = Effect.fn("BlobStore.variants")(function* (id: MediaId) {
        const names = (yield* bucket.list(folder(id))).map((key) => key.slice(folder(id).length))
        return names.filter((name) => !isSha256.test(name))
      })

      const remove = Effect.fn("BlobStore.remove")(function* (id: MediaId) {
        yield* Effect.forEach(yield* bucket.list(folder(id)), bucket.remove, { discard: true })
      })

      return BlobStore.of({ ...staging, stage, open, file, variants, remove, check: bucket.check })
    })
  )

/** The name of an item's own bytes. */
const isSha256 = /^[0-9a-f]{64}$/
