import { printable } from "@carillon/domain/OneLine"

export type Tone = "good" | "bad" | "busy" | "faint"

// These characters occur in no text; they stand for colors until it is known whether there are any. Text from elsewhere
// can use these at most, because every escape sequence is removed.
const marks = { good: "\ufdd0", bad: "\ufdd1", busy: "\ufdd2", faint: "\ufdd3", end: "\ufdd4" } as const
const sequences: Readonly<Record<string, string>> = {
  [marks.good]: "\u001b[32m",
  [marks.bad]: "\u001b[31m",
  [marks.busy]: "\u001b[33m",
  [marks.faint]: "\u001b[2m",
  [marks.end]: "\u001b[0m"
}

export const color = (tone: Tone | undefined, text: string): string =>
  tone === undefined ? text : `${marks[tone]}${text}${marks.end}`

/** The text as it is written: safe for a terminal, and with colors where they are wanted. */
export const rendered = (text: string, coloured: boolean): string =>
  printable(text).replace(/[\ufdd0-\ufdd4]/g, (mark) => (coloured ? sequences[mark]! : ""))

/** The tone of an API status. */
export const toneOf = (status: string): Tone | undefined => tones[status]

const tones: Readonly<Record<string, Tone>> = {
  published: "good",
  ready: "good",
  connected: "good",
  delivered: "good",
  active: "good",
  failed: "bad",
  disconnected: "bad",
  unconfirmed: "busy",
  needs_reconnect: "busy",
  publishing: "busy",
  paused: "busy",
  draft: "faint"
}
