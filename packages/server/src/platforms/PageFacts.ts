import { truncate } from "@carillon/domain"
import { withoutCharacterReferences } from "./CharacterReferences.ts"

/** A web page's description of itself. */
export interface PageFacts {
  readonly title: string
  readonly description: string
  /** An http or https address. */
  readonly image: string | null
}

const maxTitle = 300
const maxDescription = 1000
/** A tag is looked for within so many characters, and so many tags are looked at: whatever a page holds, it is read in no time. */
const maxTag = 8192
const maxTags = 500

/** The Open Graph data (https://ogp.me) of a page, or else its title and description; undefined without a title. */
export const pageFacts = (bytes: Uint8Array, url: string): PageFacts | undefined => {
  const html = decoded(bytes)
  const said = metaTags(html)
  const first = (...names: ReadonlyArray<string>) =>
    names.map((name) => said.get(name)).find((value) => value !== undefined && value !== "")
  const title = truncate(first("og:title", "twitter:title") ?? titleOf(html), maxTitle)
  if (title === "") return undefined
  const image = first("og:image:secure_url", "og:image", "og:image:url", "twitter:image")
  const address = image === undefined ? null : URL.parse(image, url)
  return {
    title,
    description: truncate(
      first("og:description", "description", "twitter:description") ?? "",
      maxDescription
    ),
    image: address !== null && /^https?:$/.test(address.protocol) ? address.href : null
  }
}

/** The first value of each name. */
const metaTags = (html: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  let at = 0
  for (let count = 0; count < maxTags; count++) {
    const start = html.slice(at).search(/<meta[\s/]/i)
    if (start < 0) break
    at += start + 5
    const attributes = attributesOf(html.slice(at, at + maxTag))
    const name = attributes.get("property") ?? attributes.get("name")
    const content = attributes.get("content")
    const key = name?.toLowerCase().trim()
    if (key !== undefined && content !== undefined && !found.has(key)) found.set(key, plain(content))
  }
  return found
}

const attribute = /[\s/]*([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/y

const attributesOf = (tag: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  attribute.lastIndex = 0
  for (let match = attribute.exec(tag); match !== null; match = attribute.exec(tag)) {
    const [, name, ...values] = match
    found.set(name!.toLowerCase(), values.find((value) => value !== undefined) ?? "")
  }
  return found
}

const titleOf = (html: string): string => {
  const start = /<title(?:\s[^<>]{0,200})?>/i.exec(html)
  if (start === null) return ""
  const from = start.index + start[0].length
  const text = html.slice(from, from + maxTag)
  const end = text.search(/<\/title/i)
  return plain(end < 0 ? "" : text.slice(0, end))
}

/** The page's characters, by the encoding that it names. */
const decoded = (bytes: Uint8Array): string => {
  const head = Buffer.from(bytes.subarray(0, 2048)).toString("latin1")
  const label = /charset\s*=\s*["']?([\w-]{1,40})/i.exec(head)?.[1] ?? "utf-8"
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

/** Text without character references, line breaks and control characters. */
const plain = (text: string): string =>
  withoutCharacterReferences(text)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim()
