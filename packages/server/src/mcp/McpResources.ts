import { hasScope, PlatformId, type Scope } from "@carillon/domain"
import type { McpServer, ReadResourceResult } from "@modelcontextprotocol/server"
import type { AppConfig } from "../AppConfig.ts"
import type { ConsoleSite } from "../console/ConsoleSite.ts"
import { appMimeType, appUri } from "./app/App.ts"
import type { McpSdk, ToolCaller } from "./McpSdk.ts"
import type { McpTool } from "./McpTool.ts"

const mimeType = "application/json"

/** Answers of the tools that a host can put in front of a model without a call. */
export const registerResources = (
  { ResourceNotFoundError, ResourceTemplate }: McpSdk,
  server: McpServer,
  { publicUrl }: AppConfig["Service"],
  tools: ReadonlyArray<McpTool>,
  appPage: ConsoleSite["Service"]["appPage"],
  { actor, run }: ToolCaller
) => {
  const read = async (
    name: string,
    args: object,
    uri: URL,
    signal: AbortSignal
  ): Promise<ReadResourceResult> => {
    const tool = tools.find((one) => one.name === name)!
    const { structuredContent, isError } = await run(tool.call(args), signal)
    if (isError === true) throw new ResourceNotFoundError(uri.href)
    return { contents: [{ uri: uri.href, mimeType, text: JSON.stringify(structuredContent) }] }
  }
  const may = (scope: Scope) => hasScope(actor.scopes, scope)

  if (may("accounts:read")) {
    server.registerResource(
      "accounts",
      "carillon://accounts",
      { title: "Social accounts", description: "The accounts that posts can go to.", mimeType },
      (uri, { mcpReq }) => read("list_accounts", {}, uri, mcpReq.signal)
    )
    server.registerResource(
      "platform",
      new ResourceTemplate("carillon://platforms/{platform}", {
        list: () => ({
          resources: PlatformId.literals.map((platform) => ({
            uri: `carillon://platforms/${platform}`,
            name: platform,
            title: `Rules of ${platform}`,
            mimeType
          }))
        }),
        complete: {
          platform: (value) => PlatformId.literals.filter((platform) => platform.startsWith(value))
        }
      }),
      {
        title: "Platform rules",
        description: "What a post to a platform may contain, and its options.",
        mimeType
      },
      (uri, { platform }, { mcpReq }) => read("get_platform_options", { platform }, uri, mcpReq.signal)
    )
  }
  if (may("posts:read")) {
    server.registerResource(
      "post",
      new ResourceTemplate("carillon://posts/{post_id}", { list: undefined }),
      { title: "Post", description: "One post with its results.", mimeType },
      (uri, { post_id }, { mcpReq }) => read("get_post", { post_id }, uri, mcpReq.signal)
    )
  }
  const meta = {
    ui: { csp: { connectDomains: [publicUrl], resourceDomains: [publicUrl] }, prefersBorder: true }
  }
  server.registerResource(
    "app",
    appUri,
    {
      title: "Calendar and preview",
      description: "What hosts that support apps display for show_calendar and preview_post.",
      mimeType: appMimeType,
      _meta: meta
    },
    async (uri, { mcpReq }) => {
      const text = await run(appPage, mcpReq.signal)
      return { contents: [{ uri: uri.href, mimeType: appMimeType, text, _meta: meta }] }
    }
  )
}
