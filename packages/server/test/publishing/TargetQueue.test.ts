import { postStatus, TargetState, WorkspaceId } from "@carillon/domain"
import { lease, type Settlement, TargetQueue } from "@carillon/server/publishing/TargetQueue"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import * as TestSql from "../../../../test/support/TestSql.ts"

// Below everything that sleeps in a loop: the test clock steps through every sleep on its way.
const AtNoon = Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-21T12:00:00Z")))

const newId = () => SecureRandom.uuidV7Unsafe()

/** A post with targets in these states, on one account of a workspace of its own. */
const seed = Effect.fnUntraced(function* (states: ReadonlyArray<TargetState>, dueInSeconds = 0) {
  const sql = yield* PgClient.PgClient
  const workspace = WorkspaceId.make(newId())
  const post = newId()
  const instant = yield* DateTime.now
  const now = DateTime.toDateUtc(instant)
  const due = DateTime.toDateUtc(DateTime.add(instant, { seconds: dueInSeconds }))
  yield* sql`insert into workspaces ${sql.insert({ id: workspace, name: "w", created_at: now })}`
  const [account] = yield* sql<{ id: bigint }>`
    insert into social_accounts (workspace_id, platform, remote_id, username, status, connected_at, created_at)
    values (${workspace}, 'sandbox', ${newId()}, 'demo', 'connected', ${now}, ${now}) returning id`
  yield* sql`
    insert into posts (id, workspace_id, status, caption, social_accounts, media, processing_enabled, warnings,
      created_at, updated_at)
    values (${post}, ${workspace}, 'scheduled', 'Hello', array[${account!.id}]::bigint[], '{}', true, '{}', ${now}, ${now})`
  const targets = states.map((state) => ({ id: newId(), state }))
  for (const { id, state } of targets) {
    yield* sql`
      insert into targets (id, post_id, workspace_id, social_account_id, platform, state, due_at, next_step_at, lead, created_at)
      values (${id}, ${post}, ${workspace}, ${account!.id}, 'sandbox', ${state}, ${due}, ${due}, '1.5 seconds', ${now})`
  }
  return { post, account: Number(account!.id), targets: targets.map(({ id }) => id) }
})

const stateOf = Effect.fnUntraced(function* (id: string) {
  const sql = yield* PgClient.PgClient
  const [row] = yield* sql<{ state: string; status: string; attempts: number; post_attempts: number }>`
    select t.state, p.status, t.attempts, (select count(*)::int from attempts a where a.target_id = t.id) as post_attempts
    from targets t join posts p on p.id = t.post_id where t.id = ${id}`
  return row!
})

const settlement = (held: { id: string; fence: number }, state: Settlement["state"]): Settlement => ({
  id: held.id,
  fence: held.fence,
  state,
  next_step_at: null,
  error: null,
  platform_data: null,
  published_at: null,
  counted: true,
  discard_handle: false
})

const clean = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  yield* sql`delete from posts`
  yield* sql`delete from workspaces`
})

/** Groups wait a few milliseconds of the test's clock for company. */
const grouped = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect, { startImmediately: true })
    yield* TestClock.adjust("10 millis")
    return yield* Fiber.join(fiber)
  })

const Queue = TargetQueue.layer.pipe(
  Layer.provideMerge(Wakeup.layer),
  Layer.provideMerge(TestSql.layer),
  Layer.provide(AtNoon)
)

layer(Queue, { timeout: "60 seconds" })("the target queue", (it) => {
  it.effect(
    "gives a target to one claim only, until its lease runs out, and then to the next as taken over",
    () =>
      Effect.gen(function* () {
        yield* clean
        const queue = yield* TargetQueue
        const { targets } = yield* seed(["waiting"])
        const [first] = yield* queue.claim(10)
        assert.strictEqual(first!.id, targets[0])
        assert.isFalse(first!.taken_over)
        assert.strictEqual((yield* queue.claim(10)).length, 0)

        yield* TestClock.adjust(lease)
        const [second] = yield* queue.claim(10)
        assert.isTrue(second!.taken_over)
        assert.isAbove(second!.fence, first!.fence)
        assert.strictEqual(second!.state, "claimed")
      })
  )

  it.effect("leaves alone what is not due, what is a draft and what is over", () =>
    Effect.gen(function* () {
      yield* clean
      const queue = yield* TargetQueue
      yield* seed(["draft", "published", "failed", "unconfirmed", "cancelled"])
      yield* seed(["waiting"], 60)
      assert.strictEqual((yield* queue.claim(10)).length, 0)
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual((yield* queue.claim(10)).length, 1)
    })
  )

  it.effect("lets only the holder of the present fence mark, store and settle", () =>
    Effect.gen(function* () {
      yield* clean
      const queue = yield* TargetQueue
      yield* seed(["waiting"])
      const [old] = yield* queue.claim(10)
      yield* TestClock.adjust(lease)
      const [present] = yield* queue.claim(10)

      assert.isFalse(yield* queue.saveHandle(old!, { key: 1 }, "commit"))
      assert.isFalse(yield* grouped(queue.mark(old!)))
      assert.isFalse(yield* grouped(queue.settle(settlement(old!, "published"))))
      assert.strictEqual((yield* stateOf(present!.id)).state, "claimed")

      assert.isTrue(yield* grouped(queue.mark(present!)))
      assert.strictEqual((yield* stateOf(present!.id)).state, "committing")
      assert.isTrue(yield* grouped(queue.settle(settlement(present!, "published"))))
      const end = yield* stateOf(present!.id)
      assert.deepStrictEqual(end, { state: "published", status: "published", attempts: 1, post_attempts: 1 })
    })
  )

  it.effect("takes no second word from whoever has settled, and gives nothing back that was marked", () =>
    Effect.gen(function* () {
      yield* clean
      const queue = yield* TargetQueue
      yield* seed(["waiting", "waiting"])
      const [settled, marked] = yield* queue.claim(10)
      yield* grouped(queue.mark(settled!))
      yield* grouped(queue.settle(settlement(settled!, "published")))
      assert.isFalse(yield* grouped(queue.settle(settlement(settled!, "waiting"))))
      yield* queue.release(settled!)
      assert.strictEqual((yield* stateOf(settled!.id)).state, "published")

      yield* grouped(queue.mark(marked!))
      yield* queue.release(marked!)
      assert.strictEqual((yield* stateOf(marked!.id)).state, "committing")
    })
  )

  it.effect("gives an unmarked claim back uncounted, for the next process to take at once", () =>
    Effect.gen(function* () {
      yield* clean
      const queue = yield* TargetQueue
      yield* seed(["waiting"])
      const [held] = yield* queue.claim(10)
      yield* queue.release(held!)
      const [again] = yield* queue.claim(10)
      assert.strictEqual(again!.id, held!.id)
      assert.isFalse(again!.taken_over)
      assert.strictEqual(again!.attempts, 0)
    })
  )

  it.effect(
    "hands a commit whose process was lost to the next one as unknown, never as something to send",
    () =>
      Effect.gen(function* () {
        yield* clean
        const queue = yield* TargetQueue
        yield* seed(["waiting"])
        const [held] = yield* queue.claim(10)
        yield* grouped(queue.mark(held!))
        yield* TestClock.adjust(lease)
        const [again] = yield* queue.claim(10)
        assert.strictEqual(again!.state, "unknown")
        assert.isNotNull(again!.marked_at)
      })
  )

  it.effect("finishes a post whose last two targets settle at the same moment", () =>
    Effect.gen(function* () {
      yield* clean
      const queue = yield* TargetQueue
      const { post } = yield* seed(["waiting", "waiting"])
      const held = yield* queue.claim(10)
      yield* grouped(
        Effect.forEach(
          held,
          (one, index) => queue.settle(settlement(one, index === 0 ? "published" : "failed")),
          {
            concurrency: "unbounded"
          }
        )
      )
      const sql = yield* PgClient.PgClient
      const [row] = yield* sql<{
        status: string
        version: number
      }>`select status, version from posts where id = ${post}`
      assert.strictEqual(row!.status, "published")
    })
  )

  it.effect("derives a post's status as the domain does, for every mix of states", () =>
    Effect.gen(function* () {
      yield* clean
      const queue = yield* TargetQueue
      const states = TargetState.literals
      for (const one of states) {
        for (const other of states) {
          const { targets } = yield* seed(["waiting", one, other])
          const held = (yield* queue.claim(10)).find(({ id }) => id === targets[0])
          yield* grouped(queue.settle(settlement(held!, "failed")))
          const sql = yield* PgClient.PgClient
          const after = yield* sql<{
            state: string
          }>`select state from targets where post_id = ${held!.post_id}`
          const decoded = after.map(({ state }) => Schema.decodeUnknownSync(TargetState)(state))
          assert.strictEqual((yield* stateOf(targets[0]!)).status, postStatus(decoded), `${one}, ${other}`)
        }
      }
    })
  )

  it.effect("holds what waits for an account back until its pause ends, and no other account's", () =>
    Effect.gen(function* () {
      yield* clean
      const queue = yield* TargetQueue
      const paused = yield* seed(["waiting", "waiting"])
      const other = yield* seed(["waiting"])
      yield* queue.pauseAccount(paused.account, DateTime.add(yield* DateTime.now, { minutes: 5 }))
      assert.deepStrictEqual(
        (yield* queue.claim(10)).map(({ id }) => id),
        other.targets
      )
      yield* TestClock.adjust("5 minutes")
      assert.includeMembers(
        (yield* queue.claim(10)).map(({ id }) => id),
        paused.targets
      )
    })
  )
})
