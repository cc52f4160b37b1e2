import { Record, Schema, SchemaAST } from "effect"

/**
 * A field of the contract with its sentence: what the name does not say, such as the unit, the default, what wins, and what
 * null means. The OpenAPI document, the reference and the SDK's types print it.
 *
 * It belongs to the key, so that a schema with a name of its own says the same elsewhere; where the value is transformed, also to
 * the key as it is sent. Only there the schema is turned around, because what comes back is another one to Effect.
 */
export const field = <S extends Schema.Top>(description: string, schema: S): S => {
  const onKey = Schema.annotateKey({ description })
  const said: Schema.Top = onKey(schema)
  return (said.ast.encoding === undefined ? said : Schema.flip(onKey(Schema.flip(said)))) as S
}

/** What a field says: its own sentence, else that of its schema. */
export const sentenceOf = (type: SchemaAST.AST): string | undefined => {
  const own = type.context?.annotations?.["description"]
  return typeof own === "string" ? own : SchemaAST.resolveDescription(type)
}

type Json = Readonly<Record<string, unknown>>

/**
 * JSON Schema in which what a field says stands beside its schema, and not in `allOf: [{ $ref }, { description }]`, where Effect puts
 * it: generators make an intersection of that.
 */
export const withSentences = <Value>(value: Value): Value => {
  if (Array.isArray(value)) return value.map(withSentences) as Value
  if (value === null || typeof value !== "object") return value
  const { allOf = [], ...schema } = Record.map(value as Json, withSentences) as Json & {
    readonly allOf?: ReadonlyArray<Json>
  }
  const rules = allOf.filter((one) => !isSentence(one))
  const [only, ...others] = rules
  const fits = ([key, value]: [string, unknown]) => !(key in schema) || schema[key] === value
  const own =
    only === undefined
      ? {}
      : others.length === 0 && Object.entries(only).every(fits)
        ? only
        : { allOf: rules }
  return Object.assign({}, own, schema, ...allOf.filter(isSentence)) as Value
}

const isSentence = (schema: Json) => Object.keys(schema).every((key) => key === "description")
