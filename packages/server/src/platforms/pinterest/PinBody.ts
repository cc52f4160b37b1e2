import { platformRules } from "@carillon/domain"
import { Effect, Option, Stream } from "effect"
import { HttpBody } from "effect/http"
import { randomUUID } from "node:crypto"
import { type FittedImage, PublishError, type PublishRequest } from "../Platform.ts"
import { publishOptions } from "../PublishOptions.ts"

const optionsOf = publishOptions("pinterest")

/** The words of a pin. */
export const pinWords = (request: PublishRequest) => {
  const { caption, media } = request
  const { title, link, board_section_id, video_cover_timestamp_ms } = optionsOf(request)
  // A pin has one text for all its pictures.
  const texts = [...new Set(media.flatMap((one) => one.alt_text ?? []))].join("\n")
  // Those of the library may be longer together.
  const alt_text = [...texts].slice(0, platformRules.pinterest.alt_text).join("")
  return {
    words: {
      ...(title === undefined ? {} : { title }),
      ...(caption === "" ? {} : { description: caption }),
      ...(link === undefined ? {} : { link }),
      ...(alt_text === "" ? {} : { alt_text })
    },
    section: board_section_id,
    coverAt: video_cover_timestamp_ms ?? 0
  }
}

/** The board of this target. */
export const boardOf = ({ board_id }: PublishRequest): Effect.Effect<string, PublishError> =>
  board_id === null
    ? Effect.fail(
        new PublishError({
          class: "invalid",
          code: "board_required",
          message: "The pin has no board. Set board_ids."
        })
      )
    : Effect.succeed(board_id)

/** The body of `POST /pins` with its images, encoded while it is sent: https://developers.pinterest.com/docs/api/v5/pins-create */
export const pinBody = Effect.fnUntraced(function* (request: PublishRequest, mediaId: string | undefined) {
  const board_id = yield* boardOf(request)
  const { words, section, coverAt } = pinWords(request)
  const images = yield* Effect.forEach(request.media, ({ kind, image }) =>
    kind === "image" ? Effect.asSome(image) : Effect.succeedNone
  ).pipe(Effect.map((found) => found.flatMap(Option.toArray)))
  const cover = mediaId === undefined || request.cover === null ? undefined : yield* request.cover.image

  const place = randomUUID()
  const inline = ({ mime_type }: FittedImage) => ({ content_type: mime_type, data: place })
  const media_source =
    mediaId !== undefined
      ? {
          source_type: "video_id",
          media_id: mediaId,
          ...(cover === undefined
            ? { cover_image_key_frame_time: Math.floor(coverAt / 1000) }
            : { cover_image_content_type: cover.mime_type, cover_image_data: place })
        }
      : images.length === 1
        ? { source_type: "image_base64", ...inline(images[0]!) }
        : { source_type: "multiple_image_base64", items: images.map(inline), index: 0 }
  const text = JSON.stringify({
    board_id,
    ...(section === undefined ? {} : { board_section_id: section }),
    ...words,
    media_source
  })
  return withImages(text.split(place), cover === undefined ? images : [cover])
})

/** A whole number of base64's groups. */
const piece = 3 * 64 * 1024

/** The pieces of a text, with an image in base64 between each two of them. */
const withImages = (texts: ReadonlyArray<string>, images: ReadonlyArray<FittedImage>): HttpBody.HttpBody => {
  const encoder = new TextEncoder()
  const pieces = texts.map((text) => encoder.encode(text))
  const length = [
    ...pieces.map((bytes) => bytes.length),
    ...images.map(({ bytes }) => Math.ceil(bytes.length / 3) * 4)
  ].reduce((sum, part) => sum + part, 0)
  const chunks = function* () {
    for (const [index, text] of pieces.entries()) {
      yield text
      const bytes = images[index]?.bytes ?? new Uint8Array()
      for (let at = 0; at < bytes.length; at += piece) {
        yield encoder.encode(Buffer.from(bytes.subarray(at, at + piece)).toString("base64"))
      }
    }
  }
  return HttpBody.stream(Stream.fromIterable({ [Symbol.iterator]: chunks }), "application/json", length)
}
