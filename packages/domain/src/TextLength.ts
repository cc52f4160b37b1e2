import type { TextRules, TextUnit } from "./Platform.ts"
import { xAddresses } from "./XAddresses.ts"

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" })

/**
 * The length of a text as a platform counts it. `address_length` is for servers on which an address has another one.
 * Counting ends above `most`: a larger answer says no more than that.
 */
export const textLength = (
  text: string,
  { unit, address_length = addressLength }: Pick<TextRules, "unit" | "address_length">,
  most = Infinity
): number => {
  const least = Math.ceil(text.length * leastOfUnit[unit])
  if (least > most) return least
  switch (unit) {
    case "utf16":
      return text.length
    case "code_points":
      return [...text].length
    case "graphemes":
      return graphemes(text, most)
    case "bytes":
      return byteLength(text)
    case "x_weighted":
      return xWeight(text, most)
    case "mastodon":
      return mastodonLength(text, address_length, most)
    case "threads":
      return sumAround(text, text.matchAll(emoji), byteLength, threadsCharacters, most)
  }
}

/**
 * The end of the longest start of a text that `fits`, in UTF-16 units. It cuts no character, and no address or name that the
 * platform counts as a whole.
 */
export const fittingEnd = (text: string, unit: TextUnit, fits: (start: string) => boolean): number => {
  const whole = [...wholeParts(text, unit)].map(({ 0: part, index }) => [index, index + part.length] as const)
  const ends = [...segmenter.segment(text)]
    .map(({ index }) => index)
    .filter((end) => !whole.some(([from, to]) => from < end && end < to))
  let [least, most] = [0, ends.length]
  while (most - least > 1) {
    const middle = (least + most) >> 1
    if (fits(text.slice(0, ends[middle]))) least = middle
    else most = middle
  }
  return ends[least] ?? 0
}

const wholeParts = (text: string, unit: TextUnit): Iterable<{ readonly 0: string; readonly index: number }> =>
  unit === "x_weighted"
    ? xAddresses(text)
    : unit === "mastodon"
      ? [...text.matchAll(schemeAddress), ...text.matchAll(remoteMention)]
      : []

/** The least that a UTF-16 unit of a text can count as, on average. */
const leastOfUnit: Readonly<Record<TextUnit, number>> = {
  utf16: 1,
  bytes: 1,
  code_points: 0.5,
  threads: 0.5,
  graphemes: 0,
  mastodon: 0,
  x_weighted: 0
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

/** The different links of a text, with a scheme or `www.`: a bare name, such as `main.py`, may be none. */
export const linksOf = (text: string): ReadonlySet<string> =>
  new Set(
    Array.from(xAddresses(text), ({ 0: address }) => address)
      .filter((address) => /^(?:https?:\/\/|www\.)/i.test(address))
      .map((address) =>
        address
          .replace(/^https?:\/\//i, "")
          .replace(/\/$/, "")
          .replace(/^[^/?#]+/, (host) => host.toLowerCase())
      )
  )

/** `$TAG`s of a text, as X knows them: one to six letters, and one or two more behind a dot or a low line. */
export const cashtags =
  /(?<![^\s\u202a-\u202e\u061c\u200e\u200f\u2066-\u2069])\$[a-z]{1,6}(?:[._][a-z]{1,2})?(?=$|[\s!'#%&()*+,\\\-./:;<=>?@[\]^_{|}~$])/giu

/** Characters that never join with another: Latin, Greek and Cyrillic letters, Chinese, Japanese, Korean, punctuation. */
const separate =
  /^[\n\x20-\x7e\xa0-\xac\xae-\u02ff\u0370-\u0482\u048a-\u058f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u3001-\u3029\u3030-\u3096\u309b-\u30ff\u3400-\u9fff\uac00-\ud7a3]*$/

const graphemes = (text: string, most: number) => {
  if (separate.test(text)) return text.length
  let count = 0
  for (const _ of segmenter.segment(text)) if (++count > most) break
  return count
}

/** Adds these parts of a text, and what is between them, until the sum is more than `most`. */
const sumAround = (
  text: string,
  parts: Iterable<{ readonly 0: string; readonly index: number }>,
  ofMatch: (match: string) => number,
  ofRest: (rest: string, most: number) => number,
  most: number
): number => {
  let [sum, from] = [0, 0]
  for (const { 0: match, index } of parts) {
    sum += ofRest(text.slice(from, index), most - sum) + ofMatch(match)
    if (sum > most) return sum
    from = index + match.length
  }
  return sum + ofRest(text.slice(from), most - sum)
}

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

/** The first half finds out quickly that a character begins none. */
const emoji = /(?=[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji}])\p{RGI_Emoji}/gv
/** X takes a key without the mark that makes it an emoji for one, too. */
const xEmoji = new RegExp(`${emoji.source}|[#*0-9]\\u20e3`, "gv")

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

const xWeight = (text: string, most: number) => {
  const composed = text.normalize("NFC")
  const weight = (rest: string, left: number) =>
    sumAround(rest, rest.matchAll(xEmoji), () => 2, xCharacters, left)
  return sumAround(composed, xAddresses(composed), () => addressLength, weight, most)
}

const xCharacters = (text: string) => {
  let weight = 0
  for (const character of text) {
    const point = character.codePointAt(0)!
    weight += lightRanges.some(([from, to]) => from <= point && point <= to) ? 1 : 2
  }
  return weight
}

const mastodonLength = (text: string, address_length: number, most: number) => {
  let added = 0
  const one = () => {
    added += address_length - 1
    return "x"
  }
  const shown = text.replace(schemeAddress, one).replace(remoteMention, "@$1")
  return added + graphemes(shown, most - added)
}

const threadsCharacters = (text: string) => {
  let length = 0
  for (const character of text) length += character.length === 2 ? byteLength(character) : 1
  return length
}
