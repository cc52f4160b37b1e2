interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
}

/** The index of the tile that a key leads to, by position; null: another key, or the edge. */
export const nextInGrid = (boxes: ReadonlyArray<Box>, from: number, key: string): number | null => {
  switch (key) {
    case "ArrowLeft":
      return from > 0 ? from - 1 : null
    case "ArrowRight":
      return from < boxes.length - 1 ? from + 1 : null
    case "ArrowDown":
      return near(boxes, from, 1)
    case "ArrowUp":
      return near(boxes, from, -1)
    case "Home":
      return 0
    case "End":
      return boxes.length - 1
    default:
      return null
  }
}

/** The nearest tile of the next row. */
const near = (boxes: ReadonlyArray<Box>, from: number, by: 1 | -1): number | null => {
  const { left, top } = boxes[from]!
  let row: number | null = null
  let best: number | null = null
  for (let at = from + by; at >= 0 && at < boxes.length; at += by) {
    const box = boxes[at]!
    if ((box.top - top) * by <= 1) continue
    if (row !== null && Math.abs(box.top - row) > 1) break
    row = box.top
    if (best === null || Math.abs(box.left - left) < Math.abs(boxes[best]!.left - left)) best = at
  }
  return best
}
