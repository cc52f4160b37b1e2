import { Option, Schema } from "effect"
import { PublishError } from "../Platform.ts"
import { type Refusal, refusedByStatus, type Refused } from "../PlatformHttp.ts"

const name = "TikTok"

/** The body of a refusal: of the API, whose status may be 200, or of the token endpoint (RFC 6749). */
const Said = Schema.Union([
  Schema.Struct({
    error: Schema.Struct({ code: Schema.String, message: Schema.optionalKey(Schema.String) })
  }),
  Schema.Struct({ error: Schema.String, error_description: Schema.optionalKey(Schema.String) })
])
const decodeSaid = Schema.decodeUnknownOption(Said)

export const refuse = ({ status, body }: Refusal): Refused =>
  Option.match(decodeSaid(body), {
    onNone: () => refusedByStatus(name, status),
    onSome: (said) =>
      typeof said.error === "string"
        ? refusedToken(status, said.error, "error_description" in said ? said.error_description : undefined)
        : refusedCode(said.error.code, said.error.message ?? "", status)
  })

/** The code of an init that is refused for the size of its chunks; TikTok says so in words only. */
export const chunksRefused = "chunk_size_invalid"

const refusedCode = (code: string, message: string, status: number): Refused => {
  const as = (errorClass: Refused["class"], advice: string): Refused => ({
    class: errorClass,
    code,
    message: advice
  })
  switch (code) {
    case "invalid_params":
      if (/chunk.?size/i.test(message)) {
        return {
          class: "invalid",
          code: chunksRefused,
          message: `TikTok does not take the chunks that this video would be sent in and says "${message}". Send a smaller file.`
        }
      }
      break
    case "access_token_invalid":
      return {
        ...as("reconnect", "TikTok no longer accepts the account's token. Connect the account again."),
        token_expired: true
      }
    case "scope_not_authorized":
    case "scope_permission_missed":
      return as(
        "reconnect",
        "The account has not allowed what this post needs. Connect it again and leave everything ticked."
      )
    case "rate_limit_exceeded":
      return as("rate_limited", "TikTok wants fewer requests for a minute. It will be tried again.")
    case "spam_risk_too_many_posts":
      return as(
        "quota_exhausted",
        "TikTok takes no more posts of this account today; it counts those of all apps. It will be tried again."
      )
    case "spam_risk_too_many_pending_share":
      return as(
        "quota_exhausted",
        "The account has five drafts in its inbox that are not finished. Post or delete them in the app; it will be tried again."
      )
    case "reached_active_user_cap":
      return as(
        "quota_exhausted",
        "The operator's app has reached the number of accounts that may post in a day. It will be tried again; drafts are exempt."
      )
    case "spam_risk_user_banned_from_posting":
      return as("forbidden", "TikTok has banned this account from posting. Look at it in the app.")
    case "spam_risk":
    case "spam_risk_text":
      return as(
        "forbidden",
        "TikTok takes this for spam. Look at the account in the app, and change the post."
      )
    case "unaudited_client_can_only_post_to_private_accounts":
      return as(
        "config",
        'Until TikTok has audited the operator\'s app it posts only with privacy_level "SELF_ONLY" and only to private accounts; or use draft: true.'
      )
    case "url_ownership_unverified":
      return as(
        "config",
        "TikTok fetches photos only from addresses that the operator has verified in the app's settings; see docs/platforms/tiktok.md."
      )
    case "privacy_level_option_mismatch":
      return as("invalid", "TikTok does not offer this privacy_level to the account. Choose another one.")
    case "app_version_check_failed":
      return as(
        "invalid",
        "For draft photos the account's TikTok app must be version 31.8 or newer. Update the app."
      )
  }
  return refusedByStatus(name, status < 400 ? 400 : status, { code, message })
}

const refusedToken = (status: number, code: string, description = ""): Refused => {
  switch (code) {
    case "invalid_grant":
      return {
        class: "reconnect",
        code,
        message:
          "TikTok no longer accepts the sign-in; it was withdrawn or has expired. Connect the account again."
      }
    case "invalid_client":
      return {
        class: "config",
        code,
        message: "TikTok does not know the operator's app; check its client key and secret."
      }
    default:
      return refusedByStatus(name, status < 400 ? 400 : status, { code, message: description })
  }
}

const rejectedFile: Readonly<Record<string, string>> = {
  file_format_check_failed: "TikTok cannot read the file. Encode it anew: H.264 in MP4, photos as JPEG.",
  duration_check_failed: "The video is too short or too long for this account. Cut it.",
  frame_rate_check_failed: "TikTok takes 23 to 60 frames per second. Encode the video anew.",
  picture_size_check_failed: "TikTok takes sides of 360 to 4096 pixels, and no extreme shapes. Scale it."
}

/** The meaning of a status's `fail_reason`. Nothing was published; a new try starts again. */
export const failed = (reason: string): PublishError => {
  const as = (errorClass: PublishError["class"], message: string) =>
    new PublishError({ class: errorClass, code: reason, message, discard_handle: true })
  const rejected = rejectedFile[reason]
  if (rejected !== undefined) return as("media_rejected", rejected)
  switch (reason) {
    case "video_pull_failed":
    case "photo_pull_failed":
      return as(
        "media_unreachable",
        "TikTok could not fetch the media from this service. The operator should check that PUBLIC_URL is reachable."
      )
    case "internal":
      return as("transient", "TikTok failed while it worked on the post. It will be sent again.")
    case "auth_removed":
      return as("reconnect", "The account has withdrawn its permission meanwhile. Connect it again.")
    case "publish_cancelled":
      return as("forbidden", "The post was cancelled at TikTok.")
    default: {
      const { class: errorClass, message } = refusedCode(reason, "", 400)
      return as(errorClass, message)
    }
  }
}
