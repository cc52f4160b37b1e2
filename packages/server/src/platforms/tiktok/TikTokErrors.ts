import { tiktokVideo } from "@carillon/domain"
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
          message: `TikTok rejected the chunk size of this video: "${message}". Send a smaller file.`
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
        "The account has not granted a permission that this post needs. Connect it again and leave every permission selected."
      )
    case "rate_limit_exceeded":
      return as("rate_limited", "TikTok is rate limiting requests for one minute. Carillon will try again.")
    case "spam_risk_too_many_posts":
      return as(
        "quota_exhausted",
        "TikTok accepts no more posts from this account today; it counts the posts of all apps. Carillon will try again."
      )
    case "spam_risk_too_many_pending_share":
      return as(
        "quota_exhausted",
        "The account has five unfinished drafts in its inbox. Post or delete them in the app; Carillon will try again."
      )
    case "reached_active_user_cap":
      return as(
        "quota_exhausted",
        "The operator's app has reached its limit of accounts that can post in a day. Carillon will try again; drafts are exempt."
      )
    case "spam_risk_user_banned_from_posting":
      return as("forbidden", "TikTok has banned this account from posting. Check the account in the app.")
    case "spam_risk":
    case "spam_risk_text":
      return as(
        "forbidden",
        "TikTok considers this post spam. Check the account in the app, and change the post."
      )
    case "unaudited_client_can_only_post_to_private_accounts":
      return as(
        "config",
        'Until TikTok has audited the operator\'s app, the app can post only with privacy_level "SELF_ONLY" and only to private accounts. Use these, or draft: true.'
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
        "Draft photos need version 31.8 or newer of the account's TikTok app. Update the app."
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
          "TikTok no longer accepts the authorization: it was revoked or has expired. Connect the account again."
      }
    case "invalid_client":
      return {
        class: "config",
        code,
        message: "TikTok does not know the operator's app. Check its client key and secret."
      }
    default:
      return refusedByStatus(name, status < 400 ? 400 : status, { code, message: description })
  }
}

const { max_fps, max_width, min_fps, min_width } = tiktokVideo.videos

const rejectedFile: Readonly<Record<string, string>> = {
  file_format_check_failed:
    "TikTok cannot read the file. Encode it again: videos as MP4 with H.264, photos as JPEG.",
  duration_check_failed: "The video is too short or too long for this account. Change its length.",
  frame_rate_check_failed: `TikTok accepts ${min_fps} to ${max_fps} frames per second. Encode the video again.`,
  picture_size_check_failed: `TikTok accepts a width and height of ${min_width} to ${max_width} pixels and no extreme aspect ratios. Resize it.`
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
      return as("transient", "TikTok failed while it processed the post. Carillon will send it again.")
    case "auth_removed":
      return as("reconnect", "The account has since revoked its permission. Connect it again.")
    case "publish_cancelled":
      return as("forbidden", "The post was canceled on TikTok.")
    default: {
      const { class: errorClass, message } = refusedCode(reason, "", 400)
      return as(errorClass, message)
    }
  }
}
