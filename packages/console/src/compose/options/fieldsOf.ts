import { optionSchemas, type PlatformId } from "@carillon/domain"

export interface Choice {
  readonly value: unknown
  readonly name: string
}

/** The control of an option. */
export type Control =
  /** `rest` holds when the option is left out. */
  | { readonly kind: "switch"; readonly rest: boolean }
  | { readonly kind: "choice"; readonly choices: ReadonlyArray<Choice> }
  | { readonly kind: "several"; readonly choices: ReadonlyArray<Choice> }
  | { readonly kind: "line"; readonly longest: number | undefined; readonly address: boolean }
  | { readonly kind: "text"; readonly longest: number | undefined }
  /** One text, or a text for each of something. */
  | { readonly kind: "texts"; readonly longest: number | undefined; readonly most: number | undefined }
  | { readonly kind: "tokens"; readonly longest: number | undefined; readonly most: number | undefined }
  | { readonly kind: "number"; readonly least: number | undefined; readonly most: number | undefined }
  | { readonly kind: "frame" }
  | { readonly kind: "photo" }
  | { readonly kind: "picture" }
  | { readonly kind: "section" }
  | { readonly kind: "json" }

export interface Field {
  readonly name: string
  readonly title: string
  readonly help: string | undefined
  readonly control: Control
  /** The choices are read from the network. */
  readonly live: boolean
  /** Shown only where it is used: another field says the same better. */
  readonly spare: boolean
}

interface Shape {
  readonly $ref?: string
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<Shape>
  readonly items?: Shape
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly allOf?: ReadonlyArray<Shape>
}

/** Options that the composer shows elsewhere or leaves unchanged. */
const elsewhere = ["caption", "media", "thread", "thread_fallback"]

const leading = [
  "placement",
  "board_ids",
  "title",
  "privacy_level",
  "privacy_status",
  "visibility",
  "made_for_kids"
]

const live = ["board_ids", "board_section_id", "playlist_ids", "privacy_level", "applied_tags", "audio_id"]

/** From this length on, a text field has several lines. */
const long = 200

export const fieldsOf = (platform: PlatformId): ReadonlyArray<Field> => {
  const properties = optionSchemas[platform]["properties"] as Readonly<Record<string, Shape>>
  return Object.entries(properties)
    .filter(([name]) => !elsewhere.includes(name))
    .map(([name, shape]): Field => {
      const title = shape.title ?? name
      const control = controlOf(name, shape)
      return {
        name,
        title,
        help: helpOf(title, shape.description),
        control,
        live: live.includes(name) || name.startsWith("allow_"),
        // A description belongs to its file, which all networks read it from.
        spare: name === "alt_text" || (name === "privacy_status" && "privacy_level" in properties)
      }
    })
    .sort((one, other) => rank(one) - rank(other))
}

const rank = ({ name }: Field) => (leading.includes(name) ? leading.indexOf(name) : leading.length)

/** The description without its title, and without sentences about code, which are for programs. */
const helpOf = (title: string, description = ""): string | undefined => {
  const said = description
    .split(/(?<=[.!?]) /)
    .filter((sentence) => !sentence.includes("`") && sentence !== `${title}.`)
    .join(" ")
    .replace(/Default: (\p{L})/u, (_, letter: string) => `Automatic: ${letter}`)
  return said === "" ? undefined : said
}

const controlOf = (name: string, property: Shape): Control => {
  const forms = (property.anyOf ?? [property]).filter(({ type }) => type !== "null")
  const choices = choicesOf(forms)
  if (choices.length > 0) return { kind: "choice", choices }
  const [form, ...others] = forms
  if (others.length > 0) {
    const list = forms.find(({ type }) => type === "array")
    const several = list?.items === undefined ? [] : choicesOf(list.items.anyOf ?? [list.items])
    if (several.length > 0) return { kind: "several", choices: several }
    return forms.every(({ items, type }) => (items?.type ?? type) === "string")
      ? { kind: "texts", longest: limitOf(list?.items), most: list?.maxItems }
      : { kind: "json" }
  }
  if (name === "board_section_id") return { kind: "section" }
  switch (form?.type) {
    case "boolean":
      return property.default === null
        ? {
            kind: "choice",
            choices: [
              { value: true, name: "Yes" },
              { value: false, name: "No" }
            ]
          }
        : { kind: "switch", rest: property.default === true }
    case "integer":
    case "number":
      if (name.endsWith("_timestamp_ms")) return { kind: "frame" }
      if (name === "photo_cover_index") return { kind: "photo" }
      return { kind: "number", least: form.minimum, most: form.maximum }
    case "string": {
      const longest = limitOf(form)
      return form.format !== "uri" && longest !== undefined && longest >= long
        ? { kind: "text", longest }
        : { kind: "line", longest, address: form.format === "uri" }
    }
    case "array": {
      const item = form.items ?? {}
      const several = choicesOf(item.anyOf ?? [item])
      if (several.length > 0) return { kind: "several", choices: several }
      const longest = limitOf(item)
      // Names come alone or in objects, whose other fields are kept.
      if (![item, ...(item.anyOf ?? [])].some(({ type }) => type === "string")) return { kind: "json" }
      return longest !== undefined && longest > 1000
        ? { kind: "texts", longest, most: form.maxItems }
        : { kind: "tokens", longest, most: form.maxItems }
    }
    default:
      return form?.$ref?.endsWith("/MediaId") ? { kind: "picture" } : { kind: "json" }
  }
}

const limitOf = (form: Shape | undefined): number | undefined =>
  form?.maxLength ??
  form?.allOf?.find(({ maxLength }) => maxLength !== undefined)?.maxLength ??
  form?.anyOf?.find(({ type }) => type === "string")?.maxLength

/** The values with a name. The others are synonyms that some programs send. */
const choicesOf = (forms: ReadonlyArray<Shape>): ReadonlyArray<Choice> => {
  if (!forms.every((form) => form.enum !== undefined)) return []
  const choices = forms.flatMap(({ enum: values = [], title }) =>
    values.map((value) => ({ value, name: title }))
  )
  const called = choices.filter(({ name }) => name !== undefined)
  return (called.length > 0 ? called : choices).map(({ name, value }) => ({
    value,
    name: name ?? String(value)
  }))
}

export const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/** The options with one changed. A cleared one leaves no key. */
export const withOption = (
  options: Readonly<Record<string, unknown>>,
  name: string,
  value: unknown
): Record<string, unknown> => {
  const { [name]: _, ...others } = options
  const empty = value === undefined || value === "" || (Array.isArray(value) && value.length === 0)
  return empty ? others : { ...others, [name]: value }
}
