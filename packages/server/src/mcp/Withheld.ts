import { type CurrentActor, problem } from "@carillon/domain"
import { Effect } from "effect"
import type { McpTool } from "./McpTool.ts"
import { problemResult } from "./ToolResults.ts"

/** A tool that a credential may not use: it says so, and does nothing. */
export const withheld = (tool: McpTool, { scopes }: CurrentActor["Service"]): McpTool => ({
  ...tool,
  call: () =>
    Effect.succeed(
      problemResult(
        problem(
          "missing_scope",
          `${tool.name} needs the scope ${tool.scope}; the API key has ${scopes.join(", ")}.`
        )
      )
    )
})
