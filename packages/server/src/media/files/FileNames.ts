import { cleanFileName, type MimeType } from "@carillon/domain"

/** The usual ending of a file of each type. */
export const extensions: Record<MimeType, string> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "image/gif": "gif",
  "image/heic": "heic",
  "video/mp4": "mp4",
  "video/quicktime": "mov",
  "video/webm": "webm",
  "application/pdf": "pdf"
}

/** A file name without forbidden characters; the database has no place for half of a surrogate pair. */
export const storable = (name: string) => cleanFileName(name).toWellFormed()
