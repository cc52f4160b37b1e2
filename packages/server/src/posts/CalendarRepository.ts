import {
  type Access,
  calendarCountedTo,
  type CalendarFilter,
  type DayOfZone,
  MediaId,
  MediaKind,
  MimeType,
  PostId,
  PostStatus,
  Progress,
  sees,
  Timestamp,
  toSocialAccountId,
  type WorkspaceId
} from "@carillon/domain"
import { PgClient } from "@effect/sql-pg"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import type { Statement } from "effect/sql"
import { listFragments } from "../sql/ListFragments.ts"
import { int8s } from "../sql/Rows.ts"
import { StoredApproval } from "./StoredApproval.ts"
import { lostAccounts, progressOfTargets } from "./TargetColumns.ts"
import { postTexts } from "./PostTexts.ts"
import { targetFilters } from "./TargetFilters.ts"

/** So many of the newest failures, and of what is held up next, go before the first posts of a day. */
const mostTrouble = 10_000

const Row = Schema.Struct({
  id: PostId,
  version: Schema.Int,
  status: PostStatus,
  at: Timestamp,
  excerpt: Schema.NullOr(Schema.String),
  social_accounts: Schema.Array(Schema.Int),
  media_count: Schema.Int,
  thread_count: Schema.Int,
  /** The first medium, if it is there. */
  cover: Schema.NullOr(Schema.Struct({ id: MediaId, kind: MediaKind, mime_type: MimeType })),
  approval: Schema.NullOr(StoredApproval),
  progress: Progress,
  blocked_by: Schema.NullOr(Schema.Int),
  queue_slot: Schema.NullOr(Timestamp)
})
const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Row))
export interface CalendarRow extends Schema.Schema.Type<typeof Row> {}

type Counts = { readonly [Status in PostStatus | "total"]: number }

/** A day with its first posts. `total` is at most one more than is counted to. */
export interface CountedDay extends Counts {
  readonly rows: ReadonlyArray<CalendarRow>
}

type Filter = Pick<CalendarFilter, "social_account_id" | "platform" | "status">

const nothing: CountedDay = { total: 0, scheduled: 0, published: 0, failed: 0, draft: 0, rows: [] }

/** The calendar's days in one statement: for each a part of the index `posts_by_time`, and then the few posts that are shown. */
export class CalendarRepository extends Context.Service<CalendarRepository>()(
  "@carillon/server/posts/CalendarRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const { number } = listFragments(sql)
      const { wentWrong, ofLostAccounts } = targetFilters(sql)

      const days = Effect.fn("CalendarRepository.days")(function* (
        workspaceId: WorkspaceId,
        access: Access,
        { social_account_id, platform, status }: Filter,
        days: ReadonlyArray<DayOfZone>,
        perDay: number
      ) {
        const asked = social_account_id
          ?.flatMap((text) => toSocialAccountId(text) ?? [])
          .filter((id) => sees(id, access))
        if (asked?.length === 0 || access?.length === 0) return days.map(() => nothing)
        const own = access === null ? sql`true` : sql`t.social_account_id = any(${int8s(access)}::bigint[])`
        const named = [
          ...(asked ? [sql`t.social_account_id = any(${int8s(asked)}::bigint[])`] : []),
          ...(platform ? [sql`t.platform = any(${platform}::text[])`] : [])
        ]
        // Who sees some of a post's accounts sees a status that follows from these.
        const seen = sql`
          cross join lateral (
            select case
              when p.status = 'draft' then 'draft'
              when bool_or(t.stage in ('open', 'unknown')) then 'scheduled'
              when bool_or(t.stage = 'published' or t.published_at is not null) then 'published'
              else 'failed' end as status
            from targets t where t.post_id = p.id and ${own} having count(*) > 0
          ) s`
        const statusOf = sql.literal(access === null ? "p.status" : "s.status")
        const conditions = [
          sql`p.workspace_id = ${workspaceId}`,
          sql`p.dated_at >= d.start`,
          sql`p.dated_at < d.stop`,
          ...(status ? [sql`${statusOf} = any(${status}::text[])`] : []),
          ...(named.length > 0
            ? [
                sql`exists (select 1 from targets t where t.post_id = p.id and ${own} and ${sql.and(named)} offset 0)`
              ]
            : [])
        ]
        const ofTrouble = (condition: Statement.Fragment, order: string) => sql`(
          select t.post_id from targets t where t.workspace_id = ${workspaceId} and ${condition} and ${own}
          order by ${sql.literal(order)} limit ${number(mostTrouble)})`
        // Found once for all days, and only where one has more than is shown: nothing of it depends on a post.
        const troubled = sql`n.status <> 'draft' and n.id in (
          ${ofTrouble(sql`t.stage = 'failed'`, "t.post_id desc")}
          union all ${ofTrouble(sql`t.stage = 'unconfirmed'`, "t.post_id desc")}
          union all ${sql.join(" union all ", false)(wentWrong.map((one) => ofTrouble(one, "t.post_id desc")))}
          union all ${ofTrouble(ofLostAccounts(workspaceId), "t.due_at")})`
        const iso = (at: DateTime.Utc) => DateTime.formatIso(at)
        const found = yield* sql<Counts & { readonly rows: ReadonlyArray<unknown> }>`
          select c.total, c.scheduled, c.published, c.failed, c.draft, r.rows
          from unnest(${days.map(({ start }) => iso(start))}::timestamptz[],
            ${days.map(({ stop }) => iso(stop))}::timestamptz[]) with ordinality d (start, stop, day)
          cross join lateral (
            select count(*)::int as total,
              count(*) filter (where k.status = 'scheduled')::int as scheduled,
              count(*) filter (where k.status = 'published')::int as published,
              count(*) filter (where k.status = 'failed')::int as failed,
              count(*) filter (where k.status = 'draft')::int as draft,
              (array_agg(k.id order by k.troubled desc, k.dated_at, k.id))[1:${number(perDay)}] as ids,
              (array_agg(k.status order by k.troubled desc, k.dated_at, k.id))[1:${number(perDay)}] as statuses
            from (
              select n.*, case when count(*) over () > ${number(perDay)} then ${troubled} else false end as troubled
              from (
                select p.id, p.dated_at, ${statusOf} as status
                from posts p ${access === null ? sql`` : seen}
                where ${sql.and(conditions)}
                order by p.dated_at limit ${number(calendarCountedTo + 1)}
              ) n
            ) k
          ) c
          cross join lateral (
            select coalesce(json_agg(one order by one.at, one.id), '[]') as rows from (
              select p.id, p.version, k.status, p.dated_at as at,
                ${postTexts(sql, access).excerpt}, p.social_accounts,
                cardinality(p.media) as media_count,
                p.approval, p.queue_slot, m.cover, g.progress, g.lost[1] as blocked_by, g.thread_count
              from unnest(c.ids, c.statuses) k (id, status)
              join posts p on p.id = k.id
              left join lateral (
                select jsonb_build_object('id', m.id, 'kind', m.kind, 'mime_type', m.mime_type) as cover
                from media m where m.id = p.media[1] and m.status = 'ready' and m.deleted_at is null
              ) m on true
              cross join lateral (
                select ${sql.literal(progressOfTargets)} as progress,
                  ${sql.literal(lostAccounts)}, coalesce(max(t.item_count) - 1, 0) as thread_count
                from targets t join social_accounts a on a.id = t.social_account_id
                where t.post_id = p.id and ${own}
              ) g
            ) one
          ) r
          order by d.day`
        return yield* Effect.forEach(found, ({ rows, ...counts }) =>
          Effect.map(decodeRows(rows), (decoded): CountedDay => ({ ...counts, rows: decoded }))
        )
      })

      return { days: (...args: Parameters<typeof days>) => Effect.orDie(days(...args)) }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
