type Json = Readonly<Record<string, unknown>>

/**
 * JSON Schema for generators of clients: without the titles, which are for forms; of several ways to name values one, with each value
 * once; null as a type beside the other; and without the bounds of a safe integer. A constant of a generated client would otherwise have a value twice.
 */
export const plainSchemas = <Value>(value: Value): Value => {
  if (Array.isArray(value)) return value.map(plainSchemas) as Value
  if (value === null || typeof value !== "object") return value
  const schema = mapValues(value, plainSchemas)
  return (Array.isArray(schema["anyOf"]) ? withPlainWays(schema, schema["anyOf"]) : schema) as Value
}

const mapValues = (value: object, map: (inner: unknown) => unknown): Json =>
  Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      // A field may be called title, too.
      (key === "title" && typeof inner === "string") || Math.abs(Number(inner)) === Number.MAX_SAFE_INTEGER
        ? []
        : // The page of the reference takes no empty schema here.
          [[key, key === "additionalProperties" && JSON.stringify(inner) === "{}" ? true : map(inner)]]
    )
  )

const withPlainWays = ({ anyOf: _, ...rest }: Json, all: ReadonlyArray<Json>): Json => {
  // Some ways name further values themselves.
  const ways = all.flatMap((way) =>
    "anyOf" in way && isOnly(way, ["anyOf", "description"]) ? (way["anyOf"] as ReadonlyArray<Json>) : [way]
  )
  const values = ways.filter((way) => isOnly(way, ["type", "enum", "description"]) && "enum" in way)
  const others = ways.filter((way) => !values.includes(way))
  const named = [...new Set(values.flatMap((way) => way["enum"] as ReadonlyArray<unknown>))]
  const plain = distinct(named.length === 0 ? others : [{ type: "string", enum: named }, ...others])
  const [first = {}, second] = plain
  if (second === undefined) return { ...first, ...rest }
  return plain.length === 2 &&
    second["type"] === "null" &&
    typeof first["type"] === "string" &&
    !("enum" in first)
    ? { ...first, type: [first["type"], "null"], ...rest }
    : { ...rest, anyOf: plain }
}

const distinct = (ways: ReadonlyArray<Json>): ReadonlyArray<Json> => [
  ...new Map(ways.map((way) => [JSON.stringify(way), way])).values()
]

const isOnly = (schema: Json, keys: ReadonlyArray<string>) =>
  Object.keys(schema).every((key) => keys.includes(key))
