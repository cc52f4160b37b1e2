/** The place of a picture in a grid of two by two. */
export interface Cell {
  readonly columns: 1 | 2
  readonly rows: 1 | 2
}

const small: Cell = { columns: 1, rows: 1 }
const tall: Cell = { columns: 1, rows: 2 }
const whole: Cell = { columns: 2, rows: 2 }

/** How up to four pictures share a post; further ones are not shown. */
export const gridOf = (count: number): ReadonlyArray<Cell> => {
  if (count <= 0) return []
  if (count === 1) return [whole]
  if (count === 2) return [tall, tall]
  if (count === 3) return [tall, small, small]
  return [small, small, small, small]
}

interface Size {
  readonly width: number | null
  readonly height: number | null
}

export interface Frame {
  /** Width divided by height. */
  readonly ratio: number
  /** The edges are cropped because the ratio differs. */
  readonly cut: boolean
}

/** Ratios may differ by the rounding to whole pixels. */
const asGoodAs = 0.02

/** The frame of a picture: its own ratio within the network's bounds, or the `usual` one while it is unknown. */
export const frameOf = (
  { height, width }: Size,
  { least, most, usual }: { readonly least: number; readonly most: number; readonly usual: number }
): Frame => {
  if (width === null || height === null || width <= 0 || height <= 0) return { ratio: usual, cut: false }
  const own = width / height
  const ratio = Math.min(most, Math.max(least, own))
  return { ratio, cut: Math.abs(own / ratio - 1) > asGoodAs }
}

/** Ratios with a name. */
const known = [
  [1, 1],
  [4, 5],
  [3, 4],
  [2, 3],
  [9, 16],
  [5, 4],
  [4, 3],
  [3, 2],
  [16, 9],
  [1.91, 1],
  [2, 1]
] as const

/** `4:5`, or the nearest ratio in small numbers. */
export const ratioName = (ratio: number): string => {
  const near = known.find(([width, height]) => Math.abs(ratio / (width / height) - 1) < asGoodAs)
  if (near !== undefined) return `${near[0]}:${near[1]}`
  return ratio >= 1 ? `${Number(ratio.toFixed(2))}:1` : `1:${Number((1 / ratio).toFixed(2))}`
}

/** `0:42`, `1:02:05` */
export const lengthOf = (milliseconds: number): string => {
  const seconds = Math.round(milliseconds / 1000)
  const two = (value: number) => String(value).padStart(2, "0")
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}
