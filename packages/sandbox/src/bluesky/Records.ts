import * as dagCbor from "@ipld/dag-cbor"
import { Result, Schema } from "effect"
import { CID } from "multiformats/cid"
import { create } from "multiformats/hashes/digest"
import { createHash } from "node:crypto"

// The lexicons app.bsky.feed.post, .threadgate and .postgate and app.bsky.embed.* of
// https://github.com/bluesky-social/atproto/tree/main/lexicons/app/bsky

/** The address of a record by its content: https://atproto.com/specs/data-model#link-and-cid-formats */
export const cidOf = (record: Schema.Json): string => {
  const linked = JSON.parse(JSON.stringify(record), (_name, value) =>
    typeof value?.$link === "string" ? CID.parse(value.$link) : value
  )
  const digest = createHash("sha256").update(dagCbor.encode(linked)).digest()
  return CID.createV1(dagCbor.code, create(0x12, digest)).toString()
}

/** A part of a record, which may say its own type. */
const part = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct({ $type: Schema.optionalKey(Schema.String), ...fields })

const Ref = part({ uri: Schema.String, cid: Schema.String })
export type Ref = typeof Ref.Type

const blob = (types: RegExp, largest: number) =>
  Schema.Struct({
    $type: Schema.Literal("blob"),
    ref: Schema.Struct({ $link: Schema.String }),
    mimeType: Schema.String.check(Schema.isPattern(types)),
    size: Schema.Int.check(Schema.isLessThanOrEqualTo(largest))
  })

const shown = {
  aspectRatio: Schema.optionalKey(part({ width: Schema.Int, height: Schema.Int }))
}
const image = { image: blob(/^image\//, 2_000_000), alt: Schema.String, ...shown }

const Images = Schema.Struct({
  $type: Schema.Literal("app.bsky.embed.images"),
  images: Schema.Array(part(image)).check(Schema.isMaxLength(4))
})
const Gallery = Schema.Struct({
  $type: Schema.Literal("app.bsky.embed.gallery"),
  items: Schema.Array(
    Schema.Struct({ $type: Schema.Literal("app.bsky.embed.gallery#image"), ...image })
  ).check(Schema.isMaxLength(20))
})
const Video = Schema.Struct({
  $type: Schema.Literal("app.bsky.embed.video"),
  video: blob(/^video\/mp4$/, 300_000_000),
  alt: Schema.optionalKey(Schema.String),
  captions: Schema.optionalKey(
    Schema.Array(part({ lang: Schema.String, file: blob(/^text\/vtt$/, 20_000) })).check(
      Schema.isMaxLength(20)
    )
  ),
  presentation: Schema.optionalKey(Schema.Literals(["default", "gif"])),
  ...shown
})
const External = Schema.Struct({
  $type: Schema.Literal("app.bsky.embed.external"),
  external: part({
    uri: Schema.String,
    title: Schema.String,
    description: Schema.String,
    thumb: Schema.optionalKey(blob(/^image\//, 1_000_000))
  })
})
const Quote = Schema.Struct({ $type: Schema.Literal("app.bsky.embed.record"), record: Ref })
const Media = Schema.Union([Images, Gallery, Video, External])
const Embed = Schema.Union([
  ...Media.members,
  Quote,
  Schema.Struct({ $type: Schema.Literal("app.bsky.embed.recordWithMedia"), record: Quote, media: Media })
])

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })
const text = (most: { readonly graphemes: number; readonly bytes: number }) =>
  Schema.String.check(
    Schema.makeFilter(
      (value: string) =>
        ([...graphemes.segment(value)].length <= most.graphemes && Buffer.byteLength(value) <= most.bytes) ||
        `must not be longer than ${most.graphemes} graphemes`
    )
  )
// https://atproto.com/specs/lexicon#datetime
const datetime = Schema.String.check(
  Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,20})?(Z|[+-]\d\d:\d\d)$/)
)

const FeedPost = Schema.Struct({
  $type: Schema.Literal("app.bsky.feed.post"),
  text: text({ graphemes: 300, bytes: 3000 }),
  createdAt: datetime,
  reply: Schema.optionalKey(part({ root: Ref, parent: Ref })),
  embed: Schema.optionalKey(Embed),
  langs: Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMaxLength(3))),
  tags: Schema.optionalKey(Schema.Array(text({ graphemes: 64, bytes: 640 })).check(Schema.isMaxLength(8))),
  facets: Schema.optionalKey(
    Schema.Array(
      part({
        index: part({ byteStart: Schema.Int, byteEnd: Schema.Int }),
        features: Schema.Array(
          Schema.Struct({
            $type: Schema.String,
            uri: Schema.optionalKey(Schema.String),
            did: Schema.optionalKey(Schema.String),
            tag: Schema.optionalKey(Schema.String)
          })
        )
      })
    )
  ),
  labels: Schema.optionalKey(
    Schema.Struct({
      $type: Schema.Literal("com.atproto.label.defs#selfLabels"),
      values: Schema.Array(part({ val: Schema.String })).check(Schema.isMaxLength(10))
    })
  )
})
export type FeedPost = typeof FeedPost.Type

const gate = { post: Schema.String, createdAt: datetime }
const Threadgate = Schema.Struct({
  $type: Schema.Literal("app.bsky.feed.threadgate"),
  ...gate,
  allow: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        $type: Schema.Literals([
          "app.bsky.feed.threadgate#mentionRule",
          "app.bsky.feed.threadgate#followerRule",
          "app.bsky.feed.threadgate#followingRule",
          "app.bsky.feed.threadgate#listRule"
        ]),
        list: Schema.optionalKey(Schema.String)
      })
    ).check(Schema.isMaxLength(5))
  )
})
const Postgate = Schema.Struct({
  $type: Schema.Literal("app.bsky.feed.postgate"),
  ...gate,
  embeddingRules: Schema.Array(
    Schema.Struct({ $type: Schema.Literal("app.bsky.feed.postgate#disableRule") })
  ).check(Schema.isMaxLength(5))
})

// https://atproto.com/specs/tid
const Tid = Schema.String.check(Schema.isPattern(/^[234567abcdefghij][2-7a-z]{12}$/))

/** The key of a time in microseconds since 1970. */
export const tidOf = (microseconds: number): string => {
  const alphabet = "234567abcdefghijklmnopqrstuvwxyz"
  const bits = BigInt(microseconds) << 10n
  return Array.from({ length: 13 }, (_, at) => alphabet[Number((bits >> BigInt(60 - at * 5)) & 31n)]).join("")
}

const Create = Schema.Struct({
  $type: Schema.Literal("com.atproto.repo.applyWrites#create"),
  collection: Schema.String,
  rkey: Schema.optionalKey(Tid),
  value: Schema.Union([FeedPost, Threadgate, Postgate])
})

/** https://docs.bsky.app/docs/api/com-atproto-repo-apply-writes */
const ApplyWrites = Schema.Struct({
  repo: Schema.String,
  validate: Schema.optionalKey(Schema.Boolean),
  writes: Schema.Array(Create).check(Schema.isBetweenLength(1, 200))
})
export interface Writes extends Schema.Schema.Type<typeof ApplyWrites> {}
const strict = { onExcessProperty: "error" } as const
const decodeWrites = Schema.decodeUnknownResult(ApplyWrites, strict)

/** https://docs.bsky.app/docs/api/com-atproto-repo-create-record */
const decodeRecord = Schema.decodeUnknownResult(
  Schema.Struct({
    repo: Schema.String,
    collection: Schema.String,
    rkey: Schema.optionalKey(Schema.String),
    validate: Schema.optionalKey(Schema.Boolean),
    record: Schema.Record(Schema.String, Schema.Unknown)
  }),
  strict
)
const decodeJson = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Unknown))

/** The records to write, or the reason why they cannot be written. */
export const readWrites = (body: string) =>
  decodeJson(body).pipe(Result.flatMap(decodeWrites), Result.mapError(reason))

/** The same of one record, which has the type of its collection if it says none. */
export const readRecord = (body: string) =>
  decodeJson(body).pipe(
    Result.flatMap(decodeRecord),
    Result.flatMap(({ collection, record, rkey, ...told }) => {
      const value = { $type: collection, ...record }
      const key = rkey === undefined ? {} : { rkey }
      return decodeWrites({
        ...told,
        writes: [{ $type: "com.atproto.repo.applyWrites#create", collection, ...key, value }]
      })
    }),
    Result.mapError(reason)
  )

const reason = ({ message }: Schema.SchemaError) => message

/** The links of all files in a record. */
export const linksOf = (record: FeedPost) =>
  [...JSON.stringify(record).matchAll(/"\$link":"([^"]+)"/g)].map(([, link]) => link!)

/** The pictures or the video of a post, in order. */
export const filesOf = ({ embed }: FeedPost) => {
  const media = embed?.$type === "app.bsky.embed.recordWithMedia" ? embed.media : embed
  switch (media?.$type) {
    case "app.bsky.embed.images":
      return media.images.map(({ alt, image: { ref } }) => ({ link: ref.$link, alt }))
    case "app.bsky.embed.gallery":
      return media.items.map(({ alt, image: { ref } }) => ({ link: ref.$link, alt }))
    case "app.bsky.embed.video":
      return [{ link: media.video.ref.$link, alt: media.alt ?? "" }]
    default:
      return []
  }
}
