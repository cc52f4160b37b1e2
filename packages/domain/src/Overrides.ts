import type { AccountConfiguration, PlatformConfigurations } from "./PlatformOptions.ts"
import type { PlatformId } from "./Platform.ts"

export interface Content {
  readonly caption: string | null
  readonly media: ReadonlyArray<string>
  readonly platform_configurations: PlatformConfigurations | null
  readonly account_configurations: ReadonlyArray<AccountConfiguration> | null
}

/** What one account gets, and where in the request it came from. */
export interface ResolvedContent {
  readonly caption: string
  readonly captionPath: string
  readonly media: ReadonlyArray<string>
  readonly mediaPath: string
  readonly options: { readonly [key: string]: unknown }
}

/** The account's own value, else the platform's, else the shared one (contract.md section 4). */
export const resolveContent = (
  content: Content,
  platform: PlatformId,
  accountId: number
): ResolvedContent => {
  const shared = entriesByPlatform(content)[platform]
  const { caption: _, media: __, ...options } = shared ?? {}
  const accounts = content.account_configurations ?? []
  const index = accounts.findIndex((entry) => entry.account_id === accountId)
  const candidates = [
    { at: `account_configurations[${index}].`, entry: accounts[index] },
    { at: `platform_configurations.${platform}.`, entry: shared }
  ]
  const caption = candidates.find(({ entry }) => typeof entry?.caption === "string")
  const media = candidates.find(({ entry }) => Array.isArray(entry?.media))
  return {
    caption: caption?.entry?.caption ?? content.caption ?? "",
    captionPath: `${caption?.at ?? ""}caption`,
    media: media?.entry?.media ?? content.media,
    mediaPath: `${media?.at ?? ""}media`,
    options
  }
}

const entriesByPlatform = (content: Content): Readonly<Record<string, PlatformEntry | undefined>> =>
  content.platform_configurations ?? {}

const platformEntries = (content: Content) => Object.values(entriesByPlatform(content))

interface PlatformEntry {
  readonly caption?: string | null
  readonly media?: ReadonlyArray<string> | null
}

/** Every media id that a post uses anywhere. */
export const mediaIdsOf = (content: Content): ReadonlyArray<string> => [
  ...new Set([
    ...content.media,
    ...platformEntries(content).flatMap((entry) => entry?.media ?? []),
    ...(content.account_configurations ?? []).flatMap((entry) => entry.media ?? [])
  ])
]
