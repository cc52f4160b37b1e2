import type { DestinationRules, PlatformId, PlatformRules } from "../Platform.ts"
import { blueskyRules } from "./Bluesky.ts"
import { facebookRules } from "./Facebook.ts"
import { googleBusinessRules } from "./GoogleBusiness.ts"
import { instagramRules } from "./Instagram.ts"
import { linkedinRules } from "./LinkedIn.ts"
import { mastodonRules } from "./Mastodon.ts"
import { boards, pinterestRules } from "./Pinterest.ts"
import { sandboxRules } from "./Sandbox.ts"
import { threadsRules } from "./Threads.ts"
import { tiktokRules } from "./TikTok.ts"
import { twitterRules } from "./Twitter.ts"
import { youtubeRules } from "./YouTube.ts"

/** The limits of every platform, including platforms this release validates for but cannot publish to yet. */
export const platformRules: Readonly<Record<PlatformId, PlatformRules>> = {
  tiktok: tiktokRules,
  instagram: instagramRules,
  youtube: youtubeRules,
  pinterest: pinterestRules,
  twitter: twitterRules,
  linkedin: linkedinRules,
  facebook: facebookRules,
  threads: threadsRules,
  bluesky: blueskyRules,
  mastodon: mastodonRules,
  google_business: googleBusinessRules,
  sandbox: sandboxRules
}

export { blueskyRules, sandboxRules }

/** The field of an account's default destination is `default_board_id`: where there are no destinations it means a board. */
export const defaultDestinationRules = (platform: PlatformId): DestinationRules =>
  platformRules[platform].destinations ?? boards
