export interface Limits {
  readonly characters: number
  readonly lines: number
}

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" })

/** The part of a text before "more"; null: the network shows it whole. */
export const fold = (text: string, { characters, lines }: Limits): string | null => {
  const shown = text.split("\n").slice(0, lines).join("\n")
  const graphemes = [...segmenter.segment(shown)]
  if (graphemes.length <= characters) return shown.length < text.trimEnd().length ? shown.trimEnd() : null
  const cut = graphemes
    .slice(0, characters)
    .map(({ segment }) => segment)
    .join("")
  // Cuts between words, unless a word is very long.
  const word = /\s+\S*$/.exec(cut)?.index ?? 0
  const inWord = /\S/.test(graphemes[characters]!.segment)
  return (inWord && word > characters / 2 ? cut.slice(0, word) : cut).trimEnd()
}
