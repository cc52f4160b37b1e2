import { ByteSize, Effect, Option, Schema } from "effect"
import type { Arrived } from "../Exchange.ts"
import type { MediaStore } from "../MediaStore.ts"
import { receivedForm, type SentFile } from "../ReceivedForm.ts"
import { graphError } from "./GraphErrors.ts"

const decodeObject = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Record(Schema.String, Schema.Json))
)

/** The parameters of a call, and the files of its form. */
export interface Given {
  readonly given: URLSearchParams
  readonly files: ReadonlyMap<string, SentFile>
}

/** Parameters from the query, a form of either kind and JSON alike; JSON values other than text as their JSON. */
export const parametersOf = Effect.fnUntraced(function* (
  { query, request }: Arrived,
  store: MediaStore["Service"],
  largest: ByteSize.ByteSize
) {
  const given = new URLSearchParams(query)
  if (request.method === "GET") return { given, files: new Map<string, SentFile>() }
  const form = yield* receivedForm(request, store, largest, (message) => graphError("100", message))
  const entries = form?.fields ?? (yield* bodyEntries(request))
  for (const [name, value] of entries) given.set(name, value)
  return { given, files: form?.files ?? new Map<string, SentFile>() }
})

const bodyEntries = Effect.fnUntraced(function* (request: Arrived["request"]) {
  const body = yield* request.text
  if (request.headers["content-type"]?.startsWith("application/json") !== true) {
    return new URLSearchParams(body)
  }
  const fields = decodeObject(body)
  if (Option.isNone(fields)) return yield* graphError("100", "(#100) The body is no JSON object")
  return Object.entries(fields.value).map(
    ([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)] as const
  )
})

/** The names that `id,accounts.limit(9){name}` has at its own level, with what is in the braces of each. */
export const selectionOf = (fields: string): ReadonlyMap<string, string> => {
  const selection = new Map<string, string>()
  let [depth, name, within] = [0, "", ""]
  for (const letter of `${fields},`) {
    if (letter === "}") depth -= 1
    if (depth === 0 && letter === ",") {
      selection.set(name.trim().replace(/\..*$/, ""), within)
      name = within = ""
    } else if (depth > 0) within += letter
    else if (letter !== "{" && letter !== "}") name += letter
    if (letter === "{") depth += 1
  }
  return selection
}

export const fieldsOf = (given: URLSearchParams): ReadonlyArray<string> => [
  ...selectionOf(given.get("fields") ?? "id").keys()
]

export type Body = { readonly [key: string]: Schema.Json }

/** `id` always, and of the others those that `fields` names. */
export const pickFields = (body: Body, fields: ReadonlyArray<string>): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name === "id" || fields.includes(name)))

export const pick = (body: Body, given: URLSearchParams) => pickFields(body, fieldsOf(given))

const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Json))

/** A parameter as a post shows it: objects, lists and booleans as such, all else as text. */
export const valueOf = (text: string): Schema.Json =>
  /^([[{]|true$|false$)/.test(text) ? Option.getOrElse(decodeJson(text), () => text) : text
