import { PgClient } from "@effect/sql-pg"
import { DateTime, Effect } from "effect"
import type { SqlError } from "effect/sql"
import { liveProcesses } from "../sql/Liveness.ts"
import { Wakeup } from "../sql/Wakeup.ts"
import { byId, statesBeforeAs } from "./GroupedRows.ts"
import type { ClaimRef } from "./ClaimedTarget.ts"
import type { Handle } from "./Handle.ts"

export interface Marking extends ClaimRef {
  /** What the commit needs; stored with the marker. */
  readonly handle: Handle
}

/**
 * `marked`: it may be sent. `lost`: no longer ours. `not_its_turn`: an earlier target of the account is at work, or a
 * commit is under way. `account_closed`: the account is paused or not connected.
 */
export type Marked = "marked" | "lost" | "not_its_turn" | "account_closed"

/** Writes that targets are about to be committed. */
export const makeMarkAll = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const wakeup = yield* Wakeup
  const mayMark = sql.literal(statesBeforeAs("mark"))

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
          where id = i.id and fence = i.fence and (state in ${mayMark} or state = 'committing')
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

  return markAll
})
