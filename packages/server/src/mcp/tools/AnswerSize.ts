/** About as many tokens as a text has: words have few, ids and marks many, and a character of another script is one or more. */
const tokensOf = (text: string): number => {
  const letters = text.replaceAll(/[^a-zA-Z ]/gu, "").length
  const others = text.replaceAll(/\p{ASCII}/gu, "").length
  return letters / 4.5 + (text.length - letters - others) / 2 + others * 1.15
}

/** An answer that was not asked to be longer has 6,000 at most (docs/decisions/0047-what-agents-read.md). */
const mostTokens = 5_700

export const isLong = (answer: unknown): boolean => tokensOf(JSON.stringify(answer)) > mostTokens

/** The first items that fit, and one at least. */
export const thatFit = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> => {
  let room = mostTokens
  const over = items.findIndex((item) => (room -= tokensOf(JSON.stringify(item))) < 0)
  return over < 0 ? items : items.slice(0, Math.max(1, over))
}

/** The beginning of a text, with an ellipsis where more follows. */
export const cut = (text: string, most: number): string => {
  const characters = Array.from(text.slice(0, 2 * most + 2))
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`
}
