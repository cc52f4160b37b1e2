import { byteLength, textLength } from "../TextLength.ts"

/** A part of a text that a reader can follow. `start` and `end` are byte offsets into its UTF-8 form. */
export type Facet = { readonly start: number; readonly end: number } & (
  | { readonly kind: "link"; readonly uri: string }
  | { readonly kind: "mention"; readonly handle: string }
  | { readonly kind: "tag"; readonly tag: string }
)

/**
 * Finds links, mentions and tags (app.bsky.richtext.facet). Facets come in order and never overlap.
 *
 * - Links: http and https addresses; without a scheme only `www.` names and names under a few widespread top-level
 *   domains, so that `node.js`, `README.md` and a forgotten space after a full stop stay text.
 * - Mentions: `@` and a handle, which has at least one dot. Whether it exists is for the caller to find out.
 * - Tags: `#` and at most 64 characters that are not all digits.
 *
 * Closing punctuation belongs to the sentence, not to the link or tag; a bracket opened inside a link stays in it.
 */
export const detectFacets = (text: string): ReadonlyArray<Facet> =>
  facetsIn(text).map(({ from, to, part }) => ({
    start: byteLength(text.slice(0, from)),
    end: byteLength(text.slice(0, to)),
    ...part
  }))

/** The same by their positions in the string. */
export const facetsIn = (text: string): ReadonlyArray<Found> => {
  const found = [...links(text), ...mentions(text), ...tags(text)]
  const kept: Array<Found> = []
  for (const candidate of found) {
    if (kept.every(({ from, to }) => candidate.to <= from || to <= candidate.from)) kept.push(candidate)
  }
  return kept.sort((a, b) => a.from - b.from)
}

type Part =
  | { readonly kind: "link"; readonly uri: string }
  | { readonly kind: "mention"; readonly handle: string }
  | { readonly kind: "tag"; readonly tag: string }
/** `from` and `to` are positions in the string. */
type Found = { readonly from: number; readonly to: number; readonly part: Part }

// Full-width punctuation and quotes end an address: in their languages no space follows.
const linkPattern =
  /(?:(?<![A-Za-z0-9_])https?:\/\/|(?<![\p{L}\p{N}_@#&/.:=-])(?:www\.(?=[a-z0-9])|(?=[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|edu|gov|info|io|dev|app|social|blog|news|eu|uk|de|fr|nl|ch|jp|br|ca|au)(?![\p{L}\p{N}@_-]|\.[\p{L}\p{N}]))))[^\s<>"“”„«»`{}|\\^\u3001\u3002\u300a-\u3011\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f]+/giu

function* links(text: string): Generator<Found> {
  for (const match of text.matchAll(linkPattern)) {
    const shown = withoutClosingPunctuation(match[0])
    const uri = /^https?:/i.test(shown) ? shown : `https://${shown}`
    const url = URL.parse(uri)
    if (url === null || url.hostname === "") continue
    // Readers expect ASCII in an address; ASCII stays as it was written.
    const part: Part = { kind: "link", uri: /^[\x21-\x7e]+$/.test(uri) ? uri : url.href }
    yield { from: match.index, to: match.index + shown.length, part }
  }
}

const withoutClosingPunctuation = (address: string): string => {
  let end = address.length
  for (;;) {
    const shown = address.slice(0, end)
    const last = shown.at(-1) ?? ""
    const opening = brackets[last]
    const closes =
      opening === undefined ? /[.,;:!?'’…*_~]/u.test(last) : count(shown, last) > count(shown, opening)
    if (!closes) return shown
    end -= 1
  }
}

const brackets: Readonly<Record<string, string>> = { ")": "(", "]": "[" }

const count = (text: string, character: string): number => text.split(character).length - 1

const mentionPattern =
  /(?<![\p{L}\p{N}_@#&/.:=-])@((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)(?![\p{L}\p{N}_@-])/giu

function* mentions(text: string): Generator<Found> {
  for (const match of text.matchAll(mentionPattern)) {
    const part: Part = { kind: "mention", handle: match[1]!.toLowerCase() }
    yield { from: match.index, to: match.index + match[0].length, part }
  }
}

// An emoji variation selector after the sign makes it a keycap and not a tag.
const tagPattern = /(?<![\p{L}\p{N}_@#＃&/.:=-])[#＃](?!\ufe0f)([^\s\p{Cc}\u00ad\u200b\u2060#＃]+)/gu

function* tags(text: string): Generator<Found> {
  for (const match of text.matchAll(tagPattern)) {
    const tag = match[1]!.replace(/\p{P}+$/u, "")
    if (!/[^\p{N}\p{P}\p{M}\u200d]/u.test(tag) || isTooLong(tag)) continue
    yield {
      from: match.index,
      to: match.index + match[0].length - (match[1]!.length - tag.length),
      part: { kind: "tag", tag }
    }
  }
}

// The lexicon's limits; one tag over them and the server refuses the whole post.
const isTooLong = (tag: string): boolean =>
  textLength(tag, { unit: "graphemes" }) > 64 || byteLength(tag) > 640
