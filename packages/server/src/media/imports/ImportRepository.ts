import { MediaId, WorkspaceId } from "@carillon/domain"
import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { liveProcesses } from "../../sql/Liveness.ts"
import { Instant } from "../../sql/Rows.ts"
import { Wakeup } from "../../sql/Wakeup.ts"

/** How long a claim holds without being renewed. After that another process may fetch. */
export const lease = Duration.seconds(15)

/** A fetch that this process holds. `attempts` counts this one: a file that kills processes must come to an end. */
export const ClaimedImport = Schema.Struct({
  media_id: MediaId,
  workspace_id: WorkspaceId,
  url: Schema.String,
  name: Schema.NullOr(Schema.String),
  fence: Schema.Int,
  attempts: Schema.Int,
  /** The item has failed already, and is tried again for the posts that wait for it. */
  failed: Schema.Boolean
})
export interface ClaimedImport extends Schema.Schema.Type<typeof ClaimedImport> {}

export interface HeldImport {
  readonly media_id: MediaId
  readonly fence: number
}

export interface NewImport {
  readonly media_id: MediaId
  readonly url: string
  readonly named: boolean
}

/**
 * The fetches from URLs. A fetch belongs to the holder of its present fence: each write names the fence, and with an old
 * one it changes nothing and says so.
 */
export class ImportRepository extends Context.Service<ImportRepository>()(
  "@carillon/server/media/imports/ImportRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const wakeup = yield* Wakeup

      const insert = Effect.fnUntraced(function* (
        workspaceId: WorkspaceId,
        { media_id, url, named }: NewImport,
        at: DateTime.Utc
      ) {
        yield* sql`
        insert into media_imports ${sql.insert({
          media_id,
          workspace_id: workspaceId,
          url,
          named,
          next_try_at: DateTime.toDateUtc(at)
        })}`
      }, Effect.orDie)

      /** A due fetch of a workspace other than the given ones; also one that a dead process has left. */
      const claimDue = SqlSchema.findOneOption({
        Request: Schema.Struct({
          now: Instant,
          until: Instant,
          self: Schema.NullOr(Schema.Int),
          except: Schema.Array(Schema.String)
        }),
        Result: ClaimedImport,
        execute: ({ now, until, self, except }) => sql`
        with due as materialized (
          select media_id from media_imports
          where next_try_at <= ${now} and not workspace_id = any(${except}::uuid[])
          order by next_try_at limit 1
          for update skip locked
        )
        update media_imports i set fence = i.fence + 1, attempts = i.attempts + 1, held = true, next_try_at = ${until},
          holder = ${self}
        from due, media m where i.media_id = due.media_id and m.id = i.media_id
        returning i.media_id, i.workspace_id, i.url, i.fence, i.attempts, m.status = 'failed' as failed,
          case when i.named then m.name end as name`
      })

      const claim = Effect.fnUntraced(function* (except: ReadonlyArray<string>) {
        const now = yield* DateTime.now
        return yield* claimDue({
          now,
          until: DateTime.addDuration(now, lease),
          self: yield* wakeup.alive,
          except
        })
      }, Effect.orDie)

      const decodeTimes = Schema.decodeUnknownEffect(
        Schema.Array(Schema.Struct({ next_try_at: Schema.NullOr(Instant) }))
      )

      /** When the next one is due, if nobody wakes the loop before. */
      const nextTryAt = Effect.fnUntraced(function* (except: ReadonlyArray<string>) {
        const rows = yield* sql`
        select min(next_try_at) as next_try_at from media_imports where not workspace_id = any(${except}::uuid[])`
        return Option.fromNullishOr((yield* decodeTimes(rows))[0]?.next_try_at)
      }, Effect.orDie)

      /** Renews leases and gives the ids of the renewed ones. */
      const renew = Effect.fnUntraced(function* (held: ReadonlyArray<HeldImport>, until: DateTime.Utc) {
        const rows = yield* sql<{ media_id: string }>`
        update media_imports i set next_try_at = ${DateTime.toDateUtc(until)}, holder = ${yield* wakeup.alive}
        from unnest(${held.map(({ media_id }) => media_id)}::uuid[], ${held.map(({ fence }) => fence)}::int[])
          as h (media_id, fence)
        where i.media_id = h.media_id and i.fence = h.fence and i.held
        returning i.media_id`
        return rows.map(({ media_id }) => media_id)
      }, Effect.orDie)

      const again = Effect.fnUntraced(function* ({ media_id, fence }: HeldImport, at: DateTime.Utc) {
        yield* sql`
        update media_imports set next_try_at = ${DateTime.toDateUtc(at)}, held = false, fence = fence + 1
        where media_id = ${media_id} and fence = ${fence}`
      }, Effect.orDie)

      /** Undoes a claim. */
      const release = Effect.fnUntraced(function* ({ media_id, fence }: HeldImport) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        yield* sql`
        update media_imports
        set next_try_at = ${now}, held = false, fence = fence + 1, attempts = attempts - 1
        where media_id = ${media_id} and fence = ${fence} and held`
      }, Effect.orDie)

      /** Forgets the URL, because the bytes are there. false: no longer ours. */
      const done = ({ media_id, fence }: HeldImport) =>
        sql`delete from media_imports where media_id = ${media_id} and fence = ${fence} returning media_id`.pipe(
          Effect.map((rows) => rows.length > 0),
          Effect.orDie
        )

      /**
       * When a failed item is worth another try for the posts that are still to go out: each hour, five minutes before
       * a post's time, and in these five minutes `soon`. null: never.
       */
      const worthAt = (now: Date, soon: Date | null) => sql`(
        select min(case
            when t.due_at - interval '5 minutes' > ${now}::timestamptz
              then least(${now}::timestamptz + interval '1 hour', t.due_at - interval '5 minutes')
            when ${soon}::timestamptz < t.due_at then ${soon}::timestamptz
          end)
        from post_media u join targets t on t.post_id = u.post_id
        where u.media_id = i.media_id and t.state in ('waiting', 'claimed') and t.due_at > ${now}::timestamptz)`

      /**
       * Ends a try that failed. The posts that use the item are locked, so that none moves meanwhile. `soon`: a try that
       * may do better; `never`: what nothing can mend. false: no longer ours.
       */
      const rest = Effect.fnUntraced(function* (
        { media_id, fence }: HeldImport,
        soon: DateTime.Utc | null,
        never: boolean
      ) {
        const early = soon === null ? null : DateTime.toDateUtc(soon)
        const at = never ? sql`null::timestamptz` : worthAt(DateTime.toDateUtc(yield* DateTime.now), early)
        const rows = yield* sql`
        update media_imports i set held = false, fence = i.fence + 1, next_try_at = plan.at,
          attempts = case when plan.at = ${early}::timestamptz or ${never} then i.attempts else 0 end
        from (select i.media_id, ${at} as at from media_imports i where i.media_id = ${media_id}) plan
        where i.media_id = plan.media_id and i.fence = ${fence} returning i.media_id`
        return rows.length > 0
      }, Effect.orDie)

      /** Plans the tries of the failed ones among these items anew, after a post that uses them was changed. */
      const follow = Effect.fnUntraced(function* (ids: ReadonlyArray<MediaId>, at: DateTime.Utc) {
        const now = DateTime.toDateUtc(at)
        const rows = yield* sql`
        update media_imports i set next_try_at = least(i.next_try_at, plan.at)
        from (
          select i.media_id, ${worthAt(now, now)} as at from media_imports i
          join media m on m.id = i.media_id and m.status = 'failed' and m.deleted_at is null
          where i.media_id = any(${ids}::uuid[]) and not i.held
        ) plan
        where i.media_id = plan.media_id and not i.held and plan.at is not null returning i.media_id`
        return rows.length > 0
      }, Effect.orDie)

      /** Restarts the failed fetches among these items. */
      const restart = Effect.fnUntraced(function* (
        workspaceId: WorkspaceId,
        ids: ReadonlyArray<MediaId>,
        at: DateTime.Utc
      ) {
        yield* sql`
        with failed as (
          update media set status = 'reserved', error = null
          where id = any(${ids}::uuid[]) and workspace_id = ${workspaceId} and status = 'failed' and deleted_at is null
          returning id
        )
        update media_imports i set next_try_at = ${DateTime.toDateUtc(at)}, attempts = 0, held = false, fence = i.fence + 1
        from failed where i.media_id = failed.id`
      }, Effect.orDie)

      /** Frees the fetches of processes that are not seen to live; true: there were some. */
      const recover = Effect.gen(function* () {
        const self = yield* wakeup.alive
        const freed = yield* sql`
        update media_imports set next_try_at = ${DateTime.toDateUtc(yield* DateTime.now)}, holder = null
        where held and holder <> ${self}::int and holder <> all (${liveProcesses(sql)})
        returning media_id`
        return freed.length > 0
      }).pipe(Effect.orDie)

      return { insert, claim, nextTryAt, renew, again, release, done, rest, follow, restart, recover }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
