import type { MimeType } from "./Wire.ts"

const extensions = {
  "image/jpeg": ["jpg", "jpeg"],
  "image/png": ["png"],
  "image/webp": ["webp"],
  "image/gif": ["gif"],
  "image/heic": ["heic"],
  "video/mp4": ["mp4", "m4v"],
  "video/quicktime": ["mov"],
  "video/webm": ["webm"],
  "application/pdf": ["pdf"]
} as const satisfies Record<MimeType, ReadonlyArray<string>>

const types = Object.entries(extensions) as ReadonlyArray<[MimeType, ReadonlyArray<string>]>

export const knownExtensions: ReadonlyArray<string> = types.flatMap(([, known]) => known)

/** The type of a file by the extension of its name. */
export const mimeTypeOf = (name: string): MimeType | undefined => {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ""
  return types.find(([, known]) => known.includes(extension))?.[0]
}

export const isMimeType = (text: string): text is MimeType => text in extensions
