import type { ByteRange } from "@carillon/domain"

/** In bytes. The most of one chunk: https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide */
const largest = 64_000_000
const usual = 10 * 1024 * 1024

/** The sizes that an upload may have its chunks of, the one to try first before the one that is left if it is refused. */
export const chunkSizes = (size: number): readonly [number, ...Array<number>] => {
  if (size > largest) return [usual, largest / 2]
  // Two chunks at least, or it would be one piece again.
  return size > usual ? [size, Math.min(usual, Math.floor(size / 2))] : [size]
}

/** The last chunk takes the remainder. */
export const chunkCount = (size: number, chunk_size: number): number =>
  Math.max(1, Math.floor(size / chunk_size))

/** The next bytes to send, to the end of their chunk. */
export const nextChunk = (
  sent: number,
  size: number,
  chunk_size: number
): ByteRange & { readonly last: boolean } => {
  const count = chunkCount(size, chunk_size)
  const index = Math.min(Math.floor(sent / chunk_size), count - 1)
  const last = index === count - 1
  return { start: sent, end: (last ? size : (index + 1) * chunk_size) - 1, last }
}

/** How many bytes have arrived by TikTok's `Content-Range`; undefined without one. */
export const arrivedOf = (contentRange: string | undefined): number | undefined => {
  const [, last, none] = /^bytes (?:0-(\d+)|(\*))\/\d+$/.exec(contentRange ?? "") ?? []
  return last !== undefined ? Number(last) + 1 : none === undefined ? undefined : 0
}
