import { Effect, Option, Schema, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"

type Parameters = Record<string, unknown>

const decodeObject = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))
)

/** The parameters of a body in JSON or a form of either kind, as Rails reads them: what is null was not sent. Undefined: it is none. */
export const parametersOf = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const type = request.headers["content-type"] ?? ""
  if (type.startsWith("application/json"))
    return Option.getOrUndefined(Option.map(decodeObject(yield* request.text), withoutNulls))
  const all: Parameters = Object.create(null)
  if (type.startsWith("multipart/form-data")) {
    const whole = yield* Stream.runForEach(request.multipartStream, (part) =>
      part._tag === "File"
        ? Stream.runDrain(part.content)
        : Effect.sync(() => put(all, keysOf(part.key), part.value))
    ).pipe(
      Effect.as(true),
      Effect.catchTag("MultipartError", () => Effect.succeed(false))
    )
    if (!whole) return undefined
  } else {
    for (const [name, value] of new URLSearchParams(yield* request.text)) put(all, keysOf(name), value)
  }
  return all
})

/** Of the object and of those in it: none is deeper. */
const withoutNulls = (object: Parameters, levels = 2): Parameters =>
  Object.fromEntries(
    Object.entries(object)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, levels > 1 && isObject(value) ? withoutNulls(value, levels - 1) : value])
  )

/** `poll[options][]`: `poll`, `options` and an empty one, which stands for the next place of a list. */
const keysOf = (name: string) => name.replaceAll("]", "").split("[", deepest)

/** Rails refuses what is deeper. */
const deepest = 32

const put = (object: Parameters, [key = "", ...rest]: ReadonlyArray<string>, value: string): void => {
  const there = object[key]
  if (rest.length === 0) object[key] = value
  else if (rest[0] === "") {
    if (Array.isArray(there)) there.push(value)
    else object[key] = [value]
  } else {
    const inner: Parameters = isObject(there) ? there : Object.create(null)
    object[key] = inner
    put(inner, rest, value)
  }
}

const isObject = (value: unknown): value is Parameters =>
  typeof value === "object" && value !== null && !Array.isArray(value)
