import type { Media } from "@carillon/sdk"

const types: Readonly<Record<string, string>> = {
  "image/jpeg": "JPEG",
  "image/png": "PNG",
  "image/webp": "WebP",
  "image/gif": "GIF",
  "image/heic": "HEIC",
  "video/mp4": "MP4",
  "video/quicktime": "MOV",
  "video/webm": "WebM",
  "application/pdf": "PDF"
}

/** `JPEG` */
export const typeName = (mimeType: string) => types[mimeType] ?? mimeType

/** The `accept` of a file field. */
export const takenTypes = Object.keys(types).join(",")

const units = ["bytes", "KB", "MB", "GB", "TB"]

/** `181 KB`, `6.6 MB` */
export const sizeWords = (bytes: number): string => {
  let size = bytes
  let unit = 0
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1_000
    unit++
  }
  const shown = unit > 1 && size < 9.95 ? size.toFixed(1) : size.toFixed(0)
  return `${shown} ${units[unit]}`
}

/** `0:24`, `1:02:03` */
export const durationWords = (milliseconds: number): string => {
  const seconds = Math.round(milliseconds / 1_000)
  const two = (value: number) => String(value).padStart(2, "0")
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes}:${two(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`
}

/** Ratios that photographers and networks name. */
export const namedRatios = {
  "1:1": 1,
  "4:5": 4 / 5,
  "5:4": 5 / 4,
  "3:4": 3 / 4,
  "4:3": 4 / 3,
  "2:3": 2 / 3,
  "3:2": 3 / 2,
  "9:16": 9 / 16,
  "16:9": 16 / 9,
  "1.91:1": 1.91
} as const

export type RatioName = keyof typeof namedRatios

/** `4:5`, within a hundredth; else null. */
export const ratioName = (width: number, height: number): RatioName | null =>
  (Object.keys(namedRatios) as Array<RatioName>).find(
    (name) => Math.abs(width / height / namedRatios[name] - 1) < 0.01
  ) ?? null

/** `JPEG · 4:3`, `MP4 · 0:24` */
export const mediaFacts = ({ duration_ms, height, kind, mime_type, width }: Media): string =>
  [
    mime_type === null ? "" : typeName(mime_type),
    kind === "video"
      ? duration_ms === null
        ? ""
        : durationWords(duration_ms)
      : width === null || height === null
        ? ""
        : (ratioName(width, height) ?? `${width} × ${height}`)
  ]
    .filter(Boolean)
    .join(" · ")
