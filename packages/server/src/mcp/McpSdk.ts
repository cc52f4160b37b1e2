import type { CurrentActor } from "@carillon/domain"
import type { Effect } from "effect"
import type { AppConfig } from "../AppConfig.ts"

/** The protocol's SDK, loaded when it is needed. */
export type McpSdk = typeof import("@modelcontextprotocol/server")

/** The caller, and how to run its calls as part of its request. */
export interface ToolCaller {
  readonly actor: CurrentActor["Service"]
  /** The tools that this request calls. */
  readonly called: ReadonlyArray<string>
  /** The client says what it can do, and shows no apps. */
  readonly showsNoApps: boolean
  readonly run: <A>(
    effect: Effect.Effect<A, never, CurrentActor | AppConfig>,
    signal: AbortSignal
  ) => Promise<A>
}
