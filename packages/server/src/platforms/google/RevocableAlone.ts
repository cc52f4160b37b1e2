import type { ConnectedApp } from "../ConnectedApp.ts"
import type { Platform } from "../Platform.ts"

/**
 * Google ends all that a person allowed a client at once, for every network. Two networks of one client are therefore never
 * revoked for each other; the test network keeps them apart.
 */
export const revocableAlone = (
  platform: Platform,
  app: ConnectedApp,
  other: ConnectedApp | undefined
): Platform => {
  if (app.stand_in || app.id !== other?.id) return platform
  const { revocation: _, ...rest } = platform
  return rest
}
