import { bellImage, credentialOf, CurrentActor, hasScope, isHeld, type Scope } from "@carillon/domain"
import { version } from "../version.ts"
import type { AuthInfo, CallToolResult, McpServer } from "@modelcontextprotocol/server"
import { Context, Effect, FiberSet, Layer } from "effect"
import { AppConfig } from "../AppConfig.ts"
import { ConsoleSite } from "../console/ConsoleSite.ts"
import { appExtension, appMimeType, calledByApp } from "./app/App.ts"
import { resourceMetadataUrl } from "../auth/Challenge.ts"
import { instructions } from "./Instructions.ts"
import { registerPrompts } from "./McpPrompts.ts"
import { registerResources } from "./McpResources.ts"
import type { McpSdk, ToolCaller } from "./McpSdk.ts"
import type { McpTool } from "./McpTool.ts"
import { McpTools } from "./McpTools.ts"
import { CurrentProtocolFixtures, type MakeServer } from "./ProtocolFixtures.ts"
import { unavailableTool } from "./UnavailableTool.ts"

/** An actor's effects live as long as the present request. */
export const askedBy = Effect.fnUntraced(function* (
  actor: ToolCaller["actor"],
  asked: Pick<ToolCaller, "called" | "showsNoApps">,
  config: AppConfig["Service"]
) {
  const context = Context.add(yield* Effect.context<never>(), AppConfig, config)
  const runPromise = yield* FiberSet.makeRuntimePromise()
  return {
    actor,
    called: asked.called,
    showsNoApps: asked.showsNoApps,
    run: (effect, signal) =>
      runPromise(Effect.provideContext(Effect.provideService(effect, CurrentActor, actor), context), {
        signal
      })
  } satisfies ToolCaller as ToolCaller
})

/** The SDK passes this to the factory of a request's server. */
export const authInfoOf = (caller: ToolCaller, config: AppConfig["Service"]): AuthInfo => ({
  token: "",
  resourceMetadataUrl: resourceMetadataUrl(config, "mcp"),
  clientId: credentialOf(caller.actor),
  scopes: [...caller.actor.scopes],
  extra: { caller }
})

/** Makes the server of one request: it knows only the tools that the credential may use. */
export class McpServers extends Context.Service<
  McpServers,
  { readonly makeWith: (sdk: McpSdk) => MakeServer }
>()("@carillon/server/mcp/McpServers") {
  static readonly layer = Layer.effect(
    McpServers,
    Effect.gen(function* () {
      const config = yield* AppConfig
      const tools = yield* McpTools
      const { appPage } = yield* ConsoleSite
      const fixtures = yield* CurrentProtocolFixtures
      const brief = { name: "carillon", version }
      const implementation = {
        ...brief,
        title: "Carillon",
        websiteUrl: `${config.publicUrl}/docs`,
        // In the address itself: hosts may not reach the instance.
        icons: [{ src: bellImage, mimeType: "image/svg+xml", sizes: ["any"] }]
      }
      return McpServers.of({
        makeWith: (sdk) => (authInfo) => {
          const caller = authInfo?.extra?.["caller"] as ToolCaller
          // The SDK writes it into each answer, and some hosts hand that to their model.
          const server = new sdk.McpServer(caller.called.length > 0 ? brief : implementation, {
            instructions: instructions(config.publicUrl, caller.actor),
            // No process could notify the clients of another.
            capabilities: {
              tools: { listChanged: false },
              prompts: { listChanged: false },
              resources: { listChanged: false },
              extensions: { [appExtension]: { mimeTypes: [appMimeType] } }
            },
            ...fixtures?.options
          })
          for (const tool of tools) {
            const isCalled = caller.called.includes(tool.name)
            if (tool.meta === calledByApp && caller.showsNoApps && !isCalled) continue
            const scope = scopeOf(tool, caller.actor)
            if (hasScope(caller.actor.scopes, scope) || mayBeAskedFor(caller.actor, scope)) {
              register(server, tool, caller)
            }
            // Hidden, but a client that calls it all the same learns why it cannot.
            else if (isCalled) {
              register(server, unavailableTool(tool, caller.actor, config), caller)
            }
          }
          registerPrompts(server)
          registerResources(sdk, server, config, tools, appPage, caller)
          fixtures?.register(server)
          return server
        }
      })
    })
  )
}

/** The scope with which a tool is listed. */
const scopeOf = ({ heldScope, scope }: McpTool, actor: ToolCaller["actor"]): Scope =>
  isHeld(actor) ? heldScope : scope

/**
 * A person can still grant what an app never asked for; what they refused is not asked for again, nor what an app that is
 * held could not use.
 */
const mayBeAskedFor = (actor: ToolCaller["actor"], scope: Scope) =>
  actor.grant !== null && !hasScope(actor.grant.asked, scope) && !(isHeld(actor) && scope === "posts:publish")

const register = (server: McpServer, tool: McpTool, { actor, run }: ToolCaller) => {
  const { name, title, description, annotations, inputSchema, outputSchema, meta } = tool
  server.registerTool(
    name,
    {
      title,
      description,
      annotations,
      inputSchema,
      outputSchema,
      scopeChallenge: ({ request }) => {
        const needed = isHeld(actor) ? scopeOf(tool, actor) : tool.neededScope(request.params?.["arguments"])
        // The app's present scopes are named too: some clients ask for exactly what the challenge says.
        return hasScope(actor.scopes, needed) || !mayBeAskedFor(actor, needed)
          ? undefined
          : { scopes: [needed, ...actor.scopes], errorDescription: `${name} needs the scope ${needed}` }
      },
      ...(meta ? { _meta: { ...meta } } : {})
    },
    (args: unknown, { mcpReq }): Promise<CallToolResult> => run(tool.call(args), mcpReq.signal)
  )
}
