export interface Piece {
  readonly text: string
  readonly differs: boolean
}

/** Longer texts differ as a whole: the table below has a cell for each pair of words. */
const mostWords = 2_000

/** Words with the space before them, so that two texts never share spaces alone. */
const wordsOf = (text: string) => text.match(/\s*(?:[\p{L}\p{M}\p{N}_]+|[^\s\p{L}\p{M}\p{N}_])|\s+/gu) ?? []

/** Both texts in pieces, marking the words that only one of them has. */
export const diffWords = (
  one: string,
  other: string
): readonly [ReadonlyArray<Piece>, ReadonlyArray<Piece>] => {
  const a = wordsOf(one)
  const b = wordsOf(other)
  if (a.length > mostWords || b.length > mostWords)
    return [[{ text: one, differs: one !== other }], [{ text: other, differs: one !== other }]]
  // The length of the longest common subsequence from each pair of places on.
  const width = b.length + 1
  const common = new Uint16Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] =
        a[i] === b[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
    }
  }
  const left: Array<Piece> = []
  const right: Array<Piece> = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      left.push({ text: a[i++]!, differs: false })
      right.push({ text: b[j++]!, differs: false })
    } else if (j >= b.length || (i < a.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!))
      left.push({ text: a[i++]!, differs: true })
    else right.push({ text: b[j++]!, differs: true })
  }
  return [together(left), together(right)]
}

const together = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Piece> => {
  const joined: Array<Piece> = []
  for (const piece of pieces) {
    const last = joined.at(-1)
    if (last?.differs === piece.differs)
      joined[joined.length - 1] = { text: last.text + piece.text, differs: piece.differs }
    else joined.push(piece)
  }
  return joined
}
