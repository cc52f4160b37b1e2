import type { MediaKind, MediaStatus } from "../Media.ts"
import type { MediaFacts } from "./MediaLimits.ts"

type Unfetched = "kind" | "mime_type" | "size_bytes"

/** A media item of the library. Its kind, type and size are null while it is still to be fetched from a URL. */
export interface PreflightMedia extends Omit<MediaFacts, Unfetched> {
  readonly id: string
  readonly name: string
  readonly status: MediaStatus
  /** It is being fetched, or will be. */
  readonly importing: boolean
  /** Why it will never be there. */
  readonly error: { readonly message: string } | null
  readonly kind: MediaKind | null
  readonly mime_type: string | null
  readonly size_bytes: number | null
  /** The transfer curve of a video with a high dynamic range, where it is known. */
  readonly transfer: "pq" | "hlg" | null
}

export type KnownMedia = PreflightMedia & MediaFacts

export const isKnown = (item: PreflightMedia): item is KnownMedia =>
  item.kind !== null && item.mime_type !== null && item.size_bytes !== null
