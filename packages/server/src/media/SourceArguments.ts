import type { MimeType } from "@carillon/domain"

/** A stored video as ffmpeg's input. A file that names others is not followed, and is read as nothing but its own type. */
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
