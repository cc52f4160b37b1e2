import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server"
import { optionSchemas, type PlatformId, ResultAction, ResultStatus, withSentences } from "@carillon/domain"
import { Record, Schema, Struct } from "effect"

type Json = Readonly<Record<string, unknown>>

/** The options that are asked for most often; `get_platform_options` has all of an account. */
const commonOptions = {
  instagram: ["placement", "first_comment"],
  pinterest: ["title", "board_ids"],
  tiktok: ["privacy_level"],
  youtube: ["title", "privacy_status"]
} satisfies Partial<Record<PlatformId, ReadonlyArray<string>>>

/** What has more is looked up: an account may take only some of them. */
const mostValues = 3

/** One schema without null for the values that an option has: some hosts take no `anyOf`. */
const plainOption = (option: Json): Json => {
  const ways = ((option["anyOf"] ?? [option]) as ReadonlyArray<Json>).filter(({ type }) => type !== "null")
  // What has a title is no other word for a value that is there already.
  const values = ways.flatMap((way) =>
    way["title"] === undefined ? [] : ((way["enum"] as ReadonlyArray<unknown> | undefined) ?? [])
  )
  return values.length > 0
    ? { type: "string", ...(values.length > mostValues ? {} : { enum: values }) }
    : Struct.pick(
        ways[0]!,
        ["type", "items"].filter((name) => name in ways[0]!)
      )
}

const networks = Record.map(commonOptions, (names, platform) => {
  const options = optionSchemas[platform]["properties"] as Readonly<Record<string, Json>>
  return { type: "object", properties: Record.map(Struct.pick(options, names), plainOption) }
})

const said = (schema: Json, description: string): Json => ({ ...schema, description })
const text = { type: "string" }
const flag = { type: "boolean" }
const mediaIds = { type: "array", items: text }
const accountIds = { type: "array", items: { type: "integer" } }
const accountConfiguration = {
  type: "object",
  properties: { account_id: { type: "integer" }, caption: text, media: mediaIds },
  required: ["account_id"]
}

/** The arguments that are given most often, of one of many posts in a call. */
const postOfMany = {
  social_accounts: said(accountIds, "Ids from list_accounts."),
  caption: said(text, "The text."),
  media: said(mediaIds, "Ids from list_media or import_media."),
  scheduled_at: said(text, "2026-12-24T09:00 in the user's zone, or with an offset."),
  use_queue: said(flag, "true: the next free slot."),
  is_draft: said(flag, "true: nothing goes out.")
}

/** Short stand-ins for schemas that fill pages. */
const standInsOfInputs: Readonly<Record<string, Json>> = {
  GivenPlatformConfigurations: { type: "object", properties: networks },
  GivenAccountConfiguration: accountConfiguration,
  ThreadItemRequest: { type: "object", properties: { caption: text, media: mediaIds } },
  ToolPlatform: text,
  ToolCreate: { type: "object", properties: postOfMany, required: ["social_accounts"] },
  ToolUpdate: {
    type: "object",
    properties: {
      post_id: said(text, "The post's id."),
      ...postOfMany,
      scheduled_at: said(
        text,
        "2026-12-24T09:00 in the user's zone, or with an offset; of a draft only the plan."
      ),
      use_queue: said(flag, "true: the next free slot; not for a draft."),
      is_draft: said(flag, "true: off the schedule; false: schedule it."),
      account_configurations: said({ type: "array", items: accountConfiguration }, "Merged by account_id.")
    },
    required: ["post_id"]
  },
  ToolShownDays: { type: "object", properties: { from: text } },
  ToolShownContent: { type: "object", properties: { caption: text } }
}

const anything = {}
const string = { type: "string" }
const orNull = (schema: Json): Json => ({ anyOf: [schema, { type: "null" }] })
const integer = { type: "integer" }
const object = (properties: Json): Json => ({ type: "object", properties })
const list = (items: Json, maxItems: number): Json => ({ type: "array", items, maxItems })

/** The fields of an answer that the next call or the user needs; a host has the others when it has the answer. */
const standInsOfAnswers: Readonly<Record<string, Json>> = {
  CreatedBy: anything,
  GivenAccountConfiguration: anything,
  GivenPlatformConfigurations: anything,
  ThreadItemRequest: anything,
  MimeType: string,
  PlacementRules: anything,
  PlatformId: string,
  Progress: anything,
  UpdatedBy: anything,
  ToolAppRow: anything,
  ToolAccount: object({ id: integer, platform: string, username: string, status: string }),
  ToolChangedPost: object({ id: string, status: string, what_happened: string, next_step: string }),
  ToolListedPost: object({ id: string, status: string }),
  ToolMedia: object({ id: string, status: string }),
  ToolPost: object({
    id: string,
    status: string,
    results: list(
      object({
        social_account_id: integer,
        status: { type: "string", enum: ResultStatus.literals },
        platform_data: orNull(object({ url: orNull(string) })),
        error: orNull(object({ message: string, action: { type: "string", enum: ResultAction.literals } }))
      }),
      10_000
    ),
    next_step: string
  }),
  ToolPreview: object({
    valid: { type: "boolean" },
    goes_out: { type: "string", enum: ["now", "later", "never"] },
    accounts: list(object({ account_id: integer, caption: string, problems: list(string, 50) }), 200)
  }),
  ToolShownPost: object({ id: string, time: string, status: string })
}

/** What an answer's schema leaves out: a host checks with it that fields have their types, and has the values themselves. */
const leftOutOfAnswers = new Set([
  "description",
  "format",
  "maxLength",
  "minimum",
  "pattern",
  "required",
  "title"
])

/** What says no type, or of which hosts differ in how they take two types for one value; the answer has it all the same. */
const isLeftOut = (schema: unknown): boolean => {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return false
  const { anyOf = [] } = schema as { readonly anyOf?: ReadonlyArray<Json> }
  return Record.isEmptyRecord(schema as Json) || anyOf.some((one) => one["type"] === "null" || isLeftOut(one))
}

/**
 * The JSON Schema of the wire form in one piece, because hosts differ in how they follow `$ref`. Whole numbers lose the
 * bounds that only say that they are safe integers, and answers what is not a type.
 */
export const flatJsonSchema = (schema: Schema.Top, onExcessProperty: "error" | "ignore"): Json => {
  const isAnswer = onExcessProperty === "ignore"
  const written = Schema.toJsonSchemaDocument(schema, { onExcessProperty })
  // An argument's own words come before those of the field that it is.
  const document = isAnswer ? withSentences(written) : written
  const flat = (value: unknown, isNamed = false): unknown => {
    if (Array.isArray(value)) return value.map((one) => flat(one))
    if (typeof value !== "object" || value === null) return value
    const { $ref, ...rest } = value as Record<string, unknown>
    if (typeof $ref === "string") {
      const name = $ref.split("/").at(-1)!
      const standIn = (isAnswer ? standInsOfAnswers[name] : undefined) ?? standInsOfInputs[name]
      return { ...(standIn ?? (flat(document.definitions[name]) as Json)), ...(flat(rest) as Json) }
    }
    const made = Object.fromEntries(
      Object.entries(rest).flatMap(([key, inner]) => {
        if (Math.abs(Number(inner)) === Number.MAX_SAFE_INTEGER) return []
        if (isAnswer && !isNamed && (inner === true || leftOutOfAnswers.has(key))) return []
        const within = flat(inner, key === "properties")
        return isAnswer && isLeftOut(within) ? [] : [[key, within]]
      })
    )
    if (!isAnswer) return made
    return made["type"] === "object" && made["properties"] === undefined ? anything : made
  }
  return flat(document.schema) as Json
}

/** All that an input's schema says: for another word some model's API refuses all tools at once. The server checks the rest. */
const saidOfInputs = new Set(["type", "description", "enum", "items", "properties", "required"])

/**
 * The JSON Schema of arguments in words that every host takes: some refuse `anyOf`, others `allOf`. Of several ways to give an argument it
 * says the first, and not that null is as good as leaving it out.
 */
export const inputJsonSchema = (schema: Schema.Top): Json => {
  const plain = (value: unknown, isNamed = false): unknown => {
    if (Array.isArray(value)) return value.map((one) => plain(one))
    if (typeof value !== "object" || value === null) return value
    const { anyOf = [], allOf = [] } = value as {
      anyOf?: ReadonlyArray<unknown>
      allOf?: ReadonlyArray<unknown>
    }
    return Object.assign(
      {},
      ...[...allOf, ...anyOf.slice(0, 1)].map((one) => plain(one)),
      ...Object.entries(value).map(([key, inner]) =>
        isNamed || saidOfInputs.has(key) ? { [key]: plain(inner, !isNamed && key === "properties") } : {}
      )
    )
  }
  return { ...(plain(flatJsonSchema(schema, "error")) as Json), additionalProperties: false }
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
