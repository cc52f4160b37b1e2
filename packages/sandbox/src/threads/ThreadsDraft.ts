import { textLength } from "@carillon/domain"
import { Effect, Schema } from "effect"
import { graphError } from "../meta/GraphErrors.ts"
import { invalid } from "./ThreadsErrors.ts"

const json = Schema.fromJsonString
const flag = json(Schema.Boolean)
const address = Schema.String.check(Schema.isPattern(/^https?:\/\/\S+$/), Schema.isMaxLength(2048))
const option = Schema.String.check(Schema.isBetweenLength(1, 25))
const natural = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 }))
const positive = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 }))
const range = { offset: natural, length: positive }

/** The parameters of `POST /{user}/threads`, as text: a query, a form and JSON alike. */
const Parameters = Schema.Struct({
  media_type: Schema.Literals(["TEXT", "IMAGE", "VIDEO", "CAROUSEL"]),
  text: Schema.optionalKey(Schema.String),
  image_url: Schema.optionalKey(Schema.String),
  video_url: Schema.optionalKey(Schema.String),
  is_carousel_item: Schema.optionalKey(flag),
  children: Schema.optionalKey(Schema.String),
  alt_text: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(1000))),
  is_spoiler_media: Schema.optionalKey(flag),
  text_entities: Schema.optionalKey(
    json(
      Schema.Array(Schema.Struct({ entity_type: Schema.Literals(["SPOILER", "spoiler"]), ...range })).check(
        Schema.isMaxLength(10)
      )
    )
  ),
  reply_to_id: Schema.optionalKey(Schema.String),
  quote_post_id: Schema.optionalKey(Schema.String),
  reply_control: Schema.optionalKey(
    Schema.Literals([
      "everyone",
      "accounts_you_follow",
      "mentioned_only",
      "parent_post_author_only",
      "followers_only"
    ])
  ),
  enable_reply_approvals: Schema.optionalKey(flag),
  topic_tag: Schema.optionalKey(Schema.String),
  location_id: Schema.optionalKey(Schema.String),
  allowlisted_country_codes: Schema.optionalKey(Schema.String),
  link_attachment: Schema.optionalKey(address),
  gif_attachment: Schema.optionalKey(
    json(Schema.Struct({ gif_id: Schema.NonEmptyString, provider: Schema.Literal("GIPHY") }))
  ),
  poll_attachment: Schema.optionalKey(
    json(
      Schema.Struct({
        option_a: option,
        option_b: option,
        option_c: Schema.optionalKey(option),
        option_d: Schema.optionalKey(option)
      })
    )
  ),
  text_attachment: Schema.optionalKey(
    json(
      Schema.Struct({
        plaintext: Schema.String.check(Schema.isBetweenLength(1, 10_000)),
        link_attachment_url: Schema.optionalKey(address),
        text_with_styling_info: Schema.optionalKey(
          Schema.Array(
            Schema.Struct({
              ...range,
              styling_info: Schema.Array(
                Schema.Literals(["bold", "italic", "highlight", "underline", "strikethrough"])
              )
            })
          )
        )
      })
    )
  ),
  is_ghost_post: Schema.optionalKey(flag)
})

export interface ThreadsDraft extends Schema.Schema.Type<typeof Parameters> {}

const decode = Schema.decodeUnknownEffect(Parameters, { onExcessProperty: "error" })

/** What only a post of text may have, and what a ghost post may have. */
const ofText = ["link_attachment", "gif_attachment", "poll_attachment", "text_attachment", "is_ghost_post"]
const ofGhosts = ["media_type", "text", "text_entities", "is_ghost_post"]

const maximumText = 500
const maximumLinks = 5

/** https://developers.facebook.com/docs/threads/posts */
export const threadsDraft = Effect.fnUntraced(function* (given: URLSearchParams) {
  const parameters = Object.fromEntries([...given].filter(([name]) => name !== "access_token"))
  const draft = yield* decode(parameters).pipe(Effect.catch(({ message }) => invalid(message.slice(0, 500))))
  const { is_ghost_post, media_type, text = "", text_attachment, text_entities = [], topic_tag } = draft
  const misplaced = media_type === "TEXT" ? undefined : ofText.find((name) => name in draft)
  if (misplaced !== undefined) return yield* invalid(`Param ${misplaced} is for text-only posts`)
  if (media_type === "TEXT" && text === "") return yield* invalid("Param text is required")
  if (media_type === "TEXT" && draft.is_spoiler_media === true)
    return yield* invalid("Param is_spoiler_media needs an image, a video or a carousel")
  if (textLength(text, { unit: "threads" }, maximumText) > maximumText)
    return yield* invalid("Param text must be at most 500 characters long.")
  if (text_entities.some(({ length, offset }) => offset + length > text.length))
    return yield* invalid("Param text_entities must lie within the text")
  if (linksOf(draft).size > maximumLinks)
    return yield* invalid("THREADS_API__LINK_LIMIT_EXCEEDED: a post may have at most 5 links")
  if (topic_tag !== undefined && !/^[^.&]{1,50}$/u.test(topic_tag))
    return yield* graphError("100/4279071", "The topic tag is invalid.")
  if (text_attachment !== undefined && draft.poll_attachment !== undefined)
    return yield* invalid("Param text_attachment cannot be attached to a post with a poll")
  if (text_attachment?.link_attachment_url !== undefined && draft.link_attachment !== undefined)
    return yield* invalid("Param text_attachment cannot have a link when the post has one")
  const ghostly = Object.keys(draft).find((name) => !ofGhosts.includes(name))
  if (is_ghost_post === true && ghostly !== undefined)
    return yield* invalid(`Param ${ghostly} is not supported with ghost posts`)
  return draft
})

/** The different links of a post. */
const linksOf = ({ link_attachment, text = "", text_attachment }: ThreadsDraft): ReadonlySet<string> =>
  new Set([
    ...[...text.matchAll(/(?:https?:\/\/|\bwww\.)[^\s<>"]+/giu)].map(([link]) =>
      link.replace(/[.,;:!?'")\]]+$/, "")
    ),
    ...[link_attachment, text_attachment?.link_attachment_url].filter((link) => link !== undefined)
  ])

/** A list as `a,b` or as JSON. */
export const listOf = (text = ""): ReadonlyArray<string> =>
  text.split(/[\s,"[\]]+/).filter((one) => one !== "")
