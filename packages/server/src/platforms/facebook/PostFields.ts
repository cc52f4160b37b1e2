import { type PlatformId, platformRules } from "@carillon/domain"
import type { PublishRequest } from "../Platform.ts"
import { publishOptions } from "../PublishOptions.ts"

const platform = "facebook" satisfies PlatformId
export const optionsOf = publishOptions(platform)

/** `post` is text or pictures in the feed. Each other kind is one file. */
type Kind = "post" | "video" | "reel" | "video_story" | "photo_story"

export const kindOf = (request: PublishRequest): Kind => {
  const kinds = request.media.map(({ kind }) => kind)
  const isVideo = kinds[0] === "video"
  switch (platformRules[platform].placementOf(kinds, optionsOf(request).placement).name) {
    case "reel":
      return "reel"
    case "story":
      return isVideo ? "video_story" : "photo_story"
    default:
      return isVideo ? "video" : "post"
  }
}

type Fields = Readonly<Record<string, string>>

const given = (fields: Readonly<Record<string, string | undefined>>): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      (field): field is [string, string] => field[1] !== undefined && field[1] !== ""
    )
  )

/** https://developers.facebook.com/docs/graph-api/reference/page/feed; `photos` are the ids of its pictures. */
export const feedFields = (request: PublishRequest, photos: ReadonlyArray<string>): Fields => {
  const { link, location_id } = optionsOf(request)
  return {
    ...given({
      message: request.caption,
      link,
      place: location_id,
      attached_media:
        photos.length === 0 ? undefined : JSON.stringify(photos.map((media_fbid) => ({ media_fbid })))
    }),
    published: "true"
  }
}

/** https://developers.facebook.com/docs/graph-api/reference/page/videos */
export const videoFields = (request: PublishRequest): Fields =>
  given({ description: request.caption, title: optionsOf(request).title })

/** https://developers.facebook.com/docs/video-api/guides/reels-publishing */
export const reelFields = (request: PublishRequest): Fields => ({
  ...videoFields(request),
  ...given({ place: optionsOf(request).location_id }),
  video_state: "PUBLISHED"
})
