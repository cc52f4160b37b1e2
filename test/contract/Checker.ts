import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { document, type Operation, resolve } from "./Document.ts"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const pointer = (...keys: ReadonlyArray<string>) =>
  keys.map((key) => `/${encodeURIComponent(key.replace(/~/g, "~0").replace(/\//g, "~1"))}`).join("")

const validators = (root: any) => {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateFormats: true,
    // Most are asked a few times: making them smaller costs more than they take.
    code: { optimize: false }
  })
  formats.default(ajv)
  // Every time that we send is UTC with milliseconds; a client may send any ISO 8601.
  if (root === closed) ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  ajv.addFormat("binary", true)
  ajv.addSchema(root, "openapi")
  const compiled = new Map<string, ValidateFunction>()
  return (...keys: ReadonlyArray<string>) => {
    const at = pointer(...keys)
    const found = compiled.get(at) ?? ajv.compile({ $ref: `openapi#${at}` })
    compiled.set(at, found)
    return (value: unknown): string | null => (found(value) ? null : ajv.errorsText(found.errors))
  }
}

/** The document lets an answer gain fields; the tests do not, so that none is left out of the document. */
const close = (schema: any): any => {
  if (Array.isArray(schema)) return schema.map(close)
  if (schema === null || typeof schema !== "object") return schema
  // What adds fields to another schema is closed with the fields of both.
  if (schema.type === "object" && Array.isArray(schema.allOf)) return close(resolve(schema))
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, close(value)]))
  return typeof schema.properties === "object" &&
    [schema.type].flat().includes("object") &&
    schema.additionalProperties === undefined
    ? { ...inner, additionalProperties: false }
    : inner
}

const closed = {
  ...document,
  components: { ...document.components, schemas: close(document.components.schemas) }
}

const ofRequests = validators(document)
const ofAnswers = validators(closed)

const place = ({ path, method }: Operation) => ["paths", path, method.toLowerCase()]

/** What a JSON body of this operation violates; null: nothing. */
export const bodyProblem = (operation: Operation, body: unknown): string | null =>
  ofRequests(...place(operation), "requestBody", "content", "application/json", "schema")(body)

/** What an answer violates of the document: its status, content type, headers and body; null: nothing. */
export const answerProblem = (operation: Operation, { status, headers, text }: Answer): string | null => {
  const response = operation.responses[String(status)]
  if (response === undefined) return `the status ${status} is not documented: ${text}`
  const type = headers.get("content-type")?.split(";")[0] ?? ""
  if (response.content[type] === undefined) return `the content type ${type} is not documented for ${status}`
  for (const [name, header] of Object.entries<any>(response.headers)) {
    const value = headers.get(name)
    const { required, schema } = resolve(header)
    if (value === null) {
      if (required) return `the header ${name} is missing`
    } else if (schema.pattern !== undefined && !new RegExp(schema.pattern, "u").test(value)) {
      return `the header ${name} is ${value}`
    } else if (schema.type === "integer" && !/^\d+$/.test(value)) return `the header ${name} is ${value}`
  }
  if (!type.endsWith("json")) return null
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return `the body is not JSON: ${text.slice(0, 200)}`
  }
  const { $ref } = document.paths[operation.path][operation.method.toLowerCase()].responses[status]
  const at = $ref?.slice(2).split("/") ?? [...place(operation), "responses", String(status)]
  const problem = ofAnswers(...at, "content", type, "schema")(body)
  return problem === null ? null : `${problem} in ${text.slice(0, 2000)}`
}

/** What a failure that belongs to no operation, such as 405, violates of the one problem body; null: nothing. */
export const failureProblem = ({ status, headers, text }: Answer): string | null => {
  const type = headers.get("content-type")?.split(";")[0]
  if (type !== "application/problem+json")
    return `the content type of ${status} is ${type}: ${text.slice(0, 200)}`
  if (!headers.has("x-request-id")) return "the header x-request-id is missing"
  const body = JSON.parse(text)
  return body.status === status
    ? ofAnswers("components", "schemas", "Problem")(body)
    : `status ${status}: ${text}`
}
