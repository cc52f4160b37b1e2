import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server"
import { optionSchemas, PlatformId, ResultAction, ResultStatus } from "@carillon/domain"
import { Record, Schema, Struct } from "effect"

type Json = Readonly<Record<string, unknown>>

/** The options that are set most often; `get_platform_options` has all of an account. */
const commonOptions: Partial<Record<PlatformId, ReadonlyArray<string>>> = {
  discord: ["silent"],
  facebook: ["placement"],
  google_business: ["cta_url"],
  instagram: ["placement", "first_comment"],
  linkedin: ["first_comment"],
  mastodon: ["visibility"],
  pinterest: ["title", "board_ids"],
  telegram: ["silent"],
  tiktok: ["title", "privacy_level"],
  youtube: ["title", "privacy_status"]
}

const text = { type: "string", maxLength: 20_000 }
const flag = { type: "boolean" }
const time = { scheduled_at: { type: "string", maxLength: 1_000 }, use_queue: flag }
const accountIds = { type: "array", items: { type: "integer" }, maxItems: 200 }
const mediaIds = { type: "array", items: { type: "string", maxLength: 100 }, maxItems: 100 }

/** One schema without null for the values that an option has: some hosts take no `anyOf`. */
const plainOption = (option: Json): Json => {
  const ways = ((option["anyOf"] ?? [option]) as ReadonlyArray<Json>).filter(({ type }) => type !== "null")
  // What has a title is no other word for a value that is there already.
  const values = ways.flatMap((way) =>
    way["title"] === undefined ? [] : ((way["enum"] as ReadonlyArray<unknown> | undefined) ?? [])
  )
  return values.length > 0
    ? { type: "string", enum: values }
    : Struct.pick(
        ways[0]!,
        ["type", "items", "maxItems", "maxLength"].filter((name) => name in ways[0]!)
      )
}

/** An object without properties is refused by some hosts, so that each network has one. */
const published = PlatformId.literals.filter((platform) => platform !== "sandbox")
const networks = Record.fromIterableWith(published, (platform) => {
  const options = optionSchemas[platform]["properties"] as Readonly<Record<string, Json>>
  const common = Record.map(Struct.pick(options, commonOptions[platform] ?? []), plainOption)
  return [platform, { type: "object", properties: Record.isEmptyRecord(common) ? { caption: text } : common }]
})

/** Short stand-ins for schemas that fill pages. */
const fullStandIns: Readonly<Record<string, Json>> = {
  GivenPlatformConfigurations: {
    type: "object",
    description:
      "What a platform's accounts get instead: caption, media and options; get_platform_options has all.",
    properties: networks
  },
  GivenAccountConfiguration: {
    type: "object",
    properties: {
      account_id: { type: "integer" },
      caption: text,
      media: mediaIds
    },
    required: ["account_id"]
  },
  ThreadItemRequest: {
    type: "object",
    properties: { caption: text, media: { ...mediaIds, maxItems: 20 } }
  }
}

/** Where `create_post` and `list_accounts` have them at length. */
const briefStandIns: Readonly<Record<string, Json>> = {
  ...fullStandIns,
  GivenPlatformConfigurations: {
    type: "object",
    description: "By platform, as in create_post.",
    properties: Struct.pick(networks, ["threads"])
  },
  GivenAccountConfiguration: {
    type: "object",
    properties: { account_id: { type: "integer" }, caption: text },
    required: ["account_id"]
  },
  ThreadItemRequest: { type: "object", properties: { caption: text } },
  PlatformId: { type: "string", maxLength: 100 },
  ToolCreate: {
    type: "object",
    properties: { social_accounts: accountIds, caption: text, media: mediaIds, ...time, is_draft: flag },
    required: ["social_accounts"]
  },
  ToolUpdate: {
    type: "object",
    properties: { post_id: text, social_accounts: accountIds, caption: text, ...time },
    required: ["post_id"]
  }
}
const anything = {}
const string = { type: "string" }
const stringOrNull = { type: ["string", "null"] }
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
  ToolAccount: object({ id: integer, platform: string, username: string, status: string }),
  ToolChangedPost: object({ id: string, status: string, what_happened: string, next_step: string }),
  ToolListedPost: object({
    id: string,
    status: string,
    scheduled_at_local: stringOrNull,
    caption: stringOrNull
  }),
  ToolMedia: object({ id: string, name: stringOrNull, status: string, url: stringOrNull }),
  ToolPost: object({
    id: string,
    status: string,
    caption: stringOrNull,
    scheduled_at_local: stringOrNull,
    results: list(
      object({
        social_account_id: integer,
        status: { type: "string", enum: ResultStatus.literals },
        platform_data: { type: ["object", "null"], properties: { url: stringOrNull } },
        error: {
          type: ["object", "null"],
          properties: { message: string, action: { type: "string", enum: ResultAction.literals } }
        }
      }),
      10_000
    ),
    next_step: string
  }),
  ToolPreview: object({
    valid: { type: "boolean" },
    goes_out: { type: "string", enum: ["now", "later", "never"] },
    scheduled_at_local: stringOrNull,
    accounts: list(object({ account_id: integer, caption: string, problems: list(string, 50) }), 200)
  }),
  ToolShownPost: object({ id: string, time: string, status: string, caption: stringOrNull })
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
export const flatJsonSchema = (
  schema: Schema.Top,
  onExcessProperty: "error" | "ignore",
  standIns: Readonly<Record<string, Json>> = fullStandIns
): Json => {
  const document = Schema.toJsonSchemaDocument(schema, { onExcessProperty })
  const isAnswer = onExcessProperty === "ignore"
  const flat = (value: unknown, isNamed = false): unknown => {
    if (Array.isArray(value)) return value.map((one) => flat(one))
    if (typeof value !== "object" || value === null) return value
    const { $ref, ...rest } = value as Record<string, unknown>
    if (typeof $ref === "string") {
      const name = $ref.split("/").at(-1)!
      const standIn = (isAnswer ? standInsOfAnswers[name] : undefined) ?? standIns[name]
      return { ...(standIn ?? (flat(document.definitions[name]) as Json)), ...(flat(rest) as Json) }
    }
    const made = Object.fromEntries(
      Object.entries(rest).flatMap(([key, inner]) =>
        Math.abs(Number(inner)) === Number.MAX_SAFE_INTEGER ||
        (isAnswer && !isNamed && (inner === true || leftOutOfAnswers.has(key)))
          ? []
          : [[key, flat(inner, key === "properties")]]
      )
    )
    if (!isAnswer) return made
    return made["type"] === "object" && made["properties"] === undefined ? anything : nullable(made)
  }
  return flat(document.schema) as Json
}

/**
 * The JSON Schema of arguments in words that every host takes: some refuse `anyOf`, others `allOf`. Of several ways to give an argument it
 * says the first, and not that null is as good as leaving it out.
 */
export const inputJsonSchema = (schema: Schema.Top, brief: boolean): Json => {
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain)
    if (typeof value !== "object" || value === null) return value
    const { anyOf, allOf, ...all } = Record.map(value as Json, plain) as Record<string, unknown>
    // A format says it in one word.
    const rest = all["format"] === undefined ? all : Struct.omit(all, ["pattern"])
    if (Array.isArray(allOf)) return { ...Object.assign({}, ...allOf), additionalProperties: true, ...rest }
    if (!Array.isArray(anyOf)) return rest
    return { ...anyOf[0], ...rest }
  }
  return plain(flatJsonSchema(schema, "error", brief ? briefStandIns : fullStandIns)) as Json
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
