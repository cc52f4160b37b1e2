import { Schema, SchemaGetter } from "effect"
import { Text } from "./Text.ts"
import { field } from "./Field.ts"

/** The most items of a thread on any network, the post itself included. */
export const mostThreadItems = 25

const caption = Text.check(Schema.isMaxLength(20_000))
const media = Schema.Array(Schema.String.check(Schema.isMaxLength(100))).check(Schema.isMaxLength(20))

/** One of the posts that follow a post, each an answer to the one before. */
export const ThreadItem = Schema.Struct({
  caption: field(
    "The item's text, within the limits of each platform; null: it has only media.",
    Schema.NullOr(caption)
  ),
  media: field(
    "Ids of the item's own media items, in the order in which they appear. Empty: it has only text.",
    media
  )
}).annotate({ identifier: "ThreadItem" })
export interface ThreadItem extends Schema.Schema.Type<typeof ThreadItem> {}

const ThreadItemRequest = Schema.Union([
  caption,
  Schema.Struct({
    caption: field(
      "The item's text, within the limits of each platform. null or absent: it has only media.",
      Schema.optionalKey(Schema.NullOr(caption))
    ),
    media: field(
      "Ids of the item's own media items, in the order in which they appear. null or absent: it has only text.",
      Schema.optionalKey(Schema.NullOr(media))
    )
  })
])
  .annotate({
    identifier: "ThreadItemRequest",
    message: "Expected a text, or an object with caption and media"
  })
  .pipe(
    Schema.decodeTo(Schema.toType(ThreadItem), {
      decode: SchemaGetter.transform((item) =>
        typeof item === "string"
          ? { caption: item, media: [] }
          : { caption: item.caption ?? null, media: item.media ?? [] }
      ),
      encode: SchemaGetter.passthrough({ strict: false })
    })
  )

/** The posts that follow the first one, in order; a text is an item's caption. */
export const Thread = Schema.Array(ThreadItemRequest).check(Schema.isMaxLength(mostThreadItems - 1))

/** `join`: where a network has no threads, the items become one post. */
export const ThreadFallback = Schema.Literal("join")
