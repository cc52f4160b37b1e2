import {
  badRequest,
  isProblem,
  problem,
  type Problem,
  type ProblemItem,
  RequestProblems,
  truncate
} from "@carillon/domain"
import { Context, Effect, Layer, SchemaAST, SchemaIssue } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { type HttpApiEndpoint, HttpApiError } from "effect/http-api"
import { AppConfig } from "../AppConfig.ts"
import { LastDiskFull } from "../sql/DiskFull.ts"
import { didYouMean } from "./DidYouMean.ts"
import { lengthNote } from "./JsonBody.ts"
import { countRefusal } from "./RefusalLog.ts"

/** The id of the request being answered: in its answer, its problems and its log lines. */
export const RequestId = Context.Reference<string>("@carillon/server/http/RequestId", {
  defaultValue: () => ""
})

/** A problem as the answer to the present request. */
export const problemResponse = Effect.fnUntraced(function* (failure: Problem) {
  const { publicUrl } = yield* AppConfig
  yield* countRefusal(failure)
  const { type, title, status, code, detail, message, error, errors, post_ids } = failure
  return HttpServerResponse.jsonUnsafe(
    {
      type: publicUrl + type,
      title,
      status,
      code,
      detail,
      message,
      error,
      errors,
      post_ids,
      request_id: yield* RequestId
    },
    { status, contentType: "application/problem+json" }
  )
})

/** The database has no room for what the request asks. */
export const databaseFull = Effect.map(LastDiskFull, (last) => {
  last.at = performance.now()
  return problem(
    "storage_full",
    "The disk of the service's database is full. Nothing was stored; tell the operator, and send it again when there is room."
  )
})

/** Turns a handler's failure, or the refusal of its request, into the one problem body. */
export const RequestProblemsLayer = Layer.effect(
  RequestProblems,
  Effect.gen(function* () {
    const config = yield* AppConfig
    const answer = (failure: Problem) => Effect.provideService(problemResponse(failure), AppConfig, config)
    return RequestProblems.of((httpEffect, { endpoint }) =>
      takesParameters(endpoint).pipe(
        Effect.andThen(httpEffect),
        Effect.updateService(HttpServerRequest.ParsedSearchParams, (params) =>
          withoutEmpty(foldBrackets(params), endpoint)
        ),
        Effect.catch((failure) => {
          if (isProblem(failure)) return answer(failure)
          if (HttpApiError.HttpApiSchemaError.is(failure) && fromTheClient.has(failure.kind)) {
            return answer(badRequest(problemItems(failure.cause.issue)))
          }
          return Effect.die(failure)
        })
      )
    )
  })
)

/** An endpoint that declares parameters refuses unknown ones; one without any must not ignore them either. */
const takesParameters = Effect.fnUntraced(function* (endpoint: HttpApiEndpoint.Top) {
  const names = Object.keys(yield* HttpServerRequest.ParsedSearchParams)
  if (endpoint.query !== undefined || names.length === 0) return
  return yield* badRequest(
    names.map((name) => ({
      path: brief(name),
      code: "unknown_field",
      message: `${brief(name)} is not a known parameter; this operation has none. Remove it.`
    }))
  )
})

const fromTheClient = new Set(["Params", "Headers", "Query", "Payload"])

type Params = Readonly<Record<string, string | Array<string>>>

/** `status[]=a` is `status=a`. */
const foldBrackets = (params: Params): Params => {
  const folded = new Map<string, string | Array<string>>()
  for (const [key, value] of Object.entries(params)) {
    const name = key.endsWith("[]") ? key.slice(0, -2) : key
    const before = folded.get(name)
    folded.set(name, before === undefined ? value : [before, value].flat())
  }
  return Object.fromEntries(folded)
}

/** An optional parameter without a value (`status=`) is as if it were not there. */
const withoutEmpty = (params: Params, { query }: HttpApiEndpoint.Top): Params => {
  const optional = new Set(query === undefined ? [] : optionalNamesOf(query.ast))
  return Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => {
      if (!optional.has(name)) return [[name, value]]
      const [first, ...others] = [value].flat().filter((one) => one !== "")
      return first === undefined ? [] : [[name, others.length === 0 ? first : [first, ...others]]]
    })
  )
}

/** The problems of a failed decoding, one per leaf. Each gets its words only when it is reported: few of many are. */
export const problemItems = (issue: SchemaIssue.Issue): Array<ProblemItem> => leaves(issue, [], new Set())

/** `known`: the shapes whose fields were named already. */
const leaves = (
  issue: SchemaIssue.Issue,
  path: ReadonlyArray<PropertyKey>,
  known: Set<SchemaAST.AST>
): Array<ProblemItem> => {
  const at = formatPath(path)
  const item = (code: string, words: () => string) => [new Leaf(at, code, words)]
  const note = "input" in issue ? lengthNote(issue.input) : null
  if (note !== null) return item("invalid_value", () => `${at === "" ? "The body" : at} ${note}`)
  switch (issue._tag) {
    case "Pointer":
      return leaves(issue.issue, [...path, ...issue.path], known)
    case "Encoding":
      return leaves(issue.issue, path, known)
    case "Composite":
      return issue.issues.flatMap((inner) => leaves(inner, path, known))
    case "AnyOf": {
      const literals = literalsOf(issue.ast)
      if (literals !== null) return item("invalid_value", () => expectation(at, issue, oneOf(literals)))
      const tag = issue.issues.length === 0 ? discriminator(issue.ast) : null
      if (tag !== null) {
        const name = formatPath([...path, tag.name])
        return [new Leaf(name, "invalid_value", () => `${name}: ${oneOf(tag.literals)}.`)]
      }
      // Of several possible shapes, the one that fits best is what the caller meant.
      let deepest: { readonly items: Array<ProblemItem>; readonly depth: number } | undefined
      for (const one of issue.issues) {
        const items = leaves(one, path, known)
        const depth = items.reduce((most, { path }) => Math.max(most, path.split(/[.[]/).length), 0)
        if (depth > Math.max(deepest?.depth ?? 0, path.length)) deepest = { items, depth }
      }
      return deepest?.items ?? item("invalid_value", () => expectation(at, issue))
    }
    case "Filter":
      return issue.issue._tag === "InvalidValue"
        ? item("invalid_value", () => expectation(at, issue))
        : leaves(issue.issue, path, known)
    case "MissingKey":
      return item("required", () => `${at} is missing; it is required.`)
    case "UnexpectedKey":
      return item("unknown_field", () => {
        const fields = known.has(issue.ast) ? "" : fieldsOf(issue.ast)
        known.add(issue.ast)
        const meant = didYouMean(path, namesOf(issue.ast))
        return `${at} is not a known field; remove it or correct its spelling.${meant}${fields}`
      })
    case "InvalidValue":
      // HttpApi's own message for a body that JSON.parse refuses.
      return issue.annotations?.message === "Expected a valid JSON body"
        ? item("invalid_json", () => "The body is not valid JSON; check its quotes, commas and braces.")
        : item("invalid_value", () => expectation(at, issue))
    default:
      return item(issue._tag === "InvalidType" ? "invalid_type" : "invalid_value", () =>
        expectation(at, issue)
      )
  }
}

class Leaf implements ProblemItem {
  readonly path: string
  readonly code: string
  readonly #words: () => string
  #message: string | undefined

  constructor(path: string, code: string, words: () => string) {
    this.path = path
    this.code = code
    this.#words = words
  }

  get message() {
    return (this.#message ??= this.#words())
  }
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** `wanted` says what was expected, because a schema's name means nothing to the caller. */
const expectation = (at: string, issue: SchemaIssue.Issue, wanted?: string) => {
  const formatted = format(abridged(issue)).issues[0]?.message ?? "is not valid"
  if (at === "" && formatted.endsWith(", got undefined")) return "The body is missing; send a JSON object."
  const message =
    wanted === undefined ? formatted : formatted.replace(/^Expected .*?(?=, got |$)/s, () => wanted)
  if (message.startsWith(`${at} `)) return message
  return `${at === "" ? "The body" : at}: ${message}${message.endsWith(".") ? "" : "."}`
}

/** The same with one reason, and with as much of the quoted values as a sentence has room for. */
const abridged = (issue: SchemaIssue.Issue): SchemaIssue.Issue =>
  Object.create(issue, {
    ...("input" in issue ? { input: { value: quoted(issue.input, 2) } } : {}),
    ...("issue" in issue ? { issue: { value: abridged(issue.issue) } } : {}),
    ...("issues" in issue ? { issues: { value: issue.issues.slice(0, 1).map(abridged) } } : {})
  })

const quoted = (value: unknown, depth: number): unknown => {
  if (typeof value === "string") return brief(value)
  if (typeof value !== "object" || value === null) return value
  if (depth === 0 || lengthNote(value) !== null) return "…"
  if (Array.isArray(value)) {
    const items = value.slice(0, 3).map((one) => quoted(one, depth - 1))
    return value.length > 3 ? [...items, "…"] : items
  }
  const entries: Array<[string, unknown]> = []
  for (const key in value) {
    if (entries.push([brief(key), quoted((value as Record<string, unknown>)[key], depth - 1)]) === 3) break
  }
  return Object.fromEntries(entries)
}

/** A name or value of the request, as a sentence repeats it. */
const brief = (text: string) => truncate(text, 100)

const oneOf = (literals: ReadonlyArray<SchemaAST.Literal>) =>
  `Expected ${literals.map(({ literal }) => JSON.stringify(literal)).join(" | ")}`

/** The values of a union that has nothing else, but for null, which is as good as leaving it out. */
const literalsOf = ({ types }: SchemaAST.Union): ReadonlyArray<SchemaAST.Literal> | null => {
  const literals: Array<SchemaAST.Literal> = []
  for (const type of types) {
    const own = SchemaAST.isUnion(type) ? literalsOf(type) : SchemaAST.isLiteral(type) ? [type] : null
    if (own !== null) literals.push(...own)
    else if (!SchemaAST.isNull(type)) return null
  }
  return literals.length === 0 ? null : literals
}

/** The property that tells the shapes of a union apart, when none of them fits. */
const discriminator = ({ types }: SchemaAST.Union) => {
  const shapes = types.filter(SchemaAST.isObjects)
  for (const { name } of shapes.length === types.length ? (shapes[0]?.propertySignatures ?? []) : []) {
    const literals = shapes.flatMap(({ propertySignatures }) =>
      propertySignatures.flatMap((one) =>
        one.name === name && SchemaAST.isLiteral(one.type) ? [one.type] : []
      )
    )
    if (literals.length === shapes.length) return { name, literals }
  }
  return null
}

const namesOf = (ast: SchemaAST.AST) =>
  SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : []

const optionalNamesOf = (ast: SchemaAST.AST) =>
  SchemaAST.isObjects(ast)
    ? ast.propertySignatures.filter(({ type }) => SchemaAST.isOptional(type)).map(({ name }) => String(name))
    : []

const fieldsOf = (ast: SchemaAST.AST) => {
  const names = namesOf(ast)
  return names.length === 0 ? "" : ` Known: ${names.join(", ")}.`
}

const formatPath = (path: ReadonlyArray<PropertyKey>) =>
  path.reduce<string>(
    (text, key) =>
      typeof key === "number"
        ? `${text}[${key}]`
        : text === ""
          ? brief(String(key))
          : `${text}.${brief(String(key))}`,
    ""
  )
