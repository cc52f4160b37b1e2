import { spoilerRanges } from "@carillon/domain"
import type { PublishMedia, PublishRequest } from "../Platform.ts"
import { publishOptions } from "../PublishOptions.ts"

type Fields = Readonly<Record<string, string>>

export const optionsOf = publishOptions("threads")

const given = (name: string, value: string | undefined): Fields =>
  value === undefined || value === "" ? {} : { [name]: value }

const json = (name: string, value: unknown): Fields =>
  value === undefined ? {} : { [name]: JSON.stringify(value) }

/** The names of a poll's choices. */
const choices = ["option_a", "option_b", "option_c", "option_d"]

/** The parameters of a picture or a video, alone or in a carousel. */
export const mediaFields = ({ alt_text, kind }: PublishMedia, url: string): Fields => ({
  ...(kind === "image" ? { media_type: "IMAGE", image_url: url } : { media_type: "VIDEO", video_url: url }),
  ...given("alt_text", alt_text ?? undefined)
})

/**
 * Those of the post as a whole, on its one container or on the carousel's:
 * https://developers.facebook.com/documentation/threads/reference/publishing. `auto_publish_text` is never sent: it would
 * publish while the post is prepared.
 */
export const postFields = (
  request: PublishRequest,
  { reply_to_id, topic }: { readonly reply_to_id: string | undefined; readonly topic: string | undefined }
): Fields => {
  const { caption, media } = request
  const options = optionsOf(request)
  const { countries = [], gif_id, is_ghost_post, is_spoiler_media, poll, spoilers = [] } = options
  const hidden = spoilerRanges(caption, spoilers)
  return {
    ...given("text", caption),
    ...given("reply_to_id", reply_to_id),
    ...given("topic_tag", topic),
    ...given("reply_control", options.reply_control),
    ...given("link_attachment", options.link),
    ...given("quote_post_id", options.quote_post_id),
    ...given("location_id", options.location),
    ...json(
      "poll_attachment",
      poll && Object.fromEntries(poll.options.map((said, at) => [choices[at], said]))
    ),
    ...json("text_attachment", options.text_attachment && { plaintext: options.text_attachment }),
    ...json(
      "text_entities",
      hidden.length === 0 ? undefined : hidden.map((range) => ({ entity_type: "SPOILER", ...range }))
    ),
    ...json("gif_attachment", gif_id && { gif_id, provider: "GIPHY" }),
    ...given("is_ghost_post", is_ghost_post === true ? "true" : undefined),
    ...given("is_spoiler_media", is_spoiler_media === true && media.length > 0 ? "true" : undefined),
    ...given("allowlisted_country_codes", countries.join(","))
  }
}
