/** The value that `share` of the sorted values do not exceed (nearest rank). */
export const percentile = (sorted: ArrayLike<number>, share: number): number =>
  sorted.length === 0 ? Number.NaN : sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!

export const sorted = (values: Iterable<number>): Float64Array => Float64Array.from(values).sort()

export const median = (values: Iterable<number>): number => {
  const order = sorted(values)
  const middle = order.length / 2
  return Number.isInteger(middle) ? (order[middle - 1]! + order[middle]!) / 2 : order[Math.floor(middle)]!
}

/** Thousands separated, about three significant digits; a dash for what could not be measured. */
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

export type Measured<Column extends string> = Readonly<Record<Column, number>>

/** The figures of one contestant, round by round. */
export interface Contest<Column extends string> {
  readonly name: string
  readonly rounds: ReadonlyArray<Measured<Column>>
}

/**
 * Every round, the median of each figure, and the median of the first contestant's ratio to the second within each
 * round, with the smallest and the largest: rounds follow each other closely, so the machine's other work weighs on both.
 */
export const comparison = <Column extends string>(
  title: string,
  columns: ReadonlyArray<Column>,
  service: Contest<Column>,
  baseline: Contest<Column>
): string => {
  const medians = ({ name, rounds }: Contest<Column>) => [
    name,
    ...columns.map((column) => figure(median(rounds.map((round) => round[column]))))
  ]
  const each = ({ name, rounds }: Contest<Column>) =>
    rounds.map((round, index) => [
      `  ${name} ${index + 1}`,
      ...columns.map((column) => figure(round[column]))
    ])
  const ratio = (column: Column) => {
    const ratios = service.rounds.map((round, index) => round[column] / baseline.rounds[index]![column])
    if (!ratios.every(Number.isFinite)) return "–"
    return `${figure(median(ratios))} (${figure(Math.min(...ratios))}–${figure(Math.max(...ratios))})`
  }
  return table([
    [title, ...columns],
    ...each(service),
    ...each(baseline),
    medians(service),
    medians(baseline),
    ["ratio, median (min–max)", ...columns.map(ratio)]
  ])
}
