import { Duration, Effect, Schema } from "effect"
import { HttpBody } from "effect/http"
import { PublishError, type PublishMedia } from "../Platform.ts"
import type { PlatformHttp } from "../PlatformHttp.ts"
import { refuseChunk, refuseUpload } from "./YouTubeErrors.ts"

export const Video = Schema.Struct({
  id: Schema.String,
  status: Schema.optionalKey(
    Schema.Struct({
      uploadStatus: Schema.optionalKey(Schema.String),
      privacyStatus: Schema.optionalKey(Schema.String),
      failureReason: Schema.optionalKey(Schema.String),
      rejectionReason: Schema.optionalKey(Schema.String)
    })
  )
})
export interface Video extends Schema.Schema.Type<typeof Video> {}

const UploadAnswer = Schema.Struct({
  status: Schema.Finite,
  headers: Schema.Struct({ range: Schema.optional(Schema.String) }),
  body: Schema.Unknown
})
const decodeVideo = Schema.decodeUnknownEffect(Video)

/** The progress of an upload: the bytes so far, or its video. */
export type Progress =
  | { readonly _tag: "received"; readonly bytes: number }
  | { readonly _tag: "created"; readonly video: Video }

/** A video with a description of 5,000 bytes, which may occur twice, with each byte written as six. */
const videoAnswer = 256 * 1024

/** Chunks are whole multiples of it, but the last. */
const block = 256 * 1024
const chunkBytes = 32 * block

/** The slowest line that a chunk allows for. */
const minimumBytesPerSecond = 64 * 1024

/**
 * Where the last chunk begins. The last byte makes the video, so at least one byte has to wait for the due time; at most
 * one block does, so that hardly anything is left to send then.
 */
export const heldBackFrom = (size: number): number => Math.floor((size - 1) / block) * block

/** The first and last byte of the chunk after so many bytes. It ends at the start of the last chunk, at the latest. */
export const nextChunk = (from: number, size: number) => ({
  start: from,
  end: Math.min(from + chunkBytes, heldBackFrom(size)) - 1
})

export const lastChunk = (size: number) => ({ start: heldBackFrom(size), end: size - 1 })

/**
 * https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol. The session's address is
 * enough to upload, so it is a secret.
 */
export const resumableUpload = (call: PlatformHttp) => {
  const put = Effect.fnUntraced(function* (request: {
    readonly session: string
    readonly bearer: string
    readonly range: string
    readonly body: HttpBody.HttpBody
    readonly bytes: number
    readonly commit: boolean
  }) {
    const { session, bearer, range, body, bytes, commit } = request
    const { status, headers, ...answer } = yield* call({
      method: "PUT",
      url: session,
      bearer,
      headers: { "content-range": `bytes ${range}` },
      body,
      secrets: [session],
      commit,
      timeout: Duration.seconds(30 + bytes / minimumBytesPerSecond),
      format: "whole",
      also: [308],
      maxAnswerBytes: videoAnswer,
      answer: UploadAnswer,
      // An upload whose video may exist is never started again.
      refuse: commit ? refuseUpload : refuseChunk
    })
    if (status === 308) {
      const last = /^bytes=0-(\d+)$/.exec(headers.range ?? "")?.[1]
      return { _tag: "received", bytes: last === undefined ? 0 : Number(last) + 1 } satisfies Progress
    }
    const video = yield* decodeVideo(answer.body).pipe(
      Effect.mapError(
        () =>
          new PublishError({
            class: commit ? "ambiguous" : "transient",
            code: "unreadable_answer",
            message: `YouTube answered ${status} with an unreadable body.`
          })
      )
    )
    return { _tag: "created", video } satisfies Progress
  })

  return {
    /** The upload's progress. Fails with `upload_session_gone` when YouTube does not know it any more. */
    probe: (session: string, bearer: string, size: number): Effect.Effect<Progress, PublishError> =>
      put({ session, bearer, range: `*/${size}`, body: HttpBody.empty, bytes: 0, commit: false }),

    send: (
      session: string,
      bearer: string,
      media: PublishMedia,
      chunk: { readonly start: number; readonly end: number },
      commit: boolean
    ): Effect.Effect<Progress, PublishError> => {
      const bytes = chunk.end - chunk.start + 1
      return put({
        session,
        bearer,
        range: `${chunk.start}-${chunk.end}/${media.size_bytes}`,
        body: HttpBody.stream(media.part(chunk), media.mime_type, bytes),
        bytes,
        commit
      })
    }
  }
}
