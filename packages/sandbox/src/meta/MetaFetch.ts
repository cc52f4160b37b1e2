import { Effect, type Scope, Stream } from "effect"
import type { MediaStore, ReceivedMedia } from "../MediaStore.ts"

/** A file that Meta has fetched; of a picture also its bytes. */
interface MetaFile {
  readonly received: ReceivedMedia
  readonly type: string
  readonly bytes: Uint8Array
}

/**
 * Fetches a file as Meta does: as `facebookexternalhit`, without redirects, with status 200, an ASCII address and a
 * length. `objection` to its type and length ends it before the bytes come.
 */
export const metaFetch = Effect.fnUntraced(function* <Reason extends string>(
  store: MediaStore["Service"],
  url: string,
  unreachable: NoInfer<Reason>,
  objection: (type: string, length: number) => Reason | undefined
): Effect.fn.Return<MetaFile, Reason, Scope.Scope> {
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(url)) return yield* Effect.fail(unreachable)
  const asked = (method: "HEAD" | "GET") =>
    Effect.tryPromise({
      try: (signal) =>
        fetch(url, {
          method,
          signal,
          redirect: "manual",
          headers: { "user-agent": "facebookexternalhit/1.1" }
        }),
      catch: () => unreachable
    })
  const head = yield* asked("HEAD")
  const length = Number(head.headers.get("content-length") ?? Number.NaN)
  const type = head.headers.get("content-type")?.split(";", 1)[0] ?? ""
  if (head.status !== 200 || !Number.isSafeInteger(length)) return yield* Effect.fail(unreachable)
  const reason = objection(type, length)
  if (reason !== undefined) return yield* Effect.fail(reason)
  const { body, status } = yield* asked("GET")
  if (status !== 200 || body === null) return yield* Effect.fail(unreachable)
  const chunks: Array<Uint8Array> = []
  const received = yield* store.receive(
    type,
    Stream.fromReadableStream({
      evaluate: () => body as ReadableStream<Uint8Array>,
      onError: () => unreachable
    }).pipe(
      Stream.tap((chunk) =>
        Effect.sync(() => {
          if (type.startsWith("image/")) chunks.push(chunk)
        })
      )
    )
  )
  if (received.size !== length) return yield* Effect.fail(unreachable)
  return { received, type, bytes: Buffer.concat(chunks) }
})
