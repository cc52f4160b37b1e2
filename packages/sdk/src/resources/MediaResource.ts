import { InvalidRequestError } from "../Errors.ts"
import { isMimeType, knownExtensions, mimeTypeOf } from "../MimeTypes.ts"
import { pathTo, type RequestOptions, type Transport } from "../Transport.ts"
import type {
  ImportMedia,
  Media,
  MediaDeleted,
  MediaFilter,
  MediaList,
  MimeType,
  ReserveUpload,
  UploadReservation
} from "../Wire.ts"

export interface UploadOptions extends RequestOptions {
  /** The name shown in the media library. Default: the file's own. */
  readonly name?: string | undefined
  /** Default: the type of the `Blob`, else by the extension of the name. */
  readonly mimeType?: MimeType | undefined
}

export interface ImportOptions extends RequestOptions {
  /** The name shown in the media library. Default: the one that the server or the URL gives. */
  readonly name?: string | undefined
}

/** Files, uploaded once and used in any number of posts (contract.md section 3). */
export class MediaResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Uploads a file, given as a path or as a `Blob` or `File`: reserve, send the bytes, confirm. The bytes are
   * streamed from the disk, whatever the size. Answers with the media item, `status: "ready"`; put its `id` into
   * `media` of a post.
   *
   * @throws InvalidRequestError when the type is unknown or refused, the file too large, or its bytes not of its type
   */
  async upload(file: string | URL | Blob, options: UploadOptions = {}): Promise<Media> {
    const { mimeType, name, ...request } = options
    const blob = file instanceof Blob ? file : await open(file)
    const fileName =
      name ?? (file instanceof File ? file.name : file instanceof Blob ? undefined : lastPart(file))
    const type = mimeType ?? typeOf(blob, fileName)

    const body: ReserveUpload = {
      mime_type: type,
      size_bytes: blob.size,
      ...(fileName === undefined ? {} : { name: fileName })
    }
    const reservation = await this.#transport.request<UploadReservation>(
      "POST",
      "/v1/media/create-upload-url",
      {
        ...request,
        body
      }
    )
    await this.#transport.put<Media>(reservation.upload_url, blob, type, request.signal)
    return this.#transport.request<Media>("POST", reservation.complete_url, request)
  }

  /**
   * Has the service fetch a file from a public URL. Answers at once with the media item, `status: "reserved"`; its
   * `id` can be used in posts before it is `ready`. Where the file cannot be had it becomes `failed`, with `error`.
   *
   * @throws InvalidRequestError `media_url_not_allowed` when the URL is none that the service fetches
   */
  async import(url: string | URL, options: ImportOptions = {}): Promise<Media> {
    const { name, ...request } = options
    const body: ImportMedia = { url: String(url), ...(name === undefined ? {} : { name }) }
    return this.#transport.request("POST", "/v1/media/import", { ...request, body })
  }

  /** The media library, newest first. */
  list(filter: MediaFilter = {}, options: RequestOptions = {}): Promise<MediaList> {
    return this.#transport.request("GET", "/v1/media", { ...options, query: filter })
  }

  async get(id: string, options: RequestOptions = {}): Promise<Media> {
    return this.#transport.request("GET", pathTo("/v1/media", id), options)
  }

  /**
   * Removes the item and its bytes, and takes it off the drafts that use it: `drafts` lists them.
   *
   * @throws ConflictError `media_in_use` while a scheduled post needs it
   */
  async delete(id: string, options: RequestOptions = {}): Promise<MediaDeleted> {
    return this.#transport.request("DELETE", pathTo("/v1/media", id), options)
  }
}

// Imported when needed, so that the client also loads where there is no file system.
const open = async (path: string | URL): Promise<Blob> => {
  const { openAsBlob } = await import("node:fs")
  const { stat } = await import("node:fs/promises")
  // openAsBlob does not say what is wrong with a path; stat does.
  await stat(path)
  return openAsBlob(path)
}

const lastPart = (path: string | URL): string =>
  path instanceof URL
    ? decodeURIComponent(path.pathname.split("/").at(-1) ?? "")
    : (path.split(/[/\\]/).at(-1) ?? path)

const typeOf = (blob: Blob, name: string | undefined): MimeType => {
  const declared = blob.type.split(";")[0]!
  const type = isMimeType(declared) ? declared : mimeTypeOf(name ?? "")
  if (type === undefined) {
    throw new InvalidRequestError(
      `The type of ${name === undefined ? "the blob" : JSON.stringify(name)} is not known. ` +
        `Give mimeType, or a name that ends in one of: ${knownExtensions.join(", ")}.`,
      { code: "unknown_media_type" }
    )
  }
  return type
}
