import { Effect, Schema } from "effect"
import { HttpBody } from "effect/http"
import { type FittedImage, PublishError, type PublishMedia } from "../Platform.ts"
import { shortAnswer, uploadTime } from "../PlatformHttp.ts"
import { refuseAsset, refuseUpload } from "./LinkedInErrors.ts"
import type { Upload } from "./LinkedInHandle.ts"
import type { LinkedInRest } from "./LinkedInRest.ts"

/** What its URN calls a file, by the path of the API. */
type Kind = "images" | "documents" | "videos"

const valueOf = <S extends Schema.Top>(value: S) => Schema.Struct({ value })
const Image = valueOf(Schema.Struct({ uploadUrl: Schema.String, image: Schema.String }))
const Document = valueOf(Schema.Struct({ uploadUrl: Schema.String, document: Schema.String }))
const Video = valueOf(
  Schema.Struct({
    video: Schema.String,
    uploadToken: Schema.String,
    uploadInstructions: Schema.Array(
      Schema.Struct({ uploadUrl: Schema.String, firstByte: Schema.Int, lastByte: Schema.Int })
    ),
    thumbnailUploadUrl: Schema.optionalKey(Schema.NullOr(Schema.String))
  })
)
/** 500 MB in ranges of 4 MiB, with an address of some kilobytes for each. */
const instructionsAnswer = 1024 * 1024

const Sent = Schema.Struct({ headers: Schema.Struct({ etag: Schema.String }) })
const State = Schema.Struct({ status: Schema.String })

/** Files go to addresses that LinkedIn gives for each; an owner is the account's URN. */
export const linkedInUploads = ({ call, rest }: LinkedInRest) => {
  const initialize = <S extends Schema.ConstraintDecoder<unknown>>(
    kind: Kind,
    bearer: string,
    request: Readonly<Record<string, unknown>>,
    answer: S
  ) =>
    rest({
      method: "POST",
      path: kind,
      query: { action: "initializeUpload" },
      bearer,
      json: { initializeUploadRequest: request },
      maxAnswerBytes: instructionsAnswer,
      answer
    })

  const put = <S extends Schema.ConstraintDecoder<unknown>>(
    url: string,
    body: HttpBody.HttpBody,
    bytes: number,
    answer: S,
    bearer?: string
  ) =>
    call({
      method: "PUT",
      url,
      ...(bearer === undefined ? {} : { bearer }),
      body,
      secrets: [url, ...new URL(url).searchParams.values()],
      timeout: uploadTime(bytes),
      format: "whole",
      maxAnswerBytes: shortAnswer,
      answer,
      refuse: refuseUpload
    })

  return {
    /** The URN of a picture that was sent. */
    image: Effect.fnUntraced(function* (
      owner: string,
      bearer: string,
      { bytes, mime_type }: Pick<FittedImage, "bytes" | "mime_type">
    ) {
      const { value } = yield* initialize("images", bearer, { owner }, Image)
      yield* put(value.uploadUrl, HttpBody.uint8Array(bytes, mime_type), bytes.length, Schema.Unknown, bearer)
      return value.image
    }),

    document: Effect.fnUntraced(function* (owner: string, bearer: string, media: PublishMedia) {
      const { value } = yield* initialize("documents", bearer, { owner }, Document)
      const { content, mime_type, size_bytes } = media
      const body = HttpBody.stream(content, mime_type, size_bytes)
      yield* put(value.uploadUrl, body, size_bytes, Schema.Unknown, bearer)
      return value.document
    }),

    /** A video of which nothing was sent. */
    beginVideo: Effect.fnUntraced(function* (
      owner: string,
      bearer: string,
      { size_bytes }: PublishMedia,
      uploadThumbnail: boolean
    ) {
      const { value } = yield* initialize(
        "videos",
        bearer,
        { owner, fileSizeBytes: size_bytes, uploadCaptions: false, uploadThumbnail },
        Video
      )
      const parts = value.uploadInstructions.map(({ firstByte, lastByte, uploadUrl }) => ({
        url: uploadUrl,
        first: firstByte,
        last: lastByte
      }))
      const follow = parts.every(
        ({ first, last }, index) => first === (index === 0 ? 0 : parts[index - 1]!.last + 1) && last >= first
      )
      if (!follow || parts.at(-1)?.last !== size_bytes - 1) return yield* rangesWrong
      const { thumbnailUploadUrl: thumbnail } = value
      const upload: Upload = {
        token: value.uploadToken,
        parts,
        ...(thumbnail == null ? {} : { thumbnail })
      }
      return { urn: value.video, upload }
    }),

    /** Sends one range of it; gives its ETag, as it came. */
    part: (media: PublishMedia, { first, last, url }: Upload["parts"][number]) => {
      const bytes = last + 1 - first
      const body = HttpBody.stream(media.part({ start: first, end: last }), "application/octet-stream", bytes)
      return Effect.map(put(url, body, bytes, Sent), ({ headers }) => headers.etag)
    },

    thumbnail: (url: string, { bytes, mime_type }: Pick<FittedImage, "bytes" | "mime_type">) =>
      put(url, HttpBody.uint8Array(bytes, mime_type), bytes.length, Schema.Unknown),

    finishVideo: (bearer: string, video: string, token: string, etags: ReadonlyArray<string>) =>
      rest({
        method: "POST",
        path: "videos",
        query: { action: "finalizeUpload" },
        bearer,
        json: { finalizeUploadRequest: { video, uploadToken: token, uploadedPartIds: etags } },
        secrets: [token],
        format: "text",
        answer: Schema.String,
        refuse: refuseAsset
      }),

    /** `WAITING_UPLOAD`, `PROCESSING`, `AVAILABLE` or `PROCESSING_FAILED`. */
    state: (bearer: string, kind: Kind, urn: string) =>
      Effect.map(
        rest({
          method: "GET",
          path: `${kind}/${encodeURIComponent(urn)}`,
          bearer,
          answer: State,
          refuse: refuseAsset
        }),
        ({ status }) => status
      )
  }
}

const rangesWrong = new PublishError({
  class: "transient",
  code: "upload_ranges",
  message:
    "LinkedIn asked for ranges of the video that do not make up the whole file. Carillon will start the upload again."
})
