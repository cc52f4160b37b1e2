import { badRequest, isProblem, type Problem, type ProblemItem, RequestProblems } from "@carillon/domain"
import { Context, Effect, Layer, SchemaAST, SchemaIssue } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { type HttpApiEndpoint, HttpApiError } from "effect/http-api"
import { AppConfig } from "../AppConfig.ts"
import { CurrentAnswering } from "./HttpMetrics.ts"

/** The id of the request being answered: in its answer, its problems and its log lines. */
export const RequestId = Context.Reference<string>("@carillon/server/http/RequestId", {
  defaultValue: () => ""
})

/** A problem as the answer to the present request. */
export const problemResponse = Effect.fnUntraced(function* (failure: Problem) {
  const { publicUrl } = yield* AppConfig
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

/** Turns what a handler failed with, or what its request was refused for, into the one problem body. */
export const RequestProblemsLayer = Layer.effect(
  RequestProblems,
  Effect.gen(function* () {
    const config = yield* AppConfig
    const answer = (failure: Problem) => Effect.provideService(problemResponse(failure), AppConfig, config)
    return RequestProblems.of((httpEffect, { endpoint }) =>
      CurrentAnswering.pipe(
        Effect.map((answering) => (answering.route = endpoint.path)),
        Effect.andThen(takesParameters(endpoint)),
        Effect.andThen(httpEffect),
        Effect.updateService(HttpServerRequest.ParsedSearchParams, foldBrackets),
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

/** An endpoint that declares parameters refuses unknown ones by itself; one without any must not ignore them. */
const takesParameters = Effect.fnUntraced(function* (endpoint: HttpApiEndpoint.Top) {
  const names = Object.keys(yield* HttpServerRequest.ParsedSearchParams)
  if (endpoint.query !== undefined || names.length === 0) return
  return yield* badRequest(
    names.map((name) => ({
      path: name,
      code: "unknown_field",
      message: `${name} is not known here; there are no parameters, remove it.`
    }))
  )
})

const fromTheClient = new Set(["Params", "Headers", "Query", "Payload"])

/** `status[]=a` is `status=a`. */
const foldBrackets = (params: Readonly<Record<string, string | Array<string>>>) => {
  const folded: Record<string, string | Array<string>> = {}
  for (const [key, value] of Object.entries(params)) {
    const name = key.endsWith("[]") ? key.slice(0, -2) : key
    folded[name] = name in folded ? [folded[name]!, value].flat() : value
  }
  return folded
}

/** A failed decoding as problem items, one per leaf. */
export const problemItems = (
  issue: SchemaIssue.Issue,
  path: ReadonlyArray<PropertyKey> = []
): Array<ProblemItem> => {
  const at = formatPath(path)
  const item = (code: string, message: string) => [{ path: at, code, message }]
  switch (issue._tag) {
    case "Pointer":
      return problemItems(issue.issue, [...path, ...issue.path])
    case "Encoding":
      return problemItems(issue.issue, path)
    case "Composite":
      return issue.issues.flatMap((inner) => problemItems(inner, path))
    case "AnyOf": {
      if (issue.ast.types.every(SchemaAST.isLiteral)) {
        return item("invalid_value", expectation(at, issue, oneOf(issue.ast.types)))
      }
      const tag = issue.issues.length === 0 ? discriminator(issue.ast) : null
      if (tag !== null) {
        const name = formatPath([...path, tag.name])
        return [{ path: name, code: "invalid_value", message: `${name}: ${oneOf(tag.literals)}.` }]
      }
      const inner = issue.issues.map((one) => problemItems(one, path))
      // Of several possible shapes, the one that fits best tells what the caller meant.
      const deepest = inner.toSorted((a, b) => depth(b) - depth(a))[0]
      return deepest !== undefined && depth(deepest) > path.length
        ? deepest
        : item("invalid_value", expectation(at, issue))
    }
    case "Filter":
      return issue.issue._tag === "InvalidValue"
        ? item("invalid_value", expectation(at, issue))
        : problemItems(issue.issue, path)
    case "MissingKey":
      return item("required", `${at} is missing; it is required.`)
    case "UnexpectedKey":
      return item(
        "unknown_field",
        `${at} is not known here; remove it or correct its spelling.${known(issue.ast)}`
      )
    case "InvalidValue":
      // HttpApi's own words for a body that JSON.parse refuses.
      return issue.annotations?.message === "Expected a valid JSON body"
        ? item("invalid_json", "The body is not valid JSON; check its quotes, commas and braces.")
        : item("invalid_value", expectation(at, issue))
    default:
      return item(issue._tag === "InvalidType" ? "invalid_type" : "invalid_value", expectation(at, issue))
  }
}

const depth = (items: ReadonlyArray<ProblemItem>) =>
  Math.max(0, ...items.map((item) => item.path.split(/[.[]/).length))

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** `wanted` says what was expected, where a schema's name would say nothing to the caller. */
const expectation = (at: string, issue: SchemaIssue.Issue, wanted?: string) => {
  const formatted = format(issue).issues[0]?.message ?? "is not valid"
  if (at === "" && formatted.endsWith(", got undefined")) return "The body is missing; send a JSON object."
  const message =
    wanted === undefined ? formatted : formatted.replace(/^Expected .*?(?=, got |$)/s, () => wanted)
  if (message.startsWith(`${at} `)) return message
  return `${at === "" ? "The body" : at}: ${message}${message.endsWith(".") ? "" : "."}`
}

const oneOf = (literals: ReadonlyArray<SchemaAST.Literal>) =>
  `Expected ${literals.map(({ literal }) => JSON.stringify(literal)).join(" | ")}`

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

const known = (ast: SchemaAST.AST) =>
  SchemaAST.isObjects(ast)
    ? ` Known: ${ast.propertySignatures.map(({ name }) => String(name)).join(", ")}.`
    : ""

const formatPath = (path: ReadonlyArray<PropertyKey>) =>
  path.reduce<string>(
    (text, key) =>
      typeof key === "number" ? `${text}[${key}]` : text === "" ? String(key) : `${text}.${String(key)}`,
    ""
  )
