import type { VideoDraft } from "./YouTube.ts"

/** The problems of a video's metadata, by the documented reasons of `videos.insert`. */
export const draftProblem = ({
  snippet = {},
  status = {}
}: VideoDraft): { readonly reason: string; readonly message: string } | undefined => {
  const { title, description = "", tags = [], categoryId } = snippet
  const { privacyStatus, publishAt, license } = status
  if (title === undefined || title.trim() === "" || [...title].length > 100 || /[<>]/.test(title)) {
    return {
      reason: "invalidTitle",
      message: "The request metadata specifies an invalid or empty video title."
    }
  }
  if (Buffer.byteLength(description) > 5000 || /[<>]/.test(description)) {
    return {
      reason: "invalidDescription",
      message: "The request metadata specifies an invalid video description."
    }
  }
  if (tags.some((tag) => tag === "" || /[<>]/.test(tag)) || tagsLength(tags) > 500) {
    return { reason: "invalidTags", message: "The request metadata specifies invalid video keywords." }
  }
  if (categoryId !== undefined && !categories.has(categoryId)) {
    return {
      reason: "invalidCategoryId",
      message: "The snippet.categoryId property specifies an invalid category ID."
    }
  }
  if (publishAt !== undefined && (privacyStatus !== "private" || Number.isNaN(Date.parse(publishAt)))) {
    return {
      reason: "invalidPublishAt",
      message: "The request metadata specifies an invalid scheduled publishing time."
    }
  }
  if (
    (privacyStatus !== undefined && !["public", "unlisted", "private"].includes(privacyStatus)) ||
    (license !== undefined && !["youtube", "creativeCommon"].includes(license))
  ) {
    return { reason: "invalidVideoMetadata", message: "The request metadata is invalid." }
  }
  return undefined
}

const tagsLength = (tags: ReadonlyArray<string>) =>
  tags.reduce((sum, tag) => sum + [...tag].length + (tag.includes(" ") ? 2 : 0), Math.max(0, tags.length - 1))

const categories = new Set(
  "1 2 10 15 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44".split(" ")
)
