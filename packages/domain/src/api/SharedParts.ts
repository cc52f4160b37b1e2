import { pascalCase } from "./pascalCase.ts"
import { type ProblemCode, problemNames } from "../Problems.ts"

type Part = Record<string, any>

/**
 * Writes once, among the components, what many operations or schemas have: refusals, parameters, what webhooks answer, and
 * options that many platforms have.
 */
export const shareParts = <Spec extends Document>(spec: Spec) => {
  const operations = operationsIn(spec.paths)
  const refusals = operations.flatMap(({ responses }) =>
    Object.keys(responses)
      .filter((status) => Number(status) >= 400)
      .map((key) => ({ holder: responses, key, name: refusalName(responses[key], Number(key)) }))
  )
  const webhooks = operationsIn(spec.webhooks)
  const receipts = webhooks.flatMap(({ responses }) =>
    Object.keys(responses).map((key) => ({ holder: responses, key, name: `Webhook${key}` }))
  )
  const parameters = [...operations, ...webhooks].flatMap(({ parameters }) =>
    parameters.map(({ in: place, name }: Part, key: number) => ({
      holder: parameters,
      key,
      name: pascalCase(place === "header" ? `${name}-header` : name)
    }))
  )
  const fields = structsIn(spec.components.schemas).flatMap(({ properties }) =>
    Object.entries(sharedOptions)
      .filter(([key]) => key in properties)
      .map(([key, name]) => ({ holder: properties, key, name }))
  )
  return {
    ...spec,
    components: {
      ...spec.components,
      responses: shared("responses", [...refusals, ...receipts]),
      parameters: shared("parameters", parameters),
      schemas: { ...spec.components.schemas, ...shared("schemas", fields) }
    }
  }
}

interface Document {
  readonly paths: object
  readonly webhooks: object
  readonly components: { readonly schemas: object }
}

const operationsIn = (items: object): ReadonlyArray<Part> =>
  Object.values(items).flatMap((item) => Object.values<Part>(item))

interface Place {
  readonly holder: Part
  readonly key: string | number
  readonly name: string
}

/** Of the parts that would have one name the one with the most places gets it; the others stay where they are. */
const shared = (kind: string, places: ReadonlyArray<Place>): Part => {
  const named: Part = {}
  for (const [name, ofName = []] of Object.entries(Object.groupBy(places, (place) => place.name))) {
    const alike = Object.groupBy(ofName, ({ holder, key }) => JSON.stringify(holder[key]))
    const [most = []] = Object.values(alike).toSorted((a, b) => b!.length - a!.length)
    if (most.length < 2) continue
    named[name] = most[0]!.holder[most[0]!.key]
    for (const { holder, key } of most) holder[key] = { $ref: `#/components/${kind}/${name}` }
  }
  return named
}

const sharedOptions = {
  caption: "CaptionOverride",
  media: "MediaOverride",
  thread: "ThreadOverride",
  thread_fallback: "ThreadFallbackOverride",
  first_comment: "FirstComment",
  video_cover_timestamp_ms: "CoverTimestamp",
  user_tags: "UserTags",
  captions: "VideoCaptions",
  focus: "FocalPoints"
}

/** Codes that nearly every operation with the status has. */
const usual: ReadonlySet<ProblemCode> = new Set([
  "invalid_request",
  "invalid_json",
  "unauthorized",
  "key_expired",
  "signed_out",
  "missing_scope",
  "foreign_request",
  "not_found",
  "workspace_not_found",
  "idempotency_key_reused",
  "idempotency_in_progress",
  "body_too_large"
])

/** The code, or the name of the status and the codes beyond the usual ones. */
const refusalName = (response: Part, status: number): string => {
  const { properties } = response["content"]["application/problem+json"].schema.allOf[1]
  const codes: ReadonlyArray<ProblemCode> = properties.code.enum
  const own = codes.filter((code) => !usual.has(code))
  if (codes.length === 1) return pascalCase(codes[0]!)
  const names = own.map(pascalCase)
  return problemNames[status] + (own.length > 2 ? `${names[0]}AndMore` : names.join(""))
}

const structsIn = (value: unknown): ReadonlyArray<Part> => {
  if (typeof value !== "object" || value === null) return []
  const within = Object.values(value).flatMap(structsIn)
  return "properties" in value && typeof value.properties === "object" ? [value, ...within] : within
}
