import { Option, Schema } from "effect"
import { refusedByStatus, type Refusal, type Refused } from "../PlatformHttp.ts"

const ApiError = Schema.Struct({
  error: Schema.Struct({
    message: Schema.optionalKey(Schema.String),
    errors: Schema.optionalKey(Schema.Array(Schema.Struct({ reason: Schema.String })))
  })
})

const decodeApiError = Schema.decodeUnknownOption(ApiError)

/** https://developers.google.com/youtube/v3/docs/errors. An error that is not named here goes by its status. */
export const refuseApi = ({ status, body }: Refusal): Refused => {
  const { code, message } = Option.match(decodeApiError(body), {
    onNone: () => ({ code: `http_${status}`, message: "" }),
    onSome: ({ error }) => ({
      code: error.errors?.[0]?.reason ?? `http_${status}`,
      message: error.message ?? ""
    })
  })
  const as = (errorClass: Refused["class"], sentence: string): Refused => ({
    class: errorClass,
    code,
    message: message === "" ? sentence : `${sentence} YouTube says "${message}"`
  })
  switch (code) {
    case "quotaExceeded":
    case "dailyLimitExceeded":
      return as("quota_exhausted", "The Google project has used up its quota for today.")
    case "uploadLimitExceeded":
      return as("quota_exhausted", "The channel has reached YouTube's upload limit for now.")
    case "rateLimitExceeded":
    case "userRateLimitExceeded":
      return as("rate_limited", "YouTube is rate limiting requests.")
    case "youtubeSignupRequired":
      return as("forbidden", "The Google account has no YouTube channel. Create one and connect again.")
    case "commentsDisabled":
      return as("forbidden", "The video takes no comments.")
    case "ineligibleAccount":
      return as("forbidden", "The channel's account has to be merged with its Google account to comment.")
    case "insufficientPermissions":
    case "ACCESS_TOKEN_SCOPE_INSUFFICIENT":
      return as("reconnect", "A permission was not granted. Connect the account again and allow everything.")
    case "invalidTitle":
    case "invalidDescription":
    case "invalidTags":
    case "invalidCategoryId":
    case "invalidPublishAt":
    case "invalidVideoMetadata":
      return as("invalid", `YouTube rejected the video's ${meaning[code]}. Change it.`)
    default:
      if (status === 401) {
        return { ...as("reconnect", "The account's authorization has expired."), token_expired: true }
      }
      return refusedByStatus("YouTube", status, message === "" ? undefined : { code, message })
  }
}

const meaning: Readonly<Record<string, string>> = {
  invalidTitle: "title",
  invalidDescription: "description",
  invalidTags: "tags",
  invalidCategoryId: "category",
  invalidPublishAt: "time of publication",
  invalidVideoMetadata: "metadata"
}

/** A session that is gone has made no video. */
export const refuseUpload = (refusal: Refusal): Refused =>
  refusal.status === 404 || refusal.status === 410
    ? beginsAnew(sessionGone, "YouTube no longer has the upload and did not create a video")
    : refuseApi(refusal)

/** A chunk that does not fit the bytes so far, with the last byte still to come. */
export const refuseChunk = (refusal: Refusal): Refused =>
  refusal.status === 400 || refusal.status === 416
    ? beginsAnew("upload_out_of_step", "YouTube rejected the next part of the upload")
    : refuseUpload(refusal)

const beginsAnew = (code: string, what: string): Refused => ({
  class: "transient",
  code,
  message: `${what}. Carillon will start the upload again.`,
  discard_handle: true
})

export const sessionGone = "upload_session_gone"
