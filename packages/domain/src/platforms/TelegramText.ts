import type { PostOptions } from "../Platform.ts"

/** https://core.telegram.org/bots/api#messageentity, in UTF-16 units. */
export interface MessageEntity {
  readonly type: "bold" | "italic" | "code" | "pre" | "blockquote" | "text_link"
  readonly offset: number
  readonly length: number
  readonly url?: string
  readonly language?: string
}

export interface FormattedText {
  readonly text: string
  readonly entities: ReadonlyArray<MessageEntity>
}

/** A caption as Telegram gets it: as it stands, or without the marks of its `markup`. */
export const telegramText = ({
  caption,
  options: { markup }
}: Pick<PostOptions, "caption" | "options">): FormattedText =>
  markup === "markdown" ? markdownText(caption) : { text: caption, entities: [] }

/** An entity over some of the pieces of a text: marks that turn out to be none are pieces too. */
interface Span extends Omit<MessageEntity, "offset" | "length"> {
  readonly from: number
  readonly to: number
}

interface Draft {
  readonly pieces: Array<string>
  readonly spans: Array<Span>
}

const markdownText = (source: string): FormattedText => {
  const draft: Draft = { pieces: [], spans: [] }
  const lines = source.split("\n")
  const add = (type: MessageEntity["type"], more: { readonly language?: string }, write: () => void) => {
    const from = draft.pieces.length
    write()
    draft.spans.push({ type, from, to: draft.pieces.length, ...more })
  }
  const untilNot = (start: number, isSame: (line: string) => boolean) => {
    let end = start
    while (end < lines.length && isSame(lines[end]!)) end++
    return end
  }
  const lastFence = lines.findLastIndex((line) => line.trimEnd() === "```")
  for (let at = 0, end; at < lines.length; at = end) {
    if (at > 0) draft.pieces.push("\n")
    const fence = at < lastFence ? fenced.exec(lines[at]!) : null
    const close = fence === null ? at : untilNot(at + 1, (line) => line.trimEnd() !== "```")
    const code = lines.slice(at + 1, close).join("\n")
    const quoted = untilNot(at, (line) => line.startsWith(">"))
    const quote = lines.slice(at, quoted).map((line) => line.replace(/^> ?/, ""))
    if (code.trim() !== "") {
      const [, language = ""] = fence!
      add("pre", language === "" ? {} : { language }, () => draft.pieces.push(code))
      end = close + 1
    } else if (quote.some((line) => line.trim() !== "")) {
      add("blockquote", {}, () => addInline(draft, quote.join("\n")))
      end = quoted
    } else {
      // Lines of a quote that says nothing are taken together: one by one, each would look at all the others.
      end = Math.max(at + 1, quoted, untilNot(at, isParagraph))
      addInline(draft, lines.slice(at, end).join("\n"))
    }
  }
  return finished(draft)
}

const fenced = /^```([\w+#.-]*)\s*$/
const isParagraph = (line: string) => line.trim() !== "" && !line.startsWith(">") && !fenced.test(line)

const tokens =
  /\\(?<escaped>[!-/:-@[-`{-~])|(?<address>https?:\/\/[^\s<>()[\]*`\\]+)|(?<ticks>`+)|(?<mark>\*+|_+|\[)|\](?:\((?<url>https?:\/\/(?:[^\s()\\]|\([^\s()\\]*\))+)\))?/gi

/** Openers by their mark: the places of their pieces, the innermost last. */
type Openers = Readonly<Record<"**" | "_" | "[", Array<number>>>

const addInline = ({ pieces, spans }: Draft, source: string) => {
  const open: Openers = { "**": [], _: [], "[": [] }
  const ticks = Object.groupBy([...source.matchAll(/`+/g)].toReversed(), ([run]) => run.length)
  let at = 0
  const close = (mark: keyof Openers, span: Omit<Span, "from" | "to">) => {
    const from = open[mark].pop()!
    // What was opened inside and not closed is text.
    for (const inner of Object.values(open)) while (inner.at(-1)! > from) inner.pop()
    pieces[from] = ""
    spans.push({ ...span, from, to: pieces.length })
  }
  for (let token; (token = nextToken(source, at)) !== null;) {
    const { address, escaped, mark, ticks: run, url } = token.groups!
    pieces.push(source.slice(at, token.index))
    let word = token[0]
    at = token.index + word.length
    if (escaped !== undefined) word = escaped
    else if (address !== undefined) {
      // The end of what is in italics is not the end of an address.
      word = open._.length > 0 ? address.replace(/_+$/, "") : address
      at = token.index + word.length
    } else if (run !== undefined) {
      const same = ticks[run.length] ?? []
      while (same.length > 0 && same.at(-1)!.index <= token.index) same.pop()
      const end = same.at(-1)?.index ?? at
      const code = source.slice(at, end)
      if (code.trim() !== "") {
        spans.push({ type: "code", from: pieces.length, to: pieces.length + 1 })
        word = /^ .* $/s.test(code) ? code.slice(1, -1) : code
        at = end + run.length
      }
    } else if (mark === "**" || mark === "_") {
      const before = source.slice(Math.max(0, token.index - 2), token.index)
      const after = source.slice(at, at + 2)
      const isClosing = /\S$/.test(before) && (mark === "**" || !/^[\p{L}\p{N}]/u.test(after))
      const isOpening = /^\S/.test(after) && (mark === "**" || !/[\p{L}\p{N}]$/u.test(before))
      if (isClosing && open[mark].length > 0) {
        close(mark, { type: mark === "**" ? "bold" : "italic" })
        word = ""
      } else if (isOpening) open[mark].push(pieces.length)
    } else if (mark === "[") open["["].push(pieces.length)
    else if (mark === undefined && open["["].length > 0) {
      const begun = open["["].at(-1)!
      const isAddress = url !== undefined && url.length <= longestAddress && URL.canParse(url)
      if (isAddress && pieces.some((piece, index) => index > begun && piece.trim() !== "")) {
        close("[", { type: "text_link", url })
        // There is no link in a link.
        open["["].length = 0
        word = ""
      } else open["["].pop()
    }
    pieces.push(word)
  }
  pieces.push(source.slice(at))
}

const longestAddress = 2048

const nextToken = (source: string, at: number) => {
  tokens.lastIndex = at
  return tokens.exec(source)
}

/** The places of the pieces become those of their text. */
const finished = ({ pieces, spans }: Draft): FormattedText => {
  let length = 0
  const starts = [...pieces.map((piece) => (length += piece.length) - piece.length), length]
  return {
    text: pieces.join(""),
    entities: spans
      .map(({ from, to, ...entity }) => ({
        ...entity,
        offset: starts[from]!,
        length: starts[to]! - starts[from]!
      }))
      .toSorted((one, other) => one.offset - other.offset || other.length - one.length)
  }
}
