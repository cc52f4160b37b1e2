import * as Domain from "@carillon/domain"
import { Schema, SchemaAST } from "effect"

// The published types hang on nothing: what `src/Wire.ts` derives from the domain's schemas is printed from the same schemas.

const encodedOf = /^export type (\w+) = \(typeof Domain\.(\w+)\)\["Encoded"\]$/
const queryOf = /^export type (\w+) = Query<typeof Domain\.(\w+)>$/
const wordsOf = /^export type (\w+) = Domain\.(\w+)$/

/** `Wire.ts` as a declaration that imports nothing. */
export const wireDeclaration = (source: string): string => {
  const lines = source.split("\n").filter((line) => line.startsWith("export type"))
  const names = new Map<string, string>()
  for (const line of lines) {
    const [, name, of] = encodedOf.exec(line) ?? []
    const identifier = name && SchemaAST.resolveIdentifier(schemaOf(of!).ast)
    if (name !== undefined && identifier !== undefined) names.set(identifier, name)
  }
  const declarations = lines.map((line) => {
    const [, encoded, ofEncoded] = encodedOf.exec(line) ?? []
    if (encoded !== undefined) {
      const schema = documented.get(ofEncoded!) ?? schemaOf(ofEncoded!)
      return declare(encoded, print(SchemaAST.toEncoded(schema.ast), names, true))
    }
    const [, query, ofQuery] = queryOf.exec(line) ?? []
    if (query !== undefined) return declare(query, printQuery(schemaOf(ofQuery!).ast))
    const [, words, ofWords] = wordsOf.exec(line) ?? []
    if (words === "ProblemCode") return declare(words, union(Object.keys(Domain.problemCodes).map(quote)))
    if (words !== undefined) return declare(words, print(SchemaAST.toType(schemaOf(ofWords!).ast), names))
    throw new Error(`Wire.ts has a line that cannot be printed: ${line}`)
  })
  return `${[...declarations, jsonType].join("\n")}\n`
}

const declare = (name: string, type: string) => `export type ${name} = ${type};`

const schemaOf = (name: string): Schema.Top => {
  const found = (Domain as Record<string, unknown>)[name]
  if (!Schema.isSchema(found)) throw new Error(`The domain has no schema ${name}`)
  return found
}

/** The options of a post, with the values that platforms take: their own schemas let a draft keep any. */
const documented = new Map<string | undefined, Schema.Top>(
  Domain.documentedRequests.map((schema) => [SchemaAST.resolveIdentifier(schema.ast), schema])
)

const jsonType =
  "type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json };"

const print = (ast: SchemaAST.AST, names: ReadonlyMap<string, string>, root = false): string => {
  const name = root ? undefined : names.get(SchemaAST.resolveIdentifier(ast) ?? "")
  if (name !== undefined) return name
  const inner = (one: SchemaAST.AST) => print(one, names)
  switch (ast._tag) {
    case "Declaration": {
      // The one value of the wire that is declared and not built of others.
      if (!isJson(ast)) break
      return "Json"
    }
    case "String":
      return "string"
    case "Number":
      return "number"
    case "Boolean":
      return "boolean"
    case "Null":
      return "null"
    case "Literal":
      return quote(ast.literal)
    case "Union":
      return union(ast.types.map(inner))
    case "Arrays": {
      if (ast.elements.length > 0 || ast.rest.length !== 1) break
      return `ReadonlyArray<${inner(ast.rest[0]!)}>`
    }
    case "Objects": {
      const fields = ast.propertySignatures.map(({ name: key, type }) =>
        documentedField(
          type,
          `readonly ${String(key)}${SchemaAST.isOptional(type) ? "?" : ""}: ${inner(type)}`
        )
      )
      const rest = ast.indexSignatures.map(
        ({ parameter, type }) => `readonly [key: ${inner(parameter)}]: ${inner(type)};`
      )
      return object([...fields, ...rest])
    }
  }
  throw new Error(
    `A schema of the contract cannot be printed: ${ast._tag} ${JSON.stringify(ast.annotations)}`
  )
}

const isJson = ({ annotations }: SchemaAST.AST) =>
  (annotations?.["representation"] as { readonly id?: string } | undefined)?.id === "effect/schema/Json"

/** As `Query` of Wire.ts has it: one value or several, numbers as numbers, times as text or `Date`. */
const printQuery = (ast: SchemaAST.AST): string => {
  const { propertySignatures } = SchemaAST.toType(ast) as SchemaAST.Objects
  return object(
    propertySignatures.map(({ name, type }) =>
      documentedField(type, `readonly ${String(name)}?: ${queryValue(type)}`)
    )
  )
}

const queryValue = (ast: SchemaAST.AST): string => {
  if (ast._tag === "Arrays") {
    const item = ast.rest[0]!
    const one = item._tag === "String" ? "string | number" : print(item, new Map())
    return `${one} | ReadonlyArray<${one}>`
  }
  return holdsTime(ast) ? "string | Date" : print(ast, new Map())
}

/** The one kind of value in a filter that is declared is a time; some take a day beside it. */
const holdsTime = (ast: SchemaAST.AST): boolean =>
  ast._tag === "Declaration" || (ast._tag === "Union" && ast.types.some(holdsTime))

/** A field below its sentence, which editors show. */
const documentedField = (type: SchemaAST.AST, text: string): string => {
  const sentence = Domain.sentenceOf(type)
  if (sentence === undefined) throw new Error(`A field of the contract has no sentence: ${text}`)
  return `/** ${sentence.replaceAll("*/", "*\\/")} */\n${text};`
}

const object = (fields: ReadonlyArray<string>) => `{\n${fields.join("\n").replaceAll(/^/gm, "  ")}\n}`

const union = (members: ReadonlyArray<string>) =>
  members.length === 1 ? members[0]! : `(${[...new Set(members)].join(" | ")})`

const quote = (value: unknown) => JSON.stringify(value)
