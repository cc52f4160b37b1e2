import { type MediaId, TargetState } from "@carillon/domain"
import { PgClient } from "@effect/sql-pg"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Instant } from "../sql/Rows.ts"
import { Database } from "../sql/Sql.ts"
import { Wakeup } from "../sql/Wakeup.ts"
import type { ClaimRef } from "./ClaimedTarget.ts"
import { makeClaims } from "./Claims.ts"
import { byId, few, instants, statesBeforeAs } from "./GroupedRows.ts"
import type { Handle } from "./Handle.ts"
import { makeMarkAll } from "./Markings.ts"
import { Settled } from "./Settled.ts"
import { makeSettleAll } from "./Settlements.ts"
import { makeWriteBatcher } from "./WriteBatcher.ts"

/** `until`: nobody takes it before then. */
interface Released extends ClaimRef {
  readonly until?: DateTime.Utc
}

/** How many unsettled targets are in each state, and how long the oldest due step has waited. */
export interface QueueDepth {
  readonly counts: ReadonlyMap<TargetState, number>
  readonly ageSeconds: number
}

/**
 * The verbs of the engine. A target belongs to the holder of its present fence: each write names the fence, and
 * with an old one it changes nothing and says so. The domain says from which states a write may lead.
 */
export class TargetQueue extends Context.Service<TargetQueue>()("@carillon/server/engine/TargetQueue", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const wakeup = yield* Wakeup
    const settledTargets = yield* Settled
    const { kind } = yield* Database

    const claims = yield* makeClaims
    const markAll = yield* makeMarkAll
    const settleAll = yield* makeSettleAll

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
            where id = h.id and fence = h.fence and state in ${sql.literal(statesBeforeAs("release"))}
            for no key update
          ) t
          ${sql.literal(few)}
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
      ...claims,
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
