import { fromIso, isIso, refusePast } from "@carillon/domain"
import {
  formatOf,
  keyOf,
  keysOfRows,
  otherThanFile,
  planRow,
  type PostPlan,
  requestToCheck,
  type Row,
  rowsOfCsv,
  rowsOfJsonLines,
  textOfFile,
  Unusable,
  type Workspace
} from "@carillon/domain/plan"
import {
  CarillonError,
  ConflictError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  type Post,
  type SocialAccount
} from "@carillon/sdk"
import { useSyncExternalStore } from "react"
import { allOf } from "../data/allOf.ts"
import { carillon, signInAgain, workspace } from "../data/api.ts"
import { mediaListChanged } from "../data/media.ts"
import { postsChanged } from "../data/posts.ts"
import { words as all } from "./en.ts"

const words = all.import

/** A row of the file: what it becomes, what is wrong with it, and what became of it. */
export interface ImportedRow {
  readonly row: Row
  readonly state: "unchecked" | "wrong" | "ready" | "made" | "before" | "failed"
  readonly plan?: PostPlan
  readonly problems: ReadonlyArray<string>
  readonly post?: Post
}

export interface ImportRun {
  readonly name: string
  readonly rows: ReadonlyArray<ImportedRow>
  /** What it is busy with. */
  readonly busy: "checking" | "making" | null
  /** Names of files that rows have and nobody has chosen. */
  readonly missing: ReadonlyArray<string>
  /** What stopped it; the rows that are left can go on. */
  readonly stopped: string | null
}

export const mostRows = 5_000
const mostBytes = 10 * 1024 * 1024

/** The SDK's own tries of a request, before a person hears of it. */
const tries = { maxRetries: 4 }

let run: ImportRun | null = null
let rows: Array<ImportedRow> = []
let keys: ReadonlyMap<Row, string> = new Map()
let files = new Map<string, File>()
let sent = new Map<string, string>()
let stop = new AbortController()
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

const tell = () => {
  timer = undefined
  if (run !== null) run = { ...run, rows: [...rows], missing: missingFiles() }
  for (const listener of listeners) listener()
}

/** Thousands of rows change one after the other: the page is drawn a few times a second. */
const changed = (changes: Partial<ImportRun> = {}) => {
  if (run !== null) run = { ...run, ...changes }
  timer ??= setTimeout(tell, 150)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** It goes on while other pages are open. */
export const useImportRun = () => useSyncExternalStore(subscribe, () => run)

const fileOf = (value: string) => files.get(value.split(/[/\\]/).at(-1)!.toLowerCase())

const wanted = new Set<string>()
const missingFiles = () => [...wanted].filter((value) => fileOf(value) === undefined)

/** What a row names, as this page reads it. The accounts are asked for once. */
const workspaceNow = (): Workspace => {
  let accounts: Promise<ReadonlyArray<SocialAccount>> | undefined
  return {
    accounts: () => (accounts ??= allOf(carillon.accounts.list({ limit: 200 }))),
    timeZone: () => Promise.resolve(workspace.timezone),
    time: (text, zone) => {
      if (!isIso(text)) throw new Unusable(words.noTime(text))
      return Promise.resolve(refusePast(text, fromIso(text, zone), new Date()))
    },
    attachment: (value, where) => {
      const other = otherThanFile(value)
      if (other !== undefined) return other
      if (fileOf(value) !== undefined) return { file: value }
      wanted.add(value)
      throw new Unusable(words.noFile(where, value))
    }
  }
}

/** What is wrong with the row; undefined where it is not the row's. */
const problemsOf = (error: unknown): ReadonlyArray<string> | undefined => {
  if (error instanceof Unusable) return [error, ...error.others].map(({ message }) => message)
  const isOfTheRow =
    error instanceof InvalidRequestError ||
    error instanceof ConflictError ||
    error instanceof NotFoundError ||
    error instanceof PermissionError
  if (!isOfTheRow) return undefined
  return error.errors.length === 0 ? [error.message] : error.errors.map(({ message }) => message)
}

const inParallel = async (
  count: number,
  from: ReadonlyArray<number>,
  work: (index: number) => Promise<void>
) => {
  const left = from.values()
  await Promise.all(
    Array.from({ length: count }, async () => {
      for (const index of left) await work(index)
    })
  )
}

const indexesOf = (...states: ReadonlyArray<ImportedRow["state"]>) =>
  rows.flatMap(({ state }, index) => (states.includes(state) ? [index] : []))

/** Does it for each of these rows, until there is no answer or a person stops it. */
const work = async (
  busy: "checking" | "making",
  indexes: ReadonlyArray<number>,
  many: number,
  one: (index: number, signal: AbortSignal) => Promise<void>
) => {
  stop.abort()
  const mine = (stop = new AbortController())
  changed({ busy, stopped: null })
  try {
    await inParallel(many, indexes, async (index) => {
      mine.signal.throwIfAborted()
      await one(index, mine.signal)
      if (!mine.signal.aborted) changed()
    })
  } catch (error) {
    if (stop !== mine) return
    if (!mine.signal.aborted && !signInAgain(error))
      changed({ stopped: error instanceof Error ? error.message : String(error) })
    mine.abort()
  }
  if (stop === mine) changed({ busy: null })
}

const check = (indexes: ReadonlyArray<number>) => {
  const place = workspaceNow()
  // Another file may be chosen before the answers are here.
  const mine = rows
  return work("checking", indexes, 4, async (index, signal) => {
    const { row } = mine[index]!
    try {
      const plan = await planRow(place, row)
      const request = requestToCheck(plan)
      if (request !== undefined) await carillon.posts.validate(request, { ...tries, signal })
      mine[index] = { row, plan, state: "ready", problems: [] }
    } catch (error) {
      const problems = problemsOf(error)
      if (problems === undefined) throw error
      mine[index] = { row, state: "wrong", problems }
    }
  })
}

/** Reads a file, and checks all rows. Throws what makes it no list of posts. */
export const beginImport = async (file: File) => {
  const format = formatOf(file.name)
  if (format === undefined) throw new Unusable(words.noFormat(file.name))
  if (file.size > mostBytes) throw new Unusable(words.tooLarge)
  const text = textOfFile(new Uint8Array(await file.arrayBuffer()), file.name)
  const read = format === "csv" ? rowsOfCsv(text) : rowsOfJsonLines(text)
  if (read.length === 0) throw new Unusable(words.noRows(file.name))
  if (read.length > mostRows) throw new Unusable(words.tooMany(read.length, mostRows))
  forgetImport()
  rows = read.map((row) => ({ row, state: "unchecked", problems: [] }))
  // The same file in another workspace is another import.
  keys = keysOfRows(read, workspace.id)
  run = { name: file.name, rows, busy: "checking", missing: [], stopped: null }
  void check(indexesOf("unchecked"))
}

export const forgetImport = () => {
  stop.abort()
  run = null
  rows = []
  files = new Map()
  sent = new Map()
  wanted.clear()
  changed()
}

/** Takes files that rows name, and checks the rows that had problems again. */
export const addFiles = (chosen: ReadonlyArray<File>) => {
  for (const file of chosen) files.set(file.name.toLowerCase(), file)
  void check(indexesOf("unchecked", "wrong"))
}

export const checkAgain = () => void check(indexesOf("unchecked", "wrong"))

export const stopImport = () => stop.abort()

const idsFor = async ({ attachments }: PostPlan, signal: AbortSignal) => {
  for (const one of attachments) {
    const key = keyOf(one)
    if (sent.has(key)) continue
    if ("id" in one) sent.set(key, one.id)
    else {
      const media =
        "url" in one
          ? await carillon.media.import(one.url, { ...tries, signal })
          : await carillon.media.upload(fileOf(one.file)!, { ...tries, signal })
      sent.set(key, media.id)
    }
  }
  return sent
}

/** Makes the posts of the rows that are in order, each under the key of its row: the service makes none twice. */
export const makePosts = async () => {
  const mine = rows
  await work("making", indexesOf("ready", "failed"), 1, async (index, signal) => {
    const { plan, row } = mine[index]!
    try {
      const request = plan!.request(await idsFor(plan!, signal))
      const post = await carillon.posts.create(request, {
        ...tries,
        signal,
        idempotencyKey: keys.get(row)!
      })
      mine[index] = { row, plan: plan!, state: "made", problems: [], post }
    } catch (error) {
      const problems = problemsOf(error)
      if (problems === undefined) throw error
      const wasMade = error instanceof CarillonError && error.code === "idempotency_key_reused"
      mine[index] = wasMade
        ? { row, plan: plan!, state: "before", problems: [] }
        : { row, plan: plan!, state: "failed", problems }
    }
  })
  void postsChanged()
  void mediaListChanged()
}

window.addEventListener("beforeunload", (event) => {
  if (run?.busy === "making") event.preventDefault()
})
