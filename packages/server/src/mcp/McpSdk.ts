import type { CurrentActor } from "@carillon/domain"
import type { Effect } from "effect"

/** The protocol's SDK, which is loaded when it is needed. */
export type McpSdk = typeof import("@modelcontextprotocol/server")

/** Who asks, and how to run what they ask for as a part of their request. */
export interface ToolCaller {
  readonly actor: CurrentActor["Service"]
  /** The tools that this request calls. */
  readonly called: ReadonlyArray<string>
  readonly run: <A>(effect: Effect.Effect<A, never, CurrentActor>, signal: AbortSignal) => Promise<A>
}
