import { Context, JsonSchema, Option, Schema, SchemaAST } from "effect"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup, type OpenApi } from "effect/http-api"
import { sentenceOf, withSentences } from "../Field.ts"
import { mimeTypes } from "../Media.ts"
import { PostFields } from "../Post.ts"
import { documentedAnswers, documentedRequests } from "../PlatformOptions.ts"
import { type ProblemCode, problemCodes, ProblemBody } from "../Problems.ts"
import { MembersOnly, NeededScope, NeedsPassword } from "./Authorization.ts"
import { examples } from "./Examples.ts"
import { acceptIdempotencyKey, idempotencyReplayed, PostEffect } from "./Idempotency.ts"
import { plainSchemas } from "./PlainSchemas.ts"
import { openApiWebhooks } from "./OpenApiWebhooks.ts"
import { PossibleCodes } from "./PossibleCodes.ts"
import { shareParts } from "./SharedParts.ts"

type Operation = OpenApi.OpenAPISpecOperation
type Json = JsonSchema.JsonSchema

/**
 * Completes the document that effect/http-api makes of the contract: one problem schema for every failure with the
 * codes of each operation, query parameters with their meaning instead of the text they are sent as, the headers that
 * every answer has, and examples.
 */
export const completeDocument =
  <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) =>
  (document: Record<string, any>): Record<string, any> => {
    const spec = document as OpenApi.OpenAPISpec
    const schemas = spec.components.schemas
    const use = (schema: Schema.Top, options: Schema.ToJsonSchemaOptions = {}) => {
      const { schema: json, definitions } = toOpenApi(schema, options)
      Object.assign(schemas, definitions)
      return json
    }
    use(ProblemBody)
    use(PostFields, { onExcessProperty: "error" })
    const endpoints = new Map<string, HttpApiEndpoint.Top>()
    HttpApi.reflect(api, {
      onGroup: () => {},
      onEndpoint: ({ group, endpoint }) =>
        endpoints.set(`${group.identifier}.${endpoint.identifier}`, endpoint)
    })

    for (const operation of Object.values(spec.paths).flatMap(
      (item) => Object.values(item) as Array<Operation>
    )) {
      const endpoint = endpoints.get(operation.operationId)!
      const id = operation.operationId.replace(/\.(.)/g, (_, letter: string) => letter.toUpperCase())
      operation.operationId = id
      // The service honours it on every POST behind the authorization that has an effect.
      const hasEffect = Context.get(endpoint.annotations, PostEffect) !== "none"
      if (endpoint.method === "POST" && operation.security.length > 0 && hasEffect)
        acceptIdempotencyKey(operation)
      completeParameters(operation, endpoint, use)
      completeBody(operation, id)
      completeResponses(operation, endpoint)
      const scope = Context.getOption(endpoint.annotations, NeededScope)
      if (Option.isSome(scope)) {
        operation.description = [operation.description, `Needs the scope \`${scope.value}\`.`]
          .filter((part) => part !== undefined)
          .join(" ")
      }
      // What the whole document says.
      if (operation.security.length > 0) delete (operation as Partial<Operation>).security
    }

    for (const name of Object.keys(schemas)) if (isErrorClass(name)) delete schemas[name]
    // An answer's schemas are opened with the others below.
    const webhooks = openApiWebhooks((schema) => use(schema, { onExcessProperty: "error" }))
    for (const schema of [...documentedRequests, ...documentedAnswers])
      use(schema, { onExcessProperty: "error" })
    for (const name of requestSchemas(spec)) schemas[name] = asDocumented(schemas[name]!)
    openAnswers(spec)
    Object.assign(schemas, plainSchemas(withSentences(schemas)))
    for (const scheme of Object.values(spec.components.securitySchemes)) {
      // Tools compare the name in lower case.
      if (scheme.type === "http") scheme.scheme = scheme.scheme.toLowerCase()
    }
    const security = [{ bearer: [] }]
    return shareParts({ ...spec, security, webhooks, components: { ...spec.components, headers } })
  }

/** The encoded side of an error class; every failure is documented as a Problem instead. */
const isErrorClass = (name: string) => name.endsWith("Encoded")

const toOpenApi = (
  schema: Schema.Top,
  options: Schema.ToJsonSchemaOptions
): { readonly schema: Json; readonly definitions: Record<string, Json> } => {
  const { schema: json, definitions } = Schema.toJsonSchemaDocument(schema, options)
  const document = JsonSchema.toMultiDocumentOpenApi3_1({
    dialect: "draft-2020-12",
    schemas: [json],
    definitions
  })
  return { schema: document.schemas[0], definitions: document.definitions }
}

const hasNoJson = (type: SchemaAST.AST): boolean =>
  SchemaAST.isDeclaration(type) || (SchemaAST.isUnion(type) && type.types.some(hasNoJson))

const completeParameters = (
  operation: Operation,
  endpoint: HttpApiEndpoint.Top,
  use: (schema: Schema.Top) => Json
) => {
  const types = new Map(
    [endpoint.params, endpoint.query, endpoint.headers].flatMap((schema) =>
      schema !== undefined && SchemaAST.isObjects(schema.ast)
        ? schema.ast.propertySignatures.map(
            ({ name, type }) => [String(name), SchemaAST.toType(type)] as const
          )
        : []
    )
  )
  operation.parameters = operation.parameters.map((parameter) => {
    const type = types.get(parameter.name)
    // A value without a JSON form of its own, such as a time, is documented as the text that is sent.
    const schema = type === undefined || hasNoJson(type) ? parameter.schema : use(Schema.make(type))
    const { description = type && sentenceOf(type), ...rest } = withSentences(schema) as Json & {
      readonly description?: string
    }
    return {
      ...parameter,
      schema: rest,
      ...(description === undefined ? {} : { description }),
      ...(rest["type"] === "array" ? { style: "form", explode: true } : {})
    }
  })
}

const completeBody = (operation: Operation, id: string) => {
  const body = operation.requestBody
  if (body === undefined) return
  const json = body.content["application/json"]
  if (json !== undefined) {
    const alternatives = (json.schema as Json)["anyOf"]
    if (Array.isArray(alternatives) && alternatives.some(({ type }) => type === "null"))
      Object.assign(body, { required: false })
    if (examples[id] !== undefined) Object.assign(json, { examples: examples[id] })
  } else if ("application/octet-stream" in body.content) {
    body.content = Object.fromEntries(
      Object.keys(mimeTypes).map((type) => [type, { schema: { type: "string", format: "binary" } }])
    )
  }
}

const completeResponses = (operation: Operation, endpoint: HttpApiEndpoint.Top) => {
  const own = Option.getOrUndefined(Context.getOption(endpoint.annotations, PossibleCodes))
  for (const [status, response] of Object.entries(operation.responses)) {
    if (Number(status) >= 400) {
      const codes = codesOf(Number(status), own, operation, endpoint)
      // Middleware declares some statuses for every endpoint, even where this one has no code of theirs.
      if (codes.length === 0) {
        delete operation.responses[Number(status)]
        continue
      }
      response.description =
        codes.length > mostCodesTold
          ? "What is wrong with the request, by `code`; `/docs/errors` explains each."
          : codes.map((code) => `\`${code}\`: ${problemCodes[code][1]}.`).join(" ")
      response.content = {
        "application/problem+json": {
          schema: {
            allOf: [
              { $ref: "#/components/schemas/Problem" },
              {
                type: "object",
                properties: {
                  status: { type: "integer", const: Number(status) },
                  code: { type: "string", enum: codes }
                }
              }
            ]
          }
        }
      }
      response.headers = { ...response.headers, ...problemHeaders[status] }
    }
    Object.assign(response, {
      headers: {
        ...response.headers,
        "x-request-id": { $ref: "#/components/headers/RequestId" },
        ...(operation.security.length > 0 ? rateLimitHeaders : {})
      }
    })
  }
}

/** A longer list is repeated for no operation. */
const mostCodesTold = 10

const codesOf = (
  status: number,
  own: ReadonlyArray<ProblemCode> | undefined,
  operation: Operation,
  { annotations }: HttpApiEndpoint.Top
): ReadonlyArray<ProblemCode> => {
  const all = codes.filter((code) => problemCodes[code][0] === status)
  const parameters = new Set(operation.parameters.map(({ name }) => name.toLowerCase()))
  const hasJson = operation.requestBody?.content["application/json"] !== undefined
  const secured = operation.security.length > 0
  const membersOnly = Option.getOrNull(Context.getOption(annotations, MembersOnly))
  const general: Partial<Record<ProblemCode, boolean>> = {
    invalid_request: true,
    invalid_json: hasJson,
    unauthorized: secured,
    key_expired: secured,
    signed_out: secured,
    foreign_request: secured,
    workspace_not_found: secured,
    confirm_password: Option.isSome(Context.getOption(annotations, NeedsPassword)),
    approval_by_person: membersOnly === "approval_by_person",
    person_only: membersOnly === "person_only",
    missing_scope: secured,
    rate_limited: secured,
    body_too_large: hasJson,
    body_too_slow: operation.requestBody !== undefined,
    unsupported_media_type: operation.requestBody !== undefined,
    idempotency_key_reused: parameters.has("idempotency-key"),
    idempotency_in_progress: parameters.has("idempotency-key"),
    stale_version: parameters.has("if-match"),
    internal_error: true,
    unavailable: true
  }
  return all.filter((code) => general[code] ?? (own === undefined || own.includes(code)))
}

const codes = Object.keys(problemCodes) as ReadonlyArray<ProblemCode>

const headers = {
  IdempotencyReplayed: idempotencyReplayed,
  RequestId: {
    description:
      "Identifies this answer in the logs. It is the request's own X-Request-Id if that is well-formed.",
    schema: { type: "string", pattern: "^[\\w.:-]{1,128}$" },
    required: true
  },
  RateLimitPolicy: {
    description:
      "The rate limit that counted this request, if one is set: requests (`q`) per window in seconds (`w`), for this " +
      "credential to this process.",
    schema: { type: "string", examples: ['"reads";q=12000;w=60'] }
  },
  RateLimit: {
    description:
      "How many requests remain (`r`), and after how many seconds the quota is full again or, when none remains, one " +
      "more is allowed (`t`). Names and parameters are those of draft-ietf-httpapi-ratelimit-headers.",
    schema: { type: "string", examples: ['"reads";r=11999;t=1'] }
  },
  WwwAuthenticate: {
    description:
      "A bearer credential is needed. `resource_metadata` leads an app to the authorization server (RFC 9728).",
    schema: { type: "string" }
  },
  RetryAfter: { description: "Seconds to wait.", schema: { type: "integer", minimum: 0 } }
}

const rateLimitHeaders = {
  "ratelimit-policy": { $ref: "#/components/headers/RateLimitPolicy" },
  ratelimit: { $ref: "#/components/headers/RateLimit" }
}

const problemHeaders: Readonly<Record<string, object>> = {
  "401": { "www-authenticate": { $ref: "#/components/headers/WwwAuthenticate" } },
  "409": { "retry-after": { $ref: "#/components/headers/RetryAfter" } },
  "429": { "retry-after": { $ref: "#/components/headers/RetryAfter" } },
  "503": { "retry-after": { $ref: "#/components/headers/RetryAfter" } }
}

/** A request's schema with the values that its options may have, where an answer's has their form alone. */
const asDocumented = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/Given', '"#/components/schemas/'))

/** The schemas that bodies of requests use. */
const requestSchemas = (spec: OpenApi.OpenAPISpec): ReadonlySet<string> => {
  const schemas = spec.components.schemas
  const strict = new Set<string>()
  const follow = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(follow)
    if (value === null || typeof value !== "object") return
    for (const [key, inner] of Object.entries(value)) {
      const name = key === "$ref" ? String(inner).replace("#/components/schemas/", "") : undefined
      if (name === undefined) follow(inner)
      else if (!strict.has(name)) {
        strict.add(name)
        follow(schemas[name])
      }
    }
  }
  for (const item of Object.values(spec.paths)) {
    for (const operation of Object.values(item) as Array<Operation>) follow(operation.requestBody)
  }
  return strict
}

/** Requests are strict about their fields; answers may gain some, so their schemas must not forbid more. */
const openAnswers = (spec: OpenApi.OpenAPISpec) => {
  const schemas = spec.components.schemas
  const strict = requestSchemas(spec)
  const open = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(open)
    if (value === null || typeof value !== "object") return
    if ("additionalProperties" in value && value.additionalProperties === false)
      delete value.additionalProperties
    Object.values(value).forEach(open)
  }
  for (const [name, schema] of Object.entries(schemas)) if (!strict.has(name)) open(schema)
}
