import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server"
import { PlatformId, ResultAction, ResultStatus } from "@carillon/domain"
import { Schema } from "effect"

type Json = Readonly<Record<string, unknown>>

/** Short stand-ins for schemas that fill pages: `get_platform_options` gives an account's part of them. */
const standIns: Readonly<Record<string, Json>> = {
  GivenPlatformConfigurations: {
    type: "object",
    description:
      'Options by platform id, for example {"youtube": {"title": "…"}}. Each also takes caption, media and thread. ' +
      "get_platform_options has an account's JSON Schema.",
    additionalProperties: { type: "object" },
    maxProperties: PlatformId.literals.length
  },
  GivenAccountConfiguration: {
    type: "object",
    properties: { account_id: { type: "integer" } },
    required: ["account_id"],
    additionalProperties: true,
    maxProperties: 100
  },
  GivenThreadItem: { type: ["string", "object"] },
  ProblemItem: { type: "object", properties: { path: { type: "string" }, message: { type: "string" } } }
}

const someError = { type: "object", properties: { code: { type: "string" }, message: { type: "string" } } }

/** The same for answers, which speak for themselves: the schema of one says where what matters is found. */
const standInsOfAnswers: Readonly<Record<string, Json>> = {
  AccountConfiguration: { type: "object" },
  Approval: {
    type: "object",
    properties: { status: { type: "string" }, reason: { type: ["string", "null"] } }
  },
  CreatedBy: { type: "object" },
  ErrorClass: { type: "string" },
  MediaError: someError,
  MimeType: { type: "string" },
  PlacementRules: { type: "object", description: "The limits of text, images and videos." },
  PlatformConfigurations: { type: "object" },
  PlatformId: { type: "string" },
  PreviewItem: { type: "object" },
  Progress: { type: "object" },
  UpdatedBy: { type: "object" },
  PostResult: {
    type: "object",
    properties: {
      social_account_id: { type: "integer" },
      status: { type: "string", enum: ResultStatus.literals },
      platform_data: { type: ["object", "null"], properties: { url: { type: ["string", "null"] } } },
      error: {
        type: ["object", "null"],
        properties: { ...someError.properties, action: { type: "string", enum: ResultAction.literals } }
      }
    }
  }
}

/** What an answer's schema leaves out: a host checks with it that fields have their types, and has the values themselves. */
const leftOutOfAnswers = new Set(["format", "maxLength", "minimum", "pattern", "required", "title"])

/** `{ type: "string" }` or null in one type. */
const nullable = (schema: Json): Json => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || anyOf[1].type !== "null") return schema
  const {
    type,
    enum: values,
    ...one
  } = anyOf[0] as { readonly type?: unknown; readonly enum?: ReadonlyArray<unknown> }
  return typeof type !== "string"
    ? schema
    : { type: [type, "null"], ...(values === undefined ? {} : { enum: [...values, null] }), ...one, ...rest }
}

/**
 * The JSON Schema of the wire form in one piece, because hosts differ in how they follow `$ref`. Whole numbers lose the
 * bounds that only say that they are safe integers, and answers what is not a type.
 */
export const flatJsonSchema = (schema: Schema.Top, onExcessProperty: "error" | "ignore"): Json => {
  const document = Schema.toJsonSchemaDocument(schema, { onExcessProperty })
  const isAnswer = onExcessProperty === "ignore"
  const flat = (value: unknown, isNamed = false): unknown => {
    if (Array.isArray(value)) return value.map((one) => flat(one))
    if (typeof value !== "object" || value === null) return value
    const { $ref, ...rest } = value as Record<string, unknown>
    if (typeof $ref === "string") {
      const name = $ref.split("/").at(-1)!
      const standIn = (isAnswer ? standInsOfAnswers[name] : undefined) ?? standIns[name]
      const { description, ...schema } = standIn ?? (flat(document.definitions[name]) as Json)
      // What an answer has is described where it is given.
      const isKnown = description === undefined || (name in standIns && isAnswer)
      return { ...schema, ...(isKnown ? {} : { description }), ...(flat(rest) as Json) }
    }
    const made = Object.fromEntries(
      Object.entries(rest).flatMap(([key, inner]) =>
        Math.abs(Number(inner)) === Number.MAX_SAFE_INTEGER ||
        (isAnswer && !isNamed && (inner === true || leftOutOfAnswers.has(key)))
          ? []
          : [[key, flat(inner, key === "properties")]]
      )
    )
    return isAnswer ? nullable(made) : made
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
