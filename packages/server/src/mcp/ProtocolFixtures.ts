import type { AuthInfo, McpHttpHandler, McpServer, McpServerOptions } from "@modelcontextprotocol/server"
import { Context } from "effect"

/** Makes the server of one request for its caller. */
export type MakeServer = (authInfo: AuthInfo | undefined) => McpServer

/** The fixtures that the protocol's own test suite expects of a server. */
export interface ProtocolFixtures {
  readonly options: McpServerOptions
  readonly register: (server: McpServer) => void
  readonly started: (handler: McpHttpHandler) => void
  /** Answers the older revisions; some of what the suite tests there needs sessions. */
  readonly older: (make: MakeServer) => (request: Request, authInfo: AuthInfo) => Promise<Response>
}

/** Provided by test/conformance alone; nothing in the service sets it. */
export const CurrentProtocolFixtures = Context.Reference<ProtocolFixtures | null>(
  "@carillon/server/mcp/ProtocolFixtures",
  { defaultValue: () => null }
)
