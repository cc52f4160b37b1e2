import {
  facetsIn,
  hashtags,
  isPlatformId,
  mentions,
  type MessageEntity,
  platformFacts,
  schemeAddress,
  xAddresses
} from "@carillon/domain"

export interface Piece {
  readonly kind: "text" | "link" | "mention" | "tag"
  readonly text: string
  /** Its formats, where the text has some. */
  readonly formats?: ReadonlyArray<MessageEntity["type"]>
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
    // Matched even where addresses are no links: a `#` in one begins no tag.
    ...matches(platform === "twitter" ? xAddresses(text) : text.matchAll(schemeAddress), "link"),
    ...(isPlain(platform, "mention") ? [] : matches(text.matchAll(mentions), "mention")),
    ...(isPlain(platform, "tag") ? [] : matches(text.matchAll(hashtags), "tag"))
  ]
}

/** Splits a text into pieces that a network shows differently. Joined they are the text again. */
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

/** Splits the pieces where a format begins or ends. */
export const formattedPieces = (
  pieces: ReadonlyArray<Piece>,
  entities: ReadonlyArray<MessageEntity>
): ReadonlyArray<Piece> => {
  if (entities.length === 0) return pieces
  const edges = entities.flatMap(({ length, offset }) => [offset, offset + length])
  let from = 0
  return pieces.flatMap(({ kind, text }) => {
    const [start, end] = [from, (from += text.length)]
    const inside = edges.filter((edge) => edge > start && edge < end)
    const cuts = [...new Set([start, ...inside, end])].sort((one, other) => one - other)
    return cuts.slice(1).map((to, index) => {
      const at = cuts[index]!
      const formats = entities
        .filter(({ length, offset }) => offset <= at && at < offset + length)
        .map(({ type }) => type)
      return {
        kind: formats.includes("text_link") ? "link" : formats.some(isCode) ? "text" : kind,
        text: text.slice(at - start, to - start),
        formats
      }
    })
  })
}

const isCode = (format: MessageEntity["type"]) => format === "code" || format === "pre"
