import { InvalidRequestError } from "./Errors.ts"
import { isMimeType, knownExtensions, mimeTypeOf } from "./MimeTypes.ts"
import type { MimeType } from "./Wire.ts"

/**
 * What can be uploaded: the path or `file:` URL of a file, where there is a file system; a `Blob` or `File`; or bytes
 * as they come, which need `size` beside them.
 */
export type UploadFile = string | URL | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

/** Facts that a file does not always have. */
export interface UploadFacts {
  /** The name shown in the media library. Default: the file's own. */
  readonly name?: string | undefined
  /** Default: the type of the `Blob`, else by the extension of the name. */
  readonly mimeType?: MimeType | undefined
  /** The number of bytes; needed for a stream, which does not know it beforehand. */
  readonly size?: number | undefined
}

/** A file that is ready to be sent. */
export interface UploadSource {
  readonly name: string | undefined
  readonly mimeType: MimeType
  readonly size: number
  /** The `Blob` itself, where there is one. */
  readonly blob: Blob | undefined
  /** Whether its bytes can be read more than once. */
  readonly repeatable: boolean
  /** The bytes from the first one on, a piece at a time. */
  read(): AsyncIterable<Uint8Array>
}

/** @throws InvalidRequestError when its type or its size cannot be told */
export const uploadSource = async (file: UploadFile, facts: UploadFacts): Promise<UploadSource> => {
  const bytes = await bytesOf(file, facts.size)
  const name = facts.name ?? bytes.name
  return { ...bytes, name, mimeType: facts.mimeType ?? typeOf(bytes.blob?.type ?? "", name) }
}

type Bytes = Omit<UploadSource, "mimeType">

const bytesOf = async (file: UploadFile, size: number | undefined): Promise<Bytes> => {
  if (typeof file === "string" || file instanceof URL) return onDisk(file)
  if (file instanceof Blob) {
    return {
      name: file instanceof File ? file.name : undefined,
      size: file.size,
      blob: file,
      repeatable: true,
      read: () => piecesOf(file)
    }
  }
  if (size === undefined) {
    throw new InvalidRequestError("The size of a stream is not known beforehand. Give size, in bytes.", {
      code: "unknown_size"
    })
  }
  return { name: undefined, size, blob: undefined, repeatable: false, read: () => file }
}

const pieceSize = 256 * 1024

/** As a stream, a Blob in memory would be one piece, and its progress nothing or everything. */
async function* piecesOf(blob: Blob) {
  for (let start = 0; start < blob.size; start += pieceSize) {
    yield new Uint8Array(await blob.slice(start, start + pieceSize).arrayBuffer())
  }
}

const onDisk = async (path: string | URL): Promise<Bytes> => {
  // Not imported, so that bundles for browsers need not find it: Node, Deno and Bun all have this.
  const fs = globalThis.process?.getBuiltinModule?.("node:fs")
  if (fs === undefined) {
    throw new InvalidRequestError(
      "There is no file system here to read a path from. Give a Blob or a File.",
      {
        code: "no_file_system"
      }
    )
  }
  const { size } = await fs.promises.stat(path).catch((cause: Error) => {
    throw new InvalidRequestError(`The file cannot be read: ${cause.message}.`, {
      code: "file_not_readable",
      cause
    })
  })
  return {
    name: lastPart(path),
    size,
    blob: undefined,
    repeatable: true,
    // A file that grows meanwhile is sent up to its old length.
    read: () => fs.createReadStream(path, { highWaterMark: pieceSize, end: Math.max(0, size - 1) })
  }
}

const lastPart = (path: string | URL): string =>
  path instanceof URL
    ? decodeURIComponent(path.pathname.split("/").at(-1) ?? "")
    : (path.split(/[/\\]/).at(-1) ?? path)

const typeOf = (blobType: string, name: string | undefined): MimeType => {
  const declared = blobType.split(";")[0]!
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
