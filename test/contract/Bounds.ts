/**
 * Where a schema sets no bound: a list without `maxItems`, an object with free names without `maxProperties`, and, where
 * texts count too, one that neither a length nor a form bounds.
 */
export const unbounded = (schema: any, texts = false, at = ""): ReadonlyArray<string> => {
  if (schema === null || typeof schema !== "object") return []
  if (Array.isArray(schema.allOf)) {
    const { allOf, ...rest } = schema
    return unbounded(Object.assign({}, ...allOf, rest), texts, at)
  }
  const types = [schema.type].flat()
  const own =
    (types.includes("array") && schema.maxItems === undefined && schema.prefixItems === undefined) ||
    (types.includes("object") && isFree(schema) && schema.maxProperties === undefined) ||
    (texts && types.includes("string") && !isBounded(schema))
  return [
    ...(own ? [at] : []),
    ...Object.entries(schema).flatMap(([key, inner]) =>
      ["examples", "example", "default"].includes(key) ? [] : unbounded(inner, texts, `${at}/${key}`)
    )
  ]
}

/** An answer that may gain fields is not meant. */
const isFree = ({ additionalProperties: more, properties }: any) =>
  typeof more === "object" || (more === true && properties === undefined)

const isBounded = (text: any) =>
  ["maxLength", "enum", "const", "format"].some((key) => text[key] !== undefined) ||
  // Without a quantifier that has no end.
  (text.pattern !== undefined && !/[*+]|,\}/.test(text.pattern))

/** A list within a value: where it is, how many items it may have, and the value that has these items there. */
interface ListPlace {
  readonly at: string
  readonly most: number
  readonly holding: (items: ReadonlyArray<unknown>) => unknown
}

/** Every list of a schema, in lists too. `resolve` follows a `$ref`. */
export const listsOf = (
  schema: any,
  resolve: (schema: any) => any,
  at = "",
  holding: ListPlace["holding"] = (items) => items
): ReadonlyArray<ListPlace> => {
  const { anyOf = [], allOf = [], properties = {}, items, maxItems } = resolve(schema)
  const within = (inner: any, at: string, around: (value: unknown) => unknown) =>
    listsOf(inner, resolve, at, (items) => holding(around(items) as ReadonlyArray<unknown>))
  const places = [
    ...(items === undefined ? [] : [{ at, most: maxItems, holding }]),
    ...(items === undefined ? [] : within(items, `${at}[0]`, (value) => [value])),
    ...[...anyOf, ...allOf].flatMap((inner: any) => listsOf(inner, resolve, at, holding)),
    ...Object.entries(properties).flatMap(([name, inner]) =>
      within(inner, at === "" ? name : `${at}.${name}`, (value) => ({ [name]: value }))
    )
  ]
  // Of one name's lists of several networks the longest is taken, until it is known whose it is.
  return [
    ...new Map(
      places.toSorted((one, other) => one.most - other.most).map((place) => [place.at, place])
    ).values()
  ]
}
