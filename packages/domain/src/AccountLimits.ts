import { Schema } from "effect"

const limit = Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))

/** What sets an account apart from others of its network: the limits that its own server names, or its kind of access. */
export const AccountLimits = Schema.Struct({
  characters: limit,
  /** How many characters an address counts as; 0: as many as it has. */
  address_characters: limit,
  media: limit,
  description_characters: limit,
  mime_types: Schema.optionalKey(
    Schema.Array(Schema.String.check(Schema.isMaxLength(100))).check(Schema.isMaxLength(100))
  ),
  image_bytes: limit,
  image_pixels: limit,
  video_bytes: limit,
  video_pixels: limit,
  video_fps: limit,
  document_bytes: limit,
  /** Bluesky: the largest file that the account's server stores. */
  file_bytes: limit,
  poll_options: limit,
  poll_option_characters: limit,
  poll_min_seconds: limit,
  poll_max_seconds: limit,
  /** Whether a post can quote another. */
  quotes: Schema.optionalKey(Schema.Boolean),
  /** Bluesky: whether the video service reaches the account's server; without it, apps do not show the account's videos. */
  video_service: Schema.optionalKey(Schema.Boolean),
  /** Discord: a webhook, or a bot. Each lacks options of the other. */
  webhook: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "AccountLimits" })
export interface AccountLimits extends Schema.Schema.Type<typeof AccountLimits> {}
