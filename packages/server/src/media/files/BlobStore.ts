import type { MediaId, ByteRange } from "@carillon/domain"
import { Context, Data, type Effect, type Scope } from "effect"
import type { Readable } from "node:stream"

/** The bytes that a source must bring, or the most that are taken where nobody has said. */
export type ByteCount = number | { readonly at_most: number }

/** The source did not deliver the declared number of bytes. `too_long` is known at the first byte too many. */
export class BytesRefused extends Data.TaggedError("BytesRefused")<{
  readonly reason: "too_short" | "too_long" | "interrupted" | "too_slow"
  readonly received: number
}> {}

export class StorageFull extends Data.TaggedError("StorageFull")<{ readonly received: number }> {}

export class BlobMissing extends Data.TaggedError("BlobMissing")<{ readonly id: MediaId }> {}

export interface Digest {
  readonly size_bytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** Bytes that are safe on disk but not yet in the store. Gone when the scope closes. */
export interface StagedBlob extends Digest {
  /** A local file, for looking at the content. */
  readonly path: string
  /** Sends the bytes to a store where that takes long: before `publish`, and outside of any transaction. */
  readonly send: (id: MediaId) => Effect.Effect<void>
  /** Puts the bytes into the store under this id, at once and durably. */
  readonly publish: (id: MediaId) => Effect.Effect<void, StorageFull>
  /** Keeps them, durably, as a variant of an item that is in the store already. */
  readonly keepVariant: (id: MediaId, name: string) => Effect.Effect<void, StorageFull>
  /** Removes bytes that were sent and will not be published. */
  readonly discard: (id: MediaId) => Effect.Effect<void>
}

/** The bytes of an item that is ready. */
export interface BlobRef {
  readonly id: MediaId
  readonly sha256: string
  /** The name of a variant; left out: the item's own bytes. */
  readonly variant?: string
}

/** The store of media bytes, addressed only by the media id and the bytes' hash. */
export class BlobStore extends Context.Service<
  BlobStore,
  {
    /** Takes that many bytes from a source with flat memory. On failure nothing stays behind. */
    stage(
      source: Readable,
      size: ByteCount
    ): Effect.Effect<StagedBlob, BytesRefused | StorageFull, Scope.Scope>
    /** Reads a source under the same rules and keeps nothing. */
    digest(source: Readable, size: number): Effect.Effect<Digest, BytesRefused>
    open(blob: BlobRef, range?: ByteRange): Effect.Effect<Readable, BlobMissing, Scope.Scope>
    /** A local file with the bytes, for libraries that read files. */
    file(blob: BlobRef): Effect.Effect<string, BlobMissing, Scope.Scope>
    /** The names of an item's variants, in no order. */
    variants(id: MediaId): Effect.Effect<ReadonlyArray<string>>
    /** A path for a local file that is gone when the scope closes. */
    readonly temporary: Effect.Effect<string, never, Scope.Scope>
    /** Removes an item with all variants. An absent item is no failure. */
    remove(id: MediaId): Effect.Effect<void>
    /** Ends when the store answers; a defect says why it does not. */
    readonly check: Effect.Effect<void>
    /** Removes what uploads of dead processes have left; also runs at the start. */
    readonly sweep: Effect.Effect<void>
  }
>()("@carillon/server/media/files/BlobStore") {}
