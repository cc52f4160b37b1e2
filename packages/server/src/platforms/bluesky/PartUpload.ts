import { Effect, Option, Schema } from "effect"
import { HttpBody } from "effect/http"
import { PublishError, type PublishMedia } from "../Platform.ts"
import { type PlatformHttp, type Refusal, type Refused, shortAnswer, uploadTime } from "../PlatformHttp.ts"
import type { UploadedVideo } from "./BlueskyHandle.ts"
import type { BlueskyCredentials } from "./BlueskyCredentials.ts"
import { Job, refuseVideo, serviceError, startAgain, stateOf } from "./VideoJob.ts"

/**
 * The lexicons `app.bsky.video.*` of 12 August 2026, which do not say what token the calls take: other clients use the one of
 * `uploadVideo`. So a service that does not let it in counts as one without uploads in parts.
 */
const notOffered = [401, 404, 405, 501]

const Id = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(256))
const positive = Schema.Int.check(Schema.isGreaterThan(0))
const plan = {
  jobId: Id,
  partSizeBytes: positive,
  partCount: positive.check(Schema.isLessThanOrEqualTo(10_000))
}
const Started = Schema.Struct({ status: Schema.Literal(200), body: Schema.Struct(plan) })
const NotOffered = Schema.Struct({ status: Schema.Literals(notOffered) })
const Status = Schema.Struct({
  ...plan,
  receivedParts: Schema.Array(Schema.Int),
  state: Schema.String,
  completedJobId: Schema.optionalKey(Id),
  jobStatus: Schema.optionalKey(Job),
  failureReason: Schema.optionalKey(Schema.String)
})
const Finished = Schema.Struct({ completedJobId: Id, jobStatus: Job })

type Plan = Omit<typeof Started.Type.body, "jobId">

/** A token of which enough is left at each use. */
export type Bearer = Effect.Effect<string, PublishError>

/** A video in parts: each is sent once, and after a cut or a crash what the service does not have yet. */
export const partUpload = (service: PlatformHttp, serviceOf: (credentials: BlueskyCredentials) => string) => {
  const at = (credentials: BlueskyCredentials, method: string) =>
    `${serviceOf(credentials)}/xrpc/app.bsky.video.${method}`

  const sendParts = Effect.fnUntraced(function* (
    bearer: Bearer,
    credentials: BlueskyCredentials,
    media: PublishMedia,
    id: string,
    { partCount, partSizeBytes }: Plan,
    received: ReadonlyArray<number>
  ) {
    if (partCount !== Math.ceil(media.size_bytes / partSizeBytes))
      return yield* new PublishError({ ...startAgain, code: "video_parts" })
    for (let number = 1; number <= partCount; number++) {
      if (received.includes(number)) continue
      const start = (number - 1) * partSizeBytes
      const size = Math.min(partSizeBytes, media.size_bytes - start)
      const body = media.part({ start, end: start + size - 1 })
      yield* service({
        method: "POST",
        url: at(credentials, "uploadPart"),
        query: { jobId: id, partNumber: String(number) },
        bearer: yield* bearer,
        body: HttpBody.stream(body, "application/octet-stream", size),
        timeout: uploadTime(size),
        maxAnswerBytes: shortAnswer,
        answer: Schema.Unknown,
        refuse: refuseUpload
      }).pipe(Effect.catchIf(isCode("UploadAlreadyCompleted"), () => Effect.void))
    }
  })

  const finish = (bearer: Bearer, credentials: BlueskyCredentials, id: string) =>
    Effect.flatMap(bearer, (token) =>
      service({
        method: "POST",
        url: at(credentials, "finishUpload"),
        bearer: token,
        body: HttpBody.jsonUnsafe({ jobId: id }),
        timeout: "2 minutes",
        maxAnswerBytes: shortAnswer,
        answer: Finished,
        refuse: refuseUpload
      })
    ).pipe(
      Effect.flatMap(({ completedJobId, jobStatus }) => stateOf({ ...jobStatus, jobId: completedJobId })),
      Effect.catchIf(isCode("UploadNotReady"), () => Effect.succeed<UploadedVideo>({ upload: id }))
    )

  return {
    /** Undefined where the service has no uploads in parts. `keep` stores the upload before a part is sent. */
    start: Effect.fn("Bluesky.startUpload")(function* (
      bearer: Bearer,
      credentials: BlueskyCredentials,
      media: PublishMedia,
      keep: (video: UploadedVideo) => Effect.Effect<void, PublishError>
    ): Effect.fn.Return<UploadedVideo | undefined, PublishError> {
      const { duration_ms: durationMs, height, width } = media
      const started = yield* service({
        method: "POST",
        url: at(credentials, "startUpload"),
        bearer: yield* bearer,
        body: HttpBody.jsonUnsafe({
          sizeBytes: media.size_bytes,
          mimeType: media.mime_type,
          name: [...media.name].slice(0, 100).join(""),
          ...(durationMs === null ? {} : { durationMs }),
          ...(width === null || height === null ? {} : { width, height })
        }),
        maxAnswerBytes: shortAnswer,
        format: "whole",
        also: notOffered,
        answer: Schema.Union([Started, NotOffered]),
        refuse: refuseUpload
      })
      if (!("body" in started)) return undefined
      const { jobId, ...parts } = started.body
      yield* keep({ upload: jobId })
      yield* sendParts(bearer, credentials, media, jobId, parts, [])
      return yield* finish(bearer, credentials, jobId)
    }),

    /** Goes on with an upload from what the service has of it. */
    resume: Effect.fn("Bluesky.resumeUpload")(function* (
      bearer: Bearer,
      credentials: BlueskyCredentials,
      media: PublishMedia,
      id: string
    ): Effect.fn.Return<UploadedVideo, PublishError> {
      const { completedJobId, failureReason, jobStatus, receivedParts, state, ...parts } = yield* service({
        method: "GET",
        url: at(credentials, "getUploadStatus"),
        query: { jobId: id },
        bearer: yield* bearer,
        maxAnswerBytes: shortAnswer,
        answer: Status,
        refuse: refuseUpload
      })
      switch (state) {
        case "created":
          yield* sendParts(bearer, credentials, media, id, parts, receivedParts)
          return yield* finish(bearer, credentials, id)
        case "completed":
          return jobStatus === undefined
            ? { job: completedJobId ?? id }
            : yield* stateOf({ ...jobStatus, jobId: completedJobId ?? jobStatus.jobId ?? id })
        case "failed":
        case "aborted":
        case "expired":
          return yield* new PublishError({
            ...startAgain,
            code: "video_upload_lost",
            ...(failureReason === undefined ? {} : { platform_response: failureReason.slice(0, 500) })
          })
        default:
          return { upload: id }
      }
    })
  }
}

const isCode = (code: string) => (failure: PublishError) => failure.code === code

const tooMuch = (message: string): Omit<Refused, "code"> => ({ class: "quota_exhausted", message })
const later = {
  class: "transient",
  message: "Bluesky's video service is busy. Carillon will try again."
} as const

/** The errors of the lexicons by name; `startUpload` has the upper ones. */
const known: Readonly<Record<string, Omit<Refused, "code"> | undefined>> = {
  DailyLimitExceeded: tooMuch(
    "Bluesky does not accept another video of this size from the account today. Carillon will try again."
  ),
  TooManyOpenUploads: tooMuch(
    "The account has as many unfinished uploads of videos as Bluesky allows. Carillon will try again."
  ),
  UploadForbidden: {
    class: "forbidden",
    message:
      "Bluesky does not accept videos from the account. Check that the account's e-mail address is confirmed, at bsky.app " +
      "under Settings, Account."
  },
  ServiceOverloaded: later,
  UploadNotReady: later,
  MissingParts: later,
  UploadNotFound: startAgain,
  UploadExpired: startAgain,
  UploadFailed: startAgain,
  UploadAborted: startAgain,
  InvalidPartNumber: startAgain,
  PartSizeMismatch: startAgain
}

const refuseUpload = (refusal: Refusal): Refused => {
  const code = Option.getOrUndefined(serviceError(refusal))?.code ?? ""
  const refused = Object.hasOwn(known, code) ? known[code] : undefined
  return refused === undefined ? refuseVideo(refusal) : { code, ...refused }
}
