import { Unusable } from "./Unusable.ts"

/** One post of a file: its line there, and its cells by column. Empty cells are left out. */
export interface Row {
  readonly line: number
  readonly cells: Readonly<Record<string, string>>
  /** Why the row cannot be read, and what to do. */
  readonly problem?: string
}

/** The format that a file's name tells. */
export const formatOf = (file: string) =>
  /\.(jsonl|ndjson)$/i.test(file) ? "jsonl" : /\.(csv|tsv|txt)$/i.test(file) ? "csv" : undefined

/** The text of a file. What is not UTF-8 would be published garbled. */
export const textOfFile = (bytes: Uint8Array, name: string): string => {
  let start = 0
  for (let line = 1; start < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, start)
    const next = end === -1 ? bytes.length : end + 1
    if (!isText(bytes.subarray(start, next))) {
      throw new Unusable(
        `Line ${line} of ${name} is not text in UTF-8.`,
        "Save it as UTF-8, in Excel as “CSV UTF-8”, and import it again. Nothing was posted."
      )
    }
    start = next
  }
  return new TextDecoder().decode(bytes)
}

/** UTF-16 of plain letters is valid UTF-8 too, with a NUL beside each. */
const isText = (bytes: Uint8Array) => {
  try {
    return !new TextDecoder("utf-8", { fatal: true }).decode(bytes).includes("\0")
  } catch {
    return false
  }
}

const separators = { ",": "commas", ";": "semicolons", "\t": "tabs" } as const
type Separator = keyof typeof separators

/**
 * CSV as in RFC 4180: quotes around what has separators, quotes (doubled) or line ends. The first row names the columns, and tells
 * what separates the cells: commas, semicolons as Excel writes where the comma is in numbers, or tabs.
 */
export const rowsOfCsv = (text: string): ReadonlyArray<Row> => {
  const plain = text.replace(/^\ufeff/, "")
  const separator = separatorOf(plain)
  const [header, ...records] = recordsOf(plain, separator)
  if (header === undefined) return []
  const names = header.fields.map(columnOf)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw unreadable(1, `duplicate column ${JSON.stringify(twice)}`)
  return records.map(({ fields, line }) =>
    fields.length === names.length
      ? { line, cells: cellsOf(fields.map((field, index) => [names[index]!, field])) }
      : { line, cells: {}, problem: miscounted(fields.length, names.length, separator) }
  )
}

const columnOf = (name: string) => name.trim().toLowerCase()

/** Of what stands outside quotes in the first row, the most frequent. */
const separatorOf = (text: string): Separator => {
  const [first = ""] = /^(?:\r?\n)*(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text) ?? []
  const names = first.replaceAll(/"(?:[^"]|"")*"/g, "")
  const countOf = (separator: Separator) => names.split(separator).length
  return (Object.keys(separators) as Array<Separator>).reduce((most, one) =>
    countOf(one) > countOf(most) ? one : most
  )
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`

/** With a separator too many or too few, a cell would be read as another column's. */
const miscounted = (cells: number, columns: number, separator: Separator) =>
  `${count(cells, "cell")} for ${count(columns, "column")}. ` +
  (cells > columns
    ? `Put quotes around a cell that contains ${separators[separator]}.`
    : `Separate all cells with ${separators[separator]}, even empty ones.`)

/** A JSON object on every line. Lists become text with commas, as in CSV. */
export const rowsOfJsonLines = (text: string): ReadonlyArray<Row> =>
  text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .flatMap((one, index): ReadonlyArray<Row> => {
      if (one.trim() === "") return []
      const line = index + 1
      const value = (() => {
        try {
          return JSON.parse(one)
        } catch {
          throw unreadable(line, "not valid JSON")
        }
      })()
      if (typeof value !== "object" || value === null || Array.isArray(value)) {
        throw unreadable(line, "not a JSON object")
      }
      return [
        {
          line,
          cells: cellsOf(
            Object.entries(value).map(([key, cell]) => [columnOf(key), cellOf(columnOf(key), cell)])
          )
        }
      ]
    })

const cellOf = (name: string, value: unknown): string => {
  if (value === null) return ""
  if (typeof value === "string") return value
  const words = name === "to" || name === "media"
  return words && Array.isArray(value) ? value.join(",") : JSON.stringify(value)
}

const cellsOf = (entries: ReadonlyArray<readonly [string, string]>) =>
  Object.fromEntries(entries.filter(([, value]) => value !== ""))

interface CsvRecord {
  readonly line: number
  readonly fields: ReadonlyArray<string>
}

const recordsOf = (text: string, separator: Separator): ReadonlyArray<CsvRecord> => {
  const records: Array<CsvRecord> = []
  // A cell, quoted or not, and its separator.
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r\\n|\\n|\\r|$)`,
    "y"
  )
  let fields: Array<string> = []
  let line = 1
  let startedAt = 1
  while (cell.lastIndex < text.length || fields.length > 0) {
    const from = cell.lastIndex
    const match = cell.exec(text)
    if (match === null) {
      throw unreadable(line, `unexpected quote: ${JSON.stringify(text.slice(from, from + 20))}`)
    }
    const [whole, quoted, plain, end] = match
    fields.push(quoted?.replaceAll('""', '"') ?? plain!)
    line += whole.split(/\r\n|\n|\r/).length - 1
    if (end === separator) continue
    if (fields.length > 1 || fields[0] !== "") records.push({ line: startedAt, fields })
    fields = []
    startedAt = line
    if (end === "") break
  }
  return records
}

const unreadable = (line: number, why: string) => new Unusable(`Line ${line}: ${why}.`, "Nothing was posted.")
