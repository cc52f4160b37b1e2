import {
  type Access,
  isProcessing,
  type Post,
  PostId,
  PostStatus,
  postStatus,
  ResultStatus,
  resultStatus,
  TargetId,
  TargetState,
  WorkspaceId
} from "@carillon/domain"
import { CalendarRepository } from "@carillon/server/posts/CalendarRepository"
import { PostListRepository } from "@carillon/server/posts/PostListRepository"
import { PostResultListRepository } from "@carillon/server/posts/PostResultListRepository"
import { PostRepository } from "@carillon/server/posts/PostRepository"
import { toPost } from "@carillon/server/posts/PostView"
import * as TestSql from "@carillon/testing/TestSql"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"

const Repositories = Layer.mergeAll(
  PostListRepository.layer,
  PostResultListRepository.layer,
  CalendarRepository.layer,
  PostRepository.layer
).pipe(Layer.provideMerge(TestSql.layer))

const open: ReadonlySet<TargetState> = new Set(["waiting", "claimed", "committing", "unknown"])
const page = { limit: 200, offset: 0 }
const byId = (a: { readonly id: string }, b: { readonly id: string }) => a.id.localeCompare(b.id)

/** A post to two accounts in every two states that a post can have, once for now and once for a time. */
const everyPost = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const repository = yield* PostRepository
  const workspaceId = WorkspaceId.make(SecureRandom.uuidV7Unsafe())
  const at = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`insert into workspaces ${sql.insert({ id: workspaceId, name: "w", created_at: at })}`
  const accounts = yield* sql<{ id: bigint }>`
    insert into social_accounts (workspace_id, platform, remote_id, username, status, connected_at, created_at)
    select ${workspaceId}, 'sandbox', name, name, status, ${at}::timestamptz, ${at}::timestamptz
    from unnest('{one,other}'::text[], '{connected,needs_reconnect}'::text[]) account (name, status) returning id`
  const [one, other] = accounts.map(({ id }) => Number(id)) as [number, number]
  const ids: Array<string> = []
  const pairs = TargetState.literals.flatMap((first) =>
    TargetState.literals
      // A draft's targets are all drafts.
      .filter((second) => (first === "draft") === (second === "draft"))
      .map((second) => [first, second] as const)
  )
  for (const states of pairs) {
    for (const scheduled of [null, at]) {
      const id = PostId.make(SecureRandom.uuidV7Unsafe())
      ids.push(id)
      yield* sql`
        insert into posts (id, workspace_id, status, caption, scheduled_at, social_accounts, media, processing_enabled,
          warnings, created_at, updated_at)
        values (${id}, ${workspaceId}, ${postStatus(states)}, 'x', ${scheduled}::timestamptz,
          array[${one}::bigint, ${other}::bigint], '{}', true, '{}', ${at}, ${at})`
      for (const [index, state] of states.entries()) {
        yield* sql`
          insert into targets (id, post_id, workspace_id, social_account_id, platform, state, due_at, next_step_at, lead, created_at)
          values (${TargetId.make(SecureRandom.uuidV7Unsafe())}, ${id}, ${workspaceId}, ${index === 0 ? one : other}::bigint,
            'sandbox', ${state}, ${at}, ${open.has(state) ? at : null}::timestamptz, '0 s', ${at})`
      }
    }
  }
  return { workspaceId, one, other, rows: yield* repository.withTargets(ids) }
})

/** What the calendar says of a post besides its time and text. */
const told = ({
  id,
  status,
  progress,
  blocked_by
}: Pick<Post, "id" | "status" | "progress"> & { readonly blocked_by: number | null }) => ({
  id,
  status,
  progress,
  blocked_by
})

layer(Repositories)("the lists", (it) => {
  it.effect("the lists and the calendar say of every state of a target what the post itself says", () =>
    Effect.gen(function* () {
      const calendar = yield* CalendarRepository
      const { workspaceId, one, rows } = yield* everyPost
      const now = yield* DateTime.now
      const day = {
        date: "",
        start: DateTime.subtract(now, { hours: 1 }),
        stop: DateTime.add(now, { hours: 1 })
      }
      for (const access of [null, [one]] satisfies ReadonlyArray<Access>) {
        const posts = rows.map(({ post, targets }) => toPost(post, targets, access))
        const dated = posts.filter((post) => post.status !== "draft" || post.scheduled_at !== null)
        const [found] = yield* calendar.days(workspaceId, access, {}, [day], 200)
        assert.deepStrictEqual(found!.rows.map(told).toSorted(byId), dated.map(told).toSorted(byId))
        assert.strictEqual(found!.total, dated.length)
        for (const status of PostStatus.literals) {
          const count = dated.filter((post) => post.status === status).length
          assert.strictEqual(found![status], count, status)
          const [only] = yield* calendar.days(workspaceId, access, { status: [status] }, [day], 3)
          assert.deepStrictEqual([only!.total, only!.rows.length], [count, Math.min(count, 3)])
        }
      }
    })
  )

  it.effect("count a day of the calendar to one more than a thousand", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const calendar = yield* CalendarRepository
      const { workspaceId, one } = yield* everyPost
      const start = DateTime.makeUnsafe("2095-01-01T00:00:00Z")
      const at = DateTime.toDateUtc(start)
      const draft = "'draft'::text, null::text"
      yield* sql`
        insert into posts (id, workspace_id, status, caption, scheduled_at, social_accounts, media, processing_enabled,
          warnings, created_at, updated_at)
        select overlay(overlay(gen_random_uuid()::text placing '7' from 15) placing 'a' from 20)::uuid, ${workspaceId},
          ${sql.literal(draft)}, ${at}::timestamptz + number * interval '1 second', array[${one}::bigint], '{}', true, '{}',
          ${at}::timestamptz, ${at}::timestamptz
        from generate_series(1, 1200) number`
      const stop = DateTime.add(start, { days: 1 })
      const next = { date: "", start: stop, stop: DateTime.add(stop, { days: 1 }) }
      const [day, empty] = yield* calendar.days(workspaceId, null, {}, [{ date: "", start, stop }, next], 200)
      assert.deepStrictEqual([day!.total, day!.draft, day!.rows.length], [1001, 1001, 200])
      const times = day!.rows.map(({ at }) => at.epochMilliseconds)
      assert.deepStrictEqual(
        times,
        times.toSorted((a, b) => a - b)
      )
      assert.deepStrictEqual([empty!.total, empty!.rows], [0, []])
    })
  )

  it.effect("say of every state that a target can have what the post itself says", () =>
    Effect.gen(function* () {
      const lists = yield* PostListRepository
      const resultLists = yield* PostResultListRepository
      const { workspaceId, one, other, rows } = yield* everyPost
      for (const access of [null, [one]] satisfies ReadonlyArray<Access>) {
        const posts = rows.map(({ post, targets }) => toPost(post, targets, access))
        const found = Effect.fnUntraced(function* (filter: Parameters<typeof lists.posts>[2]) {
          const { data, total } = yield* lists.posts(workspaceId, access, filter, page)
          assert.strictEqual(total, data.length)
          return data
        })
        const idsOf = (list: ReadonlyArray<{ readonly id: string }>) => list.map(({ id }) => id).toSorted()

        const all = yield* found({})
        const own = ({ id, progress, lost }: (typeof all)[number]) => ({
          id,
          progress,
          blocked_by: lost[0] ?? null
        })
        assert.deepStrictEqual(
          all.map(own).toSorted(byId),
          posts.map(({ id, progress, blocked_by }) => ({ id, progress, blocked_by })).toSorted(byId)
        )
        assert.deepStrictEqual(
          new Set(posts.map(({ blocked_by }) => blocked_by)),
          new Set(access === null ? [null, other] : [null])
        )
        for (const status of PostStatus.literals) {
          const fitting = posts.filter((post) => post.status === status)
          assert.deepStrictEqual(idsOf(yield* found({ status: [status] })), idsOf(fitting), status)
        }
        const processing = posts.filter(isProcessing)
        assert.isNotEmpty(processing)
        assert.deepStrictEqual(idsOf(yield* found({ status: ["processing"] })), idsOf(processing))
        const planned = posts.filter((post) => post.status === "scheduled" && !isProcessing(post))
        assert.isNotEmpty(planned)
        assert.deepStrictEqual(idsOf(yield* found({ status: ["waiting"] })), idsOf(planned))
        const scheduled = idsOf(posts.filter(({ status }) => status === "scheduled"))
        assert.deepStrictEqual(idsOf(yield* found({ status: ["waiting", "processing"] })), scheduled)
        assert.deepStrictEqual(idsOf(yield* found({ status: ["waiting", "scheduled"] })), scheduled)
        assert.deepStrictEqual(idsOf(yield* found({ status: ["processing", "scheduled"] })), scheduled)

        for (const result of ["failed", "unconfirmed"] as const) {
          const fitting = posts.filter((post) => post.results.some(({ status }) => status === result))
          assert.isNotEmpty(fitting)
          assert.deepStrictEqual(idsOf(yield* found({ result: [result] })), idsOf(fitting), result)
          const live = fitting.filter(({ status }) => status === "published")
          const both = yield* found({ result: [result], status: ["published"], platform: ["sandbox"] })
          assert.deepStrictEqual(idsOf(both), idsOf(live), result)
        }

        const results = posts.flatMap((post) => post.results)
        for (const status of ResultStatus.literals) {
          const { data } = yield* resultLists.results(workspaceId, access, { status: [status] }, page)
          const fitting = results.filter((result) => result.status === status)
          assert.deepStrictEqual(idsOf(data), idsOf(fitting), status)
        }
      }
    })
  )

  it.effect("take a target that is only held for one that waits", () =>
    Effect.sync(() => {
      assert.strictEqual(resultStatus("claimed"), "waiting")
      assert.strictEqual(resultStatus("committing"), "publishing")
    })
  )
})
