import { Schema, SchemaGetter } from "effect"
import type { AccountLimits } from "../AccountLimits.ts"
import { field } from "../Field.ts"
import { type OptionConflict, type PlatformRules, type PostOptions, rulesOf } from "../Platform.ts"
import { hashtagCount } from "../TextLength.ts"
import {
  altText,
  coverImage,
  coverTimestamp,
  filledText,
  firstComment,
  flag,
  flagThatIs,
  named,
  option,
  overrides,
  placement,
  several,
  text
} from "./OptionFields.ts"

const caption = { unit: "code_points", max: 2200, max_hashtags: 30, max_mentions: 20 } as const

const storyImages = {
  max_count: 1,
  mime_types: ["image/jpeg"],
  max_bytes: 8_000_000,
  min_width: 320,
  max_width: 1440
} as const

const images = { ...storyImages, min_ratio: 4 / 5, max_ratio: 1.91 } as const

const reelVideos = {
  max_count: 1,
  mime_types: ["video/mp4", "video/quicktime"],
  max_bytes: 300_000_000,
  max_width: 1920,
  min_ratio: 0.01,
  max_ratio: 10,
  min_duration_ms: 3000,
  max_duration_ms: 900_000,
  min_fps: 23,
  max_fps: 60,
  video_codecs: ["avc", "hevc"],
  audio_codecs: ["aac"]
} as const

const covers = { max_count: 1, mime_types: ["image/jpeg"], max_bytes: 8_000_000 } as const

const feed = {
  name: "feed",
  caption,
  text_only: false,
  images,
  fetched: ["image"],
  mixed: false
} as const

const carousel = {
  name: "carousel",
  caption,
  text_only: false,
  images: { ...images, max_count: 10 },
  videos: { ...reelVideos, max_count: 10 },
  fetched: ["image"],
  mixed: true,
  min_count: 2,
  max_count: 10
} as const

const reel = {
  name: "reel",
  caption,
  text_only: false,
  videos: reelVideos,
  covers,
  // Videos can be sent too.
  fetched: ["cover"],
  mixed: false
} as const

const story = {
  name: "story",
  caption,
  text_only: false,
  images: storyImages,
  videos: {
    max_count: 1,
    mime_types: reelVideos.mime_types,
    max_bytes: 100_000_000,
    min_duration_ms: 3000,
    max_duration_ms: 60_000
  },
  fetched: ["image"],
  mixed: false
} as const

const maximumAltText = 1000

/** Announced by Instagram in December 2025. Its reference still says 30, and posts are refused only above that. */
const hashtagsShown = 5

/** Options that only the API of Facebook Login has. */
const ofFacebookLogin = ["poll", "comment_prompt", "audio_id", "audio_volume", "video_volume"]

const addOns = ["poll", "comment_prompt"]

const conflictsFor =
  ({ facebook_login }: AccountLimits) =>
  ({ caption, media, options, placement: { name } }: PostOptions): ReadonlyArray<OptionConflict> => {
    const { is_trial_reel, trial_graduation, collaborators, audio_id } = options
    const isGiven = (option: string) => options[option] != null && options[option] !== false
    const conflict =
      (option: string) =>
      (rule: string, sentence: string): OptionConflict => ({ option, rule, sentence })
    const trial = is_trial_reel === true
    const isReel = name === reel.name || media.some(({ kind }) => kind === null)
    const given = addOns.filter(isGiven)
    return [
      ...(trial_graduation != null && !trial
        ? [
            conflict("trial_graduation")(
              "needs_is_trial_reel",
              "accepts trial_graduation only with is_trial_reel: true; set it or leave trial_graduation out."
            )
          ]
        : []),
      ...(trial && !isReel
        ? [
            conflict("is_trial_reel")(
              "trial_is_a_reel",
              `accepts is_trial_reel only for a reel, which is one video; this post's placement is ${name}. Leave is_trial_reel out, or post one video.`
            )
          ]
        : []),
      ...(trial && Array.isArray(collaborators) && collaborators.length > 0
        ? [
            conflict("collaborators")(
              "trial_is_alone",
              "does not allow collaborators on a trial reel; leave collaborators or is_trial_reel out."
            )
          ]
        : []),
      ...(facebook_login === false
        ? ofFacebookLogin
            .filter(isGiven)
            .map((option) =>
              conflict(option)(
                "facebook_login",
                `was connected with Instagram Login, which has no ${option}; leave it out, or connect the account with Facebook Login.`
              )
            )
        : []),
      ...given.flatMap((option) =>
        name === story.name
          ? [conflict(option)("no_story", `has no ${option} on a story; leave it out.`)]
          : caption.trim() === ""
            ? [
                conflict(option)(
                  "needs_caption",
                  `accepts ${option} only with a caption, which is the question; write one.`
                )
              ]
            : []
      ),
      ...(given.length > 1
        ? [
            conflict("comment_prompt")(
              "one_add_on",
              "allows a poll or a comment prompt on one post, not both; leave one of them out."
            )
          ]
        : []),
      ...(isGiven("audio_id") && !isReel
        ? [
            conflict("audio_id")(
              "audio_on_a_reel",
              `accepts audio_id only for a reel, which is one video; this post's placement is ${name}. Leave audio_id out, or post one video.`
            )
          ]
        : []),
      ...(audio_id == null
        ? ["audio_volume", "video_volume"]
            .filter((option) => options[option] != null)
            .map((option) =>
              conflict(option)(
                "needs_audio_id",
                `accepts ${option} only with audio_id; set it or leave ${option} out.`
              )
            )
        : [])
    ]
  }

/**
 * https://developers.facebook.com/docs/instagram-platform/content-publishing. Several stories would be as
 * many posts, so a story has one medium.
 */
const within = (limits: AccountLimits): PlatformRules =>
  rulesOf("instagram", {
    alt_text: maximumAltText,
    placements: [feed, carousel, reel, story],
    placementOf: (media, chosen) => {
      if (chosen === "story") return story
      if (chosen === "reel") return reel
      if (media.length >= carousel.min_count) return carousel
      return media[0] === "video" ? reel : feed
    },
    within,
    conflicts: conflictsFor(limits),
    first_comment: ({ placement }) => (placement === "story" ? "stories have none" : undefined),
    warnings: ({ placement }, _account, caption) => {
      const tags = hashtagCount(caption)
      return placement === "story"
        ? caption.trim() === ""
          ? []
          : ["leaves out the caption: stories have none."]
        : tags > hashtagsShown
          ? [
              `gets ${tags} hashtags. Instagram has announced a limit of ${hashtagsShown} per post and may drop the rest.`
            ]
          : []
    }
  })

/** Those of an account of which the login is not known. */
export const instagramRules = within({})

/** Instagram names no limit of a choice; one that is too long for it fails with its refusal. */
const polls = { options: 4, option: 100 } as const

const volume = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 }))

const share = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
const place = {
  x: field(
    "Horizontal position of the tag, from 0 (left) to 1 (right). Default: 0.5. Ignored for videos.",
    Schema.optionalKey(share)
  ),
  y: field(
    "Vertical position of the tag, from 0 (top) to 1 (bottom). Default: 0.5. Ignored for videos.",
    Schema.optionalKey(share)
  )
}
const GivenUserTag = Schema.Struct({
  username: field("The username of the Instagram account to tag, with or without `@`.", text(31)),
  ...place
})
const UserTag = Schema.Struct({
  username: field(
    "The username of the Instagram account to tag, without `@`.",
    text(31).check(
      Schema.makeFilter((name) => !name.startsWith("@") || "begins with @; leave the @ out", {
        expected: "a username without @"
      })
    )
  ),
  ...place
})

/** The username alone is enough, with or without its @. */
const userTag = Schema.Union([text(31), GivenUserTag]).pipe(
  Schema.decodeTo(Schema.toType(UserTag), {
    decode: SchemaGetter.transform((tag) => {
      const { username, ...where } = typeof tag === "string" ? { username: tag } : tag
      return { username: username.replace(/^@+/, ""), ...where }
    }),
    encode: SchemaGetter.passthrough({ strict: false })
  })
)

export const InstagramOptions = Schema.Struct({
  ...overrides,
  placement: placement(
    "Where the post appears; in the feed, a single video becomes a reel. A story has one picture or video and no caption."
  ),
  is_trial_reel: option(
    flag,
    "Trial reel",
    "Shows the reel at first only to people who do not follow the account. Needs exactly one video, and no collaborators. Default: `false`."
  ),
  trial_graduation: option(
    named({ MANUAL: "Manually in the app", SS_PERFORMANCE: "Automatically, if it performs well" }),
    "Trial reel graduation",
    "How a trial reel is shared with everyone: manually in the app, or automatically if it performs well. Only with a trial reel. Default: manually. `MANUAL` and `SS_PERFORMANCE` are Instagram's words for the two."
  ),
  video_cover_timestamp_ms: coverTimestamp,
  cover_image: coverImage,
  share_to_feed: flagThatIs(
    null,
    "Also share to feed",
    "Shows a reel in the feed too. Default: Instagram decides."
  ),
  collaborators: option(
    several(text(31), 3),
    "Collaborators",
    "Usernames of at most 3 accounts to invite as collaborators. The post is also theirs once they accept. Not with `is_trial_reel`."
  ),
  user_tags: option(
    several(userTag, 20),
    "Tag people",
    "Usernames of at most 20 accounts to tag in the picture, or in the first picture of several. Place each tag with `x` and `y`, from 0 to 1, measured from the left and the top."
  ),
  location_id: option(
    text(100),
    "Location",
    "The numeric id of a Facebook Page with a physical address, shown as the post's location. Stories ignore it. Default: `null`, none."
  ),
  poll: option(
    Schema.Struct({
      options: field(
        `The choices in the order shown: 2 to ${polls.options}, of at most ${polls.option} characters each.`,
        Schema.Array(filledText(polls.option)).check(
          Schema.isBetweenLength(2, polls.options, { expected: `2 to ${polls.options} choices` })
        )
      ),
      is_duration_extended: field(
        "true: the poll stays open. Default: false, it is open for 3 days.",
        Schema.optionalKey(flag)
      )
    }),
    "Poll",
    `A poll of 2 to ${polls.options} choices below the caption, which is the question. Only with Facebook Login, and not on stories.`
  ),
  comment_prompt: option(
    flag,
    "Comment prompt",
    "Invites people to answer the caption in the comments. Only with Facebook Login, not with a poll, and not on stories. Default: `false`."
  ),
  audio_id: option(
    filledText(100),
    "Music",
    "A song or an original sound for a reel. Only with Facebook Login. `audio_id` of the account's `choices` lists what is popular now. Default: `null`, none."
  ),
  audio_volume: option(
    volume,
    "Volume of the music",
    "How loud the music is, from 0 to 100. Needs `audio_id`. Default: 100."
  ),
  video_volume: option(
    volume,
    "Volume of the video",
    "How loud the video's own sound is, from 0 to 100. Needs `audio_id`. Default: 100."
  ),
  alt_text: altText(maximumAltText),
  first_comment: firstComment,
  is_aigc: option(flag, "AI-generated content", "Labels the post as made with AI. Default: `false`.")
}).annotate({ identifier: "InstagramOptions" })
