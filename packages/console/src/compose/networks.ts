import { type PlatformId, platformRules } from "@carillon/domain"

/** A network as people call it. */
export const networkName = (platform: PlatformId) =>
  platform === "sandbox" ? "Test network" : platformRules[platform].name
