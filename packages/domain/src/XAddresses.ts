import { topLevelDomains, unicodeTopLevelDomains } from "./TopLevelDomains.ts"

const latin =
  "\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u024f\\u0253\\u0254\\u0256\\u0257\\u0259\\u025b\\u0263\\u0268\\u026f\\u0272\\u0289\\u028b\\u02bb\\u0300-\\u036f\\u1e00-\\u1eff"
const cyrillic = "\\u0400-\\u04ff"
const ended = "\\t-\\r \\x85\\xa0\\u1680\\u180e\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000"
const marks = "\\u202a-\\u202e\\u061c\\u200e\\u200f\\u2066-\\u2069"
const none = "\\ufffe\\ufeff\\uffff"

/** What the labels of a host are made of, with the dots between them. */
const host = new RegExp(`[^!'#%&()*+,\\\\/:;<=>?@[\\]^{|}~$${ended}${marks}${none}]+`, "gu")
/** No address begins behind these, and one without a scheme not behind the others either. */
const attached = new RegExp(`[a-z0-9@＠$#＃${none}]`, "iu")
const joined = /[-_./]/u

const topLevel = new RegExp(
  `xn--[-0-9a-z]+|(?:(${unicodeTopLevelDomains.toSorted((one, other) => other.length - one.length).join("|")})|([a-z]+))(?![0-9a-z@+-])`,
  "iuy"
)

const inPath = `[-a-z${cyrillic}0-9!*';:=+,.$/%#[\\]\\u2013_~@|&${latin}]`
const parentheses = `\\((?:${inPath}+|${inPath}*\\(${inPath}+\\)${inPath}*)\\)`
const pathEnd = `(?:[-+a-z${cyrillic}0-9=_#/${latin}]|${parentheses})`
const query = "\\?[a-z0-9!?*'@();:&=+$/%#[\\]\\-_.,~|]*[a-z0-9\\-_&=#/]"
const tail = new RegExp(
  `(?::\\d+)?(/(?:${inPath}*(?:${parentheses}${inPath}*)*${pathEnd}|@${inPath}+/)*)?(?:${query})?`,
  "iuy"
)
const shortened = new RegExp(`^https?://t\\.co/([a-z0-9]+)(?:${query})?`, "iu")
const plainLabels = new RegExp(`(?:[-a-z0-9${latin}]+\\.)+`, "giu")

const longestLabel = 63
const longestAddress = 4096
const longestSlug = 40

const at = (pattern: RegExp, text: string, from: number) => {
  pattern.lastIndex = from
  return pattern.exec(text)
}

/** Where a top-level domain that begins there ends. */
const topLevelEnd = (text: string, from: number): number | undefined => {
  const match = at(topLevel, text, from)
  return match === null || (match[2] !== undefined && !topLevelDomains.has(match[2].toLowerCase()))
    ? undefined
    : topLevel.lastIndex
}

interface Label {
  readonly from: number
  readonly to: number
  /** Where a domain ends of which this is the last label before the top-level domain. */
  readonly last: number | undefined
  /** Where the longest domain ends that begins with what follows this label; undefined: with that none does. */
  readonly next: number | undefined
}

/** The labels of a host, each with a dot behind it. They are read from the last to the first, so that the time grows with the length alone. */
const labelsOf = (text: string, from: number, to: number): ReadonlyArray<Label> => {
  const labels: Array<Label> = []
  const parts = text.slice(from, to).split(".")
  let next: number | undefined
  let end = to - parts.at(-1)!.length - 1
  for (const part of parts.slice(0, -1).reverse()) {
    const label = { from: end - part.length, to: end, last: topLevelEnd(text, end + 1), next }
    labels.push(label)
    next = endOf(text, label.from, label)
    end = label.from - 1
  }
  return labels.reverse()
}

/** Where the longest domain ends that begins there, within this label. */
const endOf = (text: string, from: number, { last, next, to }: Label): number | undefined => {
  const name = text.slice(from, to)
  if (!/^[^-_](?:.*[^-_])?$/su.test(name)) return undefined
  return next ?? (name.includes("_") ? undefined : last)
}

/** Where in a label an address without a scheme may begin. */
const beginning = (text: string, from: number, to: number): number | undefined => {
  for (let at = from; at < to; at++)
    if (!attached.test(text.charAt(at - 1)) && !joined.test(text.charAt(at - 1))) return at
  return undefined
}

const isAscii = (text: string) => /^[\0-\x7f]*$/u.test(text)

/** What a label is as ASCII (RFC 3492). */
const encoded = (label: string) =>
  isAscii(label) ? label : (URL.parse(`http://${label}`)?.hostname ?? label)

const isDomain = (domain: string) =>
  (!domain.startsWith("xn--") || isAscii(domain)) &&
  domain.split(".").every((label) => label.length <= longestLabel && encoded(label).length <= longestLabel)

interface XAddress {
  readonly 0: string
  readonly index: number
}

/** Of a host that runs into other words, such as `日本example.com`, the parts that are links. */
const withoutScheme = (
  text: string,
  from: number,
  to: number,
  hasPath: boolean,
  end: number
): ReadonlyArray<XAddress> => {
  const domain = text.slice(from, to)
  const found = [...domain.matchAll(plainLabels)].flatMap(({ 0: labels, index }) => {
    for (let dot = labels.length - 1; dot > 0; dot = labels.lastIndexOf(".", dot - 1)) {
      const last = topLevelEnd(domain, index + dot + 1)
      if (last !== undefined) return [{ from: from + index, to: from + last }]
    }
    return []
  })
  return found.map((part, index) => ({
    0: text.slice(part.from, hasPath && index === found.length - 1 ? end : part.to),
    index: part.from
  }))
}

/** X's own short addresses have nothing behind their one word. */
const withScheme = (address: string): string | undefined => {
  const [short, slug = ""] = shortened.exec(address) ?? []
  return slug.length > longestSlug ? undefined : (short ?? address)
}

/**
 * The addresses that X finds in a text, with and without a scheme, in order: the rules of twitter-text 3.1
 * (https://github.com/twitter/twitter-text).
 */
export function* xAddresses(text: string): Generator<XAddress> {
  let from = 0
  for (let run = at(host, text, from); run !== null; run = at(host, text, from)) {
    from = run.index + run[0].length
    const scheme = text.startsWith("://", from) ? /https?$/iu.exec(run[0]) : null
    const end = from - (scheme?.[0].length ?? 0)
    let seen = run.index
    for (const label of labelsOf(text, run.index, end)) {
      const start = beginning(text, Math.max(seen, label.from), label.to)
      const to = start === undefined ? undefined : endOf(text, start, label)
      if (start === undefined || to === undefined) continue
      const [rest = "", path = ""] = at(tail, text, to) ?? []
      seen = to + rest.length
      if (isDomain(text.slice(start, to))) yield* withoutScheme(text, start, to, path !== "", seen)
    }
    if (seen > end) from = Math.max(seen, from)
    else if (scheme !== null && !attached.test(text.charAt(end - 1))) {
      const begins = from + 3
      const beyond = at(host, text, begins)
      const labels = beyond?.index === begins ? labelsOf(text, begins, begins + beyond[0].length) : []
      const to = labels[0] === undefined ? undefined : endOf(text, begins, labels[0])
      if (to === undefined || !isDomain(text.slice(begins, to))) continue
      const [rest = ""] = at(tail, text, to) ?? []
      const address = withScheme(text.slice(end, to + rest.length))
      if (address === undefined || address.length > longestAddress) continue
      yield { 0: address, index: end }
      from = end + address.length
    }
  }
}
