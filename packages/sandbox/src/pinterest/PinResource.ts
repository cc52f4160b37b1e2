import type { Schema } from "effect"
import type { Publication, PublishedMedia } from "../Ledger.ts"

type Resource = { readonly [key: string]: Schema.Json }

/** A pin in the API's answers. */
export const pinResource =
  (url: string) =>
  ({ id, account, title, text, media, published_at, details = {} }: Publication): Resource => ({
    id,
    created_at: published_at,
    title,
    description: text,
    link: details["link"] ?? null,
    alt_text: media[0]?.alt_text ?? null,
    dominant_color: details["dominant_color"] ?? null,
    board_id: details["board_id"]!,
    board_section_id: details["board_section_id"] ?? null,
    board_owner: { username: account },
    parent_pin_id: null,
    is_owner: true,
    is_standard: true,
    has_been_promoted: false,
    creative_type: media.length > 1 ? "CAROUSEL" : isVideo(media[0]!) ? "VIDEO" : "REGULAR",
    pin_metrics: null,
    media: mediaResource(url, media, details["items"])
  })

const isVideo = ({ content_type }: PublishedMedia) => content_type.startsWith("video/")

const sizes = (url: string, { id }: PublishedMedia): Resource => ({
  "150x150": { width: 150, height: 150, url: `${url}/media/${id}` },
  "400x300": { width: 400, height: 300, url: `${url}/media/${id}` },
  "600x": { width: 600, height: 600, url: `${url}/media/${id}` },
  "1200x": { width: 1200, height: 1200, url: `${url}/media/${id}` }
})

const mediaResource = (
  url: string,
  media: ReadonlyArray<PublishedMedia>,
  items: Schema.Json | undefined
): Resource => {
  const first = media[0]!
  if (media.length > 1) {
    const words = (Array.isArray(items) ? items : []) as ReadonlyArray<Resource>
    return {
      media_type: "multiple_images",
      items: media.map((file, index) => ({
        item_type: "image",
        ...words[index],
        images: sizes(url, file)
      }))
    }
  }
  return isVideo(first)
    ? {
        media_type: "video",
        cover_image_url: `${url}/media/${first.id}`,
        video_url: null,
        duration: null,
        width: null,
        height: null,
        images: {}
      }
    : { media_type: "image", images: sizes(url, first) }
}
