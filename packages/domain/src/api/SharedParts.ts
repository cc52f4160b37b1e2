import { Record, Struct } from "effect"
import { pascalCase } from "./pascalCase.ts"
import { type ProblemCode, problemNames } from "../Problems.ts"

type Part = Record<string, any>

/**
 * Writes once, among the components, what many operations or schemas have: refusals, parameters, what webhooks answer, and
 * options that many platforms have.
 */
export const shareParts = <Spec extends Document>(spec: Spec) => {
  const operations = operationsIn(spec.paths)
  const answers = operations.flatMap(({ responses }) =>
    Object.keys(responses).map((key) => ({
      holder: responses,
      key,
      name: (Number(key) < 400 ? answerName : refusalName)(responses[key], Number(key))
    }))
  )
  const webhooks = operationsIn(spec.webhooks)
  const receipts = webhooks.flatMap(({ responses }) =>
    Object.keys(responses).map((key) => ({ holder: responses, key, name: `Webhook${pascalCase(key)}` }))
  )
  const parameters = [...operations, ...webhooks].flatMap(({ parameters }) =>
    parameters.map(({ in: place, name }: Part, key: number) => ({
      holder: parameters,
      key,
      name: pascalCase(place === "header" ? `${name}-header` : name)
    }))
  )
  const fields = optionsIn(spec.components.schemas).flatMap((properties) =>
    Object.keys(properties)
      .filter((key) => key !== "account_id")
      .map((key) => ({ holder: properties, key, name: optionNames[key] ?? pascalCase(`${key}-option`) }))
  )
  const timestamps = Object.entries<Part>(spec.components.schemas)
    .filter(([name, { properties }]) => name.endsWith("Event") && properties !== undefined)
    .map(([, { properties }]) => ({ holder: properties, key: "timestamp", name: "EventTimestamp" }))
  const ids = Object.keys(spec.components.schemas)
    .filter((key) => key.endsWith("Id"))
    .map((key) => ({ holder: spec.components.schemas, key, name: "Uuid" }))
  const uuids = shared("schemas", ids)
  return {
    ...spec,
    components: {
      ...spec.components,
      responses: shared("responses", [...answers, ...receipts]),
      parameters: shared("parameters", parameters),
      schemas: {
        ...extended(spec.components.schemas),
        ...sharedPolls(spec.components.schemas),
        ...shared("schemas", [...fields, ...timestamps]),
        ...uuids
      }
    }
  }
}

interface Document {
  readonly paths: object
  readonly webhooks: object
  readonly components: { readonly schemas: Part }
}

const operationsIn = (items: object): ReadonlyArray<Part> =>
  Object.values(items).flatMap((item) => Object.values<Part>(item))

interface Place {
  readonly holder: Part
  readonly key: string | number
  readonly name: string
}

/** Of the parts that would have one name the one with the most places gets it, and the next is the other; the rest stays where it is. */
const shared = (kind: string, places: ReadonlyArray<Place>): Part => {
  const named: Part = {}
  for (const [name, ofName = []] of Object.entries(Object.groupBy(places, (place) => place.name))) {
    const alike = Object.groupBy(ofName, ({ holder, key }) => JSON.stringify(holder[key]))
    const most = Object.values(alike).toSorted((a, b) => b!.length - a!.length)
    for (const [index, places = []] of most.slice(0, 2).entries()) {
      if (places.length < 2) continue
      const own = index === 0 ? name : `Other${name}`
      named[own] = places[0]!.holder[places[0]!.key]
      for (const { holder, key } of places) holder[key] = { $ref: `#/components/${kind}/${own}` }
    }
  }
  return named
}

/** The options of each platform, and those of an account, which are the same. */
const optionsIn = ({
  AccountConfiguration,
  PlatformConfigurations,
  ...others
}: Part): ReadonlyArray<Part> => [
  ...Object.values<Part>(PlatformConfigurations.properties).map(
    ({ anyOf }) => others[String(anyOf[0].$ref).split("/").at(-1)!].properties
  ),
  AccountConfiguration.properties
]

/** The poll of each platform, which is one of those that an account's options have. */
const sharedPolls = ({ AccountConfiguration, ...others }: Part): Part => {
  const alternatives: Array<Part> = AccountConfiguration.properties.poll.anyOf
  const named: Part = {}
  for (const [name, { properties: options }] of Object.entries<Part>(others)) {
    if (!name.endsWith("Options") || options?.poll === undefined) continue
    const { description, ...poll } = options.poll
    const index = alternatives.findIndex((one) => JSON.stringify(one) === JSON.stringify(poll))
    if (index < 0) continue
    const shortName = name.replace("Options", "Poll")
    named[shortName] = { ...poll, description }
    options.poll = alternatives[index] = { $ref: `#/components/schemas/${shortName}` }
  }
  AccountConfiguration.properties.poll.description = "The poll of the account's network."
  return named
}

/** A schema with all fields of another and some more names the other, and says only what it adds. */
const extended = (schemas: Part): Part =>
  Record.map(schemas, (schema: Part) => {
    const base = Object.entries<Part>(schemas).findLast(([, other]) => isWithin(other, schema))
    if (base === undefined) return schema
    const [name, { properties: known, required: given = [] }] = base
    const { properties, required, ...rest } = schema
    const added = required.filter((key: string) => !given.includes(key))
    return {
      ...rest,
      allOf: [
        { $ref: `#/components/schemas/${name}` },
        { type: "object", properties: Struct.omit(properties, Object.keys(known)), required: added }
      ]
    }
  })

const isWithin = (small: Part, large: Part): boolean => {
  const [fewer, more] = [small["properties"], large["properties"]]
  // One that forbids further fields would forbid those that it adds.
  if (fewer === undefined || more === undefined || "additionalProperties" in small) return false
  if (Object.keys(fewer).length < 2 || sizeOf(small) >= sizeOf(large)) return false
  return (
    JSON.stringify(Struct.pick(more, Object.keys(fewer))) === JSON.stringify(fewer) &&
    (small["required"] ?? []).every((key: string) => large["required"]?.includes(key))
  )
}

const sizeOf = ({ properties, required = [] }: Part) => Object.keys(properties).length + required.length

const optionNames: Readonly<Record<string, string>> = {
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

/** The name of what it holds. An answer to a POST with `Idempotency-Key` has another header. */
const answerName = ({ content = {}, headers }: Part, status: number): string => {
  const [{ schema = {} } = {}] = Object.values<Part>(content)
  const name = String(schema.$ref ?? "Answer")
    .split("/")
    .at(-1)!
  return `${"idempotency-replayed" in headers ? "Kept" : ""}${name}${status === 200 ? "" : status}`
}

/** The code, or the name of the status and the codes beyond the usual ones. */
const refusalName = (response: Part, status: number): string => {
  const { properties } = response["content"]["application/problem+json"].schema.allOf[1]
  const codes: ReadonlyArray<ProblemCode> = properties.code.enum
  const own = codes.filter((code) => !usual.has(code))
  if (codes.length === 1) return pascalCase(codes[0]!)
  const names = own.map(pascalCase)
  return problemNames[status] + (own.length > 2 ? `${names[0]}And${own.length - 1}More` : names.join(""))
}
