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
  const own =
    (schema.type === "array" && schema.maxItems === undefined && schema.prefixItems === undefined) ||
    (schema.type === "object" && isFree(schema) && schema.maxProperties === undefined) ||
    (texts && schema.type === "string" && !isBounded(schema))
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
