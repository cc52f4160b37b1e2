import type { PublishRequest } from "../Platform.ts"
import { publishOptions } from "../PublishOptions.ts"

export const youtubeOptions = publishOptions("youtube")

/** The body of `videos.insert`: a title, who can see it, and the options that were chosen. https://developers.google.com/youtube/v3/docs/videos/insert */
export const metadataOf = (request: PublishRequest) => {
  const options = youtubeOptions(request)
  const { title, description, tags, category_id, privacy_status, made_for_kids, contains_synthetic_media } =
    options
  return {
    snippet: {
      title: title?.trim() ? title : titleOf(request),
      description: description ?? request.caption,
      ...(tags === undefined ? {} : { tags }),
      ...(category_id === undefined ? {} : { categoryId: category_id })
    },
    status: {
      privacyStatus: privacy_status ?? "public",
      ...(made_for_kids === undefined ? {} : { selfDeclaredMadeForKids: made_for_kids }),
      ...(contains_synthetic_media === undefined ? {} : { containsSyntheticMedia: contains_synthetic_media })
    }
  }
}

const longestTitle = 100

/** The caption's first line, else the name of the file: YouTube takes no video without a title. */
const titleOf = ({ caption, media }: PublishRequest): string => {
  const line = caption.split(/\r?\n/).find((line) => line.trim() !== "")
  const name = media[0]?.name.replace(/\.\w+$/, "").replace(/[<>]/g, "")
  return shortened((line ?? name ?? "").trim()) || "Video"
}

/** Whole words as far as possible. */
const shortened = (text: string): string => {
  if ([...text].length <= longestTitle) return text
  const head = [...text].slice(0, longestTitle - 1).join("")
  const words = head.replace(/\s+\S*$/, "")
  return `${words.length > longestTitle / 2 ? words : head}…`
}
