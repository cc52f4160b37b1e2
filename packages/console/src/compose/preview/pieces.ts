import {
  facetsIn,
  hashtags,
  isPlatformId,
  mentions,
  platformFacts,
  schemeAddress,
  xAddresses
} from "@carillon/domain"

export interface Piece {
  readonly kind: "text" | "link" | "mention" | "tag"
  readonly text: string
}

const isPlain = (platform: string, kind: "link" | "mention" | "tag") =>
  isPlatformId(platform) && platformFacts[platform].plain?.includes(kind) === true

interface Found extends Piece {
  readonly from: number
}

const matches = (
  parts: Iterable<{ readonly 0: string; readonly index: number }>,
  kind: Piece["kind"]
): ReadonlyArray<Found> => Array.from(parts, ({ 0: text, index }) => ({ kind, text, from: index }))

const foundIn = (text: string, platform: string): ReadonlyArray<Found> => {
  if (platform === "bluesky")
    return facetsIn(text).map(({ from, part, to }) => ({ kind: part.kind, text: text.slice(from, to), from }))
  return [
    // An address is one, also where it is no link: what is in it is no tag.
    ...matches(platform === "twitter" ? xAddresses(text) : text.matchAll(schemeAddress), "link"),
    ...(isPlain(platform, "mention") ? [] : matches(text.matchAll(mentions), "mention")),
    ...(isPlain(platform, "tag") ? [] : matches(text.matchAll(hashtags), "tag"))
  ]
}

/** A text in pieces that a network shows in different ways; together they are the text. */
export const piecesOf = (text: string, platform: string): ReadonlyArray<Piece> => {
  const pieces: Array<Piece> = []
  const add = (kind: Piece["kind"], piece: string) => {
    const last = pieces.at(-1)
    if (kind === "text" && last?.kind === "text")
      pieces[pieces.length - 1] = { kind, text: last.text + piece }
    else if (piece !== "") pieces.push({ kind, text: piece })
  }
  let at = 0
  for (const found of foundIn(text, platform).toSorted((one, other) => one.from - other.from)) {
    if (found.from < at) continue
    add("text", text.slice(at, found.from))
    add(found.kind === "link" && isPlain(platform, "link") ? "text" : found.kind, found.text)
    at = found.from + found.text.length
  }
  add("text", text.slice(at))
  return pieces
}
