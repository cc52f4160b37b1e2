import { RecordRepository } from "@carillon/server/oauth/RecordRepository"
import * as TestSql from "@carillon/testing/TestSql"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"

const repository = RecordRepository.layer.pipe(Layer.provideMerge(TestSql.layer))

/** As many clients as strangers may register. */
const places = 10_000

layer(repository)("apps that register themselves", (it) => {
  const register = Effect.fnUntraced(function* (id: string) {
    const records = yield* RecordRepository
    const room = yield* records.roomForClient
    if (room) yield* records.upsert("Client", id, { client_id: id }, undefined)
    return room
  })

  /** Registered now, by strangers. */
  const registerMany = Effect.fnUntraced(function* (count: number) {
    yield* register("first")
    const sql = yield* PgClient.PgClient
    yield* sql`
      insert into oauth_records (model, id_hash, payload, expires_at)
      select 'Client', sha256(('stranger ' || n)::bytea), '{}', expires_at
      from oauth_records, generate_series(2, ${count}::int) n where id_hash = sha256('first')`
  })

  const isKnown = (id: string) =>
    Effect.gen(function* () {
      const records = yield* RecordRepository
      return Option.isSome(yield* records.find("Client", id))
    })

  const known = Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const [row] = yield* sql<{ count: number }>`select count(*)::int as count from oauth_records`
    return row!.count
  })

  it.effect("always find a place an hour after strangers took them all, and keep it for an hour", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      yield* sql`truncate oauth_records`
      yield* registerMany(places)
      assert.isFalse(yield* register("honest"))
      yield* TestClock.adjust("59 minutes")
      assert.isFalse(yield* register("honest"))
      yield* TestClock.adjust("1 minute")
      assert.isTrue(yield* register("honest"))
      assert.strictEqual(yield* known, places / 2)
      yield* TestClock.adjust("59 minutes")
      assert.isTrue(yield* register("another"))
      assert.isTrue(yield* isKnown("honest"))
    })
  )

  it.effect(
    "push nobody out while fewer than half of the places are taken, and are forgotten after seven days",
    () =>
      Effect.gen(function* () {
        const sql = yield* PgClient.PgClient
        const records = yield* RecordRepository
        yield* sql`truncate oauth_records`
        yield* registerMany(places / 2 - 1)
        yield* TestClock.adjust("6 days")
        assert.isTrue(yield* register("honest"))
        assert.strictEqual(yield* known, places / 2)
        // The next one is one too many, and the oldest goes.
        assert.isTrue(yield* register("next"))
        assert.strictEqual(yield* known, places / 2)
        yield* TestClock.adjust("1 day")
        assert.isFalse(yield* isKnown("first"))
        yield* records.collect
        assert.strictEqual(yield* known, 2)
      })
  )

  it.effect("keep their place once a person has allowed them, for 90 days after they were last seen", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const records = yield* RecordRepository
      yield* sql`truncate oauth_records`
      yield* register("allowed")
      yield* records.allowClient("allowed")
      yield* TestClock.adjust("2 hours")
      yield* registerMany(places - 1)
      yield* TestClock.adjust("2 hours")
      assert.isTrue(yield* register("honest"))
      assert.isTrue(yield* isKnown("allowed"))
      yield* TestClock.adjust("80 days")
      yield* records.renewClient("allowed")
      yield* TestClock.adjust("80 days")
      yield* records.collect
      assert.isTrue(yield* isKnown("allowed"))
      assert.strictEqual(yield* known, 1)
      yield* TestClock.adjust("11 days")
      assert.isFalse(yield* isKnown("allowed"))
    })
  )

  it.effect(
    "apps that register themselves do not stay longer because they ask for a consent that nobody gives",
    () =>
      Effect.gen(function* () {
        const sql = yield* PgClient.PgClient
        const records = yield* RecordRepository
        yield* sql`truncate oauth_records`
        yield* register("busy")
        yield* TestClock.adjust("6 days")
        yield* records.renewClient("busy")
        yield* TestClock.adjust("1 day")
        assert.isFalse(yield* isKnown("busy"))
      })
  )
})
