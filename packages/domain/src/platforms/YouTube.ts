import { Schema } from "effect"
import { MediaId } from "../Ids.ts"
import { onePlacement, rulesOf } from "../Platform.ts"
import { Text } from "../Text.ts"
import {
  count,
  filledText,
  firstComment,
  flag,
  flagThatIs,
  named,
  option,
  overrides,
  several,
  text
} from "./OptionFields.ts"

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
            sentence: `allows at most ${maximumTags} characters of tags, counting a comma between tags and two quotation marks around each tag that has a space; these have ${length}.`,
            limit: maximumTags,
            value: length
          }
        ]
      : []
  },
  text_options: ["description"],
  first_comment: ({ privacy_status, made_for_kids }) =>
    privacy_status === "private"
      ? "private videos have none"
      : made_for_kids === true
        ? "videos made for kids have none"
        : undefined,
  warnings: ({ video_cover_timestamp_ms, thumbnail }) =>
    typeof video_cover_timestamp_ms === "number" && typeof thumbnail === "string"
      ? ["shows the image in thumbnail and ignores video_cover_timestamp_ms."]
      : []
})

const maximumTags = 500

/** As YouTube joins them: with commas between them, and quotation marks around a tag that has a space. */
const tagsLength = (tags: ReadonlyArray<string>) =>
  tags.reduce((sum, tag) => sum + [...tag].length + (/\s/.test(tag) ? 2 : 0), Math.max(0, tags.length - 1))

export const YouTubeOptions = Schema.Struct({
  ...overrides,
  title: option(
    text(100).check(Schema.isPattern(/^[^<>]*$/, { expected: "a title without < and >" })),
    "Title",
    "The video's title, at most 100 characters, without < and >. Default: the first line of the caption, or else the file's name."
  ),
  description: option(
    Text.check(Schema.isMaxLength(100_000)),
    "Description",
    "Replaces the caption as the video's description, with the same limits. Default: the caption."
  ),
  video_cover_timestamp_ms: option(
    count,
    "Thumbnail frame",
    "The frame to use as the thumbnail, in milliseconds from the start of the video. Default: YouTube chooses. `thumbnail` wins over it. The service needs `ffmpeg` to extract it."
  ),
  tags: option(
    several(filledText(500).check(Schema.isPattern(/^[^<>]*$/u, { expected: "a tag without < and >" })), 500),
    "Tags",
    "Keywords of the video. At most 500 characters in all, counting a comma between tags and two quotation marks around each tag that has a space."
  ),
  category_id: option(
    text(10),
    "Category",
    "The id of the video's category on YouTube, such as 22 for People & Blogs. Default: YouTube chooses."
  ),
  privacy_status: option(
    named({ public: "Public", unlisted: "Unlisted", private: "Private" }),
    "Visibility",
    "Who can see the video. Default: public. `unlisted`: everyone who has its link."
  ),
  made_for_kids: flagThatIs(
    null,
    "Made for kids",
    "Declares to YouTube that the video is made for kids, or that it is not. Default: the channel's setting."
  ),
  contains_synthetic_media: option(
    flag,
    "Altered content",
    "Declares that the video shows realistic scenes that were altered or made with AI; YouTube then tells viewers. Default: `false`."
  ),
  thumbnail: option(
    MediaId,
    "Thumbnail",
    "A library image, by its id, to use as the thumbnail: JPEG or PNG, at most 50 MB, 1280×720 recommended, vertical for a Short. It replaces the frame at `video_cover_timestamp_ms`. Default: that frame, or else YouTube chooses."
  ),
  notify_subscribers: flagThatIs(
    true,
    "Notify subscribers",
    "Notifies the channel's subscribers about the video. Default: `true`."
  ),
  playlist_ids: option(
    several(text(100), 20),
    "Playlists",
    "Ids of at most 20 of the channel's playlists to add the video to. What YouTube refuses is in `platform_data.warnings`."
  ),
  first_comment: firstComment
}).annotate({ identifier: "YouTubeOptions" })
