import type { PlatformId } from "@carillon/domain"
import { PgClient } from "@effect/sql-pg"
import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Instant } from "../sql/Rows.ts"
import type { ClaimedTarget } from "./ClaimedTarget.ts"
import { makeWriteBatcher } from "./WriteBatcher.ts"

/** An account as its platform knows it, which two workspaces may have connected, and the key of a commit to it. */
export interface RemoteOwner {
  readonly platform: PlatformId
  /** The account's `remote_id`. */
  readonly account: string
  /** The `target_id` of its request. */
  readonly owner: string
}

/** A post that a target was answered with, or found. */
export interface FoundPost extends RemoteOwner, Pick<ClaimedTarget, "id" | "fence"> {
  readonly remote_id: string
}

/** A commit that is under way, lost, or left to a person. */
const DoubtfulCommit = Schema.Struct({
  state: Schema.Literals(["committing", "unknown", "unconfirmed"]),
  remote_id: Schema.String,
  username: Schema.String,
  due_at: Instant,
  marked_at: Schema.NullOr(Instant)
})

/** How far before its time a post is looked for at most: adapters allow for clocks that differ. */
const reach = Duration.minutes(10)

/** Which post of an account is whose, on networks whose look-ups go by words: none belongs to two targets. */
export class RemotePosts extends Context.Service<RemotePosts>()("@carillon/server/engine/RemotePosts", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient

    // The key decides between two that found the same post; the fence keeps out whose claim is over. Locked and written in
    // order: groups that meet must not wait for each other in a circle.
    const takeAll = Effect.fnUntraced(function* (posts: ReadonlyArray<FoundPost>) {
      const rows = yield* sql<{ place: number }>`
        with wanted as materialized (
          select w.* from unnest(
            ${posts.map(({ id }) => id)}::uuid[], ${posts.map(({ fence }) => fence)}::int[],
            ${posts.map(({ platform }) => platform)}::text[], ${posts.map(({ account }) => account)}::text[],
            ${posts.map(({ remote_id }) => remote_id)}::text[], ${posts.map(({ owner }) => owner)}::text[]
          ) with ordinality as w (id, fence, platform, account, remote_id, owner, place)
          cross join lateral (select id from targets where id = w.id and fence = w.fence for no key update) t
          -- This limits nothing, but without it the planner would read a small table whole, and keep that plan.
          limit (select 1000000)
        ), taken as (
          insert into remote_posts (platform, account, remote_id, owner)
          select distinct on (platform, account, remote_id) platform, account, remote_id, owner from wanted
          order by platform, account, remote_id, place
          -- It changes nothing, and gives the owner that is there.
          on conflict (platform, account, remote_id) do update set owner = remote_posts.owner
          returning platform, account, remote_id, owner
        )
        select w.place::int as place from wanted w join taken t using (platform, account, remote_id, owner)`
      const ours = new Set(rows.map(({ place }) => place))
      return posts.map((_, index) => ours.has(index + 1))
    })

    const ofOthers = Effect.fnUntraced(function* (
      { account, owner, platform }: RemoteOwner,
      ids: ReadonlyArray<string>
    ): Effect.fn.Return<ReadonlySet<string>> {
      if (ids.length === 0) return new Set()
      const rows = yield* Effect.orDie(sql<{ remote_id: string; is_own: boolean }>`
        select p.remote_id, p.owner = ${owner} as is_own from unnest(${ids}::text[]) as i (id) cross join lateral (
          select remote_id, owner from remote_posts
          where platform = ${platform} and account = ${account} and remote_id = i.id offset 0
        ) p`)
      const own = rows.filter(({ is_own }) => is_own).map(({ remote_id }) => remote_id)
      return new Set(
        own.length > 0 ? ids.filter((id) => !own.includes(id)) : rows.map(({ remote_id }) => remote_id)
      )
    })

    const doubtful = SqlSchema.findAll({
      Request: Schema.Struct({
        id: Schema.String,
        platform: Schema.String,
        account: Schema.String,
        caption: Schema.NullOr(Schema.String),
        now: Instant,
        since: Instant
      }),
      Result: DoubtfulCommit,
      execute: ({ account, caption, id, now, platform, since }) => sql`
        select t.state, a.remote_id, a.username, t.due_at, t.marked_at from social_accounts a cross join lateral (
          select id, state, due_at, marked_at from targets
          where social_account_id = a.id and num_nonnulls(next_step_at) = 1
            -- It is marked a moment before it is due.
            and due_at <= ${now}::timestamptz + interval '1 second' and state in ('committing', 'unknown')
          union all
          select t.id, t.state, t.due_at, t.marked_at from targets t
          cross join lateral (select caption from posts where id = t.post_id offset 0) p
          where t.workspace_id = a.workspace_id and t.stage = 'unconfirmed' and t.social_account_id = a.id
            and coalesce(t.marked_at, t.due_at) >= ${since} and p.caption is not distinct from ${caption}
        ) t
        where a.platform = ${platform} and a.remote_id = ${account} and t.id <> ${id}`
    })

    const take = yield* makeWriteBatcher({ run: takeAll, max: 500, concurrency: 1, minParallel: 1 })

    return {
      /** From now on the post is the owner's. False: it is another's already, or the target is no longer ours. */
      take,
      /**
       * A person has seen the post at this address, which ends in the platform's id on most networks. In the transaction of
       * whoever calls; a person's word is not doubted.
       */
      seenAt: (accountId: number, address: string, owner: string) => sql`
        insert into remote_posts (platform, account, remote_id, owner)
        select a.platform, a.remote_id, i.id, ${owner} from social_accounts a
        cross join unnest(${[...new Set([address, endOf(address)])]}::text[]) as i (id)
        where a.id = ${accountId} order by i.id
        on conflict do nothing`,
      /** Which of these are another owner's: all others, where one is this owner's, whose process was lost before it settled. */
      ofOthers,
      /**
       * The other targets, of any workspace, that may have made any post which is found on the account: those whose commit
       * has no known end, and those of the same caption that wait for a person's word.
       */
      doubtful: ({ caption, due_at, id, platform, remote_id: account }: ClaimedTarget) =>
        Effect.flatMap(DateTime.now, (now) =>
          Effect.orDie(
            doubtful({
              id,
              platform,
              account,
              caption,
              now,
              since: DateTime.subtractDuration(due_at, reach)
            })
          )
        )
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}

/** The last part of its path. */
const endOf = (address: string) => /([^/]*)\/*(?:[?#].*)?$/.exec(address)?.[1] || address
