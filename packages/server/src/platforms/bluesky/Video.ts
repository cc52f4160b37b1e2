import { Clock, Duration, Effect, Option, Schema } from "effect"
import { HttpBody } from "effect/http"
import { PublishError, type PublishMedia } from "../Platform.ts"
import {
  type PlatformHttp,
  type Refusal,
  type Refused,
  refusedByStatus,
  shortAnswer
} from "../PlatformHttp.ts"
import { isTestServer } from "../TestNetwork.ts"
import type { AccountServers, VideoOptions } from "./AccountServer.ts"
import { refuse } from "./BlueskyErrors.ts"
import { Blob, type UploadedVideo } from "./BlueskyHandle.ts"
import type { repository } from "./Repository.ts"
import type { BlueskyCredentials } from "./Sessions.ts"

const UploadLimits = Schema.Struct({
  canUpload: Schema.Boolean,
  remainingDailyVideos: Schema.optionalKey(Schema.Finite),
  remainingDailyBytes: Schema.optionalKey(Schema.Finite),
  message: Schema.optionalKey(Schema.String)
})
const Job = Schema.Struct({
  /** Left out where the service names the earlier upload of a video by its blob alone. */
  jobId: Schema.optionalKey(Schema.String),
  state: Schema.optionalKey(Schema.String),
  blob: Schema.optionalKey(Blob),
  failureCode: Schema.optionalKey(Schema.String),
  error: Schema.optionalKey(Schema.String),
  message: Schema.optionalKey(Schema.String)
})
type Job = typeof Job.Type
/** The lexicons wrap a job, the service does not always. */
const JobAnswer = Schema.Union([Schema.Struct({ jobStatus: Job }), Job])
const jobOf = (answer: typeof JobAnswer.Type): Job => ("jobStatus" in answer ? answer.jobStatus : answer)
const ServiceToken = Schema.Struct({ token: Schema.String })
const ServiceError = Schema.Struct({ error: Schema.String, message: Schema.optionalKey(Schema.String) })
const decodeServiceError = Schema.decodeUnknownOption(ServiceError)

/** How long an upload may take, and how long its token is good for. */
const uploadTime = Duration.minutes(30)
/** The video service of the test network's accounts. */
const testService = "https://video.bsky.sandbox"
/** Between two looks at a job. */
export const lookAgain = Duration.seconds(3)

/** For the person who reads the result. */
export const sentAsItIs =
  "The video was sent as it is, because Bluesky's video service does not reach the account's server. Apps show nothing in its " +
  "place until something converts it."

/**
 * Videos go through the video service (https://docs.bsky.app/docs/tutorials/video): it takes the file, makes it fit for every
 * device and writes the result to the account's server. A server that it cannot reach, because it is in a private network,
 * gets the file as it is.
 */
export const videos = (
  /** Calls of the account's server, whose address is a stranger's, and of the service, whose address is the operator's. */
  { server, service }: { readonly server: PlatformHttp; readonly service: PlatformHttp },
  { uploadBlob }: Pick<ReturnType<typeof repository>, "uploadBlob">,
  { didOf, isReached }: AccountServers,
  { video_service }: VideoOptions
) => {
  const serviceOf = ({ service: pds }: BlueskyCredentials) =>
    isTestServer(pds) ? testService : video_service

  const tokenFor = (
    { service: url, accessJwt }: BlueskyCredentials,
    query: { readonly aud: string; readonly lxm: string; readonly exp?: string }
  ) =>
    server({
      method: "GET",
      url: `${url}/xrpc/com.atproto.server.getServiceAuth`,
      query,
      bearer: accessJwt,
      maxAnswerBytes: shortAnswer,
      answer: ServiceToken,
      refuse
    }).pipe(Effect.map(({ token }) => token))

  /** Looks at what the account may upload, before a byte is sent. */
  const allowed = Effect.fnUntraced(function* (credentials: BlueskyCredentials, size: number) {
    const lxm = "app.bsky.video.getUploadLimits"
    const url = serviceOf(credentials)
    const aud = `did:web:${new URL(url).host.replace(":", "%3A")}`
    const bearer = yield* tokenFor(credentials, { aud, lxm })
    const limits = yield* service({
      method: "GET",
      url: `${url}/xrpc/${lxm}`,
      bearer,
      maxAnswerBytes: shortAnswer,
      answer: UploadLimits,
      refuse: refuseVideo
    })
    const { canUpload, message = "", remainingDailyBytes = size, remainingDailyVideos = 1 } = limits
    if (remainingDailyVideos < 1 || remainingDailyBytes < size) {
      return yield* new PublishError({
        class: "quota_exhausted",
        code: "video_limit",
        message: `Bluesky does not accept another video of this size from the account today. Carillon will try again.`
      })
    }
    if (!canUpload) {
      return yield* new PublishError({
        class: "forbidden",
        code: "video_not_allowed",
        message:
          `Bluesky does not accept videos from the account${message === "" ? "" : `: "${message}"`}. Check that ` +
          "the account's e-mail address is confirmed, at bsky.app under Settings, Account."
      })
    }
  })

  const upload = Effect.fnUntraced(function* (credentials: BlueskyCredentials, media: PublishMedia) {
    yield* allowed(credentials, media.size_bytes)
    const aud = yield* didOf(credentials)
    const now = yield* Clock.currentTimeMillis
    const bearer = yield* tokenFor(credentials, {
      aud,
      lxm: "com.atproto.repo.uploadBlob",
      exp: String(Math.floor((now + Duration.toMillis(uploadTime)) / 1000))
    })
    const answer = yield* service({
      method: "POST",
      url: `${serviceOf(credentials)}/xrpc/app.bsky.video.uploadVideo`,
      query: { did: credentials.did, name: media.name },
      bearer,
      body: fileOf(media),
      timeout: uploadTime,
      maxAnswerBytes: shortAnswer,
      // already_exists: the job of the earlier upload.
      also: [409],
      answer: JobAnswer,
      refuse: refuseVideo
    })
    return yield* stateOf(jobOf(answer))
  })

  return {
    /** Sends the file. */
    start: (
      credentials: BlueskyCredentials,
      media: PublishMedia
    ): Effect.Effect<UploadedVideo, PublishError> =>
      isReached(credentials)
        ? upload(credentials, media)
        : Effect.map(uploadBlob(credentials, fileOf(media), uploadTime), (blob) => ({
            blob,
            as_it_is: true
          })),

    /** Looks whether it has been made ready. */
    look: (credentials: BlueskyCredentials, job: string): Effect.Effect<UploadedVideo, PublishError> =>
      service({
        method: "GET",
        url: `${serviceOf(credentials)}/xrpc/app.bsky.video.getJobStatus`,
        query: { jobId: job },
        maxAnswerBytes: shortAnswer,
        answer: JobAnswer,
        refuse: (refusal) =>
          refusal.status === 400 || refusal.status === 404
            ? { ...startAgain, code: "video_job_lost" }
            : refuseVideo(refusal)
      }).pipe(Effect.flatMap((answer) => stateOf(jobOf(answer))))
  }
}

const fileOf = (media: PublishMedia) => HttpBody.stream(media.content, media.mime_type, media.size_bytes)

const startAgain = {
  class: "transient",
  message: "Bluesky's video service could not process the video. Carillon will send it again.",
  discard_handle: true
} as const

/** A job with a blob is done whatever else it says; one with an unknown state is under way. */
const stateOf = ({
  blob,
  error,
  failureCode,
  jobId,
  message,
  state
}: Job): Effect.Effect<UploadedVideo, PublishError> => {
  if (blob !== undefined) return Effect.succeed({ blob })
  if (state === "JOB_STATE_COMPLETED")
    return Effect.fail(new PublishError({ ...startAgain, code: "video_without_blob" }))
  if (state !== "JOB_STATE_FAILED") {
    return jobId === undefined
      ? Effect.fail(new PublishError({ ...startAgain, code: "video_without_job" }))
      : Effect.succeed({ job: jobId })
  }
  const said = message ?? error
  switch (failureCode) {
    case "validation_failure":
    case "encoding_failure":
    case "pds_upload_unsupported_blob_size":
      return Effect.fail(
        new PublishError({
          class: "media_rejected",
          code: failureCode,
          message:
            `Bluesky rejected the video${said === undefined ? "" : `: "${said}"`}. ` +
            (failureCode === "pds_upload_unsupported_blob_size"
              ? "The account's server does not accept a file of this size. Use a shorter video."
              : "Use an MP4 video with H.264 and AAC.")
        })
      )
    default:
      return Effect.fail(new PublishError({ ...startAgain, code: failureCode ?? "video_failed" }))
  }
}

/** Its tokens are made for the call, so that a refusal of one says nothing about the account's own. */
const refuseVideo = ({ body, status }: Refusal): Refused => {
  const said = Option.map(decodeServiceError(body), ({ error: code, message = code }) => ({ code, message }))
  const refused = refusedByStatus("Bluesky's video service", status, Option.getOrUndefined(said))
  switch (refused.class) {
    case "reconnect":
      return { ...refused, class: "forbidden" }
    case "invalid":
      return { ...refused, class: "media_rejected" }
    default:
      return refused
  }
}
