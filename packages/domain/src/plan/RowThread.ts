import { choicesOf } from "./AccountChoice.ts"
import type { Row } from "./PostFile.ts"
import type { Following, PostArgs } from "./PostPlan.ts"
import { Unusable } from "./Unusable.ts"

/** `thread_2` has the text of a thread's second post, `thread_2_media` its files. */
const numbered = /^thread_([2-9]|[1-9]\d+)(_media)?$/

export const isOfThread = (column: string) => numbered.test(column)

/** Whether a row's thread becomes one post on platforms without threads. */
export const fallbackOf = ({ thread_fallback }: Row["cells"]): NonNullable<PostArgs["fields"]> => {
  if (thread_fallback === undefined) return {}
  if (thread_fallback === "join") return { thread_fallback }
  throw wrong("thread_fallback", thread_fallback, "it must be join or empty")
}

/** The posts that follow a row's own. */
export const threadOf = (cells: Row["cells"]): Pick<PostArgs, "thread"> => {
  const { thread: whole } = cells
  const plain = ofColumns(cells)
  if (whole !== undefined && plain.length > 0) {
    throw wrong("thread", whole, `the row also has ${plain[0]!.from}; keep one of them`)
  }
  const thread = whole === undefined ? plain : ofJson(whole)
  return thread.length === 0 ? {} : { thread }
}

const ofColumns = (cells: Row["cells"]): ReadonlyArray<Following> => {
  const positions = Object.keys(cells).flatMap((name) => numbered.exec(name)?.[1] ?? [])
  const inOrder = [...new Set(positions)].map(Number).sort((one, other) => one - other)
  return inOrder.map((position, index) => {
    const name = `thread_${position}`
    if (position !== index + 2) {
      const filled = cells[name] === undefined ? `${name}_media` : name
      throw wrong(filled, cells[filled]!, `thread_${index + 2} is empty, and a thread cannot have gaps`)
    }
    const media = choicesOf([cells[`${name}_media`] ?? ""])
    return { caption: cells[name] ?? "", media, from: name }
  })
}

const ofJson = (cell: string): ReadonlyArray<Following> => {
  const rule =
    'it must be a JSON list of texts or { "caption", "media" } objects; in CSV, use thread_2 and thread_2_media instead'
  const items = (() => {
    try {
      return JSON.parse(cell)
    } catch {
      throw wrong("thread", cell, rule)
    }
  })()
  if (!Array.isArray(items)) throw wrong("thread", items, rule)
  return items.map((item: unknown, index) => {
    const from = `thread[${index}]`
    const { caption, media, ...rest } = typeof item === "string" ? { caption: item } : Object(item)
    const files = media ?? []
    const readable =
      Object.keys(rest).length === 0 && (caption == null || typeof caption === "string") && isTexts(files)
    if (!readable || (!caption && files.length === 0)) {
      throw wrong(from, item, 'it must be a text, or an object with a "caption", a list of "media", or both')
    }
    return { caption: caption ?? "", media: files, from }
  })
}

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((one) => typeof one === "string")

const wrong = (name: string, value: unknown, rule: string) => {
  const shown = JSON.stringify(value)
  const short = shown.length > 100 ? `${shown.slice(0, 100)}…` : shown
  return new Unusable(`${name} is ${short}; ${rule}.`)
}
