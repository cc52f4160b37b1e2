import { Schema } from "effect"
import { MediaId } from "../Ids.ts"
import { type DestinationRules, rulesOf } from "../Platform.ts"
import { altText, coverTimestamp, option, overrides, several, text, webAddress } from "./OptionFields.ts"

/** Images are sent in the request, which takes these two types; others are converted. */
const types = ["image/jpeg", "image/png"]

const caption = { unit: "code_points", max: 800 } as const

const images = {
  max_count: 1,
  mime_types: types,
  max_bytes: 20_000_000
} as const

const covers = { max_count: 1, mime_types: types, max_bytes: 10_000_000 } as const

const pin = {
  name: "pin",
  caption,
  text_only: false,
  images,
  videos: {
    max_count: 1,
    mime_types: ["video/mp4", "video/quicktime"],
    max_bytes: 2_000_000_000,
    min_ratio: 1 / 2,
    max_ratio: 1.91,
    min_duration_ms: 4000,
    max_duration_ms: 900_000
  },
  covers,
  mixed: false,
  max_count: 1
} as const

const carousel = {
  name: "carousel",
  caption,
  text_only: false,
  images: { ...images, max_count: 5 },
  mixed: false,
  min_count: 2,
  max_count: 5,
  equal_size: true
} as const

const maximumAltText = 500

export const boards: DestinationRules = {
  option: "board_ids",
  singular: "board",
  plural: "boards",
  required: "board_required"
}

/** https://developers.pinterest.com/docs/api/v5/pins-create. The caption is the description. */
export const pinterestRules = rulesOf("pinterest", {
  alt_text: maximumAltText,
  placements: [pin, carousel],
  placementOf: (media) => (media.length >= carousel.min_count && !media.includes("video") ? carousel : pin),
  destinations: boards,
  conflicts: ({ options: { board_ids, board_section_id, alt_text, cover_image }, media }) => {
    const texts = Array.isArray(alt_text) ? [...alt_text.map(String).join("\n")].length : 0
    return [
      ...(Array.isArray(board_ids) && board_ids.length > 1 && board_section_id !== undefined
        ? [
            {
              option: "board_section_id",
              rule: "section_of_one_board",
              sentence: `takes a section with one board only; board_ids names ${board_ids.length}.`
            }
          ]
        : []),
      ...(texts > maximumAltText
        ? [
            {
              option: "alt_text",
              rule: "one_alt_text",
              sentence: `has one alt text of ${maximumAltText} characters for a whole pin; these have ${texts} together.`,
              limit: maximumAltText,
              value: texts
            }
          ]
        : []),
      ...(cover_image !== undefined && media.some(({ kind }) => kind === "image")
        ? [
            {
              option: "cover_image",
              rule: "cover_of_a_video",
              sentence: "takes cover_image only with a video."
            }
          ]
        : [])
    ]
  }
})

export const PinterestOptions = Schema.Struct({
  ...overrides,
  title: option(text(100), "Title", "At most 100 characters."),
  link: option(
    webAddress,
    "Link",
    "Where the pin leads: an http or https address of at most 2048 characters."
  ),
  board_ids: option(
    several(text(100), 50),
    "Boards",
    "Each board gets its own pin. A board's name works as well as its `id`. Left out: the account's default board."
  ),
  board_section_id: option(text(100), "Section", "The section of the board. With one board only."),
  alt_text: altText(maximumAltText),
  video_cover_timestamp_ms: coverTimestamp,
  cover_image: option(
    MediaId,
    "Cover picture",
    "An image of the library shown as the video's cover; it wins over the frame."
  )
}).annotate({ identifier: "PinterestOptions" })
