import { Effect, Schema } from "effect"
import { HttpBody } from "effect/http"
import { multipartForm } from "../MultipartForm.ts"
import type { PublishMedia } from "../Platform.ts"
import { type PlatformHttp, shortAnswer, uploadTime } from "../PlatformHttp.ts"
import { refuseApi, refuseUpload } from "./PinterestErrors.ts"

const Registered = Schema.Struct({
  media_id: Schema.String,
  upload_url: Schema.String,
  upload_parameters: Schema.Record(Schema.String, Schema.String)
})
export interface Registered extends Schema.Schema.Type<typeof Registered> {}

const Looked = Schema.Struct({ status: Schema.String })

/** A video is registered, sent as a form, then polled until Pinterest has processed it. */
export const videoUpload = (call: PlatformHttp, api: string) => ({
  register: (bearer: string) =>
    call({
      method: "POST",
      url: `${api}/media`,
      bearer,
      body: HttpBody.jsonUnsafe({ media_type: "video" }),
      maxAnswerBytes: shortAnswer,
      answer: Registered,
      refuse: refuseApi
    }),

  /** Every parameter is a field; the file comes after them all. */
  send: Effect.fnUntraced(function* ({ upload_url, upload_parameters }: Registered, video: PublishMedia) {
    yield* call({
      method: "POST",
      url: upload_url,
      body: multipartForm(upload_parameters, [
        {
          name: "file",
          filename: "video",
          mime_type: video.mime_type,
          size_bytes: video.size_bytes,
          content: video.content
        }
      ]),
      // A holder of these can send to Pinterest in the account's name.
      secrets: Object.values(upload_parameters).filter((value) => value.length > 20),
      timeout: uploadTime(video.size_bytes),
      format: "text",
      maxAnswerBytes: shortAnswer,
      answer: Schema.String,
      refuse: refuseUpload
    })
  }),

  /** `registered`, `processing`, `succeeded` or `failed`. */
  look: (mediaId: string, bearer: string) =>
    Effect.map(
      call({
        method: "GET",
        url: `${api}/media/${mediaId}`,
        bearer,
        maxAnswerBytes: shortAnswer,
        answer: Looked,
        refuse: refuseApi
      }),
      ({ status }) => status
    )
})
