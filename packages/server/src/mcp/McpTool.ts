import { badRequest, type CurrentActor, isProblem, type Problem, type Scope } from "@carillon/domain"
import type { CallToolResult, StandardSchemaWithJSON } from "@modelcontextprotocol/server"
import { Cause, Effect, Schema } from "effect"
import { AppConfig } from "../AppConfig.ts"
import { databaseFull, problemItems, RequestId } from "../http/Problems.ts"
import { isDiskFull } from "../sql/DiskFull.ts"
import { brokenResult, problemResult, successResult } from "./ToolResults.ts"
import { advertised, flatJsonSchema, inputJsonSchema } from "./ToolSchema.ts"

/** A host's hints about a tool; all four are always given, because the protocol's defaults are the worst case. */
export interface Hints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly annotations: Hints
  /** The scope that a credential needs to see the tool. */
  readonly scope: Scope
  /** The scope that an app needs instead whose posts a person approves. */
  readonly heldScope: Scope
  /** The scope that a call with these arguments needs. */
  readonly neededScope: (args: unknown) => Scope
  readonly input: Schema.Constraint
  readonly inputSchema: StandardSchemaWithJSON
  readonly outputSchema: StandardSchemaWithJSON
  readonly meta: Readonly<Record<string, unknown>> | undefined
  readonly call: (args: unknown) => Effect.Effect<CallToolResult, never, CurrentActor | AppConfig>
}

/** A tool: its name and sentences, the schemas of its arguments and its answer, and its call. */
export const mcpTool = <Input extends Schema.Codec<any, any>, Output extends Schema.Codec<any, any>>(tool: {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly hints: Hints
  readonly scope: Scope
  readonly heldScope?: Scope
  readonly neededScope?: (args: unknown) => Scope
  readonly input: Input
  readonly output: Output
  readonly meta?: Readonly<Record<string, unknown>>
  /** The facts of the output as text; without it the output is shown as JSON. */
  readonly text?: (output: Output["Type"]) => string
  readonly run: (input: Input["Type"]) => Effect.Effect<Output["Type"], Problem, CurrentActor>
}): McpTool => {
  const decode = Schema.decodeUnknownEffect(tool.input, {
    errors: "all",
    onExcessProperty: "error",
    reportInput: true
  })
  const encode = Schema.encodeSync(tool.output)
  // Computed when a tool is first shown: a start need not wait for it.
  let input: StandardSchemaWithJSON | undefined
  let output: StandardSchemaWithJSON | undefined
  const makeInput = () => advertised(inputJsonSchema(tool.input))
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    annotations: tool.hints,
    scope: tool.scope,
    heldScope: tool.heldScope ?? tool.scope,
    neededScope: tool.neededScope ?? (() => tool.scope),
    input: tool.input,
    get inputSchema() {
      return (input ??= makeInput())
    },
    get outputSchema() {
      return (output ??= advertised(flatJsonSchema(tool.output, "ignore")))
    },
    meta: tool.meta,
    call: Effect.fn(`mcp.${tool.name}`)(function* (args: unknown) {
      return yield* decode(args ?? {}).pipe(
        Effect.mapError(({ issue }) => badRequest(problemItems(issue))),
        Effect.flatMap(tool.run),
        Effect.map((output) => successResult(encode(output) as Record<string, unknown>, tool.text?.(output))),
        Effect.catchCause(
          Effect.fnUntraced(function* (cause) {
            const failure = Cause.squash(cause)
            const { publicUrl } = yield* AppConfig
            if (isProblem(failure)) return problemResult(failure, publicUrl)
            if (Cause.hasInterruptsOnly(cause)) return yield* Effect.failCause(cause as Cause.Cause<never>)
            if (isDiskFull(failure)) return problemResult(yield* databaseFull, publicUrl)
            yield* Effect.logError(`the tool ${tool.name} failed`, cause)
            return brokenResult(yield* RequestId)
          })
        )
      )
    })
  }
}
