import { badRequest } from "@carillon/domain"
import { Effect, Option, Schema } from "effect"
import { lengthNote } from "../http/JsonBody.ts"
import { appExtension } from "./app/App.ts"
import type { McpTool } from "./McpTool.ts"

const Call = Schema.Struct({
  method: Schema.Literal("tools/call"),
  params: Schema.Struct({ name: Schema.String })
})

const decodeBody = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** The form of a body, as far as lists within it have a bound. */
export const bodyOf = (tools: ReadonlyArray<McpTool>) => {
  const message = Schema.Struct({
    params: Schema.Struct({ arguments: Schema.Union(tools.map(({ input }) => input)) })
  })
  return Schema.Union([message, Schema.Array(message).check(Schema.isMaxLength(mostMessages))])
}

/** The messages of a body: older revisions of the protocol allow several in one. */
export const messagesOf = Effect.fnUntraced(function* (body: string) {
  const decoded = Option.getOrElse(decodeBody(body), () => null)
  const note = lengthNote(decoded)
  if (note !== null) return yield* refused(`The body ${note}`)
  const messages: ReadonlyArray<unknown> = Array.isArray(decoded) ? decoded : [decoded]
  if (messages.some((message) => Schema.is(Named)(message) && echoed(message).some(isLong))) {
    return yield* refused(`An id, a method, a name or a uri has more than ${longestName} characters.`)
  }
  return messages
})

const mostMessages = 10
const longestName = 1000

/** The fields that answers repeat. */
const Named = Schema.Struct({
  id: Schema.optionalKey(Schema.Unknown),
  method: Schema.optionalKey(Schema.Unknown),
  params: Schema.optionalKey(Schema.Unknown)
})

const echoed = ({ id, method, params }: typeof Named.Type) => {
  const { name, uri } = (params ?? {}) as { readonly name?: unknown; readonly uri?: unknown }
  return [id, method, name, uri]
}

const isLong = (value: unknown) =>
  typeof value === "string" ? value.length > longestName : typeof value === "object" && value !== null

const refused = (message: string) => badRequest([{ path: "", code: "invalid_request", message }])

/** The names of the tools that messages call. */
export const calledTools = (messages: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  messages.filter(Schema.is(Call)).map(({ params }) => params.name)

const Telling = Schema.Struct({
  params: Schema.Struct({
    _meta: Schema.Struct({
      "io.modelcontextprotocol/clientCapabilities": Schema.Struct({
        extensions: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
      })
    })
  })
})

/** Whether the client tells in a message what it can do, and that it shows apps is not among it. Only newer revisions tell with each. */
export const showsNoApps = (messages: ReadonlyArray<unknown>): boolean =>
  messages
    .filter(Schema.is(Telling))
    .some(
      ({ params: { _meta } }) =>
        _meta["io.modelcontextprotocol/clientCapabilities"].extensions?.[appExtension] === undefined
    )

/** Whether all messages only read, for the limits on requests; lists and the like do too. */
export const onlyReads = (called: ReadonlyArray<string>, tools: ReadonlyArray<McpTool>): boolean =>
  called.every((name) => tools.find((tool) => tool.name === name)?.annotations.readOnlyHint ?? true)
