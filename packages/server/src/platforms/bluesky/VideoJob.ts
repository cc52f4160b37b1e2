import { Duration, Effect, Option, Schema } from "effect"
import { PublishError } from "../Platform.ts"
import { type Refusal, type Refused, refusedByStatus } from "../PlatformHttp.ts"
import { Blob, type UploadedVideo } from "./BlueskyHandle.ts"

export const Job = Schema.Struct({
  /** Left out where the service names the earlier upload of a video by its blob alone. */
  jobId: Schema.optionalKey(Schema.String),
  state: Schema.optionalKey(Schema.String),
  blob: Schema.optionalKey(Blob),
  failureCode: Schema.optionalKey(Schema.String),
  error: Schema.optionalKey(Schema.String),
  message: Schema.optionalKey(Schema.String)
})
export type Job = typeof Job.Type
/** The lexicons wrap a job, the service does not always. */
export const JobAnswer = Schema.Union([Schema.Struct({ jobStatus: Job }), Job])
export const jobOf = (answer: typeof JobAnswer.Type): Job =>
  "jobStatus" in answer ? answer.jobStatus : answer
const ServiceError = Schema.Struct({ error: Schema.String, message: Schema.optionalKey(Schema.String) })
const decodeServiceError = Schema.decodeUnknownOption(ServiceError)

/** How long an upload may take, and how long its token is good for. */
export const uploadTime = Duration.minutes(30)
export const startAgain = {
  class: "transient",
  message: "Bluesky's video service could not process the video. Carillon will send it again.",
  discard_handle: true
} as const

/** A job with a blob is done whatever else it says; one with an unknown state is under way. */
export const stateOf = ({
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

/** The service's own words. */
export const serviceError = ({ body }: Pick<Refusal, "body">) =>
  Option.map(decodeServiceError(body), ({ error: code, message = code }) => ({ code, message }))

/** Its tokens are made for the call, so that a refusal of one says nothing about the account's own. */
export const refuseVideo = ({ body, status }: Refusal): Refused => {
  const refused = refusedByStatus(
    "Bluesky's video service",
    status,
    Option.getOrUndefined(serviceError({ body }))
  )
  switch (refused.class) {
    case "reconnect":
      return { ...refused, class: "forbidden" }
    case "invalid":
      return { ...refused, class: "media_rejected" }
    default:
      return refused
  }
}
