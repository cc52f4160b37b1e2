import { Option, Schema } from "effect"
import type { McpTool } from "./McpTool.ts"

const Call = Schema.Struct({
  method: Schema.Literal("tools/call"),
  params: Schema.Struct({ name: Schema.String })
})

const decodeBody = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** The names of the tools that a body calls; older revisions allow several messages in one. */
export const calledTools = (body: string): ReadonlyArray<string> => {
  const messages = Option.getOrElse(decodeBody(body), () => null)
  return (Array.isArray(messages) ? messages : [messages])
    .filter(Schema.is(Call))
    .map(({ params }) => params.name)
}

/** Whether all of them only read, for the limits on requests: lists and the like do too. */
export const onlyReads = (called: ReadonlyArray<string>, tools: ReadonlyArray<McpTool>): boolean =>
  called.every((name) => tools.find((tool) => tool.name === name)?.annotations.readOnlyHint ?? true)
