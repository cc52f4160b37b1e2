/** The requests of a post as TikTok documents them, not recorded. Each has the page that it is written from. */
const json = "application/json; charset=UTF-8"
const api = "https://open.tiktokapis.com/v2"

/**
 * The token is asked for with a form, the user with a bearer token:
 * https://developers.tiktok.com/doc/oauth-user-access-token-management, https://developers.tiktok.com/doc/tiktok-api-v2-get-user-info
 */
const connecting = [
  { call: `POST ${api}/oauth/token/`, type: "application/x-www-form-urlencoded" },
  { call: `GET ${api}/user/info/`, bearer: true }
]

/**
 * The creator's settings are asked for again at send time:
 * https://developers.tiktok.com/doc/content-posting-api-reference-query-creator-info
 */
const creatorInfo = {
  call: `POST ${api}/post/publish/creator_info/query/`,
  type: json,
  bearer: true,
  body: {}
}

/** https://developers.tiktok.com/doc/content-posting-api-reference-get-video-status */
const status = {
  call: `POST ${api}/post/publish/status/fetch/`,
  type: json,
  bearer: true,
  body: { publish_id: "the-publish-id" }
}

const upload = "PUT https://open-upload.tiktokapis.com/video/?upload_id=…&upload_token=…"

/** 11 MiB: one chunk, as all files of up to 64 MB. */
export const videoTranscript = [
  ...connecting,
  creatorInfo,
  // https://developers.tiktok.com/doc/content-posting-api-reference-direct-post
  {
    call: `POST ${api}/post/publish/video/init/`,
    type: json,
    bearer: true,
    body: {
      post_info: {
        title: "Bells #ring",
        privacy_level: "PUBLIC_TO_EVERYONE",
        disable_duet: true,
        video_cover_timestamp_ms: 900
      },
      source_info: {
        source: "FILE_UPLOAD",
        video_size: 11_534_336,
        chunk_size: 11_534_336,
        total_chunk_count: 1
      }
    }
  },
  // No bearer, the address is the permission: https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide
  { call: upload, type: "video/mp4", range: "bytes 0-11534335/11534336" },
  status
]

export const photoTranscript = [
  ...connecting,
  creatorInfo,
  // is_aigc stands beside post_info: https://developers.tiktok.com/doc/content-posting-api-reference-photo-post
  {
    call: `POST ${api}/post/publish/content/init/`,
    type: json,
    bearer: true,
    body: {
      media_type: "PHOTO",
      post_mode: "DIRECT_POST",
      post_info: { title: "Bells", description: "Two bells", privacy_level: "PUBLIC_TO_EVERYONE" },
      source_info: {
        source: "PULL_FROM_URL",
        photo_images: [
          "https://carillon.example/media/a/image.jpg",
          "https://carillon.example/media/b/image.jpg"
        ],
        photo_cover_index: 0
      },
      is_aigc: false
    }
  },
  status
]
