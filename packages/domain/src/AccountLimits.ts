import { Schema } from "effect"
import { field } from "./Field.ts"

const limit = Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))

/** What sets an account apart from others of its network: the limits that its own server names, or its kind of access. */
export const AccountLimits = Schema.Struct({
  characters: field(
    "The longest text of a post, in characters as the platform counts them; a longer one is refused. Absent: the platform's own.",
    limit
  ),
  address_characters: field(
    "How many characters every URL in a text counts as. 0: its real length. Absent: the platform's own.",
    limit
  ),
  media: field(
    "The most media items in one post; one with more is refused. Absent: the platform's own.",
    limit
  ),
  description_characters: field(
    "The longest `alt_text`, in characters: a longer one of the post is refused, one of the media item is cut off. Absent: the platform's own.",
    limit
  ),
  mime_types: field(
    "MIME types that the account's server takes, such as `image/webp`; others are converted as `placements` of the account's options say, or refused. Absent: the platform's own.",
    Schema.optionalKey(
      Schema.Array(Schema.String.check(Schema.isMaxLength(100))).check(Schema.isMaxLength(100))
    )
  ),
  image_bytes: field(
    "The largest image that the account's server takes, in bytes; a larger one is compressed with `processing_enabled`, else refused. Absent: the platform's own.",
    limit
  ),
  image_pixels: field(
    "The most pixels in an image, width times height; a larger one is scaled down with `processing_enabled`, else refused. Absent: the platform's own.",
    limit
  ),
  video_bytes: field(
    "The largest video that the account's server takes, in bytes; a larger one is compressed with `processing_enabled` and `video_transcoding`, else refused. Absent: the platform's own.",
    limit
  ),
  video_pixels: field(
    "The most pixels in a frame of a video, width times height; a larger one is scaled down with `processing_enabled` and `video_transcoding`, else refused. Absent: the platform's own.",
    limit
  ),
  video_fps: field(
    "The most frames per second of a video; one with more is thinned out with `processing_enabled` and `video_transcoding`, else refused. Absent: the platform's own.",
    limit
  ),
  video_ms: field("The longest video, in milliseconds. Absent: the platform's own.", limit),
  document_bytes: field(
    "The largest document (PDF) that the account's server takes, in bytes; a larger one is refused. Absent: the platform's own.",
    limit
  ),
  file_bytes: field(
    "Bluesky: the largest file that the account's server stores, in bytes. Absent: not known.",
    limit
  ),
  poll_options: field(
    "The most choices of a poll; more are refused, like fewer than two. Absent: the platform's own.",
    limit
  ),
  poll_option_characters: field(
    "The longest choice of a poll, in characters; a longer one is refused. Absent: the platform's own.",
    limit
  ),
  poll_min_seconds: field(
    "The shortest time that a poll can be open, in seconds; a shorter one is refused. Absent: the platform's own.",
    limit
  ),
  poll_max_seconds: field(
    "The longest time that a poll can be open, in seconds; a longer one is refused. Absent: the platform's own.",
    limit
  ),
  quotes: field(
    "Whether a post can quote another. false: the `quote` option is refused. Absent: not known, so it is accepted.",
    Schema.optionalKey(Schema.Boolean)
  ),
  video_service: field(
    "Bluesky: whether its video service can reach the account's server. false: apps do not show the account's videos. Absent: not known.",
    Schema.optionalKey(Schema.Boolean)
  ),
  webhook: field(
    "Discord: whether the account is a webhook. false: it is a bot. Each lacks some options of the other. Absent: not known, or another platform.",
    Schema.optionalKey(Schema.Boolean)
  ),
  facebook_login: field(
    "Instagram: whether the account was connected with Facebook Login. false: `poll`, `comment_prompt` and `audio_id` are refused. Absent: not known, so they are accepted.",
    Schema.optionalKey(Schema.Boolean)
  ),
  pins: field(
    "Telegram: whether the bot may pin messages. false: `pin` is refused. Absent: not known, so it is accepted.",
    Schema.optionalKey(Schema.Boolean)
  ),
  forum_tags: field(
    "Discord: the tags of the forum in which a bot's posts are threads. Absent: a webhook, or no forum.",
    Schema.optionalKey(
      Schema.Array(
        Schema.Struct({
          id: field("The tag's id, for `applied_tags`.", Schema.String.check(Schema.isMaxLength(20))),
          name: field(
            "What people call it; `applied_tags` takes it too.",
            Schema.String.check(Schema.isMaxLength(100))
          )
        })
      ).check(Schema.isMaxLength(100))
    )
  ),
  tag_required: field(
    "Discord: whether every thread in the bot's forum needs a tag. Absent: as in `forum_tags`.",
    Schema.optionalKey(Schema.Boolean)
  ),
  organization: field(
    "LinkedIn: true for an organization's page, whose posts are public; false for a person.",
    Schema.optionalKey(Schema.Boolean)
  )
}).annotate({ identifier: "AccountLimits" })
export interface AccountLimits extends Schema.Schema.Type<typeof AccountLimits> {}
