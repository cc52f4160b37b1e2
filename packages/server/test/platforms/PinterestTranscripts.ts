/**
 * The requests of a pin as Pinterest documents them, not recorded: `v5/openapi.json` of https://github.com/pinterest/api-description.
 * What it leaves open has the page that says it.
 */
const api = "https://api.pinterest.com/v5"

/**
 * The token with HTTP Basic and a form, then whose account it is, and its boards:
 * https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/
 */
const connecting = [
  {
    call: `POST ${api}/oauth/token`,
    type: "application/x-www-form-urlencoded",
    authorization: "Basic",
    body: "grant_type=authorization_code&code=…&redirect_uri=…&continuous_refresh=true"
  },
  { call: `GET ${api}/user_account`, authorization: "Bearer" },
  { call: `GET ${api}/boards?page_size=250`, authorization: "Bearer" }
]

/** A lost reply is looked up on the board, so what it holds before is noted. */
const boardBefore = { call: `GET ${api}/boards/BOARD/pins?page_size=50`, authorization: "Bearer" }

const pin = (body: object) => ({
  call: `POST ${api}/pins`,
  type: "application/json",
  authorization: "Bearer",
  body
})

/** The image is sent along in base64: https://developers.pinterest.com/docs/api-features/creating-boards-and-pins/ */
export const imageTranscript = [
  ...connecting,
  boardBefore,
  pin({
    board_id: "BOARD",
    board_section_id: "7",
    title: "Bells",
    description: "In the valley",
    link: "https://example.com/bells",
    alt_text: "A bell",
    media_source: { source_type: "image_base64", content_type: "image/jpeg", data: "…" }
  })
]

/** Two to five images. */
export const carouselTranscript = [
  ...connecting,
  boardBefore,
  pin({
    board_id: "BOARD",
    description: "In the valley",
    media_source: {
      source_type: "multiple_image_base64",
      items: [
        { content_type: "image/jpeg", data: "…" },
        { content_type: "image/png", data: "…" }
      ],
      index: 0
    }
  })
]

const videoSteps = [
  ...connecting,
  boardBefore,
  {
    call: `POST ${api}/media`,
    type: "application/json",
    authorization: "Bearer",
    body: { media_type: "video" }
  },
  // No bearer: the fields are the permission. The file is the last of them.
  {
    call: "POST https://pinterest-media-upload.s3-accelerate.amazonaws.com/",
    type: "multipart/form-data",
    body: [
      "x-amz-date",
      "x-amz-signature",
      "x-amz-security-token",
      "x-amz-algorithm",
      "key",
      "policy",
      "x-amz-credential",
      "Content-Type",
      "file"
    ]
  },
  { call: `GET ${api}/media/MEDIA`, authorization: "Bearer" }
]

/** The video is announced, sent, looked at; the frame of its cover is in whole seconds. */
export const videoTranscript = [
  ...videoSteps,
  pin({
    board_id: "BOARD",
    description: "In the valley",
    media_source: { source_type: "video_id", media_id: "MEDIA", cover_image_key_frame_time: 2 }
  })
]

export const coverTranscript = [
  ...videoSteps,
  pin({
    board_id: "BOARD",
    description: "In the valley",
    media_source: {
      source_type: "video_id",
      media_id: "MEDIA",
      cover_image_content_type: "image/jpeg",
      cover_image_data: "…"
    }
  })
]
