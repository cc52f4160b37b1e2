import { Schema } from "effect"
import { onePlacement, rulesOf } from "../Platform.ts"
import { mostThreadItems } from "../Thread.ts"
import { altText, firstComment, flag, named, option, overrides, text } from "./OptionFields.ts"
import { field } from "../Field.ts"

const maximumAltText = 1000

/** https://docs.x.com/x-api/posts/create-post. Subscribers of X may write and show more than this. */
export const twitterRules = rulesOf("twitter", {
  alt_text: maximumAltText,
  chains: { max_items: mostThreadItems },
  ...onePlacement({
    caption: { unit: "x_weighted", max: 280 },
    text_only: true,
    images: { max_count: 4, mime_types: ["image/jpeg", "image/png", "image/webp"], max_bytes: 5_000_000 },
    gifs: {
      max_count: 1,
      mime_types: ["image/gif"],
      max_bytes: 15_000_000,
      max_width: 1280,
      max_height: 1080,
      max_frames: 350
    },
    videos: {
      max_count: 1,
      mime_types: ["video/mp4"],
      max_bytes: 512_000_000,
      min_width: 32,
      min_height: 32,
      // X's page for developers says 1280 x 1024, its help page 1920 x 1200; the lower one would refuse every 1080p video.
      max_side: 1920,
      max_pixels: 1920 * 1200,
      min_ratio: 1 / 3,
      max_ratio: 3,
      min_duration_ms: 500,
      max_duration_ms: 140_000,
      max_fps: 60,
      video_codecs: ["avc"],
      audio_codecs: ["aac"]
    },
    mixed: false
  }),
  conflicts: ({ options: { poll }, media }) =>
    poll !== undefined && media.length > 0
      ? [
          {
            option: "poll",
            rule: "poll_without_media",
            sentence: "allows a poll or media in one post, not both; remove one of them."
          }
        ]
      : []
})

export const TwitterOptions = Schema.Struct({
  ...overrides,
  reply_settings: option(
    named({
      everyone: "Everyone",
      following: "Accounts you follow",
      mentionedUsers: "Only accounts you mention",
      subscribers: "Subscribers",
      verified: "Verified accounts"
    }),
    "Who can reply",
    "Who can reply. Default: everyone. `following`: accounts that this one follows. `mentionedUsers`: accounts that the caption mentions. `subscribers`: this account's subscribers. `verified`: verified accounts."
  ),
  community_id: option(
    text(100),
    "Community",
    "The id of the community to post in, as in `https://x.com/i/communities/…`. Default: `null`, none."
  ),
  poll: option(
    Schema.Struct({
      options: field(
        "The choices in the order shown: 2 to 4, of at most 25 characters each.",
        Schema.Array(text(25).check(Schema.isMinLength(1))).check(
          Schema.isBetweenLength(2, 4, { expected: "2 to 4 choices" })
        )
      ),
      duration_minutes: field(
        "How long the poll is open, in minutes: 5 to 10,080 (seven days).",
        Schema.Int.check(Schema.isBetween({ minimum: 5, maximum: 10_080 }))
      )
    }),
    "Poll",
    "2 to 4 choices of at most 25 characters, open for 5 minutes to 7 days. Not with media."
  ),
  made_with_ai: option(flag, "Made with AI", "Labels the post as made with AI. Default: `false`."),
  paid_partnership: option(
    flag,
    "Paid partnership",
    "Shows people that the post is a paid promotion. Default: `false`."
  ),
  first_comment: firstComment,
  alt_text: altText(maximumAltText)
}).annotate({ identifier: "TwitterOptions" })
