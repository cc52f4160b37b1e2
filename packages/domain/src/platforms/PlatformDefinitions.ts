import { Record, type Schema } from "effect"
import type { AccountLimits } from "../AccountLimits.ts"
import type { DestinationRules, PlatformId, PlatformRules } from "../Platform.ts"
import { blueskyForm, BlueskyOptions, blueskyRules } from "./Bluesky.ts"
import type { CredentialForm } from "./ConnectForm.ts"
import { discordForm, DiscordOptions, discordRules } from "./Discord.ts"
import { FacebookOptions, facebookRules } from "./Facebook.ts"
import { GoogleBusinessOptions, googleBusinessRules } from "./GoogleBusiness.ts"
import { InstagramOptions, instagramRules } from "./Instagram.ts"
import { LinkedInOptions, linkedinRules } from "./LinkedIn.ts"
import { mastodonForm, MastodonOptions, mastodonRules } from "./Mastodon.ts"
import { boards, PinterestOptions, pinterestRules } from "./Pinterest.ts"
import { sandboxForm, SandboxOptions, sandboxRules } from "./Sandbox.ts"
import { telegramForm, TelegramOptions, telegramRules } from "./Telegram.ts"
import { ThreadsOptions, threadsRules } from "./Threads.ts"
import { TikTokOptions, tiktokRules } from "./TikTok.ts"
import { TwitterOptions, twitterRules } from "./Twitter.ts"
import { YouTubeOptions, youtubeRules } from "./YouTube.ts"

interface PlatformDefinition {
  readonly rules: PlatformRules
  readonly options: Schema.Struct<Readonly<Record<string, Schema.optionalKey<Schema.Top>>>>
  /** On platforms that a person connects by filling in a form. */
  readonly form?: CredentialForm
}

/** Everything that this release knows about each platform, including those that it validates for but cannot publish to yet. */
export const platformDefinitions = {
  tiktok: { rules: tiktokRules, options: TikTokOptions },
  instagram: { rules: instagramRules, options: InstagramOptions },
  youtube: { rules: youtubeRules, options: YouTubeOptions },
  pinterest: { rules: pinterestRules, options: PinterestOptions },
  twitter: { rules: twitterRules, options: TwitterOptions },
  linkedin: { rules: linkedinRules, options: LinkedInOptions },
  facebook: { rules: facebookRules, options: FacebookOptions },
  threads: { rules: threadsRules, options: ThreadsOptions },
  bluesky: { rules: blueskyRules, options: BlueskyOptions, form: blueskyForm },
  mastodon: { rules: mastodonRules, options: MastodonOptions, form: mastodonForm },
  discord: { rules: discordRules, options: DiscordOptions, form: discordForm },
  telegram: { rules: telegramRules, options: TelegramOptions, form: telegramForm },
  google_business: { rules: googleBusinessRules, options: GoogleBusinessOptions },
  sandbox: { rules: sandboxRules, options: SandboxOptions, form: sandboxForm }
} as const satisfies Readonly<Record<PlatformId, PlatformDefinition>>

type Definitions = typeof platformDefinitions

const definitions: Readonly<Record<PlatformId, PlatformDefinition>> = platformDefinitions

/** The limits of every platform. */
export const platformRules: Readonly<Record<PlatformId, PlatformRules>> = Record.map(
  definitions,
  ({ rules }) => rules
)

/** The limits of an account: those of its platform, or its own where accounts differ. */
export const rulesFor = ({
  platform,
  limits
}: {
  readonly platform: PlatformId
  readonly limits?: AccountLimits | null
}): PlatformRules => {
  const rules = platformRules[platform]
  return limits == null ? rules : (rules.within?.(limits) ?? rules)
}

/** The options of each platform. Unknown options are refused by name. */
export const platformOptions = Record.map(definitions, ({ options }) => options) as {
  readonly [P in PlatformId]: Definitions[P]["options"]
}

/** The platforms that are connected with what a person types. */
export type ConnectedByForm = {
  [P in PlatformId]: Definitions[P] extends { readonly form: CredentialForm } ? P : never
}[PlatformId]

/** The credential forms, by platform. */
export const credentialForms = Object.fromEntries(
  Object.entries(definitions).flatMap(([platform, { form }]) =>
    form === undefined ? [] : [[platform, form]]
  )
) as { readonly [P in ConnectedByForm]: Definitions[P]["form"] }

/** The fields of its form that a platform wants to know before its own page. */
export const consentFields = (platform: PlatformId): ReadonlyArray<string> =>
  Object.entries(definitions[platform].form?.fields ?? {}).flatMap(([name, { before_consent }]) =>
    before_consent === true ? [name] : []
  )

/** The field of an account's default destination is `default_board_id`: where there are no destinations it means a board. */
export const defaultDestinationRules = (platform: PlatformId): DestinationRules =>
  platformRules[platform].destinations ?? boards
