import {
  type ClaimedDelivery,
  DeliveryQueue,
  type DeliverySettlement,
  lease,
  perWebhook
} from "@carillon/server/webhooks/DeliveryQueue"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import * as TestSql from "@carillon/testing/TestSql"

const AtNoon = Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-21T12:00:00Z")))

const Queue = DeliveryQueue.layer.pipe(
  Layer.provideMerge(Wakeup.layer),
  Layer.provideMerge(TestSql.layer),
  Layer.provide(AtNoon)
)

const newId = () => SecureRandom.uuidV7Unsafe()
const nobody = new Map<string, number>()

const clean = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  yield* sql`delete from events`
  yield* sql`delete from workspaces`
})

const webhook = Effect.fnUntraced(function* () {
  const sql = yield* PgClient.PgClient
  const [workspace, id] = [newId(), newId()]
  const now = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`insert into workspaces ${sql.insert({ id: workspace, name: "w", created_at: now })}`
  yield* sql`
    insert into webhooks (id, workspace_id, url, events, status, secrets, created_at, updated_at)
    values (${id}, ${workspace}, 'https://example.com/', '{}', 'active', '', ${now}, ${now})`
  return id
})

/** Events of these subjects, in this order, on their way to the webhook. */
const deliveries = Effect.fnUntraced(function* (webhookId: string, subjects: ReadonlyArray<string>) {
  const sql = yield* PgClient.PgClient
  const now = DateTime.toDateUtc(yield* DateTime.now)
  for (const subject of subjects) {
    yield* sql`
      with stored as (
        insert into events (id, workspace_id, type, subject, data, created_at)
        values (${newId()}, ${newId()}, 'post.result', ${subject}, '{}', ${now}) returning sequence
      )
      insert into webhook_deliveries (id, webhook_id, event_sequence, subject, status, next_attempt_at, created_at)
      select ${newId()}, ${webhookId}, sequence, ${subject}, 'pending', ${now}, ${now} from stored`
  }
})

const settlement = (
  { id, fence }: ClaimedDelivery,
  status: DeliverySettlement["status"],
  rest: Partial<DeliverySettlement> = {}
): DeliverySettlement => ({
  id,
  fence,
  status,
  next_attempt_at: null,
  response_status: 500,
  response_excerpt: null,
  error: null,
  pausing: null,
  ...rest
})

const settle = (one: DeliverySettlement) => Effect.flatMap(DeliveryQueue, (queue) => queue.settle(one))

/** All that is due, over as many claims as that takes. */
const claimAll = Effect.fnUntraced(function* (inHand: ReadonlyMap<string, number> = nobody) {
  const queue = yield* DeliveryQueue
  const all: Array<ClaimedDelivery> = []
  const hands = new Map(inHand)
  while (true) {
    const { items, more } = yield* queue.claim(hands, 100)
    for (const { webhook_id } of items) hands.set(webhook_id, (hands.get(webhook_id) ?? 0) + 1)
    all.push(...items)
    if (!more) return all
  }
})

const rows = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  return yield* sql<{ id: string; subject: string; status: string; sequence: bigint; webhook_id: string }>`
    select id, subject, status, event_sequence as sequence, webhook_id from webhook_deliveries order by event_sequence`
})

const health = Effect.fnUntraced(function* (id: string) {
  const sql = yield* PgClient.PgClient
  const [row] = yield* sql<{ status: string; status_reason: string | null; failing_since: Date | null }>`
    select status, status_reason, failing_since from webhooks where id = ${id}`
  return row!
})

layer(Queue)("the delivery queue", (it) => {
  it.effect(
    "gives a delivery to one claim only, until its lease runs out, and lets only the present holder settle",
    () =>
      Effect.gen(function* () {
        yield* clean
        yield* deliveries(yield* webhook(), ["a"])
        const [first] = yield* claimAll()
        assert.lengthOf(yield* claimAll(), 0)
        yield* TestClock.adjust(lease)
        const [second] = yield* claimAll()
        assert.strictEqual(second!.id, first!.id)
        assert.isFalse(yield* settle(settlement(first!, "delivered")))
        assert.isTrue(yield* settle(settlement(second!, "delivered")))
        assert.isFalse(yield* settle(settlement(second!, "failed")))
        assert.strictEqual((yield* rows)[0]!.status, "delivered")
      })
  )

  it.effect("frees before the lease ends what a process holds that is not seen to live, and no other's", () =>
    Effect.gen(function* () {
      yield* clean
      const sql = yield* PgClient.PgClient
      const queue = yield* DeliveryQueue
      yield* deliveries(yield* webhook(), ["dead", "unseen", "ours"])
      const claimed = yield* claimAll()
      // No process has the number 1, and one that could not be seen when it claimed has none.
      yield* sql`update webhook_deliveries set holder = 1 where subject = 'dead'`
      yield* sql`update webhook_deliveries set holder = null where subject = 'unseen'`
      assert.isTrue(yield* queue.recover)
      assert.isFalse(yield* queue.recover)
      const [again, ...rest] = yield* claimAll()
      assert.lengthOf(rest, 0)
      const [dead, unseen, ours] = claimed
      assert.strictEqual(again!.id, dead!.id)
      assert.isFalse(yield* settle(settlement(dead!, "failed")))
      for (const held of [again!, unseen!, ours!]) assert.isTrue(yield* settle(settlement(held, "delivered")))
    })
  )

  it.effect("never gives one delivery to two claims that are made at the same moment", () =>
    Effect.gen(function* () {
      yield* clean
      const queue = yield* DeliveryQueue
      const webhooks = yield* Effect.forEach(Array.from({ length: 25 }), webhook)
      yield* Effect.forEach(webhooks, (id) => deliveries(id, ["a", "b", "c", "d", "a", "b"]), {
        concurrency: 5
      })
      const claims = yield* Effect.forEach(Array.from({ length: 10 }), () => queue.claim(nobody, 200), {
        concurrency: "unbounded"
      })
      const ids = claims.flatMap(({ items }) => items.map(({ id }) => id))
      assert.strictEqual(new Set(ids).size, ids.length)
      const sending = (yield* rows).filter(({ status }) => status === "sending")
      // One of each subject and webhook, however many claimed at once.
      assert.lengthOf(sending, 100)
    })
  )

  it.effect.prop(
    "sends what is of one subject one after the other, in order, whatever fails and whenever it is claimed",
    [
      Schema.Array(Schema.Literals(["a", "b"])).check(Schema.isBetweenLength(1, 8)),
      Schema.Array(Schema.Literals(["claim", "deliver", "retry", "give up", "wait"])).check(
        Schema.isMaxLength(40)
      )
    ],
    ([subjects, steps]) =>
      Effect.gen(function* () {
        yield* clean
        const id = yield* webhook()
        yield* deliveries(id, subjects)
        const inHand: Array<ClaimedDelivery> = []
        const check = Effect.gen(function* () {
          const all = yield* rows
          for (const { id: held } of inHand) {
            const mine = all.find((row) => row.id === held)!
            const earlier = all.filter((row) => row.subject === mine.subject && row.sequence < mine.sequence)
            assert.isTrue(earlier.every(({ status }) => status === "delivered" || status === "failed"))
          }
        })
        const step = Effect.fnUntraced(function* (kind: (typeof steps)[number]) {
          // Longer than a delivery is held behind one that is being sent, every few steps.
          yield* TestClock.adjust("700 millis")
          if (kind === "claim") inHand.push(...(yield* claimAll()))
          if (kind === "wait") yield* TestClock.adjust("3 seconds")
          const one = kind === "claim" || kind === "wait" ? undefined : inHand.shift()
          if (one === undefined) return
          const next = DateTime.add(yield* DateTime.now, { seconds: 5 })
          const outcome =
            kind === "retry"
              ? settlement(one, "pending", { next_attempt_at: next })
              : settlement(one, kind === "deliver" ? "delivered" : "failed")
          yield* settle(outcome)
        })
        for (const kind of steps) {
          yield* step(kind)
          yield* check
        }
        // And nothing is ever left behind.
        for (let round = 0; round < 3 * subjects.length; round++) {
          yield* step("claim")
          yield* check
          while (inHand.length > 0) yield* step("deliver")
          yield* TestClock.adjust("6 seconds")
        }
        assert.isTrue((yield* rows).every(({ status }) => status !== "pending" && status !== "sending"))
      }),
    { arbitrary: { runs: 50 } }
  )

  it.effect("lets the next one of a subject go at once when the one before it is over", () =>
    Effect.gen(function* () {
      yield* clean
      yield* deliveries(yield* webhook(), ["a", "a", "a"])
      for (const status of ["delivered", "failed", "delivered"] as const) {
        const claimed = yield* claimAll()
        assert.lengthOf(claimed, 1)
        yield* settle(settlement(claimed[0]!, status))
      }
    })
  )

  it.effect(
    "gives out eight of a webhook at once, one of a failing webhook, and another's all the same",
    () =>
      Effect.gen(function* () {
        yield* clean
        const queue = yield* DeliveryQueue
        const [dead, alive] = [yield* webhook(), yield* webhook()]
        yield* deliveries(
          dead,
          Array.from({ length: 30 }, (_, index) => String(index))
        )
        const claimed = yield* claimAll()
        assert.lengthOf(claimed, perWebhook)
        yield* settle(
          settlement(claimed[0]!, "pending", {
            next_attempt_at: DateTime.add(yield* DateTime.now, { hours: 1 })
          })
        )
        const inHand = new Map([[dead, 0]])
        assert.lengthOf(yield* claimAll(inHand), 1)
        inHand.set(dead, 1)
        yield* deliveries(alive, ["x", "y"])
        assert.deepStrictEqual(
          (yield* claimAll(inHand)).map(({ webhook_id }) => webhook_id),
          [alive, alive]
        )
        // What is due but has no room is no reason to look again before something ends.
        const next = Option.getOrThrow(yield* queue.nextAttemptAt(new Map([[dead, perWebhook]])))
        assert.isTrue(DateTime.isGreaterThan(next, yield* DateTime.now))
      })
  )

  it.effect(
    "pauses a webhook to which nothing has got through for three days once a delivery is given up",
    () =>
      Effect.gen(function* () {
        yield* clean
        const id = yield* webhook()
        const fail = Effect.fnUntraced(function* (status: "failed" | "delivered") {
          yield* deliveries(id, ["a"])
          const [one] = yield* claimAll()
          yield* settle(settlement(one!, status))
          return yield* health(id)
        })
        assert.isNotNull((yield* fail("failed")).failing_since)
        yield* TestClock.adjust("71 hours")
        assert.strictEqual((yield* fail("failed")).status, "active")
        assert.isNull((yield* fail("delivered")).failing_since)
        yield* fail("failed")
        yield* TestClock.adjust("73 hours")
        const paused = yield* fail("failed")
        assert.strictEqual(paused.status, "paused")
        assert.match(paused.status_reason!, /Nothing has got through since 2026-11-24/)
        yield* deliveries(id, ["b"])
        assert.lengthOf(yield* claimAll(), 0)
      })
  )

  it.effect("forgets events and their deliveries of before a day, and nothing younger", () =>
    Effect.gen(function* () {
      yield* clean
      const queue = yield* DeliveryQueue
      const id = yield* webhook()
      yield* deliveries(id, ["old", "old"])
      yield* TestClock.adjust("31 days")
      yield* deliveries(id, ["young"])
      yield* queue.collect
      assert.deepStrictEqual(
        (yield* rows).map(({ subject }) => subject),
        ["young"]
      )
    })
  )
})
