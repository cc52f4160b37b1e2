import { Schema } from "effect"

const nullable = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const source = <const Name extends string, Fields extends Schema.Struct.Fields>(name: Name, fields: Fields) =>
  Schema.Struct({
    source_type: Schema.Literal(name),
    is_standard: Schema.optionalKey(Schema.Boolean),
    ...fields
  })

const words = {
  title: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.String),
  link: Schema.optionalKey(Schema.String)
}
const Base64 = Schema.String.check(Schema.isPattern(/^[a-zA-Z0-9+/=]+$/))
const ContentType = Schema.Literals(["image/jpeg", "image/png"])
const inline = { content_type: ContentType, data: Base64 }
const many = Schema.isBetweenLength(2, 5)
const index = Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))

export const MediaSource = Schema.Union([
  source("image_base64", inline),
  source("image_url", { url: Schema.String }),
  source("multiple_image_base64", {
    items: Schema.Array(Schema.Struct({ ...words, ...inline })).check(many),
    index
  }),
  source("multiple_image_urls", {
    items: Schema.Array(Schema.Struct({ ...words, url: Schema.String })).check(many),
    index
  }),
  source("video_id", {
    media_id: Schema.String.check(Schema.isPattern(/^\d+$/)),
    cover_image_url: Schema.optionalKey(Schema.String),
    cover_image_data: Schema.optionalKey(Base64),
    cover_image_content_type: Schema.optionalKey(ContentType),
    /** Seconds. */
    cover_image_key_frame_time: index
  })
])
export type MediaSource = typeof MediaSource.Type

const text = (maximum: number) => nullable(Schema.String.check(Schema.isMaxLength(maximum)))
const Id = Schema.String.check(Schema.isPattern(/^\d+$/))

/** The body of `POST /pins` as in version 5.23.0 of the description. */
export const PinDraft = Schema.Struct({
  board_id: Id,
  board_section_id: nullable(Id),
  title: text(100),
  description: text(800),
  link: text(2048),
  alt_text: text(500),
  dominant_color: nullable(Schema.String),
  parent_pin_id: nullable(Id),
  media_source: MediaSource
})
export interface PinDraft extends Schema.Schema.Type<typeof PinDraft> {}
