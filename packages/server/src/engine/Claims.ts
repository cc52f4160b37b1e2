import { PgClient } from "@effect/sql-pg"
import { DateTime, Duration, Effect, Option, Result, Schema } from "effect"
import { SqlSchema, type Statement } from "effect/sql"
import { namesOf } from "../sql/Columns.ts"
import { liveProcesses } from "../sql/Liveness.ts"
import { Instant } from "../sql/Rows.ts"
import { Wakeup } from "../sql/Wakeup.ts"
import { type ClaimedRow, type ClaimedTarget, readClaimed } from "./ClaimedTarget.ts"
import { contentColumns } from "./ContentColumns.ts"

/** How long a claim holds without being renewed. After that another process may take the target. */
export const lease = Duration.seconds(15)

/** How many targets one claim takes at most. In the statements, not a parameter: the planner has to know it. */
export const claimSize = 250

/** This process's number; null while nobody could see it die. */
const Self = Schema.NullOr(Schema.Int)
type Self = typeof Self.Type

/** How many workspaces one walk visits. */
const walkLength = 1000

/** What is due, and how a process takes it. */
export const makeClaims = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const wakeup = yield* Wakeup
  const size = sql.literal(String(claimSize))
  const { thread, thread_fallback, ...content } = contentColumns
  const ofThread = sql.literal(namesOf({ thread, thread_fallback }, "p"))
  const ofContent = sql.literal(namesOf(content, "p"))

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
        t.item_count, t.items, ${ofThread}, w.lateness_limit_seconds, ${ofContent},
        a.remote_id, a.username, a.status as account_status, a.demo is not null as is_demo, a.paused_until, a.credentials, a.default_privacy_level, a.limits
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
    )
  }
})
