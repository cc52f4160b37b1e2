import { assert, describe, it } from "vitest"
import { openApiDocument } from "@carillon/domain"

type Json = Record<string, any>

const document: Json = openApiDocument("https://carillon.test")
const { parameters: sharedParameters, schemas }: Json = document["components"]

const partOf = (among: Json, { $ref }: Json): Json | undefined => among[String($ref).split("/").at(-1)!]

/** Each field below a schema, with its path and what it says. */
const fieldsOf = (schema: unknown, at: string): ReadonlyArray<readonly [path: string, sentence: unknown]> => {
  if (typeof schema !== "object" || schema === null) return []
  const { properties, ...rest } = schema as Json
  const named = typeof properties === "object" ? Object.entries<Json>(properties) : []
  return [
    ...named.flatMap(([name, field]) => [
      [`${at}.${name}`, field["description"] ?? partOf(schemas, field)?.["description"]] as const,
      ...fieldsOf(field, `${at}.${name}`)
    ]),
    ...Object.values(rest).flatMap((inner) => fieldsOf(inner, at))
  ]
}

const fields = Object.entries(schemas).flatMap(([name, schema]) => fieldsOf(schema, name))
const parameters = Object.entries<Json>(document["paths"]).flatMap(([path, item]) =>
  Object.values(item).flatMap((operation: Json) =>
    (operation["parameters"] ?? []).map((parameter: Json) => {
      const { name, description } = partOf(sharedParameters, parameter) ?? parameter
      return [`${path}?${name}`, description] as const
    })
  )
)

describe("the sentences of the OpenAPI document", () => {
  it("leave out no field and no parameter", () => {
    const silent = [...fields, ...parameters].flatMap(([at, sentence]) =>
      typeof sentence === "string" ? [] : [at]
    )
    assert.deepStrictEqual(silent, [])
    assert.isAbove(fields.length, 500)
  })

  it("the sentences of the OpenAPI document are whole sentences, and say more than the name", () => {
    const wrong = [...fields, ...parameters].filter(([at, sentence]) => {
      const name = at.split(/[.?]/).at(-1)!.replaceAll("_", " ")
      const words = String(sentence).toLowerCase()
      return !/[.!)]$/.test(words) || [`${name}.`, `the ${name}.`, `a ${name}.`].includes(words)
    })
    assert.deepStrictEqual(wrong, [])
  })

  it("say thread, the word of the API", () => {
    const other = fields.filter(([, sentence]) => /\bchains?\b|\bplanned\b/i.test(String(sentence)))
    assert.deepStrictEqual(other, [])
  })

  it("stand beside the schema that a field refers to", () => {
    const { status } = schemas["PostResult"].properties
    assert.hasAllKeys(status, ["$ref", "description"])
    const { scheduled_at } = schemas["PostFields"].properties
    assert.hasAllKeys(scheduled_at, ["type", "format", "description"])
  })
})
