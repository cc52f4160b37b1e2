import { EngineLayer } from "@carillon/server/posts/EngineLayer"
import {
  postStatus,
  statesBefore,
  targetEvents,
  TargetState,
  transition,
  WorkspaceId
} from "@carillon/domain"
import type { ClaimedTarget } from "@carillon/server/engine/ClaimedTarget"
import { FairClaim } from "@carillon/server/publishing/FairClaim"
import { claimSize, lease } from "@carillon/server/engine/Claims"
import type { Settlement } from "@carillon/server/engine/Settlements"
import { TargetQueue } from "@carillon/server/engine/TargetQueue"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import * as TestConfig from "@carillon/testing/TestConfig"
import * as TestSql from "@carillon/testing/TestSql"
import { PlainAccounts } from "../accounts/PlainAccounts.ts"

// Below everything that sleeps in a loop: the test clock steps through every sleep on its way.
const AtNoon = Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-21T12:00:00Z")))

const newId = () => SecureRandom.uuidV7Unsafe()

/** A post with targets in these states, on one account of a workspace of its own; each is due a second after the other. */
const seed = Effect.fnUntraced(function* (
  states: ReadonlyArray<TargetState>,
  {
    dueInSeconds = -states.length,
    workspace: id = newId(),
    accounts = "one"
  }: { dueInSeconds?: number; workspace?: string; accounts?: "one" | "each its own" } = {}
) {
  const sql = yield* PgClient.PgClient
  const workspace = WorkspaceId.make(id)
  const post = newId()
  const instant = yield* DateTime.now
  const now = DateTime.toDateUtc(instant)
  yield* sql`
    insert into workspaces ${sql.insert({ id: workspace, name: "w", created_at: now })} on conflict do nothing`
  const made = yield* Effect.forEach(
    states.slice(0, accounts === "one" ? 1 : states.length),
    () => sql<{ id: bigint }>`
      insert into social_accounts (workspace_id, platform, remote_id, username, status, connected_at, created_at)
      values (${workspace}, 'sandbox', ${newId()}, 'demo', 'connected', ${now}, ${now}) returning id`
  )
  const ids = made.map(([row]) => row!.id)
  const [account] = ids
  yield* sql`
    insert into posts (id, workspace_id, status, caption, social_accounts, media, processing_enabled, warnings,
      created_at, updated_at)
    values (${post}, ${workspace}, 'scheduled', 'Hello', ${ids}::bigint[], '{}', true, '{}', ${now}, ${now})`
  const targets = states.map((state) => ({ id: newId(), state }))
  for (const [index, { id, state }] of targets.entries()) {
    const due = DateTime.toDateUtc(DateTime.add(instant, { seconds: dueInSeconds + index }))
    const next = statesBefore("claim").includes(state) ? due : null
    yield* sql`
      insert into targets (id, post_id, workspace_id, social_account_id, platform, state, due_at, next_step_at, lead, created_at)
      values (${id}, ${post}, ${workspace}, ${ids[index] ?? account!}, 'sandbox', ${state}, ${due}, ${next}::timestamptz, '0', ${now})`
  }
  return { post, workspace, account: Number(account!), targets: targets.map(({ id }) => id) }
})

const stateOf = Effect.fnUntraced(function* (id: string) {
  const sql = yield* PgClient.PgClient
  const [row] = yield* sql<{ state: string; status: string; attempts: number; post_attempts: number }>`
    select t.state, p.status, t.attempts, (select count(*)::int from attempts a where a.target_id = t.id) as post_attempts
    from targets t join posts p on p.id = t.post_id where t.id = ${id}`
  return row!
})

const settlement = (
  held: ClaimedTarget,
  state: Settlement["state"],
  next = DateTime.makeUnsafe("2100-01-01T00:00:00Z")
): Settlement => ({
  id: held.id,
  post_id: held.post_id,
  fence: held.fence,
  state,
  next_step_at: state === "waiting" || state === "unknown" ? next : null,
  error: null,
  platform_data: null,
  published_at: null,
  looked_up_at: null,
  review_at: null,
  resumed: held.state === "unknown",
  counted: true,
  live: [],
  prepared: "as_before"
})

const marking = ({ id, fence }: ClaimedTarget) => ({ id, fence, handle: { key: id } })

const clean = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  yield* sql`delete from posts`
  yield* sql`delete from workspaces`
})

const Queue = EngineLayer.pipe(
  Layer.provide(PlainAccounts),
  Layer.provideMerge(Wakeup.layer),
  Layer.provideMerge(TestSql.layer),
  Layer.provide(TestConfig.layer),
  Layer.provide(AtNoon)
)

layer(Queue)("the target queue", (it) => {
  it.effect(
    "gives a target to one claim only, until its lease runs out, and then to the next as taken over",
    () =>
      Effect.gen(function* () {
        yield* clean
        const queue = yield* TargetQueue
        const { targets } = yield* seed(["waiting"])
        const [first] = yield* queue.claim
        assert.strictEqual(first!.id, targets[0])
        assert.isFalse(first!.taken_over)
        assert.strictEqual((yield* queue.claim).length, 0)

        yield* TestClock.adjust(lease)
        const [second] = yield* queue.claim
        assert.isTrue(second!.taken_over)
        assert.isAbove(second!.fence, first!.fence)
        assert.strictEqual(second!.state, "claimed")
      })
  )

  it.effect("stores the states of the domain and no other", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const [check] = yield* sql<{ definition: string }>`
        select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'targets_state_check'`
      const stored = [...check!.definition.matchAll(/'(\w+)'/g)].map(([, state]) => state)
      assert.deepStrictEqual(stored, [...TargetState.literals])
    })
  )

  it.effect("leaves alone what is not due, what is a draft and what is over", () =>
    Effect.gen(function* () {
      yield* clean
      const queue = yield* TargetQueue
      yield* seed(["draft", "published", "failed", "unconfirmed"])
      yield* seed(["waiting"], { dueInSeconds: 60 })
      assert.strictEqual((yield* queue.claim).length, 0)
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual((yield* queue.claim).length, 1)
    })
  )

  it.effect(
    "takes what it can read beside what another release has stored, and reads every kind of column",
    () =>
      Effect.gen(function* () {
        yield* clean
        const sql = yield* PgClient.PgClient
        const queue = yield* TargetQueue
        const { targets, account } = yield* seed(["waiting", "waiting", "waiting"])
        const [odd, strange, plain] = targets
        yield* sql`update targets set platform = 'carrier_pigeon' where id = ${odd!}`
        yield* sql`update targets set error = '{"code": 1}' where id = ${strange!}`
        yield* sql`update targets set handle = '{"key": [1]}', looked_up_at = due_at where id = ${plain!}`
        yield* sql`
        update posts set platform_configurations = '{"sandbox": {"caption": "Own"}}', account_configurations = '[]'`
        const claimed = yield* queue.claim
        assert.deepStrictEqual(
          claimed.map(({ id }) => id),
          [plain!]
        )
        const [read] = claimed
        assert.strictEqual(read!.social_account_id, account)
        assert.deepStrictEqual(read!.handle, { key: [1] })
        assert.deepStrictEqual(read!.platform_configurations, { sandbox: { caption: "Own" } })
        assert.deepStrictEqual(read!.account_configurations, [])
        assert.strictEqual(read!.error, null)
        assert.deepStrictEqual(read!.looked_up_at, read!.due_at)
        assert.deepStrictEqual(read!.prepare_at, read!.due_at)
        assert.strictEqual(read!.paused_until, null)
      })
  )

  it.effect("stores of each settlement of a group what is its own", () =>
    Effect.gen(function* () {
      yield* clean
      const sql = yield* PgClient.PgClient
      const queue = yield* TargetQueue
      yield* seed(["waiting"])
      yield* seed(["waiting"])
      yield* seed(["waiting"])
      const [sent, later, refused] = yield* queue.claim
      const at = DateTime.makeUnsafe("2100-01-01T00:00:00.123Z")
      yield* queue.mark(marking(sent!))
      const error = {
        code: "no",
        class: "transient",
        message: 'It said "no" \\',
        action: "none",
        retry_at: null
      } as const
      const data = { id: "18", url: null, username: "demo" }
      yield* Effect.all(
        [
          queue.settle({ ...settlement(sent!, "published"), platform_data: data, published_at: at }),
          queue.settle({
            ...settlement(later!, "waiting", at),
            prepared: { handle: { upload: "7" }, step: "poll" }
          }),
          queue.settle({ ...settlement(refused!, "failed"), error, looked_up_at: at })
        ],
        { concurrency: "unbounded" }
      )
      const stored = yield* sql<{ id: string }>`
        select id, state, next_step_at, error, platform_data, published_at, looked_up_at, handle, step from targets`
      const none = {
        next_step_at: null,
        error: null,
        platform_data: null,
        published_at: null,
        looked_up_at: null
      }
      const rows = new Map(stored.map((row) => [row.id, row]))
      assert.deepStrictEqual<unknown>(rows.get(sent!.id), {
        ...none,
        id: sent!.id,
        state: "published",
        platform_data: data,
        published_at: DateTime.toDateUtc(at),
        handle: { key: sent!.id },
        step: "commit"
      })
      assert.deepStrictEqual<unknown>(rows.get(later!.id), {
        ...none,
        id: later!.id,
        state: "waiting",
        next_step_at: DateTime.toDateUtc(at),
        handle: { upload: "7" },
        step: "poll"
      })
      assert.deepStrictEqual<unknown>(rows.get(refused!.id), {
        ...none,
        id: refused!.id,
        state: "failed",
        error,
        looked_up_at: DateTime.toDateUtc(at),
        handle: null,
        step: "prepare"
      })
    })
  )

  it.effect("lets only the holder of the present fence mark, store and settle", () =>
    Effect.gen(function* () {
      yield* clean
      const queue = yield* TargetQueue
      yield* seed(["waiting"])
      const [old] = yield* queue.claim
      yield* TestClock.adjust(lease)
      const [present] = yield* queue.claim

      assert.isFalse(yield* queue.saveHandle(old!, { key: 1 }))
      assert.strictEqual(yield* queue.mark(marking(old!)), "lost")
      assert.isFalse(yield* queue.settle(settlement(old!, "published")))
      assert.strictEqual((yield* stateOf(present!.id)).state, "claimed")

      assert.strictEqual(yield* queue.mark(marking(present!)), "marked")
      assert.strictEqual((yield* stateOf(present!.id)).state, "committing")
      assert.isTrue(yield* queue.settle(settlement(present!, "published")))
      const end = yield* stateOf(present!.id)
      assert.deepStrictEqual(end, { state: "published", status: "published", attempts: 1, post_attempts: 1 })
    })
  )

  it.effect("keeps no attempts of a post that is deleted", () =>
    Effect.gen(function* () {
      yield* clean
      const queue = yield* TargetQueue
      const sql = yield* PgClient.PgClient
      const { post } = yield* seed(["waiting"])
      yield* seed(["waiting"])
      for (const held of yield* queue.claim) {
        yield* queue.mark(marking(held))
        yield* queue.settle(settlement(held, "published"))
      }
      yield* sql`delete from posts where id = ${post}`
      const [left] = yield* sql<{ attempts: number }>`select count(*)::int as attempts from attempts`
      assert.strictEqual(left!.attempts, 1)
    })
  )

  it.effect("takes no second word from whoever has settled, and gives nothing back that was marked", () =>
    Effect.gen(function* () {
      yield* clean
      const queue = yield* TargetQueue
      yield* seed(["waiting", "waiting"])
      const [settled, marked] = yield* queue.claim
      yield* queue.mark(marking(settled!))
      yield* queue.settle(settlement(settled!, "published"))
      assert.isFalse(yield* queue.settle(settlement(settled!, "waiting")))
      yield* queue.release(settled!)
      assert.strictEqual((yield* stateOf(settled!.id)).state, "published")

      yield* queue.mark(marking(marked!))
      yield* queue.release(marked!)
      assert.strictEqual((yield* stateOf(marked!.id)).state, "committing")
    })
  )

  it.effect("gives an unmarked claim back uncounted, for the next process to take at once", () =>
    Effect.gen(function* () {
      yield* clean
      const queue = yield* TargetQueue
      yield* seed(["waiting"])
      const [held] = yield* queue.claim
      yield* queue.release(held!)
      const [again] = yield* queue.claim
      assert.strictEqual(again!.id, held!.id)
      assert.isFalse(again!.taken_over)
      assert.strictEqual(again!.attempts, 0)
    })
  )

  it.effect("keeps the place of a claim that is given back until a time, before what is due later", () =>
    Effect.gen(function* () {
      yield* clean
      const sql = yield* PgClient.PgClient
      const queue = yield* TargetQueue
      const { targets } = yield* seed(["waiting", "waiting"])
      yield* sql`update targets set next_step_at = next_step_at - interval '1 minute' where id = ${targets[0]!}`
      const [early, late] = yield* queue.claim
      assert.strictEqual(early!.id, targets[0])
      const until = DateTime.addDuration(yield* DateTime.now, "1 second")
      yield* queue.release({ id: early!.id, fence: early!.fence, until })
      yield* queue.release(late!)
      assert.deepStrictEqual(
        (yield* queue.claim).map(({ id }) => id),
        [late!.id]
      )
      yield* TestClock.adjust("1 second")
      const [again] = yield* queue.claim
      assert.strictEqual(again!.id, early!.id)
      assert.isFalse(again!.taken_over)
      const [row] = yield* sql<{ kept: boolean }>`
        select next_step_at < (select next_step_at from targets where id = ${late!.id}) as kept
        from targets where id = ${early!.id}`
      assert.isTrue(row!.kept)
    })
  )

  it.effect(
    "hands a commit whose process was lost to the next one as unknown, never as something to send",
    () =>
      Effect.gen(function* () {
        yield* clean
        const queue = yield* TargetQueue
        yield* seed(["waiting"])
        const [held] = yield* queue.claim
        yield* queue.mark(marking(held!))
        yield* TestClock.adjust(lease)
        const [again] = yield* queue.claim
        assert.strictEqual(again!.state, "unknown")
        assert.isNotNull(again!.marked_at)
      })
  )

  it.effect(
    "records what is found out about a lost commit as the end of that attempt, not as another one",
    () =>
      Effect.gen(function* () {
        yield* clean
        const queue = yield* TargetQueue
        const { targets } = yield* seed(["waiting"])
        const [held] = yield* queue.claim
        yield* queue.mark(marking(held!))
        yield* TestClock.adjust(lease)
        const [again] = yield* queue.claim
        assert.isTrue(yield* queue.settle(settlement(again!, "published")))
        const { attempts, post_attempts } = yield* stateOf(targets[0]!)
        assert.deepStrictEqual({ attempts, post_attempts }, { attempts: 1, post_attempts: 1 })
        const sql = yield* PgClient.PgClient
        assert.deepStrictEqual(yield* sql`select fence, outcome from attempts`, [
          { fence: held!.fence, outcome: "published" }
        ])
      })
  )

  it.effect("finishes a post whose last two targets settle at the same moment", () =>
    Effect.gen(function* () {
      yield* clean
      const queue = yield* TargetQueue
      const { post } = yield* seed(["waiting", "waiting"])
      const held = yield* queue.claim
      yield* queue.mark(marking(held[0]!))
      yield* Effect.forEach(
        held,
        (one, index) => queue.settle(settlement(one, index === 0 ? "published" : "failed")),
        {
          concurrency: "unbounded"
        }
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
          const { targets } = yield* seed(["waiting", one, other], { accounts: "each its own" })
          const held = (yield* queue.claim).find(({ id }) => id === targets[0])
          yield* queue.settle(settlement(held!, "failed"))
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
        (yield* queue.claim).map(({ id }) => id),
        other.targets
      )
      yield* TestClock.adjust("5 minutes")
      assert.includeMembers(
        (yield* queue.claim).map(({ id }) => id),
        paused.targets
      )
    })
  )

  it.effect("lets only one target of an account commit at a time, the one that was due first", () =>
    Effect.gen(function* () {
      yield* clean
      const queue = yield* TargetQueue
      yield* seed(["waiting", "waiting"])
      yield* seed(["waiting"])
      const claimed = yield* queue.claim
      const [first, second, other] = claimed.toSorted((a, b) => a.social_account_id - b.social_account_id)
      assert.strictEqual(first!.social_account_id, second!.social_account_id)
      assert.deepStrictEqual(
        yield* Effect.forEach([second, first, other], (one) => queue.mark(marking(one!)), {
          concurrency: "unbounded"
        }),
        ["not_its_turn", "marked", "marked"]
      )
      assert.strictEqual(yield* queue.mark(marking(second!)), "not_its_turn")
      assert.strictEqual((yield* stateOf(second!.id)).state, "claimed")
      yield* queue.settle(settlement(first!, "published"))
      assert.strictEqual(yield* queue.mark(marking(second!)), "marked")
    })
  )

  it.effect("the target queue does not let what waits for a later time of its own hold up the account", () =>
    Effect.gen(function* () {
      yield* clean
      const queue = yield* TargetQueue
      yield* seed(["waiting", "waiting"])
      const [first, second] = yield* queue.claim
      const later = DateTime.add(yield* DateTime.now, { seconds: 5 })
      yield* queue.settle(settlement(first!, "waiting", later))
      assert.strictEqual(yield* queue.mark(marking(second!)), "marked")
      yield* TestClock.adjust("5 seconds")
      const again = (yield* queue.claim).find(({ id }) => id === first!.id)
      // What is under way goes first, whatever was due before it.
      assert.strictEqual(yield* queue.mark(marking(again!)), "not_its_turn")
    })
  )

  it.effect("stores the handle with the marker, and says the same again when it is asked twice", () =>
    Effect.gen(function* () {
      yield* clean
      const sql = yield* PgClient.PgClient
      const queue = yield* TargetQueue
      yield* seed(["waiting"])
      const [held] = yield* queue.claim
      assert.strictEqual(yield* queue.mark(marking(held!)), "marked")
      assert.strictEqual(yield* queue.mark(marking(held!)), "marked")
      const { state, attempts, post_attempts } = yield* stateOf(held!.id)
      assert.deepStrictEqual(
        { state, attempts, post_attempts },
        { state: "committing", attempts: 1, post_attempts: 0 }
      )
      const [row] = yield* sql<{ handle: unknown; step: string }>`select handle, step from targets`
      assert.deepStrictEqual(row, { handle: { key: held!.id }, step: "commit" })
    })
  )

  it.effect("marks nothing of an account that was paused or lost its access after the claim", () =>
    Effect.gen(function* () {
      yield* clean
      const queue = yield* TargetQueue
      const paused = yield* seed(["waiting"])
      const refused = yield* seed(["waiting"])
      const held = yield* queue.claim
      yield* queue.pauseAccount(paused.account, DateTime.add(yield* DateTime.now, { minutes: 5 }))
      yield* queue.accountNeedsReconnect(refused.account, "revoked")
      assert.deepStrictEqual(yield* Effect.forEach(held, (one) => queue.mark(marking(one))), [
        "account_closed",
        "account_closed"
      ])
    })
  )

  it.effect("goes from every state by every event of the engine to where the domain says", () =>
    Effect.gen(function* () {
      yield* clean
      const sql = yield* PgClient.PgClient
      const queue = yield* TargetQueue
      const { targets } = yield* seed(["waiting"])
      const [held] = yield* queue.claim
      const item = { id: "1", url: null, username: null }
      const settles = (["waiting", "unknown", "published", "failed", "unconfirmed"] as const).map(
        (to) =>
          [`settle_${to}`, (fence: number) => queue.settle(settlement({ ...held!, fence }, to))] as const
      )
      const events = new Map<string, (fence: number) => Effect.Effect<unknown>>([
        ["claim", () => queue.claim],
        ["mark", (fence) => queue.mark(marking({ ...held!, fence }))],
        ["release", (fence) => queue.release({ id: held!.id, fence })],
        ...settles,
        [
          "settle_item",
          (fence) => queue.settle({ ...settlement({ ...held!, fence }, "waiting"), live: [item] })
        ],
        ["settle_broken", (fence) => queue.settle(settlement({ ...held!, fence }, "published"))]
      ])
      const persons = [
        "enqueue",
        "withdraw",
        "retry",
        "force_retry",
        "continue",
        "confirm_published",
        "confirm_not_published",
        "confirm_broken",
        "restore",
        "restore_published"
      ]
      assert.sameMembers([...events.keys(), ...persons], [...targetEvents])
      let fence = 100
      for (const state of TargetState.literals) {
        for (const event of targetEvents.filter((one) => !persons.includes(one))) {
          fence += 10
          const due = DateTime.toDateUtc(yield* DateTime.now)
          const next = statesBefore("claim").includes(state) ? due : null
          yield* sql`delete from attempts`
          yield* sql`delete from commits`
          yield* sql`
            update targets set state = ${state}, fence = ${fence}, next_step_at = ${next}::timestamptz, lease_until = null,
              items = ${JSON.stringify(event === "settle_broken" ? [item] : [])}::text::jsonb
            where id = ${targets[0]!}`
          yield* events.get(event)!(fence)
          // Marked again under the same fence is the same marker.
          const expected =
            event === "mark" && state === "committing" ? state : (transition(state, event) ?? state)
          assert.strictEqual((yield* stateOf(targets[0]!)).state, expected, `${state}, ${event}`)
        }
      }
    })
  )

  it.effect("visits the workspaces that have something due, from one to the next", () =>
    Effect.gen(function* () {
      yield* clean
      const queue = yield* TargetQueue
      const [one, two, future] = [newId(), newId(), newId()].toSorted()
      yield* seed(["waiting", "waiting", "published"], { workspace: one! })
      yield* seed(["waiting"], { workspace: two! })
      yield* seed(["waiting"], { workspace: future!, dueInSeconds: 60 })
      const first = "00000000-0000-0000-0000-000000000000"
      assert.deepStrictEqual(yield* queue.walk(first), { due: [one!, two!], last: null })
      assert.deepStrictEqual(yield* queue.walk(one!), { due: [two!], last: null })
      assert.deepStrictEqual(yield* queue.walk(future!), { due: [], last: null })
      const each = yield* queue.claimOf([one!, two!], 1)
      assert.sameMembers(
        each.map(({ workspace_id }) => String(workspace_id)),
        [one!, two!]
      )
    })
  )

  it.effect("serves another workspace's single post while one has more due than a process holds", () =>
    Effect.gen(function* () {
      yield* clean
      const sql = yield* PgClient.PgClient
      const queue = yield* TargetQueue
      const claims = new FairClaim(queue)
      const big = yield* seed(["waiting"])
      const now = DateTime.toDateUtc(yield* DateTime.now)
      yield* sql`
        insert into targets (id, post_id, workspace_id, social_account_id, platform, state, due_at, next_step_at, lead, created_at)
        select gen_random_uuid(), ${big.post}, ${big.workspace}, ${big.account}, 'sandbox', 'waiting',
          ${now}::timestamptz - interval '1 hour', ${now}::timestamptz - interval '1 hour', '0', ${now}
        from generate_series(1, 4500)`
      const small = yield* seed(["waiting"])
      const served: Array<string> = []
      const held = new Map<string, number>()
      const take = (workspace: string) => held.set(workspace, (held.get(workspace) ?? 0) + 1)
      for (let claim = 0; claim < 30 && !served.includes(small.workspace); claim++) {
        for (const { workspace_id } of yield* claims.next(held)) {
          take(workspace_id)
          served.push(workspace_id)
        }
      }
      assert.include(served, small.workspace)
      // The first claim comes back full, the second takes turns.
      assert.isAtMost(served.length, 2 * claimSize)
      // Its share is what this process may hold of two workspaces' work.
      let claimed = yield* claims.next(held)
      while (claimed.length > 0) {
        for (const { workspace_id } of claimed) take(workspace_id)
        claimed = yield* claims.next(held)
      }
      assert.isBelow(held.get(big.workspace)!, 4500)
    })
  )
})
