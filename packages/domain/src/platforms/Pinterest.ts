import { Schema } from "effect"
import { type DestinationRules, rulesOf } from "../Platform.ts"
import {
  altText,
  coverImage,
  coverTimestamp,
  option,
  overrides,
  several,
  text,
  webAddress
} from "./OptionFields.ts"

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
              sentence: `accepts board_section_id with one board only; board_ids has ${board_ids.length}. Keep one board, or leave board_section_id out.`
            }
          ]
        : []),
      ...(texts > maximumAltText
        ? [
            {
              option: "alt_text",
              rule: "one_alt_text",
              sentence: `allows one alt text of at most ${maximumAltText} characters for the whole pin; these have ${texts} together.`,
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
              sentence: "accepts cover_image only with a video; leave cover_image out."
            }
          ]
        : [])
    ]
  }
})

export const PinterestOptions = Schema.Struct({
  ...overrides,
  title: option(text(100), "Title", "The pin's title, at most 100 characters. Default: `null`, none."),
  link: option(
    webAddress,
    "Link",
    "The http or https URL that the pin opens, of at most 2048 characters. Default: `null`, none."
  ),
  board_ids: option(
    several(text(100), 50),
    "Boards",
    "Creates one pin on each of at most 50 boards, given by id or name. Default: the account's default board."
  ),
  board_section_id: option(
    text(100).check(Schema.isPattern(/^\d+$/u, { expected: "an id of digits" })),
    "Board section",
    "The id of the section of the board to pin to. Needs exactly one board. `choices.board_ids` of the account's options lists the sections. Default: `null`, none."
  ),
  alt_text: altText(maximumAltText),
  video_cover_timestamp_ms: coverTimestamp,
  cover_image: coverImage
}).annotate({ identifier: "PinterestOptions" })
