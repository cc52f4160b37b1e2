import type { PlatformId } from "@carillon/domain"
import type { ConnectedApp } from "../ConnectedApp.ts"
import type { Platform } from "../Platform.ts"

/**
 * Google ends all that a person allowed a client at once, for every network, and no two networks call a person the same. So
 * with one client for both, each account of the other network may be theirs. The test network keeps the two apart.
 */
export const withSharedClient = (
  platform: Platform,
  app: ConnectedApp,
  network: PlatformId,
  other: ConnectedApp | undefined
): Platform => {
  const { revocation } = platform
  if (revocation === undefined || app.stand_in || app.id !== other?.id) return platform
  return {
    ...platform,
    revocation: {
      ...revocation,
      beside: [network],
      shared: (one, another) => another.platform === network || revocation.shared(one, another)
    }
  }
}
