import type { MimeType } from "@carillon/domain"

/** A stored video as ffmpeg's input: files that it names are not followed, and it is read only as its own type. */
export const sourceArguments = (input: {
  readonly path: string
  readonly mime_type: MimeType
}): ReadonlyArray<string> => [
  "-protocol_whitelist",
  "file",
  "-f",
  input.mime_type === "video/webm" ? "matroska" : "mov",
  "-i",
  `file:${input.path}`
]
