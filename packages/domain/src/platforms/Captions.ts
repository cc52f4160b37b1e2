import { Schema } from "effect"
import type { OptionConflict, PostOptions } from "../Platform.ts"
import { Text } from "../Text.ts"
import { byteLength } from "../TextLength.ts"
import { language, option, several } from "./OptionFields.ts"
import { field } from "../Field.ts"

/** https://github.com/bluesky-social/atproto/blob/main/lexicons/app/bsky/embed/video.json; X names no limits. */
const captionFiles = { max_count: 20, max_bytes: 20_000 }

/** A file of https://www.w3.org/TR/webvtt1/, which may begin with a byte order mark. */
const webVtt = Text.check(
  Schema.makeFilter(
    (value: string) =>
      (/^\uFEFF?WEBVTT(?:[ \t\r\n]|$)/u.test(value) && byteLength(value) <= captionFiles.max_bytes) ||
      `is not a WebVTT file of at most ${captionFiles.max_bytes} bytes that begins with WEBVTT`,
    {
      expected: `a WebVTT file of at most ${captionFiles.max_bytes} bytes that begins with WEBVTT`,
      toJsonSchema: () => ({ maxLength: captionFiles.max_bytes, pattern: "^\\uFEFF?WEBVTT" })
    }
  )
)

/** Subtitles of a post's video. */
export const captions = option(
  several(
    Schema.Struct({
      lang: field(
        "The language of the subtitles, such as `en` or `pt-BR`. Each can be given once.",
        language
      ),
      text: field("The text of a whole WebVTT file, which begins with `WEBVTT`.", webVtt)
    }),
    captionFiles.max_count
  ),
  "Subtitles",
  `Subtitles for the video: a list of at most ${captionFiles.max_count} objects such as { "lang": "en", "text": "WEBVTT …" }, where the text is a WebVTT file of at most ${captionFiles.max_bytes} bytes. Only with a video.`
)

export const isCaptions = Schema.is(Schema.Array(Schema.Struct({ lang: Schema.String })))

/** `known`: what the platform knows a language by. */
export const captionConflicts = (
  { options: { captions } }: Pick<PostOptions, "options">,
  known = (lang: string) => lang.toLowerCase()
): ReadonlyArray<OptionConflict> => {
  if (!isCaptions(captions)) return []
  const languages = captions.map(({ lang }) => known(lang))
  const twice = captions.find((_, index) => languages.indexOf(languages[index]!) !== index)
  return twice === undefined
    ? []
    : [
        {
          option: "captions",
          rule: "caption_languages_differ",
          sentence: `accepts one subtitle file for each language; captions has two for "${twice.lang}". Keep one of them.`
        }
      ]
}

/** Conflicts of options that say something about the video of a post. */
export const onlyWithVideo = (
  ofVideo: ReadonlyArray<string>,
  { media, options }: PostOptions
): ReadonlyArray<OptionConflict> =>
  media.some(({ kind }) => kind === "video" || kind === null)
    ? []
    : ofVideo
        .filter((option) => [options[option] ?? []].flat().length > 0)
        .map((option) => ({
          option,
          rule: "only_with_video",
          sentence: `accepts ${option} only with a video; add a video or leave ${option} out.`
        }))
