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

const Ref = Schema.Struct({ uri: Schema.String, cid: Schema.String })
export type Ref = typeof Ref.Type

const blob = (types: RegExp, largest: number) =>
  Schema.Struct({
    $type: Schema.Literal("blob"),
    ref: Schema.Struct({ $link: Schema.String }),
    mimeType: Schema.String.check(Schema.isPattern(types)),
    size: Schema.Int.check(Schema.isLessThanOrEqualTo(largest))
  })

const shown = {
  aspectRatio: Schema.optionalKey(Schema.Struct({ width: Schema.Int, height: Schema.Int }))
}
const image = { image: blob(/^image\//, 2_000_000), alt: Schema.String, ...shown }

const Images = Schema.Struct({
  $type: Schema.Literal("app.bsky.embed.images"),
  images: Schema.Array(Schema.Struct(image)).check(Schema.isMaxLength(4))
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
    Schema.Array(Schema.Struct({ lang: Schema.String, file: blob(/^text\/vtt$/, 20_000) })).check(
      Schema.isMaxLength(20)
    )
  ),
  presentation: Schema.optionalKey(Schema.Literals(["default", "gif"])),
  ...shown
})
const External = Schema.Struct({
  $type: Schema.Literal("app.bsky.embed.external"),
  external: Schema.Struct({
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
const datetime = Schema.String.check(Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/))

const FeedPost = Schema.Struct({
  $type: Schema.Literal("app.bsky.feed.post"),
  text: text({ graphemes: 300, bytes: 3000 }),
  createdAt: datetime,
  reply: Schema.optionalKey(Schema.Struct({ root: Ref, parent: Ref })),
  embed: Schema.optionalKey(Embed),
  langs: Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMaxLength(3))),
  tags: Schema.optionalKey(Schema.Array(text({ graphemes: 64, bytes: 640 })).check(Schema.isMaxLength(8))),
  facets: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        index: Schema.Struct({ byteStart: Schema.Int, byteEnd: Schema.Int }),
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
      values: Schema.Array(Schema.Struct({ val: Schema.String })).check(Schema.isMaxLength(10))
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

const Create = Schema.Struct({
  $type: Schema.Literal("com.atproto.repo.applyWrites#create"),
  collection: Schema.String,
  // https://atproto.com/specs/tid
  rkey: Schema.String.check(Schema.isPattern(/^[234567abcdefghij][2-7a-z]{12}$/)),
  value: Schema.Union([FeedPost, Threadgate, Postgate])
})

/** https://docs.bsky.app/docs/api/com-atproto-repo-apply-writes */
const ApplyWrites = Schema.Struct({
  repo: Schema.String,
  writes: Schema.Array(Create).check(Schema.isBetweenLength(1, 200))
})
const decodeWrites = Schema.decodeUnknownResult(Schema.fromJsonString(ApplyWrites), {
  onExcessProperty: "error"
})

/** The records to write, or the reason why they cannot be written. */
export const readWrites = (body: string) => Result.mapError(decodeWrites(body), ({ message }) => message)

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
