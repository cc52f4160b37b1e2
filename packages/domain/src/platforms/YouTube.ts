import { Schema } from "effect"
import { MediaId } from "../Ids.ts"
import { onePlacement, rulesOf } from "../Platform.ts"
import { Text } from "../Text.ts"
import { count, flag, flagThatIs, named, option, overrides, several, text } from "./OptionFields.ts"

/** https://developers.google.com/youtube/v3/docs/videos. The caption is the description. */
export const youtubeRules = rulesOf("youtube", {
  ...onePlacement({
    caption: { unit: "bytes", max: 5000, forbidden: "<>" },
    text_only: false,
    videos: {
      max_count: 1,
      mime_types: ["video/mp4", "video/quicktime", "video/webm"],
      max_bytes: 256_000_000_000,
      // Fifteen minutes for a channel that has not been verified.
      max_duration_ms: 12 * 3_600_000
    },
    covers: { max_count: 1, mime_types: ["image/jpeg", "image/png"], max_bytes: 50_000_000 },
    mixed: false
  }),
  cover_frame: { min_width: 1280, min_height: 720 },
  conflicts: ({ options: { tags } }) => {
    const length = Array.isArray(tags) ? tagsLength(tags.map(String)) : 0
    return length > maximumTags
      ? [
          {
            option: "tags",
            rule: "max_tags_length",
            sentence: `takes ${maximumTags} characters of tags together, two more for each with a space; these have ${length}.`,
            limit: maximumTags,
            value: length
          }
        ]
      : []
  },
  text_options: ["description"],
  warnings: ({ video_cover_timestamp_ms, thumbnail }) =>
    typeof video_cover_timestamp_ms === "number" && typeof thumbnail === "string"
      ? ["shows the image in thumbnail; video_cover_timestamp_ms is not used."]
      : []
})

const maximumTags = 500

const tagsLength = (tags: ReadonlyArray<string>) =>
  tags.reduce((sum, tag) => sum + [...tag].length + (/\s/.test(tag) ? 2 : 0), 0)

export const YouTubeOptions = Schema.Struct({
  ...overrides,
  title: option(
    text(100).check(Schema.isPattern(/^[^<>]*$/, { expected: "a title without < and >" })),
    "Title",
    "At most 100 characters, without < and >. Left out: the first line of the caption."
  ),
  description: option(
    Text.check(Schema.isMaxLength(100_000)),
    "Description",
    "Instead of the caption, with its limits."
  ),
  video_cover_timestamp_ms: option(
    count,
    "Thumbnail frame",
    "The frame shown as the thumbnail. In milliseconds from the video's start; the service needs `ffmpeg` to cut it out."
  ),
  tags: option(
    several(text(500), 500),
    "Tags",
    "At most 500 characters together; a tag with a space counts two more."
  ),
  category_id: option(text(10), "Category", "Id of the category."),
  privacy_status: option(
    named({ public: "Everyone", unlisted: "Who has the link", private: "Only me" }),
    "Who can see it",
    "Who can see it. Left out: everyone."
  ),
  made_for_kids: flagThatIs(
    null,
    "Made for children",
    "The video is made for children. Left out: as the channel has it."
  ),
  contains_synthetic_media: option(
    flag,
    "Altered or made by AI",
    "The video shows realistic scenes that are altered or made by AI."
  ),
  thumbnail: option(
    MediaId,
    "Thumbnail",
    "An image of the library shown as the thumbnail: JPEG or PNG, at most 50 MB, 1280×720 advised, upright for a Short. It wins over the frame."
  ),
  notify_subscribers: flagThatIs(true, "Tell subscribers", "Subscribers are told of the video."),
  playlist_ids: option(several(text(100), 20), "Playlists", "Playlists that the video is added to.")
}).annotate({ identifier: "YouTubeOptions" })
