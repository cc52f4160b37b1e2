import { type Placement, platformRules } from "@carillon/domain"
import type { PublishMedia, PublishRequest } from "../Platform.ts"
import { publishOptions } from "../PublishOptions.ts"

export const optionsOf = publishOptions("instagram")

/** `feed`, `carousel`, `reel` or `story`, as the limits have it. */
export const placementNameOf = (request: PublishRequest): string =>
  platformRules.instagram.placementOf(
    request.media.map(({ kind }) => kind),
    optionsOf(request).placement satisfies Placement | undefined
  ).name

type Fields = Readonly<Record<string, string>>

const given = (name: string, value: string | undefined): Fields =>
  value === undefined || value === "" ? {} : { [name]: value }

const flagged = (name: string, value: boolean | undefined): Fields =>
  value === true ? { [name]: "true" } : {}

/** https://developers.facebook.com/documentation/instagram-platform/content-publishing/caption-add-ons */
const addOn = (request: PublishRequest): Fields => {
  const { comment_prompt, poll } = optionsOf(request)
  if (poll === undefined) return flagged("is_comment_prompt_used", comment_prompt)
  const choices = poll.options.map((choice, index) => [`option_${"abcd"[index]}`, choice])
  return {
    poll_attachment: JSON.stringify(Object.fromEntries(choices)),
    ...flagged("is_poll_duration_extended", poll.is_duration_extended)
  }
}

/** https://developers.facebook.com/documentation/instagram-platform/content-publishing/audio-api */
const audio = (request: PublishRequest): Fields => {
  const { audio_id, audio_volume, video_volume } = optionsOf(request)
  return audio_id === undefined
    ? {}
    : { audio_configuration: JSON.stringify({ audio_id, audio_volume, video_volume }) }
}

/** The fields of the post as a whole, on its one container or on the carousel's. */
const shared = (request: PublishRequest): Fields => {
  const { collaborators = [], location_id, is_aigc } = optionsOf(request)
  return {
    ...given("caption", request.caption),
    ...given("collaborators", collaborators.length === 0 ? undefined : JSON.stringify(collaborators)),
    ...given("location_id", location_id),
    ...flagged("is_ai_generated", is_aigc),
    ...addOn(request)
  }
}

/** A tag without a place is in the middle of a picture: a picture's tag needs one, a video's has none. */
const userTags = (request: PublishRequest, kind: PublishMedia["kind"]): Fields => {
  const { user_tags = [] } = optionsOf(request)
  if (user_tags.length === 0) return {}
  return {
    user_tags: JSON.stringify(
      user_tags.map(({ username, x = 0.5, y = 0.5 }) =>
        kind === "image" ? { username, x, y } : { username }
      )
    )
  }
}

/**
 * The parameters of one medium's container, without the address of its bytes:
 * https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media
 */
export const containerFields = (
  request: PublishRequest,
  media: PublishMedia,
  coverUrl: string | undefined
): Fields => {
  const options = optionsOf(request)
  switch (placementNameOf(request)) {
    case "story":
      return {
        media_type: "STORIES",
        ...userTags(request, media.kind),
        ...flagged("is_ai_generated", options.is_aigc)
      }
    case "carousel": {
      // Tags are for pictures, and the first of them shows them.
      const tagged = request.media.find(({ kind }) => kind === "image") === media
      return {
        is_carousel_item: "true",
        ...(media.kind === "video"
          ? { media_type: "VIDEO" }
          : given("alt_text", media.alt_text ?? undefined)),
        ...(tagged ? userTags(request, "image") : {})
      }
    }
    case "reel": {
      const {
        is_trial_reel,
        trial_graduation = "MANUAL",
        share_to_feed,
        video_cover_timestamp_ms: at
      } = options
      return {
        media_type: "REELS",
        ...shared(request),
        ...userTags(request, "video"),
        ...given("share_to_feed", share_to_feed?.toString()),
        ...(coverUrl === undefined ? given("thumb_offset", at?.toString()) : { cover_url: coverUrl }),
        ...given(
          "trial_params",
          is_trial_reel === true ? JSON.stringify({ graduation_strategy: trial_graduation }) : undefined
        ),
        ...audio(request)
      }
    }
    default:
      return {
        ...shared(request),
        ...userTags(request, media.kind),
        ...given("alt_text", media.alt_text ?? undefined)
      }
  }
}

export const parentFields = (request: PublishRequest, children: ReadonlyArray<string>): Fields => ({
  media_type: "CAROUSEL",
  children: children.join(","),
  ...shared(request)
})
