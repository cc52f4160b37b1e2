import { createHash } from "node:crypto"

/** Eleven characters of base64url, as YouTube's are: the ledger's number in another spelling. */
export const videoIdOf = (publication: string): string => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(publication))
  return bytes.toString("base64url")
}

/** The number in the ledger; undefined for anything that is no id. */
export const publicationOf = (videoId: string): string | undefined =>
  /^[\w-]{11}$/.test(videoId) ? String(Buffer.from(videoId, "base64url").readBigUInt64BE()) : undefined

/** `UC` and 22 characters, the same for the same account. */
export const channelIdOf = (accountId: string): string =>
  `UC${createHash("sha256").update(accountId).digest().subarray(0, 16).toString("base64url")}`
