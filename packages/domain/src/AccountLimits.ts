import { Schema } from "effect"
import { field } from "./Field.ts"

const limit = Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))

/** What sets an account apart from others of its network: the limits that its own server names, or its kind of access. */
export const AccountLimits = Schema.Struct({
  characters: field("The longest text.", limit),
  address_characters: field("How many characters an address counts as. 0: as many as it has.", limit),
  media: field("The most media in one post.", limit),
  description_characters: field("The longest description of a medium.", limit),
  mime_types: field(
    "The types of file that it takes.",
    Schema.optionalKey(
      Schema.Array(Schema.String.check(Schema.isMaxLength(100))).check(Schema.isMaxLength(100))
    )
  ),
  image_bytes: field("The largest image, in bytes.", limit),
  image_pixels: field("The largest image, as width times height.", limit),
  video_bytes: field("The largest video, in bytes.", limit),
  video_pixels: field("The largest video, as width times height.", limit),
  video_fps: field("The most frames per second.", limit),
  document_bytes: field("The largest document, in bytes.", limit),
  file_bytes: field("Bluesky: the largest file that the account's server stores, in bytes.", limit),
  poll_options: field("The most choices of a poll.", limit),
  poll_option_characters: field("The longest choice of a poll, in characters.", limit),
  poll_min_seconds: field("The shortest time that a poll is open.", limit),
  poll_max_seconds: field("The longest time that a poll is open.", limit),
  quotes: field("Whether a post can quote another.", Schema.optionalKey(Schema.Boolean)),
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
