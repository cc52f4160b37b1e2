import type { PlatformId } from "./Platform.ts"
import { type AccountConfiguration, mediaOptions, type PlatformConfigurations } from "./PlatformOptions.ts"

export interface Content {
  readonly caption: string | null
  readonly media: ReadonlyArray<string>
  readonly platform_configurations: PlatformConfigurations | null
  readonly account_configurations: ReadonlyArray<AccountConfiguration> | null
}

/** The content of one account, and where in the request each part came from. */
export interface ResolvedContent {
  readonly caption: string
  readonly captionPath: string
  readonly media: ReadonlyArray<string>
  readonly mediaPath: string
  /** The overrides that are not null. */
  readonly options: { readonly [key: string]: unknown }
  optionPath(name: string): string
}

/** The account's own value, else the platform's, else the shared one, for every option too. */
export const resolveContent = (
  content: Content,
  platform: PlatformId,
  accountId: number
): ResolvedContent => {
  const index = content.account_configurations?.findIndex((entry) => entry.account_id === accountId) ?? -1
  const own = given(content.account_configurations?.[index])
  const shared = given(content.platform_configurations?.[platform])
  const pathOf = (name: string) =>
    name in own
      ? `account_configurations[${index}].${name}`
      : name in shared
        ? `platform_configurations.${platform}.${name}`
        : name
  const { account_id: _, caption, media, ...options } = { ...shared, ...own }
  return {
    caption: caption ?? content.caption ?? "",
    captionPath: pathOf("caption"),
    media: media ?? content.media,
    mediaPath: pathOf("media"),
    options,
    optionPath: pathOf
  }
}

interface Entry {
  readonly account_id?: number
  readonly caption?: string | null
  readonly media?: ReadonlyArray<string> | null
  readonly [option: string]: unknown
}

/** An entry without its nulls. Most posts have none, and each post of a backlog is asked twice. */
const given = (entry: object | null | undefined): Entry =>
  entry === null || entry === undefined
    ? nothing
    : Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null))
const nothing: Entry = {}

/** Every media id that a post uses anywhere. */
export const mediaIdsOf = (content: Content): ReadonlyArray<string> => {
  const entries = [
    ...Object.values<object | null>(content.platform_configurations ?? {}),
    ...(content.account_configurations ?? [])
  ].map(given)
  return [
    ...new Set([
      ...content.media,
      ...entries.flatMap((entry) => [...(entry.media ?? []), ...mediaOptions.flatMap(idIn(entry))])
    ])
  ]
}

const idIn = (entry: Entry) => (name: string) => {
  const id = entry[name]
  return typeof id === "string" ? [id] : []
}
