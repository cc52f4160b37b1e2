import { Schema } from "effect"
import { field } from "./Field.ts"

const limit = Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))

/** What sets an account apart from others of its network: the limits that its own server names, or its kind of access. */
export const AccountLimits = Schema.Struct({
  characters: field("The longest text, in characters. Absent: as usual on the platform.", limit),
  address_characters: field(
    "How many characters a web address counts as, whatever its length. 0: as many as it has. Absent: as usual on the platform.",
    limit
  ),
  media: field("The most media in one post. Absent: as usual on the platform.", limit),
  description_characters: field(
    "The longest `alt_text` of a medium, in characters. Absent: as usual on the platform.",
    limit
  ),
  mime_types: field(
    "The types of file that it takes. Absent: as usual on the platform.",
    Schema.optionalKey(
      Schema.Array(Schema.String.check(Schema.isMaxLength(100))).check(Schema.isMaxLength(100))
    )
  ),
  image_bytes: field("The largest image, in bytes. Absent: as usual on the platform.", limit),
  image_pixels: field(
    "The most pixels of an image, width times height. Absent: as usual on the platform.",
    limit
  ),
  video_bytes: field("The largest video, in bytes. Absent: as usual on the platform.", limit),
  video_pixels: field(
    "The most pixels of a video, width times height. Absent: as usual on the platform.",
    limit
  ),
  video_fps: field("The most frames per second of a video. Absent: as usual on the platform.", limit),
  document_bytes: field("The largest document, in bytes. Absent: as usual on the platform.", limit),
  file_bytes: field("Bluesky: the largest file that the account's server stores, in bytes.", limit),
  poll_options: field("The most choices of a poll. Absent: as usual on the platform.", limit),
  poll_option_characters: field(
    "The longest choice of a poll, in characters. Absent: as usual on the platform.",
    limit
  ),
  poll_min_seconds: field(
    "How long a poll is open at least, in seconds. Absent: as usual on the platform.",
    limit
  ),
  poll_max_seconds: field(
    "How long a poll is open at most, in seconds. Absent: as usual on the platform.",
    limit
  ),
  quotes: field(
    "Whether a post can quote another; false: the `quote` option is refused. Absent: as usual on the platform.",
    Schema.optionalKey(Schema.Boolean)
  ),
  video_service: field(
    "Bluesky: whether the video service reaches the account's server. false: apps do not show the account's videos.",
    Schema.optionalKey(Schema.Boolean)
  ),
  webhook: field(
    "Discord: true is a webhook, false a bot. Each lacks options of the other.",
    Schema.optionalKey(Schema.Boolean)
  )
}).annotate({ identifier: "AccountLimits" })
export interface AccountLimits extends Schema.Schema.Type<typeof AccountLimits> {}
