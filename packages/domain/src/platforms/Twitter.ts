import { Schema } from "effect"
import type { AccountLimits } from "../AccountLimits.ts"
import {
  onePlacement,
  type OptionConflict,
  type PlatformRules,
  type PostOptions,
  rulesOf
} from "../Platform.ts"
import { xPostsPerRead } from "../Prices.ts"
import { cashtags } from "../TextLength.ts"
import { mostThreadItems } from "../Thread.ts"
import { xAddresses } from "../XAddresses.ts"
import { captionConflicts, captions, isCaptions, onlyWithVideo } from "./Captions.ts"
import { altText, filledText, firstComment, flag, named, option, overrides } from "./OptionFields.ts"
import { field } from "../Field.ts"

const maximumAltText = 1000

/** What subscribers of X may write and show: https://help.x.com/en/using-x/x-premium. */
export const xSubscriberLimits: AccountLimits = { characters: 25_000, video_ms: 4 * 3_600_000 }

/**
 * https://docs.x.com/x-api/posts/create-post and https://docs.x.com/x-api/media/quickstart/best-practices. What an account does not
 * name is as it is without a subscription.
 */
const within = (limits: AccountLimits): PlatformRules =>
  rulesOf("twitter", {
    alt_text: maximumAltText,
    chains: {
      max_items: mostThreadItems,
      first_only: ["reply_settings", "community_id", "poll", "captions"]
    },
    ...onePlacement({
      caption: { unit: "x_weighted", max: limits.characters ?? 280 },
      text_only: true,
      images: { max_count: 4, mime_types: ["image/jpeg", "image/png", "image/webp"], max_bytes: 5_000_000 },
      gifs: {
        max_count: 1,
        mime_types: ["image/gif"],
        max_bytes: 15_000_000,
        max_width: 1280,
        max_height: 1080,
        max_frames: 350,
        max_frames_pixels: 300_000_000
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
        max_duration_ms: limits.video_ms ?? 140_000,
        max_fps: 60,
        video_codecs: ["avc"],
        audio_codecs: ["aac"]
      },
      mixed: false
    }),
    conflicts: (post) => [
      ...pollConflicts(post),
      ...onlyWithVideo(["captions"], post),
      ...captionConflicts(post, xLanguage),
      ...languageConflicts(post)
    ],
    warnings: (_options, _account, caption) => {
      const tags = caption.match(cashtags)?.length ?? 0
      return tags > 1 ? [`gets ${tags} cashtags. X refuses more than one in a post of most apps.`] : []
    },
    calls: ({ at_once, caption, described, media }) => ({
      [xPostCall(caption)]: 1,
      media_metadata: described,
      // A person may have posted the same words by hand.
      post_read: at_once && media === 0 ? xPostsPerRead : 0
    }),
    within
  })

/** What X charges for: a post with an address costs thirteen times as much. */
export const xPostCall = (caption: string) =>
  xAddresses(caption).next().done === true ? "post" : "post_with_url"

/** Those of an account without a subscription. */
export const twitterRules = within({})

const pollConflicts = ({ options: { poll }, media }: PostOptions): ReadonlyArray<OptionConflict> =>
  poll !== undefined && media.length > 0
    ? [
        {
          option: "poll",
          rule: "poll_without_media",
          sentence: "allows a poll or media in one post, not both; remove one of them."
        }
      ]
    : []

/** X knows a language by its two letters alone. */
export const xLanguage = (lang: string) => lang.toUpperCase().split("-")[0]!

const languageConflicts = ({ options: { captions } }: PostOptions): ReadonlyArray<OptionConflict> => {
  const longer = isCaptions(captions) ? captions.find(({ lang }) => xLanguage(lang).length > 2) : undefined
  return longer === undefined
    ? []
    : [
        {
          option: "captions",
          rule: "caption_language",
          sentence: `accepts subtitles in languages of two letters, such as "en"; captions has "${longer.lang}". Leave it out.`
        }
      ]
}

const longId = Schema.String.check(
  Schema.isPattern(/^\d{1,19}$/u, { expected: "an id of at most 19 digits" })
)

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
    longId,
    "Community",
    "The id of the community to post in: the digits at the end of `https://x.com/i/communities/…`. Default: `null`, none."
  ),
  poll: option(
    Schema.Struct({
      options: field(
        "The choices in the order shown: 2 to 4, of at most 25 characters each.",
        Schema.Array(filledText(25)).check(Schema.isBetweenLength(2, 4, { expected: "2 to 4 choices" }))
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
  for_super_followers_only: option(
    flag,
    "For subscribers only",
    "Shows the post only to people who subscribe to the account. Default: `false`."
  ),
  captions,
  first_comment: firstComment,
  alt_text: altText(maximumAltText)
}).annotate({ identifier: "TwitterOptions" })
