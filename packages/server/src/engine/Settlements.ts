import {
  type EventType,
  type PlatformData,
  type ResultError,
  type SettledState,
  statesBefore
} from "@carillon/domain"
import { PgClient } from "@effect/sql-pg"
import { DateTime, Effect } from "effect"
import { isWanted } from "../events/isWanted.ts"
import { Wakeup } from "../sql/Wakeup.ts"
import type { ClaimedTarget, ClaimRef } from "./ClaimedTarget.ts"
import { documents, few, instants, statesBeforeAs, texts } from "./GroupedRows.ts"
import type { Handle } from "./Handle.ts"
import { Settled, type SettledPost } from "./Settled.ts"

/** The result of a claim. `counted`: it was a try, for the limit on retries. */
export interface Settlement extends ClaimRef {
  readonly post_id: string
  /** It was claimed as `unknown`: an earlier commit may have worked, and this may tell what became of it. */
  readonly resumed: boolean
  readonly state: SettledState
  readonly next_step_at: DateTime.Utc | null
  readonly error: ResultError | null
  readonly platform_data: PlatformData | null
  /** The items of a thread that this claim made live, after the earlier ones; or the post, if its comment follows. */
  readonly live: ReadonlyArray<PlatformData>
  readonly published_at: DateTime.Utc | null
  readonly looked_up_at: DateTime.Utc | null
  /** When the platform is asked about its review of the post; null: as before. */
  readonly review_at: DateTime.Utc | null
  readonly counted: boolean
  /** The preparation to store: as before, none, or a handle and the step that needs it. */
  readonly prepared:
    | "as_before"
    | "discarded"
    | { readonly handle: Handle; readonly step: ClaimedTarget["step"] }
}

const settledStates: ReadonlyArray<SettledState> = [
  "waiting",
  "unknown",
  "published",
  "failed",
  "unconfirmed"
]

/** Events that settlements bring about. */
const settlementEvents: ReadonlyArray<EventType> = ["post.result", "post.published", "post.failed"]

interface LockedPost extends Omit<SettledPost, "targets"> {
  readonly wanted: boolean
}

/** Writes the results of claims, and the status of their posts that follows. */
export const makeSettleAll = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const wakeup = yield* Wakeup
  const settledTargets = yield* Settled
  // Pairs, not a test of the state alone: that would lead the planner to a partial index and to every row in it.
  const legalSettlements = sql.literal(
    settledStates
      .flatMap((to) => statesBefore(`settle_${to}`).map((from) => `('${from}', '${to}')`))
      .join(", ")
  )
  const itemBefore = sql.literal(statesBeforeAs("settle_item"))
  const brokenBefore = sql.literal(statesBeforeAs("settle_broken"))

  const settleAll = Effect.fnUntraced(function* (settlements: ReadonlyArray<Settlement>) {
    const now = DateTime.toDateUtc(yield* DateTime.now)
    const postIds = [...new Set(settlements.map(({ post_id }) => post_id))].sort()
    // Two settlements of one post must see each other, or both would find the post unfinished.
    const posts = yield* sql<LockedPost>`
      select p.id, p.workspace_id, p.status as status_before,
        ${isWanted(sql, sql`p.workspace_id`, settlementEvents, now)} as wanted
      from unnest(${postIds}::uuid[]) as i (id) cross join lateral (
        select id, workspace_id, status from posts where id = i.id for no key update
      ) p`
    const rows = yield* sql<{ id: string; post_id: string; state: string }>`
      with item as materialized (
        select * from unnest(
          ${settlements.map(({ id }) => id)}::uuid[], ${settlements.map(({ fence }) => fence)}::int[],
          ${settlements.map(({ state }) => state)}::text[],
          ${instants(settlements.map(({ next_step_at }) => next_step_at))},
          ${documents(settlements.map(({ error }) => error))},
          ${documents(settlements.map(({ platform_data }) => platform_data))},
          ${instants(settlements.map(({ published_at }) => published_at))},
          ${instants(settlements.map(({ looked_up_at }) => looked_up_at))},
          ${settlements.map(({ resumed }) => resumed)}::boolean[], ${settlements.map(({ counted }) => counted)}::boolean[],
          ${settlements.map(({ prepared }) => prepared === "discarded")}::boolean[],
          ${documents(settlements.map(({ prepared }) => (typeof prepared === "string" ? null : prepared.handle)))},
          ${texts(settlements.map(({ prepared }) => (typeof prepared === "string" ? null : prepared.step)))},
          ${documents(settlements.map(({ live }) => (live.length === 0 ? null : live)))},
          ${instants(settlements.map(({ review_at }) => review_at))}
        ) as i (id, fence, state, next_step_at, error, platform_data, published_at, looked_up_at, resumed, counted, discarded,
          handle, step, live, review_at)
        ${sql.literal(few)}
      ), settled as (
        update targets t set
          -- The claim is over: what its holder may still have to say comes too late.
          fence = t.fence + 1,
          state = i.state,
          next_step_at = i.next_step_at,
          lease_until = null,
          -- A post that is live has none; the attempt at its comment has it.
          error = case when i.state = 'published' and t.item_count is null then null else i.error::jsonb end,
          -- A thread has those of its first item; what became of a comment is added to the post's.
          platform_data = case when i.live is null then coalesce(i.platform_data::jsonb, t.platform_data)
            else coalesce(t.platform_data, i.platform_data::jsonb) end,
          published_at = coalesce(t.published_at, i.published_at),
          items = case when i.live is null then t.items else t.items || i.live::jsonb end,
          looked_up_at = i.looked_up_at,
          review_at = coalesce(i.review_at, t.review_at),
          -- Each item of a thread has its own tries.
          attempts = case when i.live is not null and i.state = 'waiting' then 0
            else t.attempts + (i.counted and t.state = 'claimed')::int end,
          handle = case when i.discarded then null else coalesce(i.handle::jsonb, t.handle) end,
          step = case when i.discarded then 'prepare' else coalesce(i.step, t.step) end
        from (
          select item.*, held.state as state_before from item
          cross join lateral (select state from targets where id = item.id and fence = item.fence offset 0) held
        ) i
        where t.id = i.id and t.fence = i.fence
          and case
            when i.live is not null and i.state = 'waiting' then t.state in ${itemBefore}
            when i.live is null and i.state = 'published' and t.items <> '[]' then t.state in ${brokenBefore}
            else (t.state, i.state) in (${legalSettlements}) end
        returning t.id, t.post_id, t.social_account_id, t.marked_at, t.published_at, i.fence, i.state, i.error::jsonb as error, i.counted,
          i.resumed, i.state_before, i.live
      ), ended as (
        delete from commits where target_id = any (array(select id from settled where state_before = 'committing'))
          and social_account_id = any (array(select social_account_id from settled where state_before = 'committing'))
      ), recorded as (
        insert into attempts (target_id, fence, started_at, ended_at, outcome, error)
        select id,
          -- What is found out without a new commit is the end of the last one.
          case when resumed and state_before <> 'committing'
            then coalesce((select max(a.fence) from attempts a where a.target_id = id), fence) else fence end,
          case when state_before = 'committing' then coalesce(marked_at, ${now}) else ${now} end, ${now},
          case when live is not null then 'published' when state = 'published' and error is not null then 'failed' else state end, error
        from settled where counted or state_before = 'committing'
        on conflict (target_id, fence) do update
          set ended_at = excluded.ended_at, outcome = excluded.outcome, error = excluded.error
      ), derived as (
        -- domain's postStatus in SQL: of what is settled here, and of the post's other targets.
        select ours.post_id,
          case
            when others.draft then 'draft'
            when ours.open or others.open then 'scheduled'
            when ours.published or others.published then 'published'
            else 'failed'
          end as status,
          least(ours.published_at, others.published_at) as published_at
        from (
          select post_id, array_agg(id) as ids, bool_or(state in ('waiting', 'unknown')) as open,
            bool_or(state = 'published' or published_at is not null) as published, min(published_at) as published_at
          from settled group by post_id
        ) ours cross join lateral (
          select bool_or(state = 'draft') as draft,
            bool_or(state in ('waiting', 'claimed', 'committing', 'unknown')) as open,
            bool_or(state = 'published' or published_at is not null) as published, min(published_at) as published_at
          from targets where post_id = ours.post_id and id <> all (ours.ids)
        ) others
      ), followed as (
        update posts p set
          status = d.status, version = p.version + 1, updated_at = ${now}, published_at = d.published_at
        from derived d where p.id = d.post_id
      )
      select id, post_id, state from settled`
    const settled = new Set(rows.map(({ id }) => id))
    const over = Map.groupBy(
      rows.filter(({ state }) => state !== "waiting" && state !== "unknown"),
      ({ post_id }) => post_id
    )
    yield* settledTargets.posts(
      posts.flatMap(({ wanted, ...post }) => {
        const targets = wanted ? over.get(post.id) : undefined
        return targets === undefined ? [] : [{ ...post, targets: targets.map(({ id }) => id) }]
      })
    )
    // The loop sleeps until the next step that it knew; these may be due before that.
    if (settlements.some(({ next_step_at }) => next_step_at !== null)) yield* wakeup.notify
    return settlements.map(({ id }) => settled.has(id))
  }, sql.withTransaction)

  return settleAll
})
