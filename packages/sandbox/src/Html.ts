/** Markup that may be sent as it is. */
export interface Html {
  readonly markup: string
}

type Part = Html | ReadonlyArray<Html> | string | number | null

const escapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const markupOf = (part: Part): string => {
  if (part === null) return ""
  if (typeof part === "string" || typeof part === "number") {
    return String(part).replace(/[&<>"']/g, (character) => escapes[character]!)
  }
  return "markup" in part ? part.markup : part.map(({ markup }) => markup).join("")
}

/** A template whose values are escaped, unless they are markup themselves. Quote every attribute. */
export const html = (strings: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html => ({
  markup: strings.reduce((before, string, index) => before + markupOf(parts[index - 1] ?? null) + string)
})

/** Markup written by us. */
export const raw = (markup: string): Html => ({ markup })
