import stringWidth from "string-width"
import { oneLine } from "./Text.ts"

export interface Column<Row> {
  readonly title: string
  readonly of: (row: Row) => string | number | null
  /** The last column may be cut to the terminal's width; what is to be copied may not. */
  readonly whole?: true
}

const gap = 2
const narrowest = 20

/** Aligned columns. The last one is cut to what is left of `width`, unless it is to stay whole. */
export const table = <Row>(
  rows: ReadonlyArray<Row>,
  columns: ReadonlyArray<Column<Row>>,
  width = 120
): string => {
  const cells = [
    columns.map((column) => column.title),
    ...rows.map((row) => columns.map((column) => oneLine(String(column.of(row) ?? "-"))))
  ]
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => stringWidth(line[index]!))))
  const before = widths.slice(0, -1).reduce((sum, one) => sum + one + gap, 0)
  const left = columns.at(-1)?.whole ? Number.POSITIVE_INFINITY : Math.max(width - before, narrowest)
  return cells
    .map((line) =>
      line
        .map((cell, index) =>
          index === line.length - 1
            ? cut(cell, left)
            : cell + " ".repeat(widths[index]! - stringWidth(cell) + gap)
        )
        .join("")
        .trimEnd()
    )
    .join("\n")
}

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" })

const cut = (text: string, width: number): string => {
  if (stringWidth(text) <= width) return text
  let kept = ""
  let used = 1
  for (const { segment } of segmenter.segment(text)) {
    used += stringWidth(segment)
    if (used > width) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}
