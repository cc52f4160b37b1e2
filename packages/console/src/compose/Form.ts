import type { CreatePost, PlatformId, Post, UpdatePost } from "@carillon/sdk"
import { itemsOf, type ThreadItem } from "../data/itemsOf.ts"
import { wallClock } from "../time/zone.ts"

/** A post of a thread after the first. */
export interface Item extends ThreadItem {
  /** Identifies it while it is written, wherever it moves. */
  readonly key: number
}

/** The overrides of a platform or an account. Absent parts come from the level above. */
export interface Own {
  readonly caption?: string
  readonly media?: ReadonlyArray<string>
  readonly thread?: ReadonlyArray<Item>
  readonly options: Readonly<Record<string, unknown>>
}

export type When =
  | { readonly kind: "now" }
  /** `2026-12-04T18:00` on the clock of the workspace; empty: no time is chosen yet. */
  | { readonly kind: "at"; readonly value: string }
  | { readonly kind: "queue" }

/** A post as it is written. */
export interface Form {
  readonly accounts: ReadonlyArray<number>
  readonly caption: string
  readonly media: ReadonlyArray<string>
  readonly platforms: Readonly<Partial<Record<PlatformId, Own>>>
  readonly ofAccounts: Readonly<Record<number, Own>>
  readonly when: When
  /** False: files go out unconverted. Only posts made through the API have it. */
  readonly processing: boolean
  /** The posts after the first. */
  readonly thread: ReadonlyArray<Item>
  /** Networks without threads get everything as one post. */
  readonly joins: boolean
}

/** The level that a text, media or an option belongs to. */
export type Level = "everywhere" | PlatformId | number

export type Action =
  | { readonly type: "accounts"; readonly accounts: ReadonlyArray<number> }
  /** Undefined: the text comes from the level above. */
  | { readonly type: "caption"; readonly of: Level; readonly caption: string | undefined }
  | { readonly type: "media"; readonly of: Level; readonly media: ReadonlyArray<string> | undefined }
  /** Changes the thread that a level shows; undefined: it comes from the level above. */
  | {
      readonly type: "thread"
      readonly of: Level
      readonly platform: PlatformId | undefined
      readonly with: (items: ReadonlyArray<Item>) => ReadonlyArray<Item> | undefined
    }
  | { readonly type: "joins"; readonly joins: boolean }
  | {
      readonly type: "options"
      readonly of: Exclude<Level, "everywhere">
      readonly options: Own["options"]
    }
  /** Drops the overrides of a platform or an account. */
  | { readonly type: "clear"; readonly of: Exclude<Level, "everywhere"> }
  | { readonly type: "when"; readonly when: When }

export const emptyForm: Form = {
  accounts: [],
  caption: "",
  media: [],
  platforms: {},
  ofAccounts: {},
  when: { kind: "at", value: "" },
  processing: true,
  thread: [],
  joins: false
}

const nothing: Own = { options: {} }

export const ownOf = (form: Form, of: Exclude<Level, "everywhere">): Own =>
  (typeof of === "number" ? form.ofAccounts[of] : form.platforms[of]) ?? nothing

export interface Tab {
  readonly level: Level
  readonly platform: PlatformId | undefined
}

export const everywhere: Tab = { level: "everywhere", platform: undefined }

/** The text, files or thread that a level shows, and what it would inherit. */
export const partAt = <Part extends "caption" | "media" | "thread">(
  form: Form,
  part: Part,
  { level, platform }: Tab
): { readonly value: Form[Part]; readonly inherited: Form[Part]; readonly own: boolean } => {
  if (level === "everywhere") return { value: form[part], inherited: form[part], own: true }
  const above = typeof level === "number" && platform !== undefined ? ownOf(form, platform)[part] : undefined
  const inherited = (above ?? form[part]) as Form[Part]
  const own = ownOf(form, level)[part] as Form[Part] | undefined
  return { value: own ?? inherited, inherited, own: own !== undefined }
}

export const withOwn = (form: Form, of: Exclude<Level, "everywhere">, own: Own): Form =>
  typeof of === "number"
    ? { ...form, ofAccounts: { ...form.ofAccounts, [of]: own } }
    : { ...form, platforms: { ...form.platforms, [of]: own } }

const given = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

export const change = (form: Form, action: Action): Form => {
  switch (action.type) {
    case "accounts":
      return { ...form, accounts: action.accounts }
    case "when":
      return { ...form, when: action.when }
    case "joins":
      return { ...form, joins: action.joins }
    case "thread": {
      const { of, platform } = action
      const thread = action.with(partAt(form, "thread", { level: of, platform }).value)
      if (of === "everywhere") return { ...form, thread: thread ?? [] }
      const { thread: _, ...rest } = ownOf(form, of)
      return withOwn(form, of, thread === undefined ? rest : { ...rest, thread })
    }
    case "options":
      return withOwn(form, action.of, { ...ownOf(form, action.of), options: given(action.options) })
    case "clear":
      return withOwn(form, action.of, nothing)
    case "caption": {
      if (action.of === "everywhere") return { ...form, caption: action.caption ?? "" }
      const { caption: _, ...rest } = ownOf(form, action.of)
      const { caption } = action
      return withOwn(form, action.of, caption === undefined ? rest : { ...rest, caption })
    }
    case "media": {
      if (action.of === "everywhere") return { ...form, media: action.media ?? [] }
      const { media: _, ...rest } = ownOf(form, action.of)
      const { media } = action
      return withOwn(form, action.of, media === undefined ? rest : { ...rest, media })
    }
  }
}

const sent = (thread: ReadonlyArray<Item>) => thread.map(({ caption, media }) => ({ caption, media }))

const entryOf = ({ caption, media, options, thread }: Own) => ({
  ...options,
  ...(thread === undefined ? {} : { thread: sent(thread) }),
  ...(caption === undefined ? {} : { caption }),
  ...(media === undefined ? {} : { media })
})

const isOfNothing = (entry: object) => Object.keys(entry).length === 0

/** The fields of a create that a post shows again, without its time. The compiler asks for each of them below. */
type ContentName = Exclude<
  keyof CreatePost & keyof Post,
  "scheduled_at" | "use_queue" | "is_draft" | "repairs"
>

type Content = Pick<CreatePost, ContentName>

/** Everything but the time. Overrides of accounts that are no longer selected are dropped. */
const contentOf = (form: Form): Content => given(allOf(form)) as Content

const allOf = ({
  accounts,
  caption,
  joins,
  media,
  ofAccounts,
  platforms,
  processing,
  thread
}: Form): { readonly [Name in ContentName]: Content[Name] | undefined } => ({
  social_accounts: accounts,
  caption,
  media,
  platform_configurations: Object.fromEntries(
    Object.entries(platforms)
      .map(([platform, own]) => [platform, entryOf(own)] as const)
      .filter(([, entry]) => !isOfNothing(entry))
  ) as Content["platform_configurations"],
  account_configurations: accounts
    .map((account_id) => ({ account_id, ...entryOf(ofAccounts[account_id] ?? nothing) }))
    .filter((entry) => Object.keys(entry).length > 1),
  processing_enabled: processing ? undefined : false,
  thread: thread.length > 0 ? sent(thread) : undefined,
  thread_fallback: joins ? "join" : undefined
})

/** The service converts a `datetime-local` value with its zone; nothing is converted here. */
export const scheduledAt = (value: string, zone: string) => `${value}[${zone}]`

export const timeOf = (when: When, zone: string) =>
  when.kind === "queue"
    ? { use_queue: true }
    : when.kind === "at" && when.value !== ""
      ? { scheduled_at: scheduledAt(when.value, zone) }
      : {}

/** The request that sends the form at its `when`. */
export const toRequest = (form: Form, zone: string): CreatePost => ({
  ...contentOf(form),
  ...timeOf(form.when, zone)
})

/** The request that stores the form as a draft. A draft may have a time, but no slot of the queue. */
export const toDraft = (form: Form, zone: string): CreatePost => ({
  ...contentOf(form),
  ...(form.when.kind === "at" ? timeOf(form.when, zone) : {}),
  is_draft: true
})

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Whether two forms would be saved as the same post. */
export const sameForm = (one: Form, other: Form) =>
  same(contentOf(one), contentOf(other)) && same(one.when, other.when)

/** The fields that differ in `after`. Unchanged ones are left out, so that the post keeps its seconds and its slot. */
export const changesOf = (
  before: Form,
  after: Form,
  zone: string,
  { draft }: { readonly draft: boolean }
): UpdatePost => {
  const old: Readonly<Record<string, unknown>> = contentOf(before)
  const gone = Object.fromEntries(Object.keys(old).map((key) => [key, null]))
  const content = Object.fromEntries(
    Object.entries({ ...gone, ...contentOf(after) }).filter(([key, value]) => !same(value, old[key]))
  )
  if (same(before.when, after.when)) return content
  const time = draft && after.when.kind !== "at" ? {} : timeOf(after.when, zone)
  return { ...content, ...(isOfNothing(time) ? { scheduled_at: null } : time) }
}

const keyed = (thread: CreatePost["thread"]): ReadonlyArray<Item> =>
  itemsOf(thread).map((item, key) => ({ key, ...item }))

const ownIn = ({
  caption,
  media,
  thread,
  ...options
}: {
  readonly caption?: string | null
  readonly media?: ReadonlyArray<string> | null
  readonly thread?: Exclude<CreatePost["thread"], undefined>
}): Own => ({
  ...(Array.isArray(thread) ? { thread: keyed(thread) } : {}),
  ...(typeof caption === "string" ? { caption } : {}),
  ...(Array.isArray(media) ? { media } : {}),
  options
})

type Written = Pick<Post, ContentName | "scheduled_at" | "use_queue" | "is_draft"> &
  Partial<Pick<Post, "repairs">>

/** The form that shows a post. */
export const fromPost = (post: Written, zone: string): Form => ({
  accounts: post.social_accounts,
  caption: post.caption ?? "",
  media: post.media,
  platforms: Object.fromEntries(
    Object.entries(post.platform_configurations ?? {}).map(([platform, entry]) => [
      platform,
      ownIn(entry ?? {})
    ])
  ),
  ofAccounts: Object.fromEntries(
    (post.account_configurations ?? []).map(({ account_id, ...entry }) => [account_id, ownIn(entry)])
  ),
  when: whenOf(post, zone),
  processing: post.processing_enabled,
  thread: keyed(post.thread),
  joins: post.thread_fallback === "join"
})

const whenOf = ({ is_draft, repairs, scheduled_at, use_queue }: Written, zone: string): When => {
  if (use_queue) return { kind: "queue" }
  // A repair is late already.
  if (scheduled_at === null) return is_draft && repairs === undefined ? emptyForm.when : { kind: "now" }
  const { day, time } = wallClock(new Date(scheduled_at), zone)
  return { kind: "at", value: `${day}T${time}` }
}

/** The ids of all files in the form. */
export const mediaIn = ({ media, ofAccounts, platforms, thread }: Form): ReadonlyArray<string> => [
  ...new Set([
    ...media,
    ...inItems(thread),
    ...[...Object.values(platforms), ...Object.values(ofAccounts)].flatMap((own) => [
      ...(own.media ?? []),
      ...inItems(own.thread ?? []),
      ...["cover_image", "thumbnail"].flatMap((name) => {
        const id = own.options[name]
        return typeof id === "string" ? [id] : []
      })
    ])
  ])
]

const inItems = (items: ReadonlyArray<Item>) => items.flatMap((item) => item.media)
