import { xLanguage } from "@carillon/domain"
import { Clock, DateTime, Duration, Effect, Schema, Stream } from "effect"
import { HttpBody } from "effect/http"
import { multipartForm } from "../MultipartForm.ts"
import { PublishError, type PublishMedia } from "../Platform.ts"
import { shortAnswer, uploadTime } from "../PlatformHttp.ts"
import type { PublishOptions } from "../PublishOptions.ts"
import { refuseUpload, statusIn } from "./TwitterErrors.ts"
import type { TwitterFile } from "./TwitterHandle.ts"
import type { TwitterHttp } from "./TwitterHttp.ts"
import type { PaidCall } from "./Spending.ts"

const Started = Schema.Struct({
  data: Schema.Struct({
    id: Schema.String,
    media_key: Schema.optionalKey(Schema.String),
    expires_after_secs: Schema.optionalKey(Schema.Finite)
  })
})
const words = Schema.optionalKey(Schema.NullOr(Schema.String))
const Uploaded = Schema.Struct({
  data: Schema.Struct({
    ...Started.fields.data.fields,
    processing_info: Schema.optionalKey(
      Schema.NullOr(
        Schema.Struct({
          state: Schema.String,
          check_after_secs: Schema.optionalKey(Schema.Finite),
          error: Schema.optionalKey(Schema.NullOr(Schema.Struct({ name: words, message: words })))
        })
      )
    )
  })
})
type Uploaded = (typeof Uploaded.Type)["data"]
const Taken = Schema.Struct({ status: Schema.Int })

/** https://docs.x.com/x-api/media/quickstart/media-upload-chunked: at most 1,000 of them. */
const segmentSize = 1024 * 1024
/** A longer video is of the category that X has for those of subscribers. */
const longestOfAll = 140_000
const lookAgain = 5

type Keep = (file: TwitterFile) => Effect.Effect<void, PublishError>

/** The bytes of one upload. */
interface Source {
  readonly mime_type: string
  readonly size_bytes: number
  readonly category: "tweet_image" | "tweet_gif" | "tweet_video" | "amplify_video" | "subtitles"
  readonly part: (start: number, end: number) => Stream.Stream<Uint8Array, PublishError>
}

/** Files of a post: pictures go up in one request, everything else in segments, each of which may be repeated. */
export const twitterMedia = (call: TwitterHttp, api: string) => {
  const asked = (bearer: string) => ({
    bearer,
    statusIn,
    maxAnswerBytes: shortAnswer,
    refuse: refuseUpload
  })
  const send = (bearer: string, path: string, body: Schema.Json, price?: PaidCall) =>
    call({
      ...asked(bearer),
      price,
      method: "POST",
      url: `${api}${path}`,
      body: HttpBody.jsonUnsafe(body),
      format: "whole",
      answer: Taken
    })

  const atOnce = Effect.fnUntraced(function* (
    bearer: string,
    { category, mime_type, part, size_bytes }: Source
  ) {
    const { data } = yield* call({
      ...asked(bearer),
      method: "POST",
      url: `${api}/media/upload`,
      body: multipartForm({ media_category: category }, [
        { name: "media", filename: "media", mime_type, size_bytes, content: part(0, size_bytes) }
      ]),
      timeout: uploadTime(size_bytes),
      answer: Uploaded
    })
    return yield* uploaded(data)
  })

  const start = Effect.fnUntraced(function* (bearer: string, { category, mime_type, size_bytes }: Source) {
    const { data } = yield* call({
      ...asked(bearer),
      method: "POST",
      url: `${api}/media/upload/initialize`,
      body: HttpBody.jsonUnsafe({ media_category: category, media_type: mime_type, total_bytes: size_bytes }),
      answer: Started
    })
    return { ...(yield* known(data)), sent: 0, whole: false, ready: false } satisfies TwitterFile
  })

  /** Sends what is missing of it. */
  const fill = Effect.fnUntraced(function* (bearer: string, source: Source, begun: TwitterFile, keep: Keep) {
    const path = `${api}/media/upload/${encodeURIComponent(begun.id)}`
    const segments = Math.ceil(source.size_bytes / segmentSize)
    for (let index = begun.sent ?? 0; index < segments; index++) {
      const from = index * segmentSize
      const to = Math.min(from + segmentSize, source.size_bytes)
      yield* call({
        ...asked(bearer),
        method: "POST",
        url: `${path}/append`,
        body: multipartForm({ segment_index: String(index) }, [
          {
            name: "media",
            filename: "media",
            mime_type: "application/octet-stream",
            size_bytes: to - from,
            content: source.part(from, to)
          }
        ]),
        timeout: uploadTime(to - from),
        format: "whole",
        answer: Taken
      })
      yield* keep({ ...begun, sent: index + 1 })
    }
    const { data } = yield* call({
      ...asked(bearer),
      method: "POST",
      url: `${path}/finalize`,
      timeout: "2 minutes",
      answer: Uploaded
    })
    return { ...begun, sent: segments, ...(yield* uploaded(data)) }
  })

  const inSegments = Effect.fnUntraced(function* (
    bearer: string,
    source: Source,
    begun: TwitterFile | undefined,
    keep: Keep
  ) {
    const file = begun ?? (yield* start(bearer, source))
    if (begun === undefined) yield* keep(file)
    return yield* fill(bearer, source, file, keep)
  })

  const caption = Effect.fnUntraced(function* (
    bearer: string,
    video: PublishMedia,
    id: string,
    { lang, text }: NonNullable<PublishOptions<"twitter">["captions"]>[number]
  ) {
    const bytes = new TextEncoder().encode(text)
    const source: Source = {
      mime_type: "text/vtt",
      size_bytes: bytes.length,
      category: "subtitles",
      part: (from, to) => Stream.succeed(bytes.subarray(from, to))
    }
    const track = yield* inSegments(bearer, source, undefined, () => Effect.void)
    yield* send(bearer, "/media/subtitles", {
      id,
      media_category: isLong(video) ? "AmplifyVideo" : "TweetVideo",
      subtitles: {
        id: track.id,
        language_code: xLanguage(lang),
        display_name: nameOf(xLanguage(lang).toLowerCase())
      }
    })
  })

  return {
    /** Sends a file with its description and subtitles, from where an earlier run got to. `keep` stores each step before the next. */
    upload: Effect.fnUntraced(function* (
      bearer: string,
      item: PublishMedia,
      captions: PublishOptions<"twitter">["captions"],
      begun: TwitterFile | undefined,
      keep: Keep
    ) {
      let file = begun
      if (file?.whole !== true) {
        const source = yield* sourceOf(item)
        file =
          source.category === "tweet_image"
            ? yield* atOnce(bearer, source)
            : yield* inSegments(bearer, source, file, keep)
        yield* keep(file)
      }
      if (item.alt_text !== null && item.alt_text !== "" && file.described !== true) {
        yield* send(
          bearer,
          "/media/metadata",
          { id: file.id, metadata: { alt_text: { text: item.alt_text } } },
          { call: "media_metadata", count: 1 }
        )
        file = { ...file, described: true }
        yield* keep(file)
      }
      for (const one of (item.kind === "video" ? (captions ?? []) : []).slice(file.captions ?? 0)) {
        yield* caption(bearer, item, file.id, one)
        file = { ...file, captions: (file.captions ?? 0) + 1 }
        yield* keep(file)
      }
      return file
    }),

    /** Asks whether X has made a file ready. */
    look: (bearer: string, file: TwitterFile) =>
      call({
        ...asked(bearer),
        method: "GET",
        url: `${api}/media/upload`,
        query: { command: "STATUS", media_id: file.id },
        answer: Uploaded
      }).pipe(
        Effect.flatMap(({ data }) => uploaded(data)),
        Effect.map((looked): TwitterFile => ({ ...file, ...looked }))
      )
  }
}

/** Whether X still has it in so long a time. */
export const isKept = (file: TwitterFile, now: DateTime.Utc, time: Duration.Duration) =>
  file.expires_at === undefined || DateTime.toEpochMillis(DateTime.addDuration(now, time)) < file.expires_at

const known = Effect.fnUntraced(function* ({
  expires_after_secs,
  id,
  media_key
}: Omit<Uploaded, "processing_info">) {
  const now = yield* Clock.currentTimeMillis
  return {
    id,
    ...(media_key === undefined ? {} : { media_key }),
    ...(expires_after_secs === undefined ? {} : { expires_at: Math.floor(now + expires_after_secs * 1000) })
  }
})

const uploaded = Effect.fnUntraced(function* ({ processing_info, ...data }: Uploaded) {
  const { check_after_secs = lookAgain, error = null, state = "succeeded" } = processing_info ?? {}
  if (state === "failed") {
    const reason = error?.message ?? error?.name
    return yield* new PublishError({
      class: "media_rejected",
      code: error?.name ?? "processing_failed",
      message: `X could not process the file${reason == null ? " and gave no reason" : `: "${reason}"`}. Encode it again, videos as MP4 with H.264 and AAC.`,
      discard_handle: true
    })
  }
  const ready = state === "succeeded"
  return {
    ...(yield* known(data)),
    whole: true,
    ready,
    ...(ready ? {} : { ask_after: Math.max(1, Math.ceil(check_after_secs)) })
  } satisfies TwitterFile
})

const isLong = ({ duration_ms }: PublishMedia) => (duration_ms ?? 0) > longestOfAll

const sourceOf = (item: PublishMedia): Effect.Effect<Source, PublishError> =>
  item.kind === "video"
    ? Effect.succeed({
        mime_type: item.mime_type,
        size_bytes: item.size_bytes,
        category: isLong(item) ? "amplify_video" : "tweet_video",
        part: (from, to) => item.part({ start: from, end: to - 1 })
      })
    : Effect.map(item.image, ({ bytes, mime_type }) => ({
        mime_type,
        size_bytes: bytes.length,
        category: mime_type === "image/gif" ? "tweet_gif" : "tweet_image",
        part: (from, to) => Stream.succeed(bytes.subarray(from, to))
      }))

/** A language in its own words. */
const nameOf = (lang: string) => new Intl.DisplayNames([lang, "en"], { type: "language" }).of(lang) ?? lang
