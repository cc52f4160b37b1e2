import type { PlacementFacts } from "@carillon/domain"
import type { Calendar, CalendarPost, Media, PostSummary, SocialAccount } from "@carillon/sdk"
import { undatedRow } from "../data/undatedRow.ts"
import type { PreviewContent } from "../preview/Preview.tsx"
import { callTool, type Input } from "./bridge.ts"

export interface CalendarShown {
  readonly calendar: Calendar
  /** Drafts without a time, the newest. */
  readonly undated: { readonly rows: ReadonlyArray<CalendarPost>; readonly total: number }
  readonly accounts: ReadonlyArray<SocialAccount>
  /** The address of the service. */
  readonly public_url: string
}

export type AccountShown = Omit<PreviewContent, "account"> & {
  readonly account: SocialAccount
  readonly facts: PlacementFacts
}

/** A post on each of its accounts. */
export interface ContentShown {
  readonly accounts: ReadonlyArray<AccountShown>
  readonly media: ReadonlyArray<Media>
  /** A person has to approve what the app makes. */
  readonly needs_approval: boolean
  readonly timezone: string
  readonly public_url: string
}

type Item = PreviewContent["following"][number]

/** A row has one of these. */
interface Row {
  readonly account?: SocialAccount
  readonly media?: Media
  readonly day?: Omit<Calendar["days"][number], "posts">
  /** A post of the last day above it. */
  readonly post?: CalendarPost
  readonly undated?: PostSummary
  readonly preview?: Omit<AccountShown, "account" | "following"> & { readonly account_id: number }
  /** A thread item of the last preview above it. */
  readonly following?: Item
}

interface Page {
  readonly rows: ReadonlyArray<Row>
  readonly next_offset: number | null
  readonly timezone: string
  readonly needs_approval: boolean
  readonly public_url: string
  /** How many drafts have no time; only for a calendar. */
  readonly undated_total?: number
}

const present = <A>(value: A | undefined): ReadonlyArray<A> => (value === undefined ? [] : [value])

/** Reads all pages as one. */
const pageOf = async (args: object): Promise<Page> => {
  const rows: Array<Row> = []
  for (let offset: number | null = 0; ;) {
    const { structuredContent } = await callTool("get_app_data", { ...args, offset })
    const page = structuredContent as unknown as Page
    rows.push(...page.rows)
    offset = page.next_offset
    if (offset === null) return { ...page, rows }
  }
}

/** Groups rows under the last head above them. */
const grouped = <A, B>(
  rows: ReadonlyArray<Row>,
  headOf: (row: Row) => A | undefined,
  partOf: (row: Row) => B | undefined
) => {
  const groups: Array<{ readonly head: A; readonly parts: Array<B> }> = []
  for (const row of rows) {
    const head = headOf(row)
    if (head !== undefined) groups.push({ head, parts: [] })
    groups.at(-1)?.parts.push(...present(partOf(row)))
  }
  return groups
}

/** Reads a calendar for the arguments of `show_calendar`. */
export const readCalendar = async (calendar: Input): Promise<CalendarShown> => {
  const { public_url, rows, timezone, undated_total = 0 } = await pageOf({ calendar })
  const days = grouped(
    rows,
    ({ day }) => day,
    ({ post }) => post
  ).map(({ head, parts }) => ({ ...head, posts: parts }))
  return {
    calendar: { timezone, days },
    undated: { rows: rows.flatMap(({ undated }) => present(undated)).map(undatedRow), total: undated_total },
    accounts: rows.flatMap(({ account }) => present(account)),
    public_url
  }
}

/** Reads a preview for the arguments of `preview_post`. */
export const readContent = async (post: Input): Promise<ContentShown> => {
  const { rows, ...page } = await pageOf({ post })
  const accounts = new Map(rows.flatMap(({ account }) => present(account)).map((one) => [one.id, one]))
  return {
    ...page,
    accounts: grouped(
      rows,
      ({ preview }) => preview,
      ({ following }) => following
    ).map(({ head, parts }) => ({ ...head, account: accounts.get(head.account_id)!, following: parts })),
    media: rows.flatMap(({ media }) => present(media))
  }
}
