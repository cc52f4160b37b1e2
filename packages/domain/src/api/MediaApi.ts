import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  ImportMedia,
  Media,
  MediaDeleted,
  MediaFilter,
  MediaList,
  ReserveUpload,
  UpdateMedia,
  UploadReservation
} from "../Media.ts"
import {
  BadRequest,
  Conflict,
  ContentTooLarge,
  Forbidden,
  InsufficientStorage,
  NotFound,
  UnprocessableContent,
  UnsupportedMediaType
} from "../Problems.ts"
import { about } from "./About.ts"
import { Authorization } from "./Authorization.ts"
import { PathId } from "./PathId.ts"
import { RequestProblems } from "./RequestProblems.ts"

const fromUploadUrl = (what: string) =>
  Schema.String.check(Schema.isMaxLength(1000)).annotate({
    description: `${what} It is part of \`upload_url\`; send it unchanged.`
  })

const params = { media_id: PathId("the media item") }

export class MediaApi extends HttpApiGroup.make("media")
  .add(
    HttpApiEndpoint.post("reserve", "/create-upload-url", {
      payload: ReserveUpload,
      success: UploadReservation.pipe(HttpApiSchema.status(201)),
      error: ContentTooLarge
    }).annotateMerge(
      about({
        scope: "media:write",
        codes: ["upload_too_large", "workspace_full", "reservations_full"],
        summary: "Reserve an upload",
        description: "Answers with a signed URL to PUT the file's bytes to. The URL expires."
      })
    ),
    HttpApiEndpoint.post("import", "/import", {
      payload: ImportMedia,
      success: Media.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, ContentTooLarge]
    }).annotateMerge(
      about({
        scope: "media:write",
        codes: ["media_url_not_allowed", "workspace_full"],
        summary: "Import a file from a URL",
        description:
          "Answers at once with the item, `reserved`; it becomes `ready` when the service has fetched it, or `failed` " +
          "with the reason. It can be put on posts before that. A scheduled post with a failed item says so in its " +
          "warnings; the URL is tried again each hour and five minutes before the post's time, and only then does it fail."
      })
    ),
    HttpApiEndpoint.post("complete", "/:media_id/complete", {
      params,
      success: Media,
      error: [NotFound, Conflict]
    }).annotateMerge(
      about({
        scope: "media:write",
        codes: ["not_found", "upload_incomplete"],
        summary: "Confirm an upload",
        description: "Optional: a PUT of the right bytes already makes the item usable. Can be repeated."
      })
    ),
    HttpApiEndpoint.get("list", "/", { query: MediaFilter, success: MediaList }).annotateMerge(
      about({
        scope: "media:read",
        codes: [],
        summary: "List the media library",
        description: "Newest first."
      })
    ),
    HttpApiEndpoint.get("get", "/:media_id", { params, success: Media, error: NotFound }).annotateMerge(
      about({ scope: "media:read", codes: ["not_found"], summary: "Get a media item" })
    ),
    HttpApiEndpoint.patch("update", "/:media_id", {
      params,
      payload: UpdateMedia,
      success: Media,
      error: [NotFound, Conflict]
    }).annotateMerge(
      about({
        scope: "media:write",
        codes: ["not_found", "media_in_use", "approval_needed"],
        summary: "Name or describe a media item",
        description:
          "An absent key is unchanged. Posts that have not gone out yet are sent with the new description. A credential whose posts " +
          "need approval, or that does not include all accounts of a scheduled post with the item, changes nothing (409 media_in_use)."
      })
    ),
    HttpApiEndpoint.delete("delete", "/:media_id", {
      params,
      success: MediaDeleted,
      error: [NotFound, Conflict]
    }).annotateMerge(
      about({
        scope: "media:write",
        codes: ["not_found", "media_in_use", "approval_needed"],
        summary: "Delete a media item",
        description: "An item that a scheduled post needs is kept (409 media_in_use). Drafts lose it."
      })
    )
  )
  .middleware(Authorization)
  .add(
    HttpApiEndpoint.put("upload", "/:media_id/upload", {
      params,
      query: {
        expires: fromUploadUrl("When the URL expires, in seconds since 1970."),
        signature: fromUploadUrl("Proves that this service made the URL, for this item, type and length.")
      },
      payload: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array()),
      success: Media,
      error: [Forbidden, NotFound, Conflict, UnsupportedMediaType, UnprocessableContent, InsufficientStorage]
    }).annotateMerge(
      about({
        codes: [
          "signature_invalid",
          "signature_expired",
          "not_found",
          "upload_already_complete",
          "upload_in_progress",
          "upload_size_mismatch",
          "media_type_mismatch",
          "media_unreadable",
          "storage_full"
        ],
        summary: "Upload the bytes",
        description:
          "The upload_url of a reservation: send the raw bytes with Content-Type equal to mime_type. " +
          "No Authorization header; the URL is signed."
      })
    )
  )
  .prefix("/v1/media")
  .middleware(RequestProblems)
  .annotateMerge(
    OpenApi.annotations({
      title: "Media",
      description: "Upload files once and use them in any number of posts."
    })
  ) {}
