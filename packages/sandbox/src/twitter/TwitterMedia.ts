import { Clock, Context, Effect, Layer, Schema, Stream } from "effect"
import type { Fault } from "../Faults.ts"
import { Journal } from "../Journal.ts"
import { MediaStore, StoredMedia } from "../MediaStore.ts"
import { invalid, notFound } from "./TwitterAuthorization.ts"
import type { Refused } from "../Exchange.ts"

const video = { most: 512_000_000, types: /^video\/(mp4|webm|quicktime|mp2t)$/ }
/** https://docs.x.com/x-api/media/quickstart/best-practices: the most bytes of a file, its types, and how its key begins. */
const categories = {
  tweet_image: { key: 3, most: 5_000_000, types: /^image\/(jpeg|pjpeg|png|webp|bmp|tiff)$/ },
  tweet_gif: { key: 16, most: 15_000_000, types: /^image\/gif$/ },
  tweet_video: { key: 7, ...video },
  amplify_video: { key: 13, ...video },
  subtitles: { key: 2, most: 1_000_000, types: /^text\/(srt|vtt)$/ }
}
export const Category = Schema.Literals([
  "tweet_image",
  "tweet_gif",
  "tweet_video",
  "amplify_video",
  "subtitles"
])

/** A file that was announced, or came in one call. */
const XMedia = Schema.Struct({
  /** Digits, above 2^53. */
  id: Schema.String,
  account: Schema.String,
  category: Category,
  media_type: Schema.String,
  /** Bytes. */
  size: Schema.Int,
  /** Unix time in milliseconds. */
  expires_at: Schema.Int,
  segments: Schema.Int,
  /** The bytes before the newest segment, and with it. */
  before: Schema.Int,
  arrived: Schema.Int,
  /** Null until all of it is there. */
  file: Schema.NullOr(StoredMedia),
  /** Whether there is something to do once it is there, and how many more looks find that in progress. */
  isWorkedOn: Schema.Boolean,
  polls: Schema.Int,
  /** Why the work on it fails; null: it does not. */
  failure: Schema.NullOr(Schema.String),
  alt_text: Schema.NullOr(Schema.String),
  /** By their language. */
  subtitles: Schema.Record(Schema.String, StoredMedia)
})
export interface XMedia extends Schema.Schema.Type<typeof XMedia> {}

type Announced = Pick<XMedia, "account" | "category" | "media_type" | "size">

const MediaEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("media"), media: XMedia }),
  Schema.Struct({ type: Schema.Literal("reset") })
])

/** The files of the stand-in for X. */
export class TwitterMedia extends Context.Service<
  TwitterMedia,
  {
    announce(announced: Announced, seconds?: number): Effect.Effect<XMedia, Refused>
    /** 404: there is none of this account, or not any more. */
    find(account: string, id: string): Effect.Effect<XMedia, Refused>
    change(media: XMedia, part: Partial<XMedia>): XMedia
    /** Adds a segment, or the newest one again. One that is further back is there already. */
    append(
      media: XMedia,
      segment: number,
      bytes: Uint8Array,
      fault: Fault | undefined
    ): Effect.Effect<XMedia, Refused>
    /** Makes one file of what has arrived; a second time nothing happens. */
    finalize(media: XMedia): Effect.Effect<XMedia, Refused>
  }
>()("@carillon/sandbox/twitter/TwitterMedia") {
  static readonly layer = Layer.effect(
    TwitterMedia,
    Effect.gen(function* () {
      const store = yield* MediaStore
      const all = new Map<string, XMedia>()
      const apply = (event: typeof MediaEvent.Type) =>
        event.type === "reset" ? all.clear() : void all.set(event.media.id, event.media)
      const happen = yield* (yield* Journal).stream("twitter", MediaEvent, apply, { type: "reset" })

      const change = (media: XMedia, part: Partial<XMedia>) => {
        happen({ type: "media", media: { ...media, ...part } })
        return all.get(media.id)!
      }

      return TwitterMedia.of({
        change,
        announce: Effect.fn("TwitterMedia.announce")(function* (announced, seconds = uploadSeconds) {
          const { category, media_type, size } = announced
          const { most, types } = categories[category]
          if (!types.test(media_type)) return yield* invalid(`${media_type} is not a type of ${category}.`)
          if (size < 1 || size > most)
            return yield* invalid(`A ${category} has 1 to ${most} bytes, not ${size}.`)
          const now = yield* Clock.currentTimeMillis
          const id = String(BigInt(now) * 1_000_000n + BigInt(all.size))
          return change({ ...empty, ...announced, id, expires_at: now + seconds * 1000 }, {})
        }),
        find: Effect.fn("TwitterMedia.find")(function* (account, id) {
          const media = all.get(id)
          return media?.account === account && media.expires_at > (yield* Clock.currentTimeMillis)
            ? media
            : yield* notFound("media", id)
        }),
        append: Effect.fn("TwitterMedia.append")(function* (media, segment, bytes, fault) {
          const { arrived, before, file, id, segments } = media
          if (!(segment >= 0 && segment <= Math.min(segments, 999)) || file !== null) {
            return yield* invalid(
              `${segments} segments have arrived; segment_index ${segment} is not the next one.`
            )
          }
          if (segment < segments - 1) return media
          const from = segment === segments ? arrived : before
          const work = fault?.fault === "processing" ? fault : undefined
          return change(media, {
            segments: segment + 1,
            before: from,
            arrived: yield* store.append(id, from, Stream.succeed(bytes)),
            ...(work === undefined
              ? {}
              : {
                  isWorkedOn: true,
                  polls: work.polls,
                  failure: work.becomes === "failed" ? (work.reason ?? "Unsupported video format") : null
                })
          })
        }),
        finalize: Effect.fn("TwitterMedia.finalize")(function* (media) {
          const { arrived, file, id, media_type, size } = media
          if (file !== null) return media
          return arrived === size
            ? change(media, { file: yield* store.assemble(id, size, media_type) })
            : yield* invalid("Segments do not add up to provided total file size.")
        })
      })
    })
  )
}

const uploadSeconds = 1_295_999

const empty = {
  segments: 0,
  before: 0,
  arrived: 0,
  file: null,
  isWorkedOn: false,
  polls: 0,
  failure: null,
  alt_text: null,
  subtitles: {}
}

export const isReady = ({ failure, file, polls }: XMedia) => file !== null && polls === 0 && failure === null

export const mediaKeyOf = ({ category, id }: XMedia) => `${categories[category].key}_${id}`

/** https://docs.x.com/x-api/media/get-media-upload-status; `isNew`: as the call that made it whole shows it. */
export const mediaResource = (media: XMedia, now: number, isNew = false): Schema.Json => {
  const { account, expires_at, failure, file, id, isWorkedOn, polls } = media
  const check_after_secs = account.endsWith("-unhurried") ? 5 : 1
  const progress = (): Schema.Json => {
    if (polls > 0) return { state: isNew ? "pending" : "in_progress", check_after_secs }
    return failure === null
      ? { state: "succeeded", progress_percent: 100 }
      : { state: "failed", error: { code: 1, name: "InvalidMedia", message: failure } }
  }
  return {
    id,
    media_key: mediaKeyOf(media),
    expires_after_secs: Math.ceil((expires_at - now) / 1000),
    ...(file === null ? {} : { size: file.size }),
    ...(file === null || !isWorkedOn ? {} : { processing_info: progress() })
  }
}
