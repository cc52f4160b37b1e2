import { Effect } from "effect"
import { fileTypeOf } from "../FileType.ts"

export interface PinImage {
  readonly content_type: string
  readonly bytes: Uint8Array
}

const maximumBytes = 20_000_000

/** The image; undefined for bytes that Pinterest does not take. */
export const imageOf = (bytes: Uint8Array): PinImage | undefined => {
  const type = fileTypeOf(bytes, ["image/jpeg", "image/png", "image/gif", "image/webp"])
  return type === undefined || bytes.length > maximumBytes ? undefined : { content_type: type, bytes }
}

/** Fetches an image as Pinterest does; undefined if it cannot be reached or is no image. */
export const pullImage = (url: string): Effect.Effect<PinImage | undefined> =>
  Effect.tryPromise(async (signal) => {
    if (!/^https?:\/\/[\x21-\x7e]+$/.test(url)) return undefined
    const answer = await fetch(url, { redirect: "manual", signal })
    return answer.status === 200 ? imageOf(new Uint8Array(await answer.arrayBuffer())) : undefined
  }).pipe(Effect.orElseSucceed(() => undefined))
