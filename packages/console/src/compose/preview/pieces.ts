import { facetsIn, hashtags, mentions, schemeAddress } from "@carillon/domain"

export interface Piece {
  readonly kind: "text" | "link" | "mention" | "tag"
  readonly text: string
}

interface Rule {
  readonly links: boolean
  readonly mentions: boolean
  readonly tags: boolean
}

/** What a network makes a link of, in a text. */
const rules: Readonly<Record<string, Rule>> = {
  instagram: { links: false, mentions: true, tags: true },
  tiktok: { links: false, mentions: true, tags: true },
  pinterest: { links: false, mentions: true, tags: true },
  google_business: { links: false, mentions: false, tags: false }
}

const everything: Rule = { links: true, mentions: true, tags: true }

interface Found extends Piece {
  readonly from: number
}

const matches = (text: string, pattern: RegExp, kind: Piece["kind"]): ReadonlyArray<Found> =>
  [...text.matchAll(pattern)].map((match) => ({ kind, text: match[0], from: match.index }))

const foundIn = (text: string, platform: string): ReadonlyArray<Found> => {
  if (platform === "bluesky")
    return facetsIn(text).map(({ from, part, to }) => ({ kind: part.kind, text: text.slice(from, to), from }))
  const rule = rules[platform] ?? everything
  return [
    // An address is one, also where it is no link: what is in it is no tag.
    ...matches(text, schemeAddress, "link"),
    ...(rule.mentions ? matches(text, mentions, "mention") : []),
    ...(rule.tags ? matches(text, hashtags, "tag") : [])
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
  const links = (rules[platform] ?? everything).links
  let at = 0
  for (const found of foundIn(text, platform).toSorted((one, other) => one.from - other.from)) {
    if (found.from < at) continue
    add("text", text.slice(at, found.from))
    add(found.kind === "link" && !links ? "text" : found.kind, found.text)
    at = found.from + found.text.length
  }
  add("text", text.slice(at))
  return pieces
}
