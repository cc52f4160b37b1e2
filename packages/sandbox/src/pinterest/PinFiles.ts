import { Effect, type Schema, Stream } from "effect"
import type { Refused } from "../Exchange.ts"
import type { MediaStore, StoredMedia } from "../MediaStore.ts"
import { imageOf, type PinImage, pullImage } from "./Images.ts"
import type { MediaSource } from "./PinDraft.ts"
import type { Pinterest } from "./Pinterest.ts"
import { refused } from "./PinterestAuthorization.ts"

const decoded = ({ content_type, data }: { readonly content_type: string; readonly data: string }) => {
  const image = imageOf(Buffer.from(data, "base64"))
  return image?.content_type === content_type
    ? Effect.succeed(image)
    : refused(400, "1", `The data is no image of the type ${content_type}, or is larger than 20 MB.`)
}
const pulled = (address: string) =>
  Effect.filterOrElse(pullImage(address), isDefined, () =>
    refused(400, "235", "Sorry, we are unable to reach the URL, or it is not an image.")
  )

const keep = Effect.fnUntraced(function* (store: MediaStore["Service"], { content_type, bytes }: PinImage) {
  const received = yield* store.receive(content_type, Stream.succeed(bytes))
  return yield* received.keep
}, Effect.scoped)

/** The files of a pin, with their further facts. */
export const pinFiles = Effect.fnUntraced(function* (
  pinterest: Pinterest["Service"],
  store: MediaStore["Service"],
  account: string,
  source: MediaSource
): Effect.fn.Return<
  {
    readonly files: ReadonlyArray<StoredMedia>
    readonly told: { readonly [key: string]: Schema.Json }
  },
  Refused
> {
  const kept = (image: PinImage) => keep(store, image)
  switch (source.source_type) {
    case "image_base64":
      return { files: [yield* kept(yield* decoded(source))], told: {} }
    case "image_url":
      return { files: [yield* kept(yield* pulled(source.url))], told: {} }
    case "multiple_image_base64":
    case "multiple_image_urls": {
      const { items, index = 0 } = source
      if (index >= items.length) return yield* refused(400, "1", `${index} is not the index of an item.`)
      const listed: ReadonlyArray<(typeof items)[number]> = items
      const images = yield* Effect.forEach(listed, (item) =>
        "url" in item ? pulled(item.url) : decoded(item)
      )
      const told = listed.map(({ title = null, description = null, link = null }) => ({
        title,
        description,
        link
      }))
      return { files: yield* Effect.forEach(images, kept), told: { index, items: told } }
    }
    case "video_id": {
      const video = pinterest.video(account, source.media_id)
      if (video === undefined) return yield* refused(404, "2031", "Media not found.")
      if (video.status !== "succeeded" || video.file === null) {
        return yield* refused(400, "1", `The media ${source.media_id} is ${video.status}.`)
      }
      const { cover_image_url, cover_image_data, cover_image_content_type, cover_image_key_frame_time } =
        source
      const image =
        cover_image_url !== undefined
          ? yield* pulled(cover_image_url)
          : cover_image_data !== undefined && cover_image_content_type !== undefined
            ? yield* decoded({ data: cover_image_data, content_type: cover_image_content_type })
            : undefined
      if (image === undefined && cover_image_key_frame_time === undefined) {
        return yield* refused(
          400,
          "1",
          "A video needs a cover: cover_image_url, cover_image_data or cover_image_key_frame_time."
        )
      }
      const cover = image === undefined ? { key_frame_time: cover_image_key_frame_time! } : yield* kept(image)
      return { files: [video.file], told: { cover: { ...cover }, media_id: source.media_id } }
    }
  }
})

const isDefined = <A>(value: A | undefined): value is A => value !== undefined
