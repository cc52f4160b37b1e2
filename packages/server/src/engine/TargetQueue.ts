import {
  type EventType,
  type MediaId,
  type PlatformData,
  type ResultError,
  type SettledState,
  statesBefore,
  type TargetEvent,
  TargetState
} from "@carillon/domain"
import { PgClient, PgTypes } from "@effect/sql-pg"
import { Context, DateTime, Duration, Effect, Layer, Option, Result, Schema } from "effect"
import { type SqlError, SqlSchema, type Statement } from "effect/sql"
import type { Handle } from "./Handle.ts"
import { liveProcesses } from "../sql/Liveness.ts"
import { makeWriteBatcher } from "./WriteBatcher.ts"
import { namesOf } from "../sql/Columns.ts"
import { Instant } from "../sql/Rows.ts"
import { Database } from "../sql/Sql.ts"
import { Wakeup } from "../sql/Wakeup.ts"
import { contentColumns } from "./ContentColumns.ts"
import { type ClaimedRow, type ClaimedTarget, readClaimed } from "./ClaimedTarget.ts"
import { Settled, type SettledPost } from "./Settled.ts"

/** How long a claim holds without being renewed. After that another process may take the target. */
export const lease = Duration.seconds(15)

/** How many targets one claim takes at most. In the statements, not a parameter: the planner has to know it. */
export const claimSize = 250

/** This process's number; null while nobody could see it die. */
const Self = Schema.NullOr(Schema.Int)
type Self = typeof Self.Type

/** How many workspaces one walk visits. */
const walkLength = 1000

export interface ClaimRef {
  readonly id: string
  readonly fence: number
}

/** `until`: nobody takes it before then. */
interface Released extends ClaimRef {
  readonly until?: DateTime.Utc
}

export interface Marking extends ClaimRef {
  /** What the commit needs; stored with the marker. */
  readonly handle: Handle
}

/**
 * `marked`: it may be sent. `lost`: no longer ours. `not_its_turn`: an earlier target of the account is at work, or a
 * commit is under way. `account_closed`: the account is paused or not connected.
 */
export type Marked = "marked" | "lost" | "not_its_turn" | "account_closed"

/** The result of a claim. `counted`: it was a try, for the limit on retries. */
export interface Settlement extends ClaimRef {
  readonly post_id: string
  /** It was claimed as `unknown`: an earlier commit may have worked, and this may tell what became of it. */
  readonly resumed: boolean
  readonly state: SettledState
  readonly next_step_at: DateTime.Utc | null
  readonly error: ResultError | null
  readonly platform_data: PlatformData | null
  /** The items of a chain that are live since, after those before. */
  readonly live: ReadonlyArray<PlatformData>
  readonly published_at: DateTime.Utc | null
  readonly looked_up_at: DateTime.Utc | null
  readonly counted: boolean
  /** The preparation to store: as before, none, or a handle and the step that needs it. */
  readonly prepared:
    | "as_before"
    | "discarded"
    | { readonly handle: Handle; readonly step: ClaimedTarget["step"] }
}

/** How many unsettled targets are in each state, and how long the oldest due step has waited. */
export interface QueueDepth {
  readonly counts: ReadonlyMap<TargetState, number>
  readonly ageSeconds: number
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

const byId = (one: { readonly id: string }, other: { readonly id: string }) => (one.id < other.id ? -1 : 1)

/** A typed column of a batch's rows: the driver cannot infer the type when all are null. */
const column = (oid: number) => (values: ReadonlyArray<unknown>) =>
  Result.getOrThrow(PgTypes.array(values, oid))
const texts = column(PgTypes.OID.text)
const instants = (values: ReadonlyArray<DateTime.Utc | null>) =>
  column(PgTypes.OID.timestamptz)(values.map((at) => at?.epochMilliseconds ?? null))
/** Text, because PostgreSQL reads text into JSON faster than it reads rows out of JSON. */
const documents = (values: ReadonlyArray<unknown>) =>
  texts(values.map((one) => (one === null ? null : JSON.stringify(one))))

/**
 * Every statement of the engine. A target belongs to the holder of its present fence: each write names the fence, and
 * with an old one it changes nothing and says so. The domain says from which states a write may lead.
 */
export class TargetQueue extends Context.Service<TargetQueue>()("@carillon/server/engine/TargetQueue", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const wakeup = yield* Wakeup
    const settledTargets = yield* Settled
    const { kind } = yield* Database

    const before = (event: TargetEvent) =>
      sql.literal(
        `(${statesBefore(event)
          .map((state) => `'${state}'`)
          .join(", ")})`
      )
    // Pairs, not a test of the state alone: that would lead the planner to a partial index and to every row in it.
    const legalSettlements = sql.literal(
      settledStates
        .flatMap((to) => statesBefore(`settle_${to}`).map((from) => `('${from}', '${to}')`))
        .join(", ")
    )
    const itemBefore = before("settle_item")
    const brokenBefore = before("settle_broken")
    const size = sql.literal(String(claimSize))
    const { thread, thread_fallback, ...content } = contentColumns
    const ofChain = sql.literal(namesOf({ thread, thread_fallback }, "p"))
    const ofContent = sql.literal(namesOf(content, "p"))
    // This limits nothing, but the planner then expects a tenth of the rows and looks each up. Without it, it would read
    // a small table whole, and the prepared statement would keep that plan when the table has grown.
    const few = sql.literal("limit (select 1000000)")

    /**
     * The target is unclaimed, or its process is not seen to live. That process may live all the same: a marked target
     * waits for the lease, and the fence keeps it out of all others. Claims and markers write no index.
     */
    const free = (now: Date, self: Self) => sql`(t.lease_until is null or t.lease_until <= ${now}
      or (t.state <> 'committing' and t.holder <> ${self}::int and t.holder <> all (${liveProcesses(sql)})))`

    const taken = (now: DateTime.Utc, self: Self) => {
      const until = DateTime.toDateUtc(DateTime.addDuration(now, lease))
      return sql`
        taken as (
          update targets t set
            fence = t.fence + 1,
            state = case when t.state in ('committing', 'unknown') then 'unknown' else 'claimed' end,
            lease_until = ${until},
            holder = ${self}
          where t.id = any (array(select id from due))
          returning t.*
        ), lost as (
          -- A commit whose process is gone: its attempt is recorded, and the account is free for another one.
          insert into attempts (target_id, fence, started_at)
          select id, fence, coalesce(marked_at, ${DateTime.toDateUtc(now)}) from due where state = 'committing'
          on conflict (target_id, fence) do nothing
        ), ended as (
          delete from commits where target_id = any (array(select id from due where state = 'committing'))
            and social_account_id = any (array(select social_account_id from due where state = 'committing'))
        )
        select t.id, t.fence, t.state, due.state in ('claimed', 'committing') as taken_over, t.post_id, t.workspace_id, t.social_account_id, t.platform, t.board_id,
          t.due_at, t.due_at - t.lead as prepare_at, t.marked_at, t.looked_up_at, t.handle, t.step, t.attempts, t.error,
          t.item_count, t.items, ${ofChain}, w.lateness_limit_seconds, ${ofContent},
          a.remote_id, a.username, a.status as account_status, a.paused_until, a.credentials, a.default_privacy_level, a.limits
        from taken t
        join due on due.id = t.id
        cross join lateral (select * from posts where id = t.post_id offset 0) p
        cross join lateral (select * from workspaces where id = t.workspace_id offset 0) w
        cross join lateral (select * from social_accounts where id = t.social_account_id offset 0) a
        order by t.due_at, t.id`
    }

    const dueColumns = sql.literal("t.id, t.state, t.fence, t.social_account_id, t.marked_at")

    /** Takes due targets, those of dead processes included: a target whose lease has run out is simply due again. */
    const claim = SqlSchema.findAll({
      Request: Schema.Struct({ now: Instant, self: Self }),
      Result: Schema.Unknown,
      execute: ({ now, self }) => sql`
        with due as materialized (
          select ${dueColumns} from targets t where t.next_step_at <= ${now} and ${free(now, self)}
          order by t.next_step_at limit ${size}
          for update skip locked
        ), ${taken(DateTime.makeUnsafe(now), self)}`
    })

    /** When and by whom. */
    const asking = Effect.all({ now: DateTime.now, self: wakeup.alive })

    /** The due targets of a workspace, in words that only the index targets_due_by_workspace can answer. */
    const dueIn = (workspace: Statement.Fragment, now: Date, self: Self) => sql`
      num_nulls(t.next_step_at) = 0 and t.workspace_id = ${workspace} and coalesce(t.next_step_at, 'infinity') <= ${now}
      and ${free(now, self)}`

    /** The same, at most so many of each given workspace. */
    const claimOf = SqlSchema.findAll({
      Request: Schema.Struct({
        now: Instant,
        self: Self,
        workspaces: Schema.Array(Schema.String),
        each: Schema.Int
      }),
      Result: Schema.Unknown,
      execute: ({ now, self, workspaces, each }) => sql`
        with due as materialized (
          select d.* from unnest(${workspaces}::uuid[]) as w (id) cross join lateral (
            select ${dueColumns} from targets t
            where ${dueIn(sql`w.id`, now, self)}
            order by coalesce(t.next_step_at, 'infinity') limit ${each}
            for update skip locked
          ) d limit ${size}
        ), ${taken(DateTime.makeUnsafe(now), self)}`
    })

    /** Decodes row by row: a row that this release cannot read must not keep the others from going out. */
    const readable = Effect.fnUntraced(function* (rows: ReadonlyArray<unknown>) {
      const claimed: Array<ClaimedTarget> = []
      for (const row of rows) {
        const target = readClaimed(row as ClaimedRow)
        if (Result.isSuccess(target)) claimed.push(target.success)
        else
          yield* Effect.logError(
            "a target cannot be read and is left alone until its lease ends",
            target.failure
          )
      }
      return claimed
    })

    /**
     * The next workspaces after one, and which of them have something due. It steps from workspace to workspace, so it
     * does not read the thousands that one of them may have due.
     */
    const walk = SqlSchema.findOne({
      Request: Schema.Struct({ now: Instant, self: Self, after: Schema.String }),
      Result: Schema.Struct({ due: Schema.Array(Schema.String), last: Schema.NullOr(Schema.String) }),
      execute: ({ now, self, after }) => sql`
        with recursive visited (workspace_id, n) as (
          (select workspace_id, 1 from targets
            where num_nulls(next_step_at) = 0 and workspace_id > ${after} order by workspace_id limit 1)
          union all
          select (select t.workspace_id from targets t
              where num_nulls(t.next_step_at) = 0 and t.workspace_id > v.workspace_id order by t.workspace_id limit 1), v.n + 1
          from visited v where v.workspace_id is not null and v.n < ${sql.literal(String(walkLength))}
        )
        select coalesce(array_agg(workspace_id order by n) filter (where exists (
            select from targets t where ${dueIn(sql`v.workspace_id`, now, self)})), '{}') as due,
          -- Null when there is no further one: the next walk begins anew.
          case when count(*) filter (where workspace_id is not null) = ${sql.literal(String(walkLength))}
            then (array_agg(workspace_id order by n desc))[1] end as last
        from visited v where workspace_id is not null`
    })

    /** When the engine has to look again, if nobody wakes it before. */
    const nextStepAt = SqlSchema.findOneOption({
      Request: Schema.Struct({ now: Instant, self: Self }),
      Result: Schema.Struct({ next_step_at: Instant }),
      execute: ({ now, self }) => sql`
        select t.next_step_at from targets t where t.next_step_at is not null and ${free(now, self)}
        order by t.next_step_at limit 1`
    })

    const standing = SqlSchema.findAll({
      Request: Schema.Void,
      Result: Schema.Struct({ state: TargetState, count: Schema.Int, oldest: Instant }),
      execute: () => sql`
        select state, count(*)::int as count, min(coalesce(lease_until, next_step_at)) as oldest from (
          select state, lease_until, next_step_at from targets where next_step_at is not null order by next_step_at limit 10000
        ) t group by state`
    })

    const depth = Effect.gen(function* () {
      const rows = yield* standing(undefined)
      const now = yield* DateTime.now
      const oldest = Math.min(...rows.map((row) => row.oldest.epochMilliseconds))
      return {
        counts: new Map(rows.map(({ state, count }) => [state, count])),
        ageSeconds: rows.length === 0 ? 0 : Math.max(0, now.epochMilliseconds - oldest) / 1000
      }
    })

    /**
     * Renews leases and gives the ids of the renewed ones. Locked rows are just being written and are skipped: waiting
     * for them while their writers wait for us would be a deadlock.
     */
    const renew = Effect.fnUntraced(function* (held: ReadonlyArray<ClaimRef>, until: DateTime.Utc) {
      const rows = yield* sql<{ id: string }>`
        with mine as materialized (
          select t.id from unnest(${held.map(({ id }) => id)}::uuid[], ${held.map(({ fence }) => fence)}::int[]) as h (id, fence)
          cross join lateral (
            select id from targets
            where id = h.id and fence = h.fence and state in ('claimed', 'committing', 'unknown')
            for update skip locked
          ) t
        )
        update targets set lease_until = ${DateTime.toDateUtc(until)}, holder = ${yield* wakeup.alive}
        where id = any (array(select id from mine))
        returning id`
      return rows.map(({ id }) => id)
    })

    /** Stores the handle before the next call to the platform uses it. False: no longer ours. */
    const saveHandle = Effect.fnUntraced(function* (held: ClaimRef, handle: Handle) {
      const rows = yield* sql`
        update targets set handle = ${sql.json(handle)} where id = ${held.id} and fence = ${held.fence} returning id`
      return rows.length > 0
    })

    /**
     * Frees these targets' accounts from commits of processes that are not seen to live; the target of such a commit stays
     * locked until its lease ends. True: an account became free.
     */
    const freeAccounts = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
      const self = yield* wakeup.alive
      const rows = yield* sql`
        with abandoned as materialized (
          select c.social_account_id from unnest(${ids}::uuid[]) as i (id)
          cross join lateral (select social_account_id from targets where id = i.id offset 0) t
          cross join lateral (
            select social_account_id, target_id from commits where social_account_id = t.social_account_id
            for update skip locked
          ) c
          cross join lateral (select holder from targets where id = c.target_id offset 0) h
          where h.holder <> ${self}::int and h.holder <> all (${liveProcesses(sql)})
        )
        delete from commits where social_account_id = any (array(select social_account_id from abandoned))
        returning social_account_id`
      return rows.length > 0
    })

    // One statement tests the fence, the account and its turn in the moment that stores the marker. Repeated after a
    // lost answer, it finds its own markers and answers the same.
    const markAll = Effect.fnUntraced(function* (
      markings: ReadonlyArray<Marking>
    ): Effect.fn.Return<ReadonlyArray<Marked>, SqlError.SqlError> {
      const now = DateTime.toDateUtc(yield* DateTime.now)
      const ordered = markings.toSorted(byId)
      const rows = yield* sql<{ id: string; answer: Exclude<Marked, "lost"> }>`
        with held as materialized (
          select t.id, t.social_account_id, i.handle,
            case
              when t.state = 'committing' then 'marked'
              when a.status <> 'connected' or a.paused_until > ${now} then 'account_closed'
              when exists (select from commits c where c.social_account_id = t.social_account_id) or (
                select o.id from targets o
                where o.social_account_id = t.social_account_id and num_nonnulls(o.next_step_at) = 1
                  and (o.due_at, o.id) < (t.due_at, t.id)
                  and (o.state = 'claimed'
                    or (o.state = 'waiting' and o.next_step_at <= ${now} and o.due_at < t.due_at))
                order by o.due_at, o.id limit 1
              ) is not null then 'not_its_turn'
            end as answer
          -- In the order of ids, as edits lock them too: groups that meet must not wait for each other in a circle.
          from unnest(
            ${ordered.map(({ id }) => id)}::uuid[], ${ordered.map(({ fence }) => fence)}::int[],
            ${ordered.map(({ handle }) => JSON.stringify(handle))}::text[]
          ) as i (id, fence, handle)
          cross join lateral (
            select id, social_account_id, due_at, state from targets
            where id = i.id and fence = i.fence and (state in ${before("mark")} or state = 'committing')
            for no key update
          ) t
          cross join lateral (
            select status, paused_until from social_accounts where id = t.social_account_id offset 0
          ) a
        ), begun as (
          -- The key decides between two processes that both found the account free.
          insert into commits (social_account_id, target_id)
          select social_account_id, id from held where answer is null order by social_account_id
          on conflict (social_account_id) do nothing
          returning target_id
        ), marked as (
          update targets t set
            attempts = t.attempts + 1, state = 'committing', marked_at = ${now}, looked_up_at = null,
            handle = held.handle::jsonb, step = 'commit'
          from held where t.id = held.id and held.id in (select target_id from begun)
          returning t.id
        )
        select held.id, coalesce(held.answer, case when marked.id is null then 'not_its_turn' else 'marked' end) as answer
        from held left join marked on marked.id = held.id`
      const answers = new Map(rows.map(({ id, answer }) => [id, answer]))
      const held = ordered.map(({ id }) => id).filter((id) => answers.get(id) === "not_its_turn")
      if (held.length > 0 && (yield* freeAccounts(held))) return yield* markAll(markings)
      return markings.map(({ id }): Marked => answers.get(id) ?? "lost")
    })

    const settleAll = Effect.fnUntraced(function* (settlements: ReadonlyArray<Settlement>) {
      const now = DateTime.toDateUtc(yield* DateTime.now)
      const postIds = [...new Set(settlements.map(({ post_id }) => post_id))].sort()
      // Two settlements of one post must see each other, or both would find the post unfinished.
      const posts = yield* sql<LockedPost>`
        select p.id, p.workspace_id, p.status as status_before, exists (
          select 1 from webhooks w where w.workspace_id = p.workspace_id and w.events && ${settlementEvents}::text[]) as wanted
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
            ${documents(settlements.map(({ live }) => (live.length === 0 ? null : live)))}
          ) as i (id, fence, state, next_step_at, error, platform_data, published_at, looked_up_at, resumed, counted, discarded,
            handle, step, live)
          ${few}
        ), settled as (
          update targets t set
            -- The claim is over: what its holder may still have to say comes too late.
            fence = t.fence + 1,
            state = i.state,
            next_step_at = i.next_step_at,
            lease_until = null,
            error = i.error::jsonb,
            -- Of a chain those of its first item.
            platform_data = coalesce(t.platform_data, i.platform_data::jsonb),
            published_at = coalesce(t.published_at, i.published_at),
            items = case when i.live is null then t.items else t.items || i.live::jsonb end,
            looked_up_at = i.looked_up_at,
            -- Each item of a chain has its own tries.
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
          returning t.id, t.post_id, t.social_account_id, t.marked_at, t.published_at, i.fence, i.state, t.error, i.counted,
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

    const releaseAll = Effect.fnUntraced(function* (held: ReadonlyArray<Released>) {
      const ordered = held.toSorted(byId)
      yield* sql`
        with mine as materialized (
          select t.id, h.until from unnest(
            ${ordered.map(({ id }) => id)}::uuid[], ${ordered.map(({ fence }) => fence)}::int[],
            ${instants(ordered.map(({ until = null }) => until))}
          ) as h (id, fence, until)
          cross join lateral (
            select id from targets
            where id = h.id and fence = h.fence and state in ${before("release")}
            for no key update
          ) t
          ${few}
        )
        update targets t set
          fence = t.fence + 1, lease_until = mine.until,
          state = case t.state when 'claimed' then 'waiting' else t.state end
        from mine where t.id = mine.id`
      return held.map(() => undefined)
    })

    const mark = yield* makeWriteBatcher({ run: markAll, max: 500, concurrency: 2, minParallel: 100 })
    const settle = yield* makeWriteBatcher({ run: settleAll, max: 500, concurrency: 2, minParallel: 100 })
    const release = yield* makeWriteBatcher({ run: releaseAll, max: 2000, concurrency: 1, minParallel: 1 })

    /** No target of the account starts before `until`, and those that wait for one wait too. */
    const pauseAccount = Effect.fn("TargetQueue.pauseAccount")(function* (
      accountId: number,
      until: DateTime.Utc
    ) {
      const at = DateTime.toDateUtc(until)
      yield* sql`
        update social_accounts set paused_until = greatest(paused_until, ${at}) where id = ${accountId}`
      yield* sql`
        update targets set next_step_at = ${at} where id in (
          select id from targets
          where social_account_id = ${accountId} and num_nonnulls(next_step_at) = 1
            and state = 'waiting' and next_step_at < ${at}
          for update skip locked)`
    }, sql.withTransaction)

    /** The platform does not accept the account's tokens any more: its targets wait until a person reconnects it. */
    const accountNeedsReconnect = Effect.fn("TargetQueue.accountNeedsReconnect")(function* (
      accountId: number,
      reason: string
    ) {
      const changed = yield* sql`
        update social_accounts set status = 'needs_reconnect', status_reason = ${reason}
        where id = ${accountId} and status = 'connected' returning id`
      if (changed.length > 0) yield* settledTargets.needsReconnect(accountId)
    }, sql.withTransaction)

    /**
     * Claims themselves look who lives. Only that nobody is in the middle of a commit they cannot tell, unless this is the
     * only process, as the lock on the directory of the embedded database proves.
     */
    const recover = Effect.fn("TargetQueue.recover")(function* () {
      if (kind === "postgres") return false
      const now = DateTime.toDateUtc(yield* DateTime.now)
      const freed = yield* sql`
        update targets set lease_until = null
        where next_step_at <= ${now} and lease_until > ${now} and holder is distinct from ${yield* wakeup.alive}
        returning id`
      return freed.length > 0
    })

    /** Wakes the targets that waited for an account, when it is usable again or gone for good. */
    const resumeAccount = Effect.fn("TargetQueue.resumeAccount")(function* (accountId: number) {
      const now = DateTime.toDateUtc(yield* DateTime.now)
      yield* sql`
        update targets set next_step_at = greatest(${now}, due_at - lead) where id in (
          select id from targets
          where social_account_id = ${accountId} and num_nonnulls(next_step_at) = 1 and state in ('waiting', 'unknown')
          for update skip locked)`
      yield* wakeup.notify
    })

    /** Wakes the targets that waited for a media item, when it is there; those that are due, when it could not be had. */
    const resumePostsOf = Effect.fn("TargetQueue.resumePostsOf")(function* (
      mediaId: MediaId,
      which: "all" | "due"
    ) {
      const now = DateTime.toDateUtc(yield* DateTime.now)
      yield* sql`
        update targets set next_step_at = ${now} where id in (
          select t.id from targets t join post_media u on u.post_id = t.post_id
          where u.media_id = ${mediaId} and t.state = 'waiting' and (${which === "all"} or t.due_at <= ${now})
          for update of t skip locked)`
      yield* wakeup.notify
    })

    return {
      claim: Effect.orDie(asking.pipe(Effect.flatMap(claim), Effect.flatMap(readable))),
      /** The same, at most so many of each given workspace. */
      claimOf: (workspaces: ReadonlyArray<string>, each: number) =>
        Effect.orDie(
          asking.pipe(
            Effect.flatMap((who) => claimOf({ ...who, workspaces, each })),
            Effect.flatMap(readable)
          )
        ),
      /** The next workspaces after this one that have something due, and where to go on. */
      walk: (after: string) => Effect.orDie(Effect.flatMap(asking, (who) => walk({ ...who, after }))),
      nextStepAt: Effect.orDie(
        asking.pipe(Effect.flatMap(nextStepAt), Effect.map(Option.map((row) => row.next_step_at)))
      ),
      /** Counts at most ten thousand of the next targets: a scrape must not read a year's plan. */
      depth: Effect.orDie(depth) as Effect.Effect<QueueDepth>,
      renew: (held: ReadonlyArray<ClaimRef>, until: DateTime.Utc) => Effect.orDie(renew(held, until)),
      saveHandle: (held: ClaimRef, handle: Handle) => Effect.orDie(saveHandle(held, handle)),
      /** "About to commit", written before the call together with all others of the moment. */
      mark,
      /** The end of a claim, fenced, with the attempt and the post's status. False: no longer ours. */
      settle,
      /** Undoes a claim that was not marked. */
      release,
      pauseAccount: (accountId: number, until: DateTime.Utc) => Effect.orDie(pauseAccount(accountId, until)),
      accountNeedsReconnect: (accountId: number, reason: string) =>
        Effect.orDie(accountNeedsReconnect(accountId, reason)),
      /** Frees what a dead process held; true: there was something. */
      recover: Effect.suspend(() => Effect.orDie(recover())),
      resumeAccount: (accountId: number) => Effect.orDie(resumeAccount(accountId)),
      resumePostsOf: (mediaId: MediaId) => Effect.orDie(resumePostsOf(mediaId, "all")),
      resumeDuePostsOf: (mediaId: MediaId) => Effect.orDie(resumePostsOf(mediaId, "due"))
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
