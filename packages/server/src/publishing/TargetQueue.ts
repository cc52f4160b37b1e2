import {
  type EventType,
  type MediaId,
  PlatformData,
  PlatformId,
  PlatformConfigurations,
  AccountConfiguration,
  ResultError,
  SocialAccountStatus,
  TargetState,
  WorkspaceId
} from "@carillon/domain"
import { PgClient } from "@effect/sql-pg"
import {
  Context,
  DateTime,
  Duration,
  Effect,
  Exit,
  Layer,
  Option,
  Request,
  RequestResolver,
  Schema
} from "effect"
import { SqlSchema } from "effect/sql"
import { AccountEvents } from "../accounts/AccountEvents.ts"
import type { Handle } from "../platforms/Platform.ts"
import { PostEvents, type SettledPost } from "../posts/PostEvents.ts"
import { Instant, Int8 } from "../sql/Rows.ts"
import { Wakeup } from "../sql/Wakeup.ts"

/**
 * How long a claim holds without being renewed. After that another process may take the target, so a commit must be
 * over by then: it begins within `markerGrace` of its marker and takes no longer than its platform's limit.
 */
export const lease = Duration.seconds(15)

/** A target in the hands of this process, with everything that publishing it needs. */
export const ClaimedTarget = Schema.Struct({
  id: Schema.String,
  fence: Schema.Int,
  /** `claimed`, or `unknown` when its commit may have worked already. */
  state: TargetState,
  taken_over: Schema.Boolean,
  post_id: Schema.String,
  workspace_id: WorkspaceId,
  lateness_limit_seconds: Schema.Int,
  social_account_id: Int8,
  platform: PlatformId,
  due_at: Instant,
  /** When its first step may start. */
  prepare_at: Instant,
  marked_at: Schema.NullOr(Instant),
  handle: Schema.NullOr(Schema.Record(Schema.String, Schema.Json)),
  step: Schema.Literals(["prepare", "poll", "commit"]),
  attempts: Schema.Int,
  caption: Schema.NullOr(Schema.String),
  media: Schema.Array(Schema.String),
  platform_configurations: Schema.NullOr(PlatformConfigurations),
  account_configurations: Schema.NullOr(Schema.Array(AccountConfiguration)),
  processing_enabled: Schema.Boolean,
  account: Schema.Struct({
    remote_id: Schema.String,
    username: Schema.String,
    status: SocialAccountStatus,
    paused_until: Schema.NullOr(Schema.DateTimeUtcFromString)
  })
})
export interface ClaimedTarget extends Schema.Schema.Type<typeof ClaimedTarget> {}

export interface Held {
  readonly id: string
  readonly fence: number
}

/** What became of a claim. `counted`: it was a try, for the limit on retries. */
export interface Settlement extends Held {
  readonly state: "waiting" | "unknown" | "published" | "failed" | "unconfirmed"
  readonly next_step_at: DateTime.Utc | null
  readonly error: ResultError | null
  readonly platform_data: PlatformData | null
  readonly published_at: DateTime.Utc | null
  readonly counted: boolean
  readonly discard_handle: boolean
}

interface Mark extends Request.Request<boolean> {
  readonly _tag: "Mark"
  readonly held: Held
}
const Mark = Request.tagged<Mark>("Mark")

interface Settle extends Request.Request<boolean> {
  readonly _tag: "Settle"
  readonly settlement: Settlement
}
const Settle = Request.tagged<Settle>("Settle")

const SettlementRow = Schema.Struct({
  id: Schema.String,
  fence: Schema.Int,
  state: Schema.String,
  next_step_at: Schema.NullOr(Schema.DateTimeUtcFromString),
  error: Schema.NullOr(ResultError),
  platform_data: Schema.NullOr(PlatformData),
  published_at: Schema.NullOr(Schema.DateTimeUtcFromString),
  counted: Schema.Boolean,
  discard_handle: Schema.Boolean
})
const encodeSettlements = Schema.encodeSync(Schema.Array(SettlementRow))

/** Events that settlements bring about. */
const told: ReadonlyArray<EventType> = ["post.result", "post.published", "post.failed"]

interface LockedPost extends Omit<SettledPost, "targets"> {
  readonly wanted: boolean
}

/**
 * Every statement of the engine. A target belongs to whoever knows its present fence: each write names it, and one
 * that no longer matches changes nothing and says so.
 */
export class TargetQueue extends Context.Service<TargetQueue>()("@carillon/server/publishing/TargetQueue", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const wakeup = yield* Wakeup
    const postEvents = yield* PostEvents
    const accountEvents = yield* AccountEvents

    /** Takes what is due, and what a dead process has left: a lease that has run out is simply due again. */
    const claim = SqlSchema.findAll({
      Request: Schema.Struct({ now: Instant, until: Instant, limit: Schema.Int }),
      Result: ClaimedTarget,
      execute: ({ now, until, limit }) => sql`
        with due as materialized (
          select id, state from targets
          where state in ('waiting', 'claimed', 'committing', 'unknown') and next_step_at <= ${now}
          order by next_step_at limit ${limit}
          for update skip locked
        ), taken as (
          update targets t set
            fence = t.fence + 1,
            state = case when due.state in ('committing', 'unknown') then 'unknown' else 'claimed' end,
            next_step_at = ${until}
          from due where t.id = due.id
          returning t.*, due.state in ('claimed', 'committing') as taken_over
        )
        select t.id, t.fence, t.state, t.taken_over, t.post_id, t.workspace_id, t.social_account_id, t.platform,
          t.due_at, t.due_at - t.lead as prepare_at, t.marked_at, t.handle, t.step, t.attempts, w.lateness_limit_seconds,
          p.caption, p.media, p.platform_configurations, p.account_configurations, p.processing_enabled,
          jsonb_build_object('remote_id', a.remote_id, 'username', a.username, 'status', a.status,
            'paused_until', to_char(a.paused_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as account
        from taken t
        join posts p on p.id = t.post_id
        join workspaces w on w.id = t.workspace_id
        join social_accounts a on a.id = t.social_account_id
        order by t.due_at`
    })

    /** When the engine has to look again, if nobody wakes it before. */
    const nextStepAt = SqlSchema.findOneOption({
      Request: Schema.Void,
      Result: Schema.Struct({ next_step_at: Instant }),
      execute: () => sql`
        select next_step_at from targets where state in ('waiting', 'claimed', 'committing', 'unknown')
        order by next_step_at limit 1`
    })

    /** Keeps the leases of what is still in hand. What is locked is just being written, with a lease of its own. */
    const renew = Effect.fn("TargetQueue.renew")(function* (held: ReadonlyArray<Held>, until: DateTime.Utc) {
      yield* sql`
        with mine as (
          select t.id from targets t
          join unnest(${held.map(({ id }) => id)}::uuid[], ${held.map(({ fence }) => fence)}::int[]) as h (id, fence)
            on t.id = h.id and t.fence = h.fence
          where t.state in ('claimed', 'committing', 'unknown')
          for update of t skip locked
        )
        update targets t set next_step_at = ${DateTime.toDateUtc(until)} from mine where t.id = mine.id`
    })

    /** Stores what must not be lost before the next call to the platform uses it. False: no longer ours. */
    const saveHandle = Effect.fn("TargetQueue.saveHandle")(function* (
      held: Held,
      handle: Handle,
      step: ClaimedTarget["step"]
    ) {
      const rows = yield* sql`
        update targets set handle = ${sql.json(handle)}, step = ${step}
        where id = ${held.id} and fence = ${held.fence} returning id`
      return rows.length > 0
    })

    const markAll = Effect.fn("TargetQueue.mark")(function* (held: ReadonlyArray<Held>) {
      const now = yield* DateTime.now
      const until = DateTime.toDateUtc(DateTime.addDuration(now, lease))
      const rows = yield* sql<{ id: string }>`
        with held as materialized (
          -- In one order, as edits lock them too: groups that meet must not wait for each other in a circle.
          select t.id from targets t
          join unnest(${held.map(({ id }) => id)}::uuid[], ${held.map(({ fence }) => fence)}::int[]) as h (id, fence)
            on t.id = h.id and t.fence = h.fence
          order by t.id
          for update of t
        ), marked as (
          update targets t set state = 'committing', marked_at = ${DateTime.toDateUtc(now)}, next_step_at = ${until},
            attempts = t.attempts + 1
          from held where t.id = held.id
          returning t.id, t.fence
        ), recorded as (
          insert into attempts (target_id, fence, started_at)
          select id, fence, ${DateTime.toDateUtc(now)} from marked
        )
        select id from marked`
      return new Set(rows.map(({ id }) => id))
    })

    const settleAll = Effect.fn("TargetQueue.settle")(function* (settlements: ReadonlyArray<Settlement>) {
      const now = DateTime.toDateUtc(yield* DateTime.now)
      const ids = settlements.map(({ id }) => id)
      // Two settlements of one post must see each other, or both would find the post unfinished.
      const posts = yield* sql<LockedPost>`
        select p.id, p.workspace_id, p.status as status_before, exists (
          select 1 from webhooks w where w.workspace_id = p.workspace_id and w.events && ${told}::text[]) as wanted
        from posts p where p.id in (select post_id from targets where id = any(${ids}::uuid[]))
        order by p.id for update of p`
      const rows = yield* sql<{ id: string; post_id: string; state: string }>`
        with item as (
          select * from jsonb_to_recordset(${sql.json(encodeSettlements(settlements))}::jsonb) as i (
            id uuid, fence int, state text, next_step_at timestamptz, error jsonb, platform_data jsonb,
            published_at timestamptz, counted boolean, discard_handle boolean)
        ), settled as (
          update targets t set
            -- The claim is over: what its holder may still have to say comes too late.
            fence = t.fence + 1,
            state = i.state,
            next_step_at = i.next_step_at,
            error = i.error,
            platform_data = coalesce(i.platform_data, t.platform_data),
            published_at = coalesce(i.published_at, t.published_at),
            attempts = t.attempts + (i.counted and t.state = 'claimed')::int,
            handle = case when i.discard_handle then null else t.handle end,
            step = case when i.discard_handle then 'prepare' else t.step end
          from item i where t.id = i.id and t.fence = i.fence
          returning t.id, t.post_id, i.fence, i.state, i.error, i.counted
        ), recorded as (
          insert into attempts (target_id, fence, started_at, ended_at, outcome, error)
          select id, fence, ${now}, ${now}, state, error from settled where counted
          on conflict (target_id, fence) do update
            set ended_at = excluded.ended_at, outcome = excluded.outcome, error = excluded.error
        )
        select id, post_id, state from settled`
      yield* derivePosts([...new Set(rows.map(({ post_id }) => post_id))], now)
      const over = rows.filter(({ state }) => state !== "waiting" && state !== "unknown")
      yield* postEvents.settled(
        posts.flatMap(({ wanted, ...post }) => {
          const targets = over.filter(({ post_id }) => post_id === post.id).map(({ id }) => id)
          return wanted && targets.length > 0 ? [{ ...post, targets }] : []
        })
      )
      // The loop sleeps until what it knew when it fell asleep; this may be due before that.
      if (settlements.some(({ next_step_at }) => next_step_at !== null)) yield* wakeup.notify
      return new Set(rows.map(({ id }) => id))
    }, sql.withTransaction)

    /** domain's `postStatus` in SQL, for posts whose row is locked. */
    const derivePosts = (postIds: ReadonlyArray<string>, now: Date) => sql`
      update posts p set
        status = d.status, version = p.version + 1, updated_at = ${now}, published_at = d.published_at
      from (
        select post_id,
          case
            when bool_or(state = 'draft') then 'draft'
            when bool_or(state in ('waiting', 'claimed', 'committing', 'unknown')) then 'scheduled'
            when bool_or(state = 'published') then 'published'
            else 'failed'
          end as status,
          min(published_at) as published_at
        from targets where post_id = any(${postIds}::uuid[]) group by post_id
      ) d
      where p.id = d.post_id`

    const marking = RequestResolver.make<Mark>((entries) =>
      Effect.map(markAll(entries.map(({ request }) => request.held)), (marked) => {
        for (const entry of entries) entry.completeUnsafe(Exit.succeed(marked.has(entry.request.held.id)))
      }).pipe(Effect.orDie)
    ).pipe(RequestResolver.setDelay("1 millis"), RequestResolver.batchN(1000))

    const settling = RequestResolver.make<Settle>((entries) =>
      Effect.map(settleAll(entries.map(({ request }) => request.settlement)), (settled) => {
        for (const entry of entries)
          entry.completeUnsafe(Exit.succeed(settled.has(entry.request.settlement.id)))
      }).pipe(Effect.orDie)
    ).pipe(RequestResolver.setDelay("4 millis"), RequestResolver.batchN(500))

    /** Nothing of the account starts before `until`; what waits for it waits with it. */
    const pauseAccount = Effect.fn("TargetQueue.pauseAccount")(function* (
      accountId: number,
      until: DateTime.Utc
    ) {
      const at = DateTime.toDateUtc(until)
      yield* sql`update social_accounts set paused_until = ${at} where id = ${accountId}`
      yield* sql`
        update targets set next_step_at = ${at} where id in (
          select id from targets
          where social_account_id = ${accountId} and state = 'waiting' and next_step_at < ${at}
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
      if (changed.length > 0) yield* accountEvents.needsReconnect(accountId)
    }, sql.withTransaction)

    /** Gives back a claim of which nothing was marked, as if it had not been made. */
    const release = Effect.fn("TargetQueue.release")(function* (held: Held) {
      const now = DateTime.toDateUtc(yield* DateTime.now)
      yield* sql`
        update targets set
          fence = fence + 1, next_step_at = ${now}, state = case state when 'claimed' then 'waiting' else state end
        where id = ${held.id} and fence = ${held.fence} and state in ('claimed', 'unknown')`
    })

    /** Where no other process can be alive, what a dead one held need not wait for its lease. */
    const recover = Effect.fn("TargetQueue.recover")(function* () {
      const now = DateTime.toDateUtc(yield* DateTime.now)
      yield* sql`
        update targets set next_step_at = ${now} where state in ('claimed', 'committing') and next_step_at > ${now}`
    })

    /** The account is usable again, or gone for good: what waited for it is looked at anew. */
    const resumeAccount = Effect.fn("TargetQueue.resumeAccount")(function* (accountId: number) {
      const now = DateTime.toDateUtc(yield* DateTime.now)
      yield* sql`
        update targets set next_step_at = greatest(${now}, due_at - lead) where id in (
          select id from targets where social_account_id = ${accountId} and state = 'waiting' for update skip locked)`
      yield* wakeup.notify
    })

    /** A media item of theirs is there, or never will be: its posts' targets that waited are looked at anew. */
    const resumePostsOf = Effect.fn("TargetQueue.resumePostsOf")(function* (mediaId: MediaId) {
      const now = DateTime.toDateUtc(yield* DateTime.now)
      yield* sql`
        update targets set next_step_at = ${now} where id in (
          select t.id from targets t join post_media u on u.post_id = t.post_id
          where u.media_id = ${mediaId} and t.state = 'waiting' for update of t skip locked)`
      yield* wakeup.notify
    })

    return {
      claim: Effect.fn("TargetQueue.claim")(function* (limit: number) {
        const now = yield* DateTime.now
        return yield* claim({ now, until: DateTime.addDuration(now, lease), limit })
      }, Effect.orDie),
      nextStepAt: Effect.orDie(
        Effect.map(
          nextStepAt(undefined),
          Option.map((row) => row.next_step_at)
        )
      ),
      renew: (held: ReadonlyArray<Held>, until: DateTime.Utc) => Effect.orDie(renew(held, until)),
      saveHandle: (held: Held, handle: Handle, step: ClaimedTarget["step"]) =>
        Effect.orDie(saveHandle(held, handle, step)),
      /** "About to commit", written before the call together with all others of the moment. False: no longer ours. */
      mark: (held: Held) => Effect.request(Mark({ held }), marking),
      /** The end of a claim, fenced, with the attempt and the post's status. False: no longer ours. */
      settle: (settlement: Settlement) => Effect.request(Settle({ settlement }), settling),
      pauseAccount: (accountId: number, until: DateTime.Utc) => Effect.orDie(pauseAccount(accountId, until)),
      accountNeedsReconnect: (accountId: number, reason: string) =>
        Effect.orDie(accountNeedsReconnect(accountId, reason)),
      release: (held: Held) => Effect.orDie(release(held)),
      recover: Effect.suspend(() => Effect.orDie(recover())),
      resumeAccount: (accountId: number) => Effect.orDie(resumeAccount(accountId)),
      resumePostsOf: (mediaId: MediaId) => Effect.orDie(resumePostsOf(mediaId))
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(
    Layer.provide([PostEvents.layer, AccountEvents.layer])
  )
}
