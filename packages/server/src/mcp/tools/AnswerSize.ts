import { truncate } from "@carillon/domain"
import { DateTime } from "effect"

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
export const thatFit = <A>(items: ReadonlyArray<A>, most = mostTokens): ReadonlyArray<A> => {
  let room = most
  const over = items.findIndex((item) => (room -= tokensOf(JSON.stringify(item))) < 0)
  return over < 0 ? items : items.slice(0, Math.max(1, over))
}

/** How long a text and a list may be in an answer that has to be shorter; ids and times are never longer than the least. */
const shorter = [
  { text: 300, items: Infinity },
  { text: 100, items: Infinity },
  { text: 300, items: 20 },
  { text: 100, items: 8 },
  { text: 80, items: 4 },
  { text: 80, items: 2 }
]

type Shorter = (typeof shorter)[number]

const shortened = (value: unknown, most: Shorter): unknown => {
  // An address that is cut leads nowhere.
  if (typeof value === "string") return /^https?:\/\/\S+$/.test(value) ? value : truncate(value, most.text)
  if (Array.isArray(value)) return value.slice(0, most.items).map((one) => shortened(one, most))
  if (typeof value !== "object" || value === null || DateTime.isDateTime(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner, most)]))
}

/** The answer itself where it fits, else a copy with as much of its texts and lists as does. */
export const fitted = <A extends object>(answer: A): A => {
  if (!isLong(answer)) return answer
  const cuts = shorter.map((most) => shortened(answer, most) as A)
  return cuts.find((one) => !isLong(one)) ?? cuts.at(-1)!
}
