import { and, chosen, firstOf, no, photo, yes } from "./en.ts"
import { positionClock } from "./positionClock.ts"
import { type Field, isGiven } from "./fieldsOf.ts"

/** So many letters of a text say which it is. */
const most = 40

const short = (text: string) => (text.length > most ? `${text.slice(0, most).trimEnd()}…` : text)

/** The value of an option as a person would say it. `offered` are the names of what the account offers. */
export const valueWords = (
  { control }: Pick<Field, "control">,
  value: unknown,
  offered: ReadonlyArray<{ readonly id: string; readonly name: string }> = []
): string => {
  const nameOf = (one: unknown) => offered.find(({ id }) => id === String(one))?.name ?? String(one)
  switch (control.kind) {
    case "switch":
      return value === true ? yes : no
    case "choice":
      return control.choices.find((choice) => choice.value === value)?.name ?? String(value)
    case "several":
      return and(
        control.choices
          .filter((choice) => Array.isArray(value) && value.includes(choice.value))
          .map(({ name }) => name)
      )
    case "frame":
      return typeof value === "number" ? positionClock(value) : chosen
    case "photo":
      return typeof value === "number" ? photo(value, undefined) : chosen
    case "picture":
    case "json":
      return chosen
    case "line":
    case "text":
    case "number":
    case "section":
      return short(nameOf(value))
    case "texts":
    case "tokens": {
      const names = (Array.isArray(value) ? value : [value]).map((one) =>
        typeof one === "object" && one !== null && "username" in one ? String(one.username) : nameOf(one)
      )
      return names.length > 1 ? firstOf(short(names[0]!), names.length) : short(names[0] ?? "")
    }
  }
}

/** The options that are given, besides those whose fields are shown: `Title: Bells · Who can see it: Only me`. */
export const givenWords = (
  fields: ReadonlyArray<Field>,
  options: Readonly<Record<string, unknown>>,
  offered: (option: string) => ReadonlyArray<{ readonly id: string; readonly name: string }>
): string =>
  fields
    .filter(({ name }) => isGiven(options[name]))
    .map(
      (field) =>
        `${field.title}: ${valueWords(field, options[field.name], field.live ? offered(field.name) : [])}`
    )
    .join(" · ")
