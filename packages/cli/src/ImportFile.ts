import { CliError, exitCodes } from "./CliError.ts"
import { count } from "./Text.ts"

/** One post of a file: its line there, and its cells by column. Empty cells are left out. */
export interface Row {
  readonly line: number
  readonly cells: Readonly<Record<string, string>>
  /** Why the row cannot be read, and what to do. */
  readonly problem?: string
}

/** CSV as in RFC 4180: quotes around what has commas, quotes (doubled) or line ends. The first row names the columns. */
export const rowsOfCsv = (text: string): ReadonlyArray<Row> => {
  const [header, ...records] = recordsOf(text.replace(/^\ufeff/, ""))
  if (header === undefined) return []
  const names = header.fields.map((name) => name.trim())
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw unreadable(1, `duplicate column ${JSON.stringify(twice)}`)
  return records.map(({ fields, line }) =>
    fields.length === names.length
      ? { line, cells: cellsOf(fields.map((field, index) => [names[index]!, field])) }
      : { line, cells: {}, problem: miscounted(fields.length, names.length) }
  )
}

/** With a comma too many or too few, a cell would be read as another column's. */
const miscounted = (cells: number, columns: number) =>
  `${count(cells, "cell")} for ${count(columns, "column")}. ` +
  (cells > columns
    ? "Put quotes around a cell that contains commas."
    : "Separate all cells with commas, even empty ones.")

/** A JSON object on every line. Lists become text with commas, as in CSV. */
export const rowsOfJsonLines = (text: string): ReadonlyArray<Row> =>
  text.split(/\r?\n/).flatMap((one, index): ReadonlyArray<Row> => {
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
    return [{ line, cells: cellsOf(Object.entries(value).map(([name, cell]) => [name, cellOf(name, cell)])) }]
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

const recordsOf = (text: string): ReadonlyArray<CsvRecord> => {
  const records: Array<CsvRecord> = []
  // A cell, quoted or not, and its separator.
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y
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
    if (end === ",") continue
    if (fields.length > 1 || fields[0] !== "") records.push({ line: startedAt, fields })
    fields = []
    startedAt = line
    if (end === "") break
  }
  return records
}

const unreadable = (line: number, why: string) =>
  new CliError(exitCodes.usage, `Line ${line}: ${why}.`, "Nothing was posted.")
