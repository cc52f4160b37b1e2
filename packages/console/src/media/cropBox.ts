/** A part of a picture, in its pixels. */
export interface CropBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface Size {
  readonly width: number
  readonly height: number
}

/** In pixels. */
const leastSide = 32

const within = (value: number, most: number) => Math.max(0, Math.min(most, value))

/** The largest centred part of a ratio; null: any ratio. */
export const largest = ({ height, width }: Size, ratio: number | null): CropBox => {
  if (ratio === null) return { x: 0, y: 0, width, height }
  const inner = width / height > ratio ? { width: height * ratio, height } : { width, height: width / ratio }
  return { x: (width - inner.width) / 2, y: (height - inner.height) / 2, ...inner }
}

/** Moved, within the picture. */
export const moved = (box: CropBox, size: Size, right: number, down: number): CropBox => ({
  ...box,
  x: within(box.x + right, size.width - box.width),
  y: within(box.y + down, size.height - box.height)
})

/** Larger or smaller around its centre, within the picture. */
export const scaled = (box: CropBox, size: Size, factor: number): CropBox => {
  const most = Math.min(size.width / box.width, size.height / box.height)
  const least = Math.min(most, Math.max(leastSide / box.width, leastSide / box.height))
  const by = Math.max(least, Math.min(most, factor))
  const width = box.width * by
  const height = box.height * by
  return moved(
    { x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width, height },
    size,
    0,
    0
  )
}

export type Corner = "top-left" | "top-right" | "bottom-left" | "bottom-right"

/** With one corner moved to a point and the opposite one fixed. */
export const stretched = (
  box: CropBox,
  size: Size,
  ratio: number | null,
  corner: Corner,
  to: { readonly x: number; readonly y: number }
): CropBox => {
  const left = corner.endsWith("left")
  const top = corner.startsWith("top")
  const fixed = { x: left ? box.x + box.width : box.x, y: top ? box.y + box.height : box.y }
  const room = {
    width: left ? fixed.x : size.width - fixed.x,
    height: top ? fixed.y : size.height - fixed.y
  }
  const wish = {
    width: Math.max(leastSide, left ? fixed.x - to.x : to.x - fixed.x),
    height: Math.max(leastSide, top ? fixed.y - to.y : to.y - fixed.y)
  }
  let width = Math.min(room.width, wish.width)
  let height = Math.min(room.height, wish.height)
  if (ratio !== null) {
    width = Math.min(Math.max(wish.width, wish.height * ratio), room.width, room.height * ratio)
    height = width / ratio
  }
  return { x: left ? fixed.x - width : fixed.x, y: top ? fixed.y - height : fixed.y, width, height }
}

/** In whole pixels. With a ratio, the height follows from the width. */
export const rounded = (box: CropBox, size: Size, ratio: number | null): CropBox => {
  const width = Math.max(1, Math.min(size.width, Math.round(box.width)))
  const height = Math.max(
    1,
    Math.min(size.height, ratio === null ? Math.round(box.height) : Math.round(width / ratio))
  )
  return {
    x: within(Math.round(box.x), size.width - width),
    y: within(Math.round(box.y), size.height - height),
    width,
    height
  }
}

/** `bells (4:5).jpg` */
export const cutName = (name: string, what: string, extension: string) =>
  `${name.replace(/\.[^.]*$/, "")} (${what}).${extension}`
