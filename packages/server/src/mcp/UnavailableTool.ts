import type { CurrentActor } from "@carillon/domain"
import { Effect } from "effect"
import type { AppConfig } from "../AppConfig.ts"
import { missingScope } from "../auth/MissingScope.ts"
import type { McpTool } from "./McpTool.ts"
import { problemResult } from "./ToolResults.ts"

/** A tool that the credential may not use: a call only says so. */
export const unavailableTool = (
  tool: McpTool,
  actor: CurrentActor["Service"],
  { publicUrl }: AppConfig["Service"]
): McpTool => ({
  ...tool,
  call: () => Effect.succeed(problemResult(missingScope(actor, tool.scope, publicUrl, tool.name), publicUrl))
})
