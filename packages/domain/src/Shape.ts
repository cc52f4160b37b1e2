import { Record, Schema, SchemaAST } from "effect"
import { field, sentenceOf } from "./Field.ts"
import { Text } from "./Text.ts"

/** Longer than any platform's text. */
const longestText = 100_000

/**
 * What a schema takes on the wire without the rules for its values: kinds, fields and the lengths of lists stay, and texts
 * are of any wording that can be stored.
 */
export const shapeOf = (ast: SchemaAST.AST): Schema.Codec<unknown> =>
  bare(SchemaAST.toEncoded(ast)) as Schema.Codec<unknown>

const bare = (ast: SchemaAST.AST): Schema.Top => {
  switch (ast._tag) {
    case "String":
      return storableText
    case "Number":
      return payloads(ast).has("effect/schema/isInt") ? Schema.Int : Schema.Finite
    case "Boolean":
      return Schema.Boolean
    case "Null":
      return Schema.Null
    case "Literal":
      return typeof ast.literal === "string" ? storableText : Schema.Literal(ast.literal)
    case "Union": {
      const forms = formsOf(ast)
      const objects = forms.filter(SchemaAST.isObjects)
      return objects.length < 2
        ? union(forms.map(bare))
        : union([...forms.filter((form) => !SchemaAST.isObjects(form)).map(bare), oneOf(objects)])
    }
    case "Arrays": {
      const [item] = ast.rest
      if (item === undefined || ast.elements.length > 0) break
      return Schema.Array(bare(item)).check(Schema.isMaxLength(mostItems(ast)))
    }
    case "Objects":
      return struct([ast])
  }
  throw new TypeError(`There is no shape for ${ast._tag} in an option.`)
}

/** An object with the fields of all of these. */
const struct = (objects: ReadonlyArray<SchemaAST.Objects>) =>
  Schema.Struct(
    Record.map(
      Object.groupBy(
        objects.flatMap(({ propertySignatures }) => propertySignatures),
        ({ name }) => String(name)
      ) as Readonly<Record<string, SchemaAST.Objects["propertySignatures"]>>,
      (signatures) => {
        const types = signatures.map(({ type }) => type)
        const isOptional = types.length < objects.length || types.some(SchemaAST.isOptional)
        const shape = isOptional ? Schema.optionalKey(union(types.map(bare))) : union(types.map(bare))
        const sentence = sentenceOf(types[0]!)
        return sentence === undefined ? shape : field(sentence, shape)
      }
    )
  )

/** The first of several objects that fits would drop what only another one knows. */
const oneOf = (objects: ReadonlyArray<SchemaAST.Objects>) =>
  struct(objects).check(
    Schema.makeFilter(
      (value: object) =>
        objects.some(({ propertySignatures }) =>
          Object.keys(value).every((key) => propertySignatures.some(({ name }) => name === key))
        ) || "has fields that no platform takes together"
    )
  )

const formsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> =>
  SchemaAST.isUnion(ast) ? ast.types.flatMap(formsOf) : [ast]

const storableText = Text.check(Schema.isMaxLength(longestText))

/** Each form once: of several texts or words one is left. */
const union = (members: ReadonlyArray<Schema.Top>): Schema.Top => {
  const [first, ...others] = new Set(members.flatMap((one) => (isUnion(one) ? one.members : [one])))
  return others.length === 0 ? first! : Schema.Union([first!, ...others])
}

const isUnion = (schema: Schema.Top): schema is Schema.Union<ReadonlyArray<Schema.Top>> =>
  SchemaAST.isUnion(schema.ast)

/** What the checks of a schema declare, by their kind. */
const payloads = ({ checks }: SchemaAST.AST) =>
  new Map(
    (checks ?? []).flatMap(({ annotations }) => {
      const { id, payload } = annotations?.representation ?? {}
      return id === undefined ? [] : [[id, payload] as const]
    })
  )

const mostItems = (ast: SchemaAST.Arrays): number =>
  Math.min(
    ...[...payloads(ast).values()].flatMap((payload) => {
      const { maxLength, maximum } = (payload ?? {}) as Limits
      return maxLength ?? maximum ?? []
    })
  )

interface Limits {
  readonly maxLength?: number
  readonly maximum?: number
}
