import { facetsIn, hashtags } from "@carillon/domain"
import { plainWords } from "../PlainWords.ts"

/** Unescaped, each of them ends the text for LinkedIn, which then says nothing of it. */
const reserved = /[\\|{}@[\]()<>#*_~]/g

/** Whom a text mentions, as a person writes it: the name, then the URN. */
const mentions = /@\[([^[\]\n]{1,200})\]\((urn:li:(?:organization|person):[\w-]{1,100})\)/g

interface Part {
  readonly from: number
  readonly to: number
  readonly little: string
}

const escaped = (text: string) => text.replaceAll(reserved, "\\$&")

const partsOf = (text: string): ReadonlyArray<Part> => {
  const from = ({ 0: found, index }: RegExpExecArray, little: string): Part => ({
    from: index,
    to: index + found.length,
    little
  })
  const found = [
    ...Array.from(text.matchAll(mentions), (match) => from(match, `@[${escaped(match[1]!)}](${match[2]!})`)),
    // A # within an address begins no hashtag.
    ...facetsIn(text).flatMap(({ part, ...place }) =>
      part.kind === "link" ? [{ ...place, little: escaped(text.slice(place.from, place.to)) }] : []
    ),
    ...Array.from(text.matchAll(hashtags), (match) =>
      from(match, `{hashtag|${escaped(match[0][0]!)}|${escaped(match[0].slice(1))}}`)
    )
  ]
  const kept: Array<Part> = []
  for (const part of found) {
    if (kept.every(({ from, to }) => part.to <= from || to <= part.from)) kept.push(part)
  }
  return kept.sort((one, other) => one.from - other.from)
}

/**
 * A text as LinkedIn reads it, with its hashtags and mentions:
 * https://learn.microsoft.com/linkedin/marketing/community-management/shares/little-text-format
 */
export const littleText = (text: string): string => {
  let at = 0
  const written = partsOf(text).map(({ from, little, to }) => {
    const before = escaped(text.slice(at, from))
    at = to
    return before + little
  })
  return written.join("") + escaped(text.slice(at))
}

/** The letters and digits of such a text, which are the same however LinkedIn gives it back. */
export const littleWords = (little: string): string =>
  plainWords(
    little
      .replaceAll(/@\[((?:\\.|[^\]\\])*)\]\(urn:[^)]*\)/g, "$1")
      .replaceAll(/\{hashtag\|[^|]*\|([^}]*)\}/g, "$1")
  )
