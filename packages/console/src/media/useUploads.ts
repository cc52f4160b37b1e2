import {
  CarillonError,
  ConnectionError,
  type Media,
  ServiceError,
  TimeoutError,
  type UploadReservation
} from "@carillon/sdk"
import { useSyncExternalStore } from "react"
import { carillon, signInAgain } from "../data/api.ts"
import { words } from "./en.ts"
import { uploadsReducer, isUnderWay, toStart, type UploadEvent, type Uploads } from "./uploadsReducer.ts"
import { mediaChanged, mediaListChanged } from "../data/media.ts"

interface Work {
  readonly file: File
  /** Its description, saved after the upload. */
  readonly altText: string | null
  stop: AbortController
  /** Lets an interrupted upload resume under the same id. */
  reservation: UploadReservation | undefined
  tries: number
}

/** Uploads outlive the page that started them. */
let uploads: Uploads = []
const works = new Map<string, Work>()
const listeners = new Set<() => void>()

const happened = (event: UploadEvent) => {
  uploads = uploadsReducer(uploads, event)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const read = () => uploads

export const useUploads = (): Uploads => useSyncExternalStore(subscribe, read)

let count = 0

/** Uploads files, three at once, and returns the key of each. */
export const upload = (files: Iterable<File>, altText: string | null = null): ReadonlyArray<string> => {
  const added = [...files].map((file) => {
    const key = `upload-${++count}`
    works.set(key, { file, altText, stop: new AbortController(), reservation: undefined, tries: 0 })
    const kind = kindOf(file)
    return {
      key,
      name: file.name,
      size: file.size,
      kind,
      preview: kind === "image" || kind === "video" ? URL.createObjectURL(file) : null
    }
  })
  happened({ type: "added", files: added })
  startNext()
  return added.map(({ key }) => key)
}

/** Resumes an interrupted upload. */
export const retryUpload = (key: string) => {
  happened({ type: "again", key })
  startNext()
}

/** Cancels an upload, and deletes its reservation. */
export const cancelUpload = (key: string) => {
  const work = works.get(key)
  const found = uploads.find((one) => one.key === key)
  works.delete(key)
  work?.stop.abort()
  if (found?.preview) URL.revokeObjectURL(found.preview)
  happened({ type: "removed", key })
  startNext()
  if (work?.reservation !== undefined && found?.state !== "done")
    carillon.media.delete(work.reservation.media_id).then(mediaListChanged, () => {})
}

const kindOf = ({ name, type }: File): Media["kind"] => {
  const [family] = type.split("/")
  if (family === "image" || family === "video") return family
  if (type === "application/pdf") return "document"
  return /\.heic$/i.test(name) ? "image" : null
}

const startNext = () => {
  for (const { key } of toStart(uploads)) void send(key)
}

/** The SDK's own retries, before a person hears of it. */
const quietTries = 2

const send = async (key: string) => {
  const work = works.get(key)
  if (work === undefined) return
  work.stop = new AbortController()
  happened({ type: "started", key, at: Date.now() })
  try {
    const arrived = await carillon.media.upload(work.file, {
      signal: work.stop.signal,
      maxRetries: quietTries,
      ...(work.reservation === undefined ? {} : { reservation: work.reservation }),
      onReserved: (reservation) => {
        work.reservation = reservation
      },
      onProgress: ({ sent }) => happened({ type: "progressed", key, sent, at: Date.now() })
    })
    works.delete(key)
    const media =
      work.altText === null
        ? arrived
        : await carillon.media.update(arrived.id, { alt_text: work.altText }).catch(() => arrived)
    mediaChanged(media)
    happened({ type: "ended", key, media, at: Date.now() })
    void mediaListChanged()
  } catch (error) {
    if (!works.has(key)) return
    signInAgain(error)
    if (isBroken(error)) {
      happened({ type: "cut", key, problem: words.uploads.cut })
      goOnLater(key, work)
    } else happened({ type: "refused", key, problem: sentenceOf(error) })
  }
  startNext()
}

const isBroken = (error: unknown) =>
  error instanceof ConnectionError || error instanceof TimeoutError || error instanceof ServiceError

const firstPause = 3_000
const longestPause = 60_000

const goOnLater = (key: string, work: Work) => {
  const pause = Math.min(longestPause, firstPause * 2 ** work.tries++)
  setTimeout(() => {
    if (navigator.onLine) retryUpload(key)
  }, pause)
}

const sentences: Readonly<Record<string, string>> = words.uploads.refused

const sentenceOf = (error: unknown) =>
  error instanceof CarillonError ? (sentences[error.code] ?? error.message) : words.uploads.unreadable

window.addEventListener("online", () => {
  for (const { key, state } of uploads) if (state === "cut") retryUpload(key)
})

window.addEventListener("beforeunload", (event) => {
  if (uploads.some(isUnderWay)) event.preventDefault()
})

/** Lets the service fetch a file. The item exists at once, and its content follows. */
export const importFrom = async (address: string) => {
  const media = await carillon.media.import(address)
  mediaChanged(media)
  void mediaListChanged()
  return media
}
