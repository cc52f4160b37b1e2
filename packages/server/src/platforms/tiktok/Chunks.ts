import type { ByteRange } from "@carillon/domain"

/** In bytes. TikTok takes 5 to 64 MB; small ones leave little to send at the due time. */
const chunkSize = 5 * 1024 * 1024

/** The last chunk takes the remainder: https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide */
export const chunksOf = (
  size: number
): { readonly chunk_size: number; readonly total_chunk_count: number } => {
  const total_chunk_count = Math.max(1, Math.floor(size / chunkSize))
  return { chunk_size: total_chunk_count === 1 ? size : chunkSize, total_chunk_count }
}

/** The next bytes to send, to the end of their chunk. */
export const nextChunk = (sent: number, size: number): ByteRange & { readonly last: boolean } => {
  const { chunk_size, total_chunk_count } = chunksOf(size)
  const index = Math.min(Math.floor(sent / chunk_size), total_chunk_count - 1)
  const last = index === total_chunk_count - 1
  return { start: sent, end: (last ? size : (index + 1) * chunk_size) - 1, last }
}

/** How many bytes have arrived by TikTok's `Content-Range`; undefined without one. */
export const arrivedOf = (contentRange: string | undefined): number | undefined => {
  const [, last, none] = /^bytes (?:0-(\d+)|(\*))\/\d+$/.exec(contentRange ?? "") ?? []
  return last !== undefined ? Number(last) + 1 : none === undefined ? undefined : 0
}
