import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server"
import { PlatformId } from "@carillon/domain"
import { Schema } from "effect"

type Json = Readonly<Record<string, unknown>>

/** Short stand-ins for schemas that fill pages: `get_platform_options` gives an account's part of them. */
const standIns: Readonly<Record<string, Json>> = {
  GivenPlatformConfigurations: {
    type: "object",
    description:
      'Options by platform id, for example {"youtube": {"title": "…"}}. Every platform also takes caption and media of its own. ' +
      "get_platform_options has the JSON Schema of an account's entry.",
    additionalProperties: { type: "object" },
    maxProperties: PlatformId.literals.length
  },
  GivenAccountConfiguration: {
    type: "object",
    description:
      "What one account gets instead of the shared value: caption, media, and any option of its platform (get_platform_options).",
    properties: { account_id: { type: "integer" } },
    required: ["account_id"],
    additionalProperties: true,
    maxProperties: 100
  },
  ProblemItem: { type: "object", properties: { path: { type: "string" }, message: { type: "string" } } }
}

/**
 * The JSON Schema of the wire form in one piece, because hosts differ in how they follow `$ref`. Whole numbers lose the
 * bounds that only say that they are safe integers, and answers the patterns of what has a format.
 */
export const flatJsonSchema = (schema: Schema.Top, onExcessProperty: "error" | "ignore"): Json => {
  const document = Schema.toJsonSchemaDocument(schema, { onExcessProperty })
  const isAnswer = onExcessProperty === "ignore"
  const flat = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(flat)
    if (typeof value !== "object" || value === null) return value
    const { $ref, ...rest } = value as Record<string, unknown>
    if (typeof $ref === "string") {
      const name = $ref.split("/").at(-1)!
      const { description, ...schema } = flat(standIns[name] ?? document.definitions[name]) as Json
      // What an answer has is described where it is given.
      const isKnown = description === undefined || (name in standIns && isAnswer)
      return { ...schema, ...(isKnown ? {} : { description }), ...(flat(rest) as Json) }
    }
    return Object.fromEntries(
      Object.entries(rest).flatMap(([key, inner]) =>
        Math.abs(Number(inner)) === Number.MAX_SAFE_INTEGER ||
        (isAnswer && key === "pattern" && "format" in value)
          ? []
          : [[key, flat(inner)]]
      )
    )
  }
  return flat(document.schema) as Json
}

/** Optional arguments may be null as well as left out; saying so for each would only make a schema longer. */
export const withoutNulls = (schema: Json): Json => {
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain)
    if (typeof value !== "object" || value === null) return value
    const { anyOf, ...rest } = Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, plain(inner)])
    )
    if (!Array.isArray(anyOf)) return anyOf === undefined ? rest : { anyOf, ...rest }
    const others = anyOf.filter((one: Json) => one["type"] !== "null")
    return others.length === 1 ? { ...others[0], ...rest } : { anyOf: others, ...rest }
  }
  return plain(schema) as Json
}

/** A schema in the SDK's form that checks nothing itself: our own schemas decode arguments and encode answers. */
export const advertised = (json: Json) => ({
  "~standard": {
    version: 1 as const,
    vendor: "carillon",
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: () => ({ ...json }), output: () => ({ ...json }) }
  }
})

/** A schema in the SDK's form, which the SDK checks with. */
export const checked = <S extends Schema.Codec<any, any>>(
  schema: S
): StandardSchemaWithJSON<S["Encoded"], S["Type"]> => {
  const json = flatJsonSchema(schema, "error")
  return {
    "~standard": {
      ...Schema.toStandardSchemaV1(schema)["~standard"],
      jsonSchema: { input: () => ({ ...json }), output: () => ({ ...json }) }
    }
  }
}
