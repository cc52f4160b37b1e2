/** Text that may stand in a page as it is. */
export interface Markup {
  readonly markup: string
}

type Part = Markup | ReadonlyArray<Markup> | string | number | null

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
  return "markup" in part ? part.markup : part.map(({ markup }) => markup).join("")
}

/**
 * A template whose values are escaped, unless they are markup themselves; attributes must be quoted. It is not called
 * `html`, because formatters change the white space of templates of that name, and with it the hashes of the policy.
 */
export const markup = (strings: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Markup => ({
  markup: strings.reduce((before, string, index) => before + textOf(parts[index - 1] ?? null) + string)
})

/** Markup of our own. */
export const raw = (text: string): Markup => ({ markup: text })
