import { Effect, type Scope, Stream } from "effect"
import { jpegSize } from "../JpegSize.ts"
import type { MediaStore, StoredMedia } from "../MediaStore.ts"
import type { Violation } from "./GoogleErrors.ts"

const maximumBytes = 5_000_000
const smallest = { width: 400, height: 300 }

const png = "\x89PNG\r\n\x1a\n"

const sizeOf = (bytes: Uint8Array) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length >= 24 && Buffer.from(bytes.subarray(0, 8)).toString("latin1") === png)
    return { type: "image/png", width: view.getUint32(16), height: view.getUint32(20) }
  const size = jpegSize(bytes)
  return size === null ? undefined : { type: "image/jpeg", ...size }
}

/** No more bytes than a photo may have and one. */
const received = async (url: string, signal: AbortSignal) => {
  const answer = await fetch(url, { redirect: "manual", signal })
  if (answer.status !== 200 || answer.body === null) return undefined
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of answer.body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maximumBytes) break
  }
  return new Uint8Array(Buffer.concat(chunks))
}

/** Fetches a photo while its post waits, as Google does, and measures it. */
export const fetchPhoto = Effect.fnUntraced(function* (
  store: MediaStore["Service"],
  url: string
): Effect.fn.Return<StoredMedia | Violation, never, Scope.Scope> {
  const bytes = /^https?:\/\/[\x21-\x7e]+$/.test(url)
    ? yield* Effect.tryPromise((signal) => received(url, signal)).pipe(
        Effect.timeout("30 seconds"),
        Effect.orElseSucceed(() => undefined)
      )
    : undefined
  if (bytes === undefined) return { code: 1000, message: "Fetching image failed." }
  const value = url.split("?", 1)[0]!
  if (bytes.length > maximumBytes) {
    return { code: 10, message: `Media fetch response bytes too large (max: ${maximumBytes}B).`, value }
  }
  const size = sizeOf(bytes)
  const field = "media.source_url"
  if (size === undefined) return { code: 3, field, message: "The photo is neither JPEG nor PNG.", value }
  if (size.width < smallest.width || size.height < smallest.height) {
    const least = `${smallest.width}x${smallest.height}`
    return {
      code: 3,
      field,
      message: `The photo is ${size.width}x${size.height}, less than ${least}.`,
      value
    }
  }
  const photo = yield* store.receive(size.type, Stream.succeed(bytes))
  return yield* photo.keep
}, Effect.scoped)
