import type { ResolvedContent } from "../Overrides.ts"
import type { OptionConflict, PlacementRules, PlatformRules } from "../Platform.ts"
import { namedDestinations } from "../Destinations.ts"
import { type MeasureText, textProblems } from "./CaptionProblems.ts"
import type { Finding } from "./Finding.ts"
import type { PreflightMedia } from "./PreflightMedia.ts"

/** A post's content for one account. */
export interface ResolvedPost extends Omit<ResolvedContent, "media"> {
  readonly placement: PlacementRules
  readonly media: ReadonlyArray<PreflightMedia>
}

/** Problems of options with each other or with the rest of the post, which their own schema cannot express. */
export const optionProblems = (
  rules: PlatformRules,
  post: ResolvedPost,
  measure: MeasureText
): ReadonlyArray<Finding> => [
  ...perMediumProblems(post),
  ...coverProblems(rules, post),
  ...destinationProblems(rules, post),
  ...(rules.conflicts?.(post) ?? []).map(problem(post)),
  ...(rules.text_options ?? []).flatMap((name) => optionTextProblems(name, post, measure))
]

const problem =
  ({ optionPath }: ResolvedPost) =>
  ({ option, ...conflict }: OptionConflict): Finding => ({
    path: optionPath(option),
    code: "option_not_accepted",
    ...conflict
  })

/** Options with one entry for each media item. */
const perMedium = ["alt_text", "focus"]

const perMediumProblems = (post: ResolvedPost) =>
  perMedium.flatMap((option) => {
    const given = post.options[option]
    return Array.isArray(given) && given.length > post.media.length
      ? [
          problem(post)({
            option,
            rule: `${option}_count`,
            sentence: `accepts at most one ${option} for each media item; got ${given.length} for ${post.media.length}.`
          })
        ]
      : []
  })

const coverProblems = ({ any_cover_timestamp: takesAny }: PlatformRules, post: ResolvedPost) => {
  const at = post.options["video_cover_timestamp_ms"]
  const duration = post.media.find(({ kind }) => kind === "video")?.duration_ms ?? null
  return !takesAny && typeof at === "number" && duration !== null && at > duration
    ? [
        problem(post)({
          option: "video_cover_timestamp_ms",
          rule: "cover_in_video",
          sentence: `cannot show the frame at ${at} milliseconds; the video is ${duration} milliseconds long. Choose an earlier frame.`,
          limit: duration,
          value: at
        })
      ]
    : []
}

const destinationProblems = ({ destinations: rules }: PlatformRules, post: ResolvedPost) => {
  const named = namedDestinations(rules, post.options)
  const twice = named.find((id, index) => named.indexOf(id) !== index)
  return rules === undefined || twice === undefined
    ? []
    : [
        problem(post)({
          option: rules.option,
          rule: `${rules.plural}_differ`,
          sentence: `got the ${rules.singular} ${twice} twice; list each once.`
        })
      ]
}

const optionTextProblems = (
  name: string,
  { options, placement, optionPath }: ResolvedPost,
  measure: MeasureText
) => {
  const text = options[name]
  return typeof text === "string"
    ? textProblems(text, placement.caption, optionPath(name), `this ${name}`, measure)
    : []
}
