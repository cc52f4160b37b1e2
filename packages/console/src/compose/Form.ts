import type { CreatePost, PlatformId, Post, UpdatePost } from "@carillon/sdk"
import { itemsOf, type ThreadItem } from "../data/itemsOf.ts"
import { wallClock } from "../time/zone.ts"

/** One of the posts that follow in a thread. */
export interface Item extends ThreadItem {
  /** Its own for as long as it is written, whatever its place. */
  readonly key: number
}

/** What a platform or an account has of its own. What is absent comes from the level above. */
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
  /** False: the files go out as they are. Only a post that was made elsewhere has it. */
  readonly processing: boolean
  /** The posts that follow it. */
  readonly thread: ReadonlyArray<Item>
  /** Where a network has no threads, they become one post with it. */
  readonly joins: boolean
}

/** The level that a text, media or an option belongs to. */
export type Level = "everywhere" | PlatformId | number

export type Action =
  | { readonly type: "accounts"; readonly accounts: ReadonlyArray<number> }
  /** Undefined: the text of the level above. */
  | { readonly type: "caption"; readonly of: Level; readonly caption: string | undefined }
  | { readonly type: "media"; readonly of: Level; readonly media: ReadonlyArray<string> | undefined }
  /** What becomes of the posts that a level shows; undefined: they are those of the level above. */
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
  /** Takes away all that a platform or an account has of its own. */
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

/** The text, the files or the posts that follow that a level shows, and those that it would have without its own. */
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

/** What a post is made with and shows again, but for its time: the compiler asks for each of them below. */
type ContentName = Exclude<
  keyof CreatePost & keyof Post,
  "scheduled_at" | "use_queue" | "is_draft" | "repairs"
>

type Content = Pick<CreatePost, ContentName>

/** Everything but the time. An account that is not chosen takes what it has of its own with it. */
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

/** A `datetime-local` value and the zone are the time: nothing is converted here. */
export const scheduledAt = (value: string, zone: string) => `${value}[${zone}]`

export const timeOf = (when: When, zone: string) =>
  when.kind === "queue"
    ? { use_queue: true }
    : when.kind === "at" && when.value !== ""
      ? { scheduled_at: scheduledAt(when.value, zone) }
      : {}

/** The request that sends the form out as its `when` says. */
export const toRequest = (form: Form, zone: string): CreatePost => ({
  ...contentOf(form),
  ...timeOf(form.when, zone)
})

/** The request that keeps it as a draft. A draft has a time as its plan, but no slot of the queue. */
export const toDraft = (form: Form, zone: string): CreatePost => ({
  ...contentOf(form),
  ...(form.when.kind === "at" ? timeOf(form.when, zone) : {}),
  is_draft: true
})

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Whether saving one in the place of the other would change nothing. */
export const sameForm = (one: Form, other: Form) =>
  same(contentOf(one), contentOf(other)) && same(one.when, other.when)

/** What differs in `after`. What the form did not change is left to the post: its seconds, its slot. */
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
  // What is repaired is late already.
  if (scheduled_at === null) return is_draft && repairs === undefined ? emptyForm.when : { kind: "now" }
  const { day, time } = wallClock(new Date(scheduled_at), zone)
  return { kind: "at", value: `${day}T${time}` }
}

/** Every file that the form names. */
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
