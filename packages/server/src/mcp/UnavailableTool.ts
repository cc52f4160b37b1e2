import { type CurrentActor, problem } from "@carillon/domain"
import { Effect } from "effect"
import type { AppConfig } from "../AppConfig.ts"
import type { McpTool } from "./McpTool.ts"
import { problemResult } from "./ToolResults.ts"

/** A tool that the credential may not use: a call only says so. */
export const unavailableTool = (
  tool: McpTool,
  { scopes, grant }: CurrentActor["Service"],
  { publicUrl }: AppConfig["Service"]
): McpTool => ({
  ...tool,
  call: () =>
    Effect.succeed(
      problemResult(
        problem(
          "missing_scope",
          grant === null
            ? `${tool.name} needs the scope ${tool.scope}; the API key has ${scopes.join(", ")}.`
            : `${tool.name} needs the scope ${tool.scope}, which the user did not grant. They can change that at ${publicUrl}/connected-apps.`
        ),
        publicUrl
      )
    )
})
