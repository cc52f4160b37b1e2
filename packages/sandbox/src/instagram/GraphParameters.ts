import { Effect, type Schema } from "effect"
import type { Arrived } from "../Exchange.ts"

/** Parameters from the query, a form and JSON alike; JSON values other than text as their JSON. */
export const parametersOf = Effect.fnUntraced(function* ({ query, request }: Arrived) {
  const given = new URLSearchParams(query)
  if (request.method === "GET") return given
  const body = yield* request.text
  const isJson = request.headers["content-type"]?.startsWith("application/json") === true
  const entries: Iterable<readonly [string, string]> = isJson
    ? Object.entries(JSON.parse(body) as Record<string, unknown>).map(
        ([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)] as const
      )
    : new URLSearchParams(body)
  for (const [name, value] of entries) given.set(name, value)
  return given
})

export const fieldsOf = (given: URLSearchParams): ReadonlyArray<string> =>
  (given.get("fields") ?? "id").split(/,(?![^{]*\})/).map((field) => field.replace(/\{.*$/, ""))

type Body = { readonly [key: string]: Schema.Json }

/** `id` always, and of the others those that `fields` names. */
export const pickFields = (body: Body, fields: ReadonlyArray<string>): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name === "id" || fields.includes(name)))

export const pick = (body: Body, given: URLSearchParams) => pickFields(body, fieldsOf(given))
