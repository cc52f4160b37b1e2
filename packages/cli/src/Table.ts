import { oneLine } from "@carillon/domain/OneLine"
import { type Tone, color } from "./Color.ts"

export interface Column<Row> {
  readonly title: string
  readonly of: (row: Row) => string | number | null
  readonly tone?: (row: Row) => Tone | undefined
  /** The last column may be cut to the terminal's width, unless people copy it. */
  readonly whole?: true
}

const gap = 2
const narrowest = 20

/** Aligned columns. The last one is cut to what is left of `width`, unless it is to stay whole. */
export const table = async <Row>(
  rows: ReadonlyArray<Row>,
  columns: ReadonlyArray<Column<Row>>,
  width = 120
): Promise<string> => {
  const cells = [
    columns.map(({ title }) => ({ text: title, tone: "faint" as Tone | undefined })),
    ...rows.map((row) =>
      columns.map((column) => ({ text: oneLine(String(column.of(row) ?? "-")), tone: column.tone?.(row) }))
    )
  ]
  await measureFor(cells.flat().map(({ text }) => text))
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => widthOf(line[index]!.text))))
  const before = widths.slice(0, -1).reduce((sum, one) => sum + one + gap, 0)
  const left = columns.at(-1)?.whole ? Number.POSITIVE_INFINITY : Math.max(width - before, narrowest)
  return cells
    .map((line) =>
      line
        .map(({ text, tone }, index) =>
          index === line.length - 1
            ? color(tone, cut(text, left))
            : color(tone, text) + " ".repeat(widths[index]! - widthOf(text) + gap)
        )
        .join("")
    )
    .join("\n")
}

let measure: ((text: string) => number) | undefined

/** Measuring wide and combining characters takes long to load, and most tables have none. */
const measureFor = async (texts: ReadonlyArray<string>): Promise<void> => {
  if (measure === undefined && !texts.every(isPlain)) measure = (await import("string-width")).default
}

const isPlain = (text: string) => /^[\x20-\x7e]*$/.test(text)

const widthOf = (text: string): number =>
  isPlain(text) ? text.length : (measure?.(text) ?? Array.from(text).length)

/** The beginning of a text that is wider than `width`. */
export const cut = (text: string, width: number): string => {
  if (widthOf(text) <= width) return text
  let kept = ""
  let used = 1
  for (const { segment } of new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)) {
    used += widthOf(segment)
    if (used > width) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}
