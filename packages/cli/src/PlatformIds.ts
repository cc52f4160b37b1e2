import type { PlatformId } from "@carillon/sdk"

/** Typed by the contract, not imported: the domain's values take longer to load than the whole command line. */
const platforms = {
  tiktok: true,
  instagram: true,
  youtube: true,
  pinterest: true,
  twitter: true,
  linkedin: true,
  facebook: true,
  threads: true,
  bluesky: true,
  mastodon: true,
  google_business: true,
  sandbox: true
} satisfies Record<PlatformId, true>

export const platformIds = Object.keys(platforms) as ReadonlyArray<PlatformId>

export const isPlatformId = (text: string): text is PlatformId => text in platforms
