import { Schema } from "effect"

/** The platforms that the test network stands in for. */
export const PlatformId = Schema.Literals([
  "sandbox",
  "tiktok",
  "instagram",
  "youtube",
  "pinterest",
  "telegram",
  "discord",
  "mastodon",
  "bluesky",
  "twitter",
  "linkedin",
  "google_business",
  "threads",
  "facebook"
])
export type PlatformId = typeof PlatformId.Type

/** The calls of a platform that can be scripted. */
export const Operation = Schema.Literals([
  "register",
  "session",
  "revoke",
  "account",
  "boards",
  "creator_info",
  "upload_start",
  "upload_end",
  "media",
  "media_status",
  "post",
  "post_status",
  "post_search",
  "thumbnail",
  "playlist",
  "upload",
  "metadata",
  "subtitles",
  "publishing_limit",
  "comment",
  "pin",
  "comment_search",
  "audio"
])
export type Operation = typeof Operation.Type
