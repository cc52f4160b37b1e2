/**
 * What TikTok documents of the requests of a post, written from reference/platforms.md, not recorded: section 1.1 for
 * the token and the user, section 1.2 numbers 1, 2, 4, 5 and 6 for the rest.
 */
const json = "application/json; charset=UTF-8"
const api = "https://open.tiktokapis.com/v2"

/** 1.1: the token is asked for with a form, the user with a bearer token. */
const connecting = [
  { call: `POST ${api}/oauth/token/`, type: "application/x-www-form-urlencoded" },
  { call: `GET ${api}/user/info/`, bearer: true }
]

/** 1.2, 1: the creator's settings are asked for again at send time. */
const creatorInfo = {
  call: `POST ${api}/post/publish/creator_info/query/`,
  type: json,
  bearer: true,
  body: {}
}

/** 1.2, 6. */
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
  // 1.2, 2
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
  // 1.2, 5: no bearer; the address is the permission.
  { call: upload, type: "video/mp4", range: "bytes 0-11534335/11534336" },
  status
]

export const photoTranscript = [
  ...connecting,
  creatorInfo,
  // 1.2, 4: is_aigc stands beside post_info.
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
