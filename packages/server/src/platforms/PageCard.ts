import { Effect, Option, Stream } from "effect"
import type { RemoteFetch } from "../http/RemoteFetch.ts"
import { shownUrl } from "../http/RemoteFetchError.ts"
import { type PageFacts, pageFacts } from "./PageFacts.ts"

/** What a link card shows of a page. */
export interface PageCard extends Pick<PageFacts, "title" | "description"> {
  readonly picture: { readonly bytes: Uint8Array; readonly mime_type: string } | null
}

/** The pictures that a network takes for a card. */
export interface CardPictures {
  readonly max_bytes: number
  readonly mime_types: ReadonlyArray<string>
}

type Download = RemoteFetch["Service"]["download"]

/** The most of a page that is read. What a card shows stands at its beginning. */
const maxPageBytes = 1_000_000
/** A page that says it has more than this is no page. */
const maxDeclaredBytes = 50_000_000
const patience = "5 seconds"

/**
 * The card of an address as the page describes itself, or a warning that says why there is none: that is no failure of the
 * post, and neither is a missing picture.
 */
export const pageCard = (download: Download, pictures: CardPictures) =>
  Effect.fn("PageCard")(function* (uri: string): Effect.fn.Return<PageCard | string> {
    const page = yield* pageAt(download, uri)
    if (typeof page === "string")
      return `The post has no link card for ${JSON.stringify(shownUrl(uri))}. ${page}`
    const { description, image, title } = page
    return {
      title,
      description,
      picture: image === null ? null : yield* pictureAt(download, pictures, image)
    }
  })

/** The facts of a page, or why there are none. */
const pageAt = (download: Download, uri: string): Effect.Effect<PageFacts | string> =>
  Effect.gen(function* () {
    const found = yield* download(uri, { maxBytes: maxDeclaredBytes })
    if (found.content_type !== "text/html" && found.content_type !== "application/xhtml+xml")
      return "The address is not a web page."
    const facts = pageFacts(yield* beginning(found.content, maxPageBytes), found.url)
    return facts ?? "The page has no title."
  }).pipe(
    Effect.scoped,
    Effect.catch(({ message }) => Effect.succeed(message)),
    Effect.timeoutOrElse({
      duration: patience,
      orElse: () => Effect.succeed(`The page did not answer within ${patience}.`)
    })
  )

const pictureAt = (download: Download, { max_bytes, mime_types }: CardPictures, url: string) =>
  Effect.gen(function* () {
    const { content } = yield* download(url, { maxBytes: max_bytes })
    const bytes = yield* Stream.mkUint8Array(content)
    const mime_type = typeOf(bytes)
    return mime_type === undefined || !mime_types.includes(mime_type) ? null : { bytes, mime_type }
  }).pipe(
    Effect.scoped,
    Effect.timeoutOption(patience),
    Effect.map(Option.getOrNull),
    Effect.orElseSucceed(() => null)
  )

const beginning = <E>(content: Stream.Stream<Uint8Array, E>, limit: number) =>
  Effect.suspend(() => {
    const chunks: Array<Uint8Array> = []
    let size = 0
    return Stream.runForEachWhile(content, (chunk) =>
      Effect.sync(() => {
        chunks.push(chunk)
        size += chunk.length
        return size < limit
      })
    ).pipe(Effect.map(() => Buffer.concat(chunks).subarray(0, limit)))
  })

const signatures = [
  { mime_type: "image/jpeg", at: 0, bytes: [0xff, 0xd8, 0xff] },
  { mime_type: "image/png", at: 0, bytes: [0x89, 0x50, 0x4e, 0x47] },
  { mime_type: "image/webp", at: 8, bytes: [0x57, 0x45, 0x42, 0x50] }
]

/** The type by the first bytes: what a server says of a picture is often wrong. */
const typeOf = (bytes: Uint8Array) =>
  signatures.find((one) => one.bytes.every((byte, index) => bytes[one.at + index] === byte))?.mime_type
