import { Effect, Schema, Stream } from "effect"
import { HttpBody } from "effect/http"
import { randomUUID } from "node:crypto"
import { PublishError, type PublishMedia } from "./Platform.ts"

/** A file of a form. Its bytes are read while they are sent. */
export interface FormFile {
  readonly name: string
  readonly filename: string
  readonly mime_type: string
  readonly size_bytes: number
  readonly content: Stream.Stream<Uint8Array, PublishError>
}

/** `multipart/form-data` of a known length (RFC 7578): the fields, then the files one after the other. */
export const multipartForm = (
  fields: Readonly<Record<string, string>>,
  files: ReadonlyArray<FormFile>
): HttpBody.HttpBody => {
  const boundary = `carillon-${randomUUID()}`
  const encoder = new TextEncoder()
  const part = (disposition: string, rest: string) =>
    encoder.encode(`--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n${rest}`)
  const heads = files.map(({ name, filename, mime_type }) =>
    part(`name="${quoted(name)}"; filename="${quoted(filename)}"`, `content-type: ${mime_type}\r\n\r\n`)
  )
  const texts = Object.entries(fields).map(([name, value]) =>
    part(`name="${quoted(name)}"`, `\r\n${value}\r\n`)
  )
  const lineEnd = encoder.encode("\r\n")
  const tail = encoder.encode(`--${boundary}--\r\n`)
  const sizes = [
    ...[...texts, ...heads].map(({ length }) => length),
    ...files.map(({ size_bytes }) => size_bytes + lineEnd.length),
    tail.length
  ]
  return HttpBody.stream(
    Stream.concat(
      Stream.fromIterable(texts),
      Stream.concat(
        Stream.fromIterable(files.map((file, index) => [heads[index]!, file.content] as const)).pipe(
          Stream.flatMap(([head, content]) =>
            Stream.succeed(head).pipe(Stream.concat(content), Stream.concat(Stream.succeed(lineEnd)))
          )
        ),
        Stream.succeed(tail)
      )
    ),
    `multipart/form-data; boundary=${boundary}`,
    sizes.reduce((sum, size) => sum + size, 0)
  )
}

/** As browsers write names (https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data). */
const quoted = (name: string) => name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22")

/** The facts of a file that are stored before it is sent. */
export const PushedFile = Schema.Struct({ mime_type: Schema.String, size_bytes: Schema.Int })
export interface PushedFile extends Schema.Schema.Type<typeof PushedFile> {}

/** The files of a post as they will be sent. An image is fitted here for the first time, so that it fails here if it must. */
export const measured = (media: ReadonlyArray<PublishMedia>) =>
  Effect.forEach(media, (item): Effect.Effect<PushedFile, PublishError> =>
    item.kind === "image"
      ? Effect.map(item.image, ({ bytes, mime_type }) => ({ mime_type, size_bytes: bytes.length }))
      : Effect.succeed({ mime_type: item.mime_type, size_bytes: item.size_bytes })
  )

/** The bytes of a measured file. Of several images one at a time is in memory: each is fitted again when its turn comes. */
export const bytesOf = (
  item: PublishMedia,
  { size_bytes }: PushedFile
): Stream.Stream<Uint8Array, PublishError> =>
  item.kind === "image"
    ? Stream.unwrap(
        Effect.map(item.image, ({ bytes }) =>
          bytes.length === size_bytes ? Stream.succeed(bytes) : Stream.fail(changed(item.name))
        )
      )
    : item.content

/** The name that the file gets: the person's own, with the extension of what is sent. */
export const sentName = (
  { name }: Pick<PublishMedia, "name">,
  { mime_type }: PushedFile,
  index: number
): string => {
  const stem = name.replace(/\.[^.]*$/, "").slice(0, 100) || `file-${index + 1}`
  return `${stem}.${extensions[mime_type] ?? "bin"}`
}

const extensions: Readonly<Record<string, string>> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "image/gif": "gif",
  "video/mp4": "mp4",
  "video/quicktime": "mov",
  "video/webm": "webm",
  "application/pdf": "pdf"
}

const changed = (name: string) =>
  new PublishError({
    class: "transient",
    code: "image_changed",
    message: `The size of "${name}" changed when it was converted again. Nothing was sent; Carillon will prepare the post again.`,
    discard_handle: true
  })
