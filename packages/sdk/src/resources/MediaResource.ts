import { listAt, type ListRequest } from "../ListRequest.ts"
import { uploadMedia, type UploadSteps } from "../MediaUpload.ts"
import { pathTo, type RequestOptions, type SendOptions, type Transport } from "../Transport.ts"
import { type UploadFacts, type UploadFile, uploadSource } from "../UploadSource.ts"
import type {
  ImportMedia,
  Media,
  MediaDeleted,
  MediaFilter,
  MediaList,
  ReserveUpload,
  UpdateMedia,
  UploadReservation
} from "../Wire.ts"

export interface UploadOptions extends UploadFacts, UploadSteps {}

export interface ImportOptions extends SendOptions {
  /** The name shown in the media library. Default: the one that the server or the URL gives. */
  readonly name?: string | undefined
}

const collection = "/v1/media"

/** Files, uploaded once and used in any number of posts. */
export class MediaResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Uploads a file: reserves, sends the bytes, confirms. Whatever its size, only a piece of it is in memory. Answers
   * with the media item, `status: "ready"`; put its `id` into `media` of a post.
   *
   * Where the connection breaks, a path or a `Blob` is sent again by itself; a stream cannot be read twice.
   *
   * ```ts
   * const film = await carillon.media.upload("./bells.mp4", {
   *   onProgress: ({ sent, total }) => console.error(`${sent} of ${total} bytes`)
   * })
   * ```
   *
   * A stream needs what a file tells by itself:
   *
   * ```ts
   * await carillon.media.upload(response.body, { size: 52_428, name: "bells.jpg" })
   * ```
   *
   * To go on after a crash, keep the reservation and give it back with the same file:
   *
   * ```ts
   * await carillon.media.upload("./bells.mp4", { reservation: kept, onReserved: (reservation) => keep(reservation) })
   * ```
   *
   * @throws InvalidRequestError when the type is unknown or refused, the file too large, or its bytes not of its type
   */
  async upload(file: UploadFile, options: UploadOptions = {}): Promise<Media> {
    const { mimeType, name, size, ...steps } = options
    return uploadMedia(this.#transport, await uploadSource(file, { mimeType, name, size }), steps)
  }

  /**
   * The first step of `upload` alone: PUT exactly the announced bytes to `upload_url`, with the `Content-Type` of
   * `mime_type` and no API key.
   *
   * ```ts
   * const { media_id, upload_url } = await carillon.media.reserve({ mime_type: "image/jpeg", size_bytes: 52_428 })
   * ```
   *
   * @throws InvalidRequestError `upload_too_large`, `workspace_full`
   */
  reserve(file: ReserveUpload, options: SendOptions = {}): Promise<UploadReservation> {
    return this.#transport.request("POST", `${collection}/create-upload-url`, { ...options, body: file })
  }

  /**
   * The last step of `upload` alone. Can be repeated.
   *
   * ```ts
   * const media = await carillon.media.complete(media_id)
   * ```
   *
   * @throws ConflictError `upload_incomplete` while bytes are missing
   */
  async complete(id: string, options: SendOptions = {}): Promise<Media> {
    return this.#transport.request("POST", `${pathTo(collection, id)}/complete`, options)
  }

  /**
   * Has the service fetch a file from a public URL. Answers at once with the media item, `status: "reserved"`; its
   * `id` can be used in posts before it is `ready`. Where the file cannot be had it becomes `failed`, with `error`.
   *
   * ```ts
   * const picture = await carillon.media.import("https://example.com/bells.jpg")
   * ```
   *
   * @throws InvalidRequestError `media_url_not_allowed` when the URL is none that the service fetches
   */
  async import(url: string | URL, options: ImportOptions = {}): Promise<Media> {
    const { name, ...request } = options
    const body: ImportMedia = { url: String(url), ...(name === undefined ? {} : { name }) }
    return this.#transport.request("POST", `${collection}/import`, { ...request, body })
  }

  /**
   * The media library, newest first.
   *
   * ```ts
   * for await (const { id, name } of carillon.media.list({ type: ["image", "video"], q: "bells" })) console.log(id, name)
   * ```
   */
  list(filter: MediaFilter = {}, options: RequestOptions = {}): ListRequest<MediaList> {
    return listAt(this.#transport, () => collection, filter, options)
  }

  /**
   * ```ts
   * const { status, used_by } = await carillon.media.get(media_id)
   * ```
   *
   * @throws NotFoundError
   */
  async get(id: string, options: RequestOptions = {}): Promise<Media> {
    return this.#transport.request("GET", pathTo(collection, id), options)
  }

  /**
   * Names or describes the item; an absent key is unchanged. Posts without an `alt_text` of their own are sent with this one.
   *
   * ```ts
   * await carillon.media.update(media_id, { alt_text: "Three bells in a tower at dusk" })
   * ```
   *
   * @throws ConflictError `media_in_use` where the credential may not change what scheduled posts say
   */
  async update(id: string, changes: UpdateMedia, options: RequestOptions = {}): Promise<Media> {
    return this.#transport.request("PATCH", pathTo(collection, id), { ...options, body: changes })
  }

  /**
   * Removes the item and its bytes, and takes it off the drafts that use it: `drafts` lists them.
   *
   * ```ts
   * const { drafts } = await carillon.media.delete(media_id)
   * ```
   *
   * @throws ConflictError `media_in_use` while a scheduled post needs it
   */
  async delete(id: string, options: RequestOptions = {}): Promise<MediaDeleted> {
    return this.#transport.request("DELETE", pathTo(collection, id), options)
  }
}
