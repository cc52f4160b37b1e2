import type { Media } from "@carillon/sdk"

/** A file on its way into the library. */
export interface Upload {
  readonly key: string
  readonly name: string
  readonly size: number
  readonly kind: Media["kind"]
  /** An object URL of the file. */
  readonly preview: string | null
  /** `cut`: the connection broke, and the upload resumes by itself. `refused`: the service rejects the file. */
  readonly state: "waiting" | "sending" | "cut" | "refused" | "done"
  readonly sent: number
  /** The times of the first byte and of the last progress. */
  readonly from: number
  readonly at: number
  readonly problem: string | null
  readonly media: Media | null
}

export type Uploads = ReadonlyArray<Upload>

export type UploadEvent =
  | {
      readonly type: "added"
      readonly files: ReadonlyArray<Pick<Upload, "key" | "name" | "size" | "kind" | "preview">>
    }
  | { readonly type: "started"; readonly key: string; readonly at: number }
  | { readonly type: "progressed"; readonly key: string; readonly sent: number; readonly at: number }
  | { readonly type: "cut"; readonly key: string; readonly problem: string }
  | { readonly type: "refused"; readonly key: string; readonly problem: string }
  | { readonly type: "ended"; readonly key: string; readonly media: Media; readonly at: number }
  | { readonly type: "again"; readonly key: string }
  | { readonly type: "removed"; readonly key: string }

/** The most uploads at once. */
const atOnce = 3

export const uploadsReducer = (uploads: Uploads, event: UploadEvent): Uploads => {
  switch (event.type) {
    case "added":
      return [
        ...uploads,
        ...event.files.map((file) => ({
          ...file,
          state: "waiting" as const,
          sent: 0,
          from: 0,
          at: 0,
          problem: null,
          media: null
        }))
      ]
    case "removed":
      return uploads.filter(({ key }) => key !== event.key)
    default:
      return uploads.map((upload) => (upload.key === event.key ? changed(upload, event) : upload))
  }
}

const changed = (
  upload: Upload,
  event: Exclude<UploadEvent, { readonly type: "added" | "removed" }>
): Upload => {
  switch (event.type) {
    case "started":
      return { ...upload, state: "sending", sent: 0, from: event.at, at: event.at, problem: null }
    case "progressed":
      // It started over: estimate the rest anew.
      return event.sent < upload.sent
        ? { ...upload, sent: event.sent, from: event.at, at: event.at }
        : { ...upload, sent: event.sent, at: event.at }
    case "cut":
    case "refused":
      return { ...upload, state: event.type, problem: event.problem }
    case "ended":
      return { ...upload, state: "done", sent: upload.size, at: event.at, problem: null, media: event.media }
    case "again":
      return upload.state === "cut" || upload.state === "refused"
        ? { ...upload, state: "waiting", problem: null }
        : upload
  }
}

/** The uploads to start now. */
export const toStart = (uploads: Uploads): Uploads => {
  const sending = uploads.filter(({ state }) => state === "sending").length
  return uploads.filter(({ state }) => state === "waiting").slice(0, Math.max(0, atOnce - sending))
}

export const isUnderWay = ({ state }: Upload) => state === "waiting" || state === "sending" || state === "cut"

export const percent = ({ sent, size }: Upload) => (size === 0 ? 0 : Math.floor((sent / size) * 100))

/** The seconds left; null: too early to tell. */
export const secondsLeft = ({ at, from, sent, size, state }: Upload): number | null =>
  state === "sending" && sent > 0 && sent < size && at - from >= 1_000
    ? Math.ceil(((size - sent) * (at - from)) / sent / 1_000)
    : null
