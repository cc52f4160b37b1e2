import { Effect, type Scope, Stream } from "effect"
import type { MediaStore, ReceivedMedia } from "../MediaStore.ts"

export interface PulledFile extends ReceivedMedia {
  readonly content_type: string
  /** The bytes, up to so many as the caller wants to look at. */
  readonly head: Uint8Array
}

/**
 * Fetches a file as Meta does: as `facebookexternalhit`, without redirects, with status 200, an ASCII address, a
 * length that is right, and within 30 seconds. Gives `unreachable` otherwise, and what `objection` says of the type and length before the bytes are asked for.
 */
export const pull = <Problem>(
  store: MediaStore["Service"],
  url: string,
  wants: {
    readonly unreachable: Problem
    readonly objection: (type: string, length: number) => Problem | undefined
    readonly headBytes: number
  }
): Effect.Effect<PulledFile | Problem, never, Scope.Scope> =>
  Effect.gen(function* () {
    if (!/^https?:\/\/[\x21-\x7e]+$/.test(url)) return wants.unreachable
    const init = { redirect: "manual", headers: { "user-agent": "facebookexternalhit/1.1" } } as const
    const asked = yield* Effect.tryPromise((signal) => fetch(url, { ...init, method: "HEAD", signal }))
    const length = Number(asked.headers.get("content-length") ?? Number.NaN)
    const content_type = asked.headers.get("content-type")?.split(";", 1)[0] ?? ""
    if (asked.status !== 200 || !Number.isSafeInteger(length)) return wants.unreachable
    const problem = wants.objection(content_type, length)
    if (problem !== undefined) return problem
    const answer = yield* Effect.tryPromise((signal) => fetch(url, { ...init, signal }))
    if (answer.status !== 200 || answer.body === null) return wants.unreachable
    const { body } = answer
    let size = 0
    let head: Uint8Array = new Uint8Array()
    const received = yield* store.receive(
      content_type,
      Stream.fromReadableStream({
        evaluate: () => body as ReadableStream<Uint8Array>,
        onError: (error) => error
      }).pipe(
        Stream.tap((chunk) =>
          Effect.suspend(() => {
            size += chunk.length
            if (head.length < wants.headBytes) head = Buffer.concat([head, chunk])
            return size > length ? Effect.fail("longer than it said") : Effect.void
          })
        )
      )
    )
    return received.size === length ? { ...received, content_type, head } : wants.unreachable
  }).pipe(
    Effect.timeout("30 seconds"),
    Effect.orElseSucceed(() => wants.unreachable)
  )
