import { Effect } from "effect"
import { HttpBody } from "effect/http"
import type { RemoteFetch } from "../../http/RemoteFetch.ts"
import { pageCard } from "../PageCard.ts"
import type { PublishError } from "../Platform.ts"
import type { Blob, LinkCard } from "./BlueskyHandle.ts"

/** The picture that a card takes (lexicon `app.bsky.embed.external`). */
const pictures = { max_bytes: 1_000_000, mime_types: ["image/jpeg", "image/png", "image/webp"] }

/** Makes the card of an address, as Bluesky's own app does. */
export const linkCards = (
  download: RemoteFetch["Service"]["download"],
  upload: (body: HttpBody.HttpBody) => Effect.Effect<typeof Blob.Type, PublishError>
) => {
  const cardAt = pageCard(download, pictures)
  return Effect.fn("Bluesky.linkCard")(function* (uri: string): Effect.fn.Return<LinkCard, PublishError> {
    const card = yield* cardAt(uri)
    if (typeof card === "string") return { embed: null, warnings: [card] }
    const { description, picture, title } = card
    const thumb =
      picture === null
        ? null
        : yield* upload(HttpBody.uint8Array(picture.bytes, picture.mime_type)).pipe(
            Effect.catchIf(
              ({ class: failure }) => failure === "media_rejected",
              () => Effect.succeed(null)
            )
          )
    return {
      embed: {
        $type: "app.bsky.embed.external",
        external: { uri, title, description, ...(thumb === null ? {} : { thumb }) }
      },
      warnings: []
    }
  })
}
