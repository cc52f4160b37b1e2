import type { PlatformId, PlatformRules } from "../Platform.ts"
import { blueskyRules } from "./Bluesky.ts"
import { sandboxRules } from "./Sandbox.ts"

/** The platforms that this release publishes to. */
export const platformRules: Partial<Record<PlatformId, PlatformRules>> = {
  bluesky: blueskyRules,
  sandbox: sandboxRules
}

export { blueskyRules, sandboxRules }
