import { Effect, type Scope, Stream } from "effect"
import type { MediaStore, ReceivedMedia } from "../MediaStore.ts"
import { jpegSize } from "../JpegSize.ts"

const maximumImage = 8_000_000
const maximumVideo = 300_000_000

/** A subcode: why Meta did not take the file. */
type Subcode = "2207052" | "2207004" | "2207005" | "2207009" | "2207026"

/**
 * Fetches a file as Meta does: as `facebookexternalhit`, without redirects, with status 200, an ASCII address and a
 * length; then checks whether it can be published.
 */
export const pull = Effect.fnUntraced(
  function* (
    store: MediaStore["Service"],
    url: string,
    kind: "image" | "video",
    ratio: "any" | "feed"
  ): Effect.fn.Return<ReceivedMedia | Subcode, unknown, Scope.Scope> {
    if (!/^https?:\/\/[\x21-\x7e]+$/.test(url)) return "2207052"
    const init = { redirect: "manual", headers: { "user-agent": "facebookexternalhit/1.1" } } as const
    const head = yield* Effect.tryPromise((signal) => fetch(url, { ...init, method: "HEAD", signal }))
    const length = Number(head.headers.get("content-length") ?? Number.NaN)
    const type = head.headers.get("content-type")?.split(";", 1)[0] ?? ""
    if (head.status !== 200 || !Number.isSafeInteger(length)) return "2207052"
    if (kind === "image" && type !== "image/jpeg") return "2207005"
    if (kind === "video" && type !== "video/mp4" && type !== "video/quicktime") return "2207026"
    if (length > (kind === "image" ? maximumImage : maximumVideo)) {
      return kind === "image" ? "2207004" : "2207026"
    }
    const answer = yield* Effect.tryPromise((signal) => fetch(url, { ...init, signal }))
    if (answer.status !== 200 || answer.body === null) return "2207052"
    const { body } = answer
    let first: Uint8Array = new Uint8Array()
    const received = yield* store.receive(
      type,
      Stream.fromReadableStream({
        evaluate: () => body as ReadableStream<Uint8Array>,
        onError: (error) => error
      }).pipe(
        Stream.tap((chunk) =>
          Effect.sync(() => {
            if (kind === "image") first = Buffer.concat([first, chunk])
          })
        )
      )
    )
    if (received.size !== length) return "2207052"
    if (kind === "video") return received
    const size = jpegSize(first)
    if (size === null) return "2207005"
    // Sides are whole pixels, so the ratio is met to within one of them.
    const outside = size.width < (size.height - 1) * 0.8 || size.width > (size.height + 1) * 1.91
    return ratio === "feed" && outside ? "2207009" : received
  },
  Effect.orElseSucceed((): Subcode => "2207052")
)
