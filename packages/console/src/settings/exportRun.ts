import { exportedAccount, exportedMedia, exportedPost, exportFormat } from "@carillon/domain/ExportFormat"
import { type Media, NotFoundError } from "@carillon/sdk"
import { useSyncExternalStore } from "react"
import { allOf } from "../data/allOf.ts"
import { carillon, signInAgain, workspace } from "../data/api.ts"
import { reasonOf } from "../data/reasonOf.ts"
import { words as all } from "./en.ts"
import { saveFile } from "./saveFile.ts"
import { tarHeader } from "./tarHeader.ts"

const words = all.export

export interface ExportRun {
  readonly state: "reading" | "fetching" | "saved" | "stopped"
  readonly name: string
  /** Of the files, in bytes. */
  readonly done: number
  readonly total: number
  readonly posts: number
  readonly files: number
  readonly reason: string | null
}

/** The SDK's own tries of a request, before a person hears of it. */
const tries = { maxRetries: 4 }

let run: ExportRun | null = null
let stop = new AbortController()
const listeners = new Set<() => void>()

const changed = (changes: Partial<ExportRun>) => {
  if (run !== null) run = { ...run, ...changes }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** It goes on while other pages are open. */
export const useExportRun = () => useSyncExternalStore(subscribe, () => run)

/** A tar in the making. Its bytes are blobs, which the browser keeps on its disk when they are large. */
const newTar = (folder: string) => {
  const parts: Array<BlobPart> = []
  const madeAt = new Date()
  return {
    add: (name: string, content: Blob) => {
      const rest = (512 - (content.size % 512)) % 512
      parts.push(tarHeader(`${folder}/${name}`, content.size, madeAt), content, new Uint8Array(rest))
    },
    whole: () => new Blob([...parts, new Uint8Array(1024)], { type: "application/x-tar" })
  }
}

const linesOf = (items: ReadonlyArray<object>) => new Blob(items.map((item) => `${JSON.stringify(item)}\n`))

/** The bytes of a file; undefined: it has been deleted meanwhile. */
const bytesOf = async ({ id, name, size_bytes }: Media, signal: AbortSignal) => {
  // The address in the list may have run out.
  const { url } = await carillon.media.get(id, { ...tries, signal })
  if (url === null) return undefined
  const answer = await fetch(url, { signal })
  if (!answer.ok) throw new Error(words.noFile(name, answer.status))
  const bytes = await answer.blob()
  if (bytes.size !== size_bytes) throw new Error(words.cutOff(name))
  return bytes
}

const make = async (withFiles: boolean, folder: string, signal: AbortSignal) => {
  const options = { ...tries, signal }
  const tar = newTar(folder)
  const accounts = await allOf(carillon.accounts.list({ limit: 200 }, options))
  tar.add("accounts.jsonl", linesOf(accounts.map(exportedAccount)))
  // Before the media: what a post uses is there when it is looked for.
  const posts = await allOf(carillon.posts.list({ limit: 200 }, options))
  tar.add("posts.jsonl", linesOf(posts.map(exportedPost)))
  const media = await allOf(carillon.media.list({ limit: 200 }, options))
  const wanted = media.filter(({ url }) => withFiles && url !== null)
  const total = wanted.reduce((sum, { size_bytes }) => sum + (size_bytes ?? 0), 0)
  changed({ state: "fetching", posts: posts.length, total })
  const kept = new Set<Media>()
  let done = 0
  for (const item of wanted) {
    const bytes = await bytesOf(item, signal).catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error
    })
    if (bytes !== undefined) {
      tar.add(`media/${item.id}`, bytes)
      kept.add(item)
    }
    done += item.size_bytes ?? 0
    changed({ done, files: kept.size })
  }
  const lines = media.map((item) => ({
    ...exportedMedia(item),
    file: kept.has(item) ? `media/${item.id}` : null
  }))
  tar.add("media.jsonl", linesOf(lines))
  const { id, name, timezone } = workspace
  const about = {
    ...exportFormat,
    // The same for each export of the workspace: an import elsewhere makes no post twice.
    id,
    exported_at: new Date().toISOString(),
    service: location.origin,
    workspace: { id, name, timezone },
    queue: await carillon.queue.get(options)
  }
  // Last: without it an export is not whole.
  tar.add("workspace.json", new Blob([`${JSON.stringify(about, null, 2)}\n`]))
  return tar.whole()
}

/** Makes the file of an export, and has the browser save it. */
export const beginExport = async (withFiles: boolean) => {
  const mine = (stop = new AbortController())
  const folder = `carillon-export-${new Date().toISOString().slice(0, 10)}`
  const name = `${folder}.tar`
  run = { state: "reading", name, done: 0, total: 0, posts: 0, files: 0, reason: null }
  changed({})
  try {
    saveFile(name, await make(withFiles, folder, mine.signal))
    changed({ state: "saved" })
  } catch (error) {
    if (!mine.signal.aborted && signInAgain(error)) return
    changed({ state: "stopped", reason: mine.signal.aborted ? null : reasonOf(error) })
  }
}

export const stopExport = () => stop.abort()

window.addEventListener("beforeunload", (event) => {
  if (run?.state === "reading" || run?.state === "fetching") event.preventDefault()
})
