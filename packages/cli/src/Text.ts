/**
 * Removes what a terminal would obey instead of show: control characters except line ends, and the marks that
 * reverse the reading direction. Captions and names come from other people.
 */
export const printable = (text: string): string =>
  text.replace(/[^\P{Cc}\n]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "")

export const oneLine = (text: string): string => printable(text.replace(/\s+/gu, " ")).trim()

/** `1 account`, `2 accounts`. */
export const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`
