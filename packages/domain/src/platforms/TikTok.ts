import { Schema } from "effect"
import { type PostOptions, rulesOf } from "../Platform.ts"
import { count, coverTimestamp, flag, flagThatIs, named, option, overrides, text } from "./OptionFields.ts"

export const video = {
  name: "video",
  caption: { unit: "utf16", max: 2200 },
  text_only: false,
  videos: {
    max_count: 1,
    mime_types: ["video/mp4", "video/quicktime", "video/webm"],
    max_bytes: 4_000_000_000,
    min_width: 360,
    max_width: 4096,
    min_height: 360,
    max_height: 4096,
    min_duration_ms: 3000,
    // Three minutes for everyone, five or ten for some: TikTok is asked when the post goes out.
    max_duration_ms: 600_000,
    min_fps: 23,
    max_fps: 60,
    video_codecs: ["avc", "hevc", "vp8", "vp9"]
  },
  mixed: false
} as const

const photos = {
  name: "photos",
  caption: { unit: "utf16", max: 4000 },
  text_only: false,
  images: {
    max_count: 35,
    mime_types: ["image/jpeg", "image/webp"],
    max_bytes: 20_000_000,
    // "1080p", upright or not.
    max_side: 1920,
    max_pixels: 1920 * 1080
  },
  fetched: ["image"],
  mixed: false
} as const

/** https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide */
export const tiktokRules = rulesOf("tiktok", {
  placements: [video, photos],
  placementOf: (media) => (media.length > 0 && !media.includes("video") ? photos : video),
  any_cover_timestamp: true,
  audience_option: "privacy_level",
  conflicts: (post) => [...privacyConflicts(post), ...photoConflicts(post)],
  warnings: ({ draft, privacy_level, privacy_status }, { default_privacy_level }) => {
    if (draft === true) {
      return [
        "gets a draft in its inbox. Set the audience, interactions, labels and, for a video, the caption in the app."
      ]
    }
    return privacy_level === undefined && privacy_status === undefined && default_privacy_level == null
      ? [
          "gets no privacy_level and has no default: everyone can see the post, or the widest audience that TikTok offers the account. Set privacy_level, or the account's default_privacy_level."
        ]
      : []
  }
})

const levels: Readonly<Record<string, string>> = { public: "PUBLIC_TO_EVERYONE", private: "SELF_ONLY" }

const privacyConflicts = ({ options }: PostOptions) => {
  const { privacy_level, privacy_status, disclose_branded_content } = options
  const level = typeof privacy_status === "string" ? levels[privacy_status] : undefined
  return [
    ...(level !== undefined && privacy_level !== undefined && privacy_level !== level
      ? [
          {
            option: "privacy_status",
            rule: "privacy_agrees",
            sentence: `got privacy_level ${String(privacy_level)}, but privacy_status ${String(privacy_status)} means ${level}; keep one of them.`
          }
        ]
      : []),
    ...(disclose_branded_content === true && (privacy_level ?? level) === "SELF_ONLY"
      ? [
          {
            option: "disclose_branded_content",
            rule: "branded_is_public",
            sentence:
              "does not allow branded content that only the account itself can see; choose another privacy_level."
          }
        ]
      : [])
  ]
}

const photoConflicts = ({ options: { photo_cover_index: index }, media }: PostOptions) => {
  const images = media.filter(({ kind }) => kind === "image").length
  return typeof index === "number" && images > 0 && index >= images
    ? [
        {
          option: "photo_cover_index",
          rule: "cover_is_a_photo",
          sentence: `has no photo ${index} to use as the cover: the post has ${images}, counted from 0. Change photo_cover_index.`
        }
      ]
    : []
}

export const TikTokOptions = Schema.Struct({
  ...overrides,
  title: option(
    text(90),
    "Title",
    "The title of a photo post, at most 90 characters; videos ignore it. Default: `null`, none."
  ),
  draft: option(
    flag,
    "Finish in the app",
    "Sends a draft to the account's inbox in the app, to finish there. `true`: audience, interactions and labels are chosen in the app too. Default: `false`."
  ),
  video_cover_timestamp_ms: coverTimestamp,
  is_aigc: option(flag, "AI-generated content", "Labels the post as made with AI. Default: `false`."),
  privacy_level: option(
    named({
      PUBLIC_TO_EVERYONE: "Everyone",
      MUTUAL_FOLLOW_FRIENDS: "Friends",
      FOLLOWER_OF_CREATOR: "Followers",
      SELF_ONLY: "Only me"
    }),
    "Who can see it",
    "Who can see it. Default: the account's default, or else everyone or the widest audience that TikTok offers the account. The post fails with an audience that is not in `choices.privacy_level` of the account's options."
  ),
  privacy_status: option(
    named({ public: "Everyone", private: "Only me" }),
    "Privacy status",
    "A shorthand for `privacy_level`: `public` is `PUBLIC_TO_EVERYONE`, `private` is `SELF_ONLY`. If both are given, they must agree."
  ),
  allow_comment: flagThatIs(
    true,
    "Allow comments",
    "Lets others comment, if the account's settings allow it. Default: `true`."
  ),
  allow_duet: flagThatIs(
    true,
    "Allow Duet",
    "Lets others make a Duet, if the account's settings allow it. Videos only. Default: `true`."
  ),
  allow_stitch: flagThatIs(
    true,
    "Allow Stitch",
    "Lets others make a Stitch, if the account's settings allow it. Videos only. Default: `true`."
  ),
  disclose_branded_content: option(
    flag,
    "Branded content",
    "Labels the post as a paid partnership with another brand; such a post cannot be private. Default: `false`."
  ),
  disclose_your_brand: option(
    flag,
    "Your brand",
    "Labels the post as promoting the account's own business. Default: `false`."
  ),
  auto_add_music: option(
    flag,
    "Add music automatically",
    "Lets TikTok add music that it chooses. Photo posts only. Default: `false`."
  ),
  photo_cover_index: option(
    count,
    "Cover photo",
    "Which photo is the cover, counted from 0. Videos ignore it. Default: the first."
  )
}).annotate({ identifier: "TikTokOptions" })
