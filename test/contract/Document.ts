import { Api, MembersOnly, NeededScope, type Scope } from "@carillon/domain"
import { Context, Option, Record } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"

interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly schema: any
  readonly required: boolean
  readonly description?: string
}

export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string | undefined
  readonly description: string | undefined
  readonly tags: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody: any
  readonly responses: Readonly<Record<string, any>>
  /** null: no credential is needed. */
  readonly scope: Scope | null
  /** No key is enough, and gets this. */
  readonly membersOnly: string | null
}

/** The document as `/v1/openapi.json` serves it, but for the service's address. */
export const document: any = JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))

/** What a `$ref` stands for, or the thing itself; a type or null as two ways, and an object that adds fields to another as one. */
export const resolve = (value: any): any =>
  typeof value?.$ref === "string"
    ? resolve(
        value.$ref
          .slice(2)
          .split("/")
          .reduce((at: any, key: string) => at[key], document)
      )
    : Array.isArray(value?.type)
      ? once(value, inWays)
      : value?.type === "object" && Array.isArray(value.allOf)
        ? once(value, inOne)
        : value

/** One object for each schema, by which a walk through the document knows it again. */
const made = new WeakMap<object, object>()
const once = (schema: any, make: (schema: any) => object) => {
  const known = made.get(schema) ?? make(schema)
  made.set(schema, known)
  return known
}

const inWays = ({ type, ...rest }: any) => ({
  anyOf: type.map((one: string) => (one === "null" ? { type: one } : { ...rest, type: one }))
})

const inOne = ({ allOf, ...rest }: any) => {
  const parts: ReadonlyArray<any> = allOf.map(resolve)
  return {
    ...rest,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required)
  }
}

const scopes = new Map<string, Scope>()
const membersOnly = new Map<string, string>()
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => {
    const scope = Context.getOption(endpoint.annotations, NeededScope)
    const path = endpoint.path.replace(/\/$/, "").replace(/:(\w+)/g, "{$1}")
    if (Option.isSome(scope)) scopes.set(`${endpoint.method} ${path}`, scope.value)
    const refusal = Context.getOption(endpoint.annotations, MembersOnly)
    if (Option.isSome(refusal)) membersOnly.set(`${endpoint.method} ${path}`, refusal.value)
  }
})

export const operations: ReadonlyArray<Operation> = Object.entries<Record<string, any>>(
  document.paths
).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    ...operation,
    parameters: operation.parameters.map(resolve),
    responses: Record.map(operation.responses, resolve),
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    scope: scopes.get(`${method.toUpperCase()} ${path}`) ?? null,
    membersOnly: membersOnly.get(`${method.toUpperCase()} ${path}`) ?? null
  }))
)

export const operationOf = (id: string): Operation => operations.find((operation) => operation.id === id)!

/** The codes that the document gives for a status of an operation. */
export const codesOf = (operation: Operation, status: number | string): ReadonlyArray<string> =>
  operation.responses[String(status)]?.content?.["application/problem+json"]?.schema.allOf[1].properties.code
    .enum ?? []

/** Whether it ends the session of who asks. */
export const signsOut = ({ id }: Operation) => id === "sessionEndAll" || id === "sessionChangePassword"

/** Whether its answer never ends: a stream of events. */
export const isEndless = ({ responses }: Operation) =>
  Object.values(responses).some(({ content }) => content !== undefined && "text/event-stream" in content)
