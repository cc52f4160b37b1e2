import { Record } from "effect"
import type { PlatformId, PlatformRules } from "./Platform.ts"
import { platformRules } from "./platforms/PlatformDefinitions.ts"
import type { ThreadItem } from "./Thread.ts"
import { type AccountConfiguration, mediaOptions, type PlatformConfigurations } from "./PlatformOptions.ts"

export interface Content {
  readonly caption: string | null
  readonly media: ReadonlyArray<string>
  /** The posts that follow the first one. */
  readonly thread?: ReadonlyArray<ThreadItem> | null
  readonly thread_fallback?: "join" | null
  readonly platform_configurations: PlatformConfigurations | null
  readonly account_configurations: ReadonlyArray<AccountConfiguration> | null
}

/** The content of one account, and where in the request each part came from. */
export interface ResolvedContent {
  readonly caption: string
  readonly captionPath: string
  readonly media: ReadonlyArray<string>
  readonly mediaPath: string
  /** Empty where the items were joined to one post. */
  readonly thread: ReadonlyArray<ThreadItem>
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
  const { account_id: _, caption, media, thread, thread_fallback, ...options } = { ...shared, ...own }
  const resolved = {
    caption: caption ?? content.caption ?? "",
    captionPath: pathOf("caption"),
    media: media ?? content.media,
    mediaPath: pathOf("media"),
    thread: thread ?? content.thread ?? [],
    options,
    optionPath: pathOf
  }
  return resolved.thread.length > 0 &&
    platformRules[platform].chains === undefined &&
    (thread_fallback ?? content.thread_fallback) === "join"
    ? joined(resolved)
    : resolved
}

/** All items as one post. */
export const joined = ({ thread, ...first }: ResolvedContent): ResolvedContent => ({
  ...first,
  caption: joinedCaptions(first.caption, thread),
  captionPath: first.optionPath("thread"),
  media: [...first.media, ...thread.flatMap(({ media }) => media)],
  mediaPath: first.optionPath("thread"),
  thread: []
})

/** The last text joined from each thread: a post may have any number of accounts, and half a megabyte of text. */
const joinedTexts = new WeakMap<
  ReadonlyArray<ThreadItem>,
  { readonly first: string; readonly text: string }
>()

const joinedCaptions = (first: string, thread: ReadonlyArray<ThreadItem>) => {
  const known = joinedTexts.get(thread)
  if (known?.first === first) return known.text
  const captions = [first, ...thread.map(({ caption }) => caption)]
  const text = captions.filter((caption) => caption !== null && caption !== "").join("\n\n")
  joinedTexts.set(thread, { first, text })
  return text
}

export interface ResolvedThreadItem extends ResolvedContent {
  /** 0 is the post itself. */
  readonly index: number
}

/**
 * The content of each item of a thread, in order, and where in the request it came from. `alt_text` describes the media of
 * the post itself; those of the other items have their own.
 */
export const threadItems = (
  { chains }: Pick<PlatformRules, "chains">,
  content: ResolvedContent
): ReadonlyArray<ResolvedThreadItem> => {
  const ofFirst = ["alt_text", ...(chains?.first_only ?? [])]
  const options = Record.filter(content.options, (_, name) => !ofFirst.includes(name))
  return [
    { ...content, index: 0 },
    ...content.thread.map(({ caption, media }, index) => {
      const path = `${content.optionPath("thread")}[${index}]`
      return {
        ...content,
        options,
        caption: caption ?? "",
        captionPath: `${path}.caption`,
        media,
        mediaPath: `${path}.media`,
        thread: [],
        index: index + 1
      }
    })
  ]
}

interface Entry {
  readonly account_id?: number
  readonly caption?: string | null
  readonly media?: ReadonlyArray<string> | null
  readonly thread?: ReadonlyArray<ThreadItem> | null
  readonly thread_fallback?: "join" | null
  readonly [option: string]: unknown
}

/** An entry without its nulls. Most posts have none, and each post of a backlog is asked twice. */
const given = (entry: object | null | undefined): Entry =>
  entry === null || entry === undefined
    ? nothing
    : Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null))
const nothing: Entry = {}

/** Every media id that a post uses, with the path of the first place in the request that has it. */
export const mediaPathsOf = (content: Content): ReadonlyMap<string, string> => {
  const places = [
    ...mediaPlaces(content, (name) => name),
    ...Object.entries<object | null>(content.platform_configurations ?? {}).flatMap(([platform, entry]) =>
      mediaPlaces(given(entry), (name) => `platform_configurations.${platform}.${name}`)
    ),
    ...(content.account_configurations ?? []).flatMap((entry, index) =>
      mediaPlaces(given(entry), (name) => `account_configurations[${index}].${name}`)
    )
  ]
  const paths = new Map<string, string>()
  for (const [id, path] of places) if (!paths.has(id)) paths.set(id, path)
  return paths
}

/** Every media id that a post uses anywhere. */
export const mediaIdsOf = (content: Content): ReadonlyArray<string> => [...mediaPathsOf(content).keys()]

const mediaPlaces = (
  { media, thread, ...options }: Pick<Entry, "media" | "thread">,
  pathOf: (name: string) => string
): ReadonlyArray<readonly [id: string, path: string]> => [
  ...(media ?? []).map((id) => [id, pathOf("media")] as const),
  ...(thread ?? []).flatMap((item, index) =>
    item.media.map((id) => [id, `${pathOf("thread")}[${index}].media`] as const)
  ),
  ...mediaOptions.flatMap((name) => {
    const id = (options as Entry)[name]
    return typeof id === "string" ? [[id, pathOf(name)] as const] : []
  })
]
