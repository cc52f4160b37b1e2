import { Context, Effect, Layer } from "effect"
import { BrowserUploads } from "../media/uploads/BrowserUploads.ts"
import type { McpTool } from "./McpTool.ts"
import { makeAccountTools } from "./tools/AccountTools.ts"
import { makeAppTool } from "./tools/AppTool.ts"
import { makeCalendarTools } from "./tools/CalendarTools.ts"
import { makeChangePostsTool } from "./tools/ChangePostsTool.ts"
import { makeMediaTools } from "./tools/MediaTools.ts"
import { makePostListTools } from "./tools/PostListTools.ts"
import { makePostTools } from "./tools/PostTools.ts"
import { makePreviewTool } from "./tools/PreviewTool.ts"

/** All tools, in the order of the list. */
export class McpTools extends Context.Service<McpTools, ReadonlyArray<McpTool>>()(
  "@carillon/server/mcp/McpTools"
) {
  static readonly layer = Layer.effect(
    McpTools,
    Effect.gen(function* () {
      const { listQueueSlots, showCalendar } = yield* makeCalendarTools
      return McpTools.of([
        ...(yield* makeAccountTools),
        ...(yield* makePostListTools),
        listQueueSlots,
        yield* makePreviewTool,
        ...(yield* makePostTools),
        yield* makeChangePostsTool,
        ...(yield* makeMediaTools),
        showCalendar,
        yield* makeAppTool
      ])
    })
  ).pipe(Layer.provide(BrowserUploads.layer))
}
