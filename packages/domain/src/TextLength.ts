import type { TextRules, TextUnit } from "./Platform.ts"
import { countryDomains, genericDomains } from "./WebAddresses.ts"

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" })

/** The length of a text as a platform counts it; `address_length` is for servers on which an address has another one. */
export const textLength = (
  text: string,
  { unit, address_length = addressLength }: Pick<TextRules, "unit" | "address_length">
): number => {
  switch (unit) {
    case "utf16":
      return text.length
    case "code_points":
      return [...text].length
    case "graphemes":
      return graphemes(text)
    case "bytes":
      return byteLength(text)
    case "x_weighted":
      return xWeight(text)
    case "mastodon":
      return graphemes(text.replace(schemeAddress, "x".repeat(address_length)).replace(remoteMention, "@$1"))
    case "threads":
      return threadsLength(text)
  }
}

/** The words for each unit. */
export const textUnits: Readonly<Record<TextUnit, string>> = {
  graphemes: "characters",
  code_points: "characters",
  utf16: "UTF-16 units",
  bytes: "bytes",
  x_weighted: "characters as X counts them",
  mastodon: "characters as Mastodon counts them",
  threads: "characters as Threads counts them"
}

/** The length of a text in UTF-8. */
export const byteLength = (text: string): number => new TextEncoder().encode(text).length

/** `#tag`s of a text: the sign, then letters of any script, digits and underscores, not digits alone. */
export const hashtags = /(?<![\p{L}\p{N}_&])[#＃](?=\d*[\p{L}_])[\p{L}\p{M}\p{N}_]+/gu

export const hashtagCount = (text: string): number => (text.match(hashtags) ?? []).length

/** `@name`s of a text. */
export const mentions = /(?<![\p{L}\p{N}_./])@[\w.]*\w/gu

export const mentionCount = (text: string): number => (text.match(mentions) ?? []).length

// In ASCII only a line end of two characters counts as one.
const graphemes = (text: string) =>
  /^[\n\x20-\x7e]*$/.test(text) ? text.length : [...segmenter.segment(text)].length

/** Every address counts as this many characters on X, and usually on Mastodon, whatever its length. */
export const addressLength = 23

/** Port, path, query and fragment: Latin and Cyrillic letters, never ending in punctuation. */
const tail =
  "(?::\\d+)?(?:[/?#](?:[\\p{Script=Latin}\\p{Script=Cyrillic}\\d!*';:=+,.$/%#[\\]\\-–_~@|&?()]*" +
  "[\\p{Script=Latin}\\p{Script=Cyrillic}\\d=_#/+)&~-])?)?"

/** Addresses with a scheme in a text. */
export const schemeAddress = new RegExp(
  `https?://(?:[\\p{L}\\p{N}_-]+\\.)+(?:[a-z]{2,}(?![a-z0-9@+-])|\\p{Script=Cyrillic}{2,})${tail}`,
  "giu"
)

const remoteMention = /(?<![\w/])@(\w(?:[\w.-]*\w)?)@[\w-]+(?:\.[\w-]+)+/gu

/** An address with a scheme, or a host under a top-level domain that exists. */
const address = new RegExp(
  `(?<![a-z0-9@＠$#＃])(?:${schemeAddress.source}|(?<![-_./])(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+` +
    `(?:${[...genericDomains, ...countryDomains].join("|")})(?![a-z0-9@+-]|\\.[a-z0-9])${tail})`,
  "giu"
)

const emoji = /\p{RGI_Emoji}/gv

/**
 * X's published configuration (twitter-text, version 3): in NFC, code points of these ranges weigh 1 and others 2,
 * an emoji sequence 2, an address 23.
 */
const lightRanges = [
  [0, 4351],
  [8192, 8205],
  [8208, 8223],
  [8242, 8247]
] as const

const xWeight = (text: string): number => {
  let weight = 0
  const rest = text
    .normalize("NFC")
    .replace(address, () => {
      weight += addressLength
      return ""
    })
    .replace(emoji, () => {
      weight += 2
      return ""
    })
  for (const character of rest) {
    const point = character.codePointAt(0)!
    weight += lightRanges.some(([from, to]) => from <= point && point <= to) ? 1 : 2
  }
  return weight
}

const threadsLength = (text: string): number => {
  let length = 0
  const rest = text.replace(emoji, (sequence) => {
    length += byteLength(sequence)
    return ""
  })
  for (const character of rest) length += character.length === 2 ? byteLength(character) : 1
  return length
}
