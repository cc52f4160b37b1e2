import { Effect, Schema } from "effect"
import { PublishError, type PublishRequest } from "../Platform.ts"
import { publishOptions, type PublishOptions } from "../PublishOptions.ts"

/** The options that TikTok gives an account now. */
export const CreatorInfo = Schema.Struct({
  creator_avatar_url: Schema.optionalKey(Schema.NullOr(Schema.String)),
  creator_username: Schema.optionalKey(Schema.String),
  creator_nickname: Schema.optionalKey(Schema.String),
  privacy_level_options: Schema.Array(Schema.String),
  comment_disabled: Schema.Boolean,
  duet_disabled: Schema.Boolean,
  stitch_disabled: Schema.Boolean,
  max_video_post_duration_sec: Schema.Finite
})
export interface CreatorInfo extends Schema.Schema.Type<typeof CreatorInfo> {}

export type Options = PublishOptions<"tiktok">

export const optionsOf = publishOptions("tiktok")

/** From the widest audience to the narrowest. */
const widths = ["PUBLIC_TO_EVERYONE", "FOLLOWER_OF_CREATOR", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"]
const statuses = { public: "PUBLIC_TO_EVERYONE", private: "SELF_ONLY" }

/**
 * The audience of the post: the one that it names, else the account's default, else the widest that TikTok offers.
 * Branded content needs an audience.
 */
export const privacyLevel = (
  options: Options,
  byDefault: string | null,
  creator: CreatorInfo
): Effect.Effect<string, PublishError> => {
  const offered = creator.privacy_level_options
  const branded = options.disclose_branded_content === true
  const named =
    options.privacy_level ?? (options.privacy_status ? statuses[options.privacy_status] : undefined)
  if (named === undefined && byDefault !== null) {
    return offered.includes(byDefault) && !(branded && byDefault === "SELF_ONLY")
      ? Effect.succeed(byDefault)
      : Effect.fail(
          new PublishError({
            class: "invalid",
            code: "privacy_level_option_mismatch",
            message: offered.includes(byDefault)
              ? `The account's default audience, ${byDefault}, cannot be used with branded content. Choose another privacy_level.`
              : `TikTok no longer offers the account's default audience, ${byDefault}. It offers ${offered.join(", ")}. Choose another default, or set privacy_level.`
          })
        )
  }
  if (named !== undefined) {
    return offered.includes(named)
      ? Effect.succeed(named)
      : Effect.fail(
          new PublishError({
            class: "invalid",
            code: "privacy_level_option_mismatch",
            message: `TikTok does not offer ${named} to this account. It offers ${offered.join(", ")}. Choose one of these, or leave it out.`
          })
        )
  }
  const widest = widths.find((level) => offered.includes(level) && !(branded && level === "SELF_ONLY"))
  return widest === undefined
    ? Effect.fail(
        new PublishError({
          class: "invalid",
          code: "privacy_level_option_mismatch",
          message: `TikTok offers this account ${offered.join(", ") || "no audience"}, which cannot be used with ${branded ? "branded content" : "a post"}.`
        })
      )
    : Effect.succeed(widest)
}

export const durationAllowed = (request: PublishRequest, creator: CreatorInfo) => {
  const [video] = request.media
  const longest = creator.max_video_post_duration_sec
  return video?.duration_ms != null && video.duration_ms > longest * 1000
    ? Effect.fail(
        new PublishError({
          class: "media_rejected",
          code: "duration_check_failed",
          message: `This video is ${Math.ceil(video.duration_ms / 1000)} seconds long. TikTok allows this account ${longest} seconds. Cut it, or send it as a draft.`
        })
      )
    : Effect.void
}

type Info = { readonly [key: string]: string | number | boolean }

const without = (fields: { readonly [key: string]: string | number | boolean | undefined | null }): Info =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => (value == null ? [] : [[key, value]]))
  ) as Info

/** True to switch it off; otherwise left out, which is on. */
const disabled = (allowed: boolean | null | undefined, off: boolean) =>
  off || allowed === false ? true : undefined

const disclosures = ({ disclose_branded_content, disclose_your_brand }: Options) => ({
  brand_content_toggle: disclose_branded_content,
  brand_organic_toggle: disclose_your_brand
})

/** `post_info` of `video/init/`. */
export const videoInfo = (
  caption: string,
  privacy_level: string,
  options: Options,
  creator: CreatorInfo
): Info =>
  without({
    title: caption,
    privacy_level,
    disable_comment: disabled(options.allow_comment, creator.comment_disabled),
    disable_duet: disabled(options.allow_duet, creator.duet_disabled),
    disable_stitch: disabled(options.allow_stitch, creator.stitch_disabled),
    video_cover_timestamp_ms: options.video_cover_timestamp_ms,
    ...disclosures(options),
    is_aigc: options.is_aigc
  })

/** `post_info` of `content/init/`; a draft has only the words. */
export const photoInfo = (
  caption: string,
  options: Options,
  direct: { readonly privacy_level: string; readonly creator: CreatorInfo } | null
): Info =>
  without({
    title: options.title,
    description: caption === "" ? undefined : caption,
    ...(direct === null
      ? {}
      : {
          privacy_level: direct.privacy_level,
          disable_comment: disabled(options.allow_comment, direct.creator.comment_disabled),
          auto_add_music: options.auto_add_music,
          ...disclosures(options)
        })
  })
