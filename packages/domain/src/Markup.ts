/** HTML that may stand in a page as it is. */
class Markup {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
  toString(): never {
    throw new TypeError("Markup in a plain string: the template around it has to be markup`…` too.")
  }
}

export type { Markup }

type Part = Markup | ReadonlyArray<Part> | string | number | null

const escapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const textOf = (part: Part): string => {
  if (part === null) return ""
  if (typeof part === "string" || typeof part === "number") {
    return String(part).replace(/[&<>"']/g, (character) => escapes[character]!)
  }
  return part instanceof Markup ? part.markup : part.map(textOf).join("")
}

/**
 * A template whose values are escaped, unless they are markup themselves; attributes must be quoted. It is not called
 * `html`, because formatters change the white space of templates of that name, and with it the hashes of the policy.
 */
export const markup = (strings: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Markup =>
  new Markup(strings.reduce((before, string, index) => before + textOf(parts[index - 1] ?? null) + string))

/** Markup of our own: a style, a script. Nothing that somebody else wrote may come here. */
export const rawMarkup = (text: string): Markup => new Markup(text)
