/** The value that `share` of the sorted values do not exceed (nearest rank). */
export const percentile = (sorted: ArrayLike<number>, share: number): number =>
  sorted.length === 0 ? Number.NaN : sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!

export const sorted = (values: Iterable<number>): Float64Array => Float64Array.from(values).sort()

export const median = (values: Iterable<number>): number => {
  const order = sorted(values)
  const middle = order.length / 2
  return Number.isInteger(middle) ? (order[middle - 1]! + order[middle]!) / 2 : order[Math.floor(middle)]!
}

/** Thousands separated, about three digits that mean something; a dash for what could not be measured. */
export const figure = (value: number): string => {
  if (!Number.isFinite(value)) return "–"
  const size = Math.abs(value)
  return value.toLocaleString("en", { maximumFractionDigits: size >= 100 ? 0 : size >= 10 ? 1 : 2 })
}

/** Rows under their heads, the first column to the left and all others to the right. */
export const table = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) =>
      row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join("   ")
    )
    .join("\n")
}
