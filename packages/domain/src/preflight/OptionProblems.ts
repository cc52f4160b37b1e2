import type { ResolvedContent } from "../Overrides.ts"
import type { PlacementRules, PlatformId } from "../Platform.ts"
import { textProblems } from "./CaptionProblems.ts"
import type { Finding } from "./Finding.ts"
import type { PreflightMedia } from "./PreflightMedia.ts"

/** A post's content for one account. */
export interface ResolvedPost extends Omit<ResolvedContent, "media"> {
  readonly placement: PlacementRules
  readonly media: ReadonlyArray<PreflightMedia>
}

/** Conflicts of options with each other or with the rest of the post that their own schema cannot express. */
export const optionProblems = (platform: PlatformId, post: ResolvedPost): ReadonlyArray<Finding> => [
  ...altTextProblems(post),
  ...threadProblems(post),
  ...coverProblems(platform, post),
  ...(byPlatform[platform]?.(post) ?? [])
]

const problem =
  ({ optionPath }: ResolvedPost) =>
  (option: string, rule: string, sentence: string): Finding => ({
    path: optionPath(option),
    code: "option_not_accepted",
    rule,
    sentence
  })

const altTextProblems = (post: ResolvedPost) => {
  const { alt_text } = post.options
  return Array.isArray(alt_text) && alt_text.length > post.media.length
    ? [
        problem(post)(
          "alt_text",
          "alt_text_count",
          `has ${alt_text.length} texts in alt_text for ${post.media.length} media; give one for each at most.`
        )
      ]
    : []
}

const threadProblems = ({ options, placement, optionPath }: ResolvedPost) =>
  Array.isArray(options["thread"])
    ? options["thread"].flatMap((text: unknown, index) =>
        textProblems(
          String(text),
          placement.caption,
          `${optionPath("thread")}[${index}]`,
          "this post of the thread"
        )
      )
    : []

/** TikTok shows the first frame where there is none at the time given. */
const coverProblems = (platform: PlatformId, post: ResolvedPost) => {
  const at = post.options["video_cover_timestamp_ms"]
  const duration = post.media.find(({ kind }) => kind === "video")?.duration_ms ?? null
  return platform !== "tiktok" && typeof at === "number" && duration !== null && at > duration
    ? [
        {
          ...problem(post)(
            "video_cover_timestamp_ms",
            "cover_in_video",
            `cannot show a frame at ${at} milliseconds; the video lasts ${duration}.`
          ),
          limit: duration,
          value: at
        }
      ]
    : []
}

const byPlatform: { readonly [id in PlatformId]?: (post: ResolvedPost) => ReadonlyArray<Finding> } = {
  tiktok: (post) => {
    const { privacy_level, privacy_status, disclose_branded_content, photo_cover_index } = post.options
    const found = problem(post)
    const level = typeof privacy_status === "string" ? privacyLevels[privacy_status] : undefined
    const hidden = privacy_level === "SELF_ONLY" || (privacy_level === undefined && level === "SELF_ONLY")
    const images = post.media.filter(({ kind }) => kind === "image").length
    return [
      ...(level !== undefined && privacy_level !== undefined && privacy_level !== level
        ? [
            found(
              "privacy_status",
              "privacy_agrees",
              `got privacy_level ${String(privacy_level)} and privacy_status ${String(privacy_status)}, which is ${level}; give one of them.`
            )
          ]
        : []),
      ...(disclose_branded_content === true && hidden
        ? [
            found(
              "disclose_branded_content",
              "branded_is_public",
              "does not take branded content that only the account itself can see; choose another privacy_level."
            )
          ]
        : []),
      ...(typeof photo_cover_index === "number" && images > 0 && photo_cover_index >= images
        ? [
            found(
              "photo_cover_index",
              "cover_is_a_photo",
              `has no photo ${photo_cover_index}; the post has ${images}, counted from 0.`
            )
          ]
        : [])
    ]
  },

  instagram: (post) => {
    const { is_trial_reel, trial_graduation, collaborators } = post.options
    const found = problem(post)
    const trial = is_trial_reel === true
    return [
      ...(trial_graduation !== undefined && !trial
        ? [
            found(
              "trial_graduation",
              "needs_is_trial_reel",
              "takes trial_graduation only with is_trial_reel: true."
            )
          ]
        : []),
      ...(trial && post.placement.name !== "reel"
        ? [
            found(
              "is_trial_reel",
              "trial_is_a_reel",
              `takes is_trial_reel only for a reel, one video; this is for its ${post.placement.name}.`
            )
          ]
        : []),
      ...(trial && Array.isArray(collaborators) && collaborators.length > 0
        ? [found("collaborators", "trial_is_alone", "takes no collaborators on a trial reel.")]
        : [])
    ]
  },

  youtube: (post) => {
    const { tags, description } = post.options
    const length = Array.isArray(tags) ? tagsLength(tags.map(String)) : 0
    return [
      ...(length > maximumTags
        ? [
            {
              ...problem(post)(
                "tags",
                "max_tags_length",
                `takes ${maximumTags} characters of tags together, two more for each with a space; these have ${length}.`
              ),
              limit: maximumTags,
              value: length
            }
          ]
        : []),
      ...(typeof description === "string"
        ? textProblems(
            description,
            post.placement.caption,
            post.optionPath("description"),
            "this description"
          )
        : [])
    ]
  },

  pinterest: (post) => {
    const { board_ids, board_section_id, alt_text, cover_image } = post.options
    const texts = Array.isArray(alt_text) ? [...alt_text.map(String).join("\n")].length : 0
    const boards = Array.isArray(board_ids) ? board_ids.map(String) : []
    const twice = boards.filter((id, index) => boards.indexOf(id) !== index)
    return [
      ...(twice.length > 0
        ? [problem(post)("board_ids", "boards_differ", `got the board ${twice[0]} twice; name each once.`)]
        : []),
      ...(boards.length > 1 && board_section_id !== undefined
        ? [
            problem(post)(
              "board_section_id",
              "section_of_one_board",
              `takes a section with one board only; board_ids names ${boards.length}.`
            )
          ]
        : []),
      ...(texts > maximumPinAltText
        ? [
            {
              ...problem(post)(
                "alt_text",
                "one_alt_text",
                `has one alt text of ${maximumPinAltText} characters for a whole pin; these have ${texts} together.`
              ),
              limit: maximumPinAltText,
              value: texts
            }
          ]
        : []),
      ...(cover_image !== undefined && post.media.some(({ kind }) => kind === "image")
        ? [problem(post)("cover_image", "cover_of_a_video", "takes cover_image only with a video.")]
        : [])
    ]
  },

  twitter: (post) =>
    post.options["poll"] !== undefined && post.media.length > 0
      ? [problem(post)("poll", "poll_without_media", "takes a poll or media, not both in one post.")]
      : []
}

const privacyLevels: Readonly<Record<string, string>> = { public: "PUBLIC_TO_EVERYONE", private: "SELF_ONLY" }

const maximumPinAltText = 500

const maximumTags = 500

const tagsLength = (tags: ReadonlyArray<string>) =>
  tags.reduce((sum, tag) => sum + [...tag].length + (/\s/.test(tag) ? 2 : 0), 0)
