import type { Media, Post, PostResult, ProblemItem, SocialAccount } from "@carillon/sdk"

export const postId = "019a9d3c-0000-7000-8000-000000000001"
export const mediaId = "019a9d3c-0000-7000-8000-000000000002"
export const resultId = "019a9d3c-0000-7000-8000-000000000003"
const at = "2026-11-21T09:00:00.000Z"

export const media: Media = {
  id: mediaId,
  media_id: mediaId,
  name: "a.png",
  alt_text: null,
  kind: "image",
  importing: false,
  frame_rate: null,
  frames: null,
  video_codec: null,
  audio_codec: null,
  transfer: null,
  thumbnail_url: null,
  mime_type: "image/png",
  size_bytes: 5,
  status: "ready",
  error: null,
  width: 1,
  height: 1,
  duration_ms: null,
  sha256: null,
  url: null,
  created_at: at,
  expires_at: null,
  used_by: [],
  object: { isDeleted: false, url: null, size_bytes: 5, name: "a.png" }
}

export const result: PostResult = {
  id: resultId,
  post_id: postId,
  social_account_id: 1,
  platform: "sandbox",
  board_id: null,
  status: "waiting",
  waiting_for: "time",
  success: false,
  attempts: 0,
  next_attempt_at: at,
  published_at: null,
  platform_data: null,
  error: null
}

export const post: Post = {
  id: postId,
  status: "scheduled",
  caption: "Bells",
  scheduled_at: null,
  is_draft: false,
  use_queue: false,
  social_accounts: [1],
  media: [],
  thread: null,
  thread_fallback: null,
  platform_configurations: null,
  account_configurations: null,
  processing_enabled: true,
  progress: { total: 1, waiting: 1, publishing: 0, published: 0, failed: 0, unconfirmed: 0 },
  warnings: [],
  version: "7",
  created_by: null,
  blocked_by: null,
  updated_by: null,
  created_at: at,
  updated_at: at,
  published_at: null,
  results: [result]
}

export const account: SocialAccount = {
  id: 1,
  platform: "sandbox",
  username: "demo",
  display_name: "Demo",
  avatar_url: null,
  network: "test",
  status: "connected",
  status_reason: null,
  warning: null,
  connected_at: at,
  needs_reconnect: false,
  token_expires_at: null,
  access_expires_at: null,
  default_board_id: null,
  default_privacy_level: null,
  demo: null,
  limits: null,
  permissions: null
}

export const listOf = <Item>(...data: ReadonlyArray<Item>) => ({
  data,
  meta: { total: data.length, offset: 0, limit: 50, next: null }
})

/** A problem body as the service writes it. */
export const problem = (status: number, code: string, ...errors: ReadonlyArray<ProblemItem>) => ({
  type: `/docs/errors#${code}`,
  title: "What kind of thing went wrong",
  status,
  code,
  detail: "What was wrong.",
  message: "What was wrong.",
  error: ["What was wrong."],
  errors,
  request_id: "req_1"
})
