import { EventLog } from "@carillon/server/events/EventLog"
import { Listeners } from "@carillon/server/events/Listeners"
import { WorkspaceId } from "@carillon/domain"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as TestSql from "@carillon/testing/TestSql"
import { kind } from "@carillon/testing/TestSql"

const Logs = Layer.merge(EventLog.layer, Listeners.layer).pipe(Layer.provideMerge(TestSql.layer))

const workspace = SecureRandom.uuidV7Unsafe()

const store = Effect.fnUntraced(function* (subject: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into events (id, workspace_id, type, subject, data, created_at)
    values (${SecureRandom.uuidV7Unsafe()}, ${workspace}, 'post.failed', ${subject}, ${`"${subject}"`}, now())`
})

const subjects = (events: ReadonlyArray<{ readonly data: string | null }>) =>
  events.map(({ data }) => JSON.parse(data!))

layer(Logs)("the log of events", (it) => {
  it.effect("goes on behind what was rolled back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const log = yield* EventLog
      const start = yield* log.newest
      yield* store("before")
      yield* Effect.exit(sql.withTransaction(Effect.andThen(store("never"), Effect.fail("rolled back"))))
      yield* store("after")
      const first = yield* log.next(start, [workspace])
      assert.deepStrictEqual(subjects(first), ["before"])
      const second = yield* log.next(first[0]!.sequence, [workspace])
      assert.deepStrictEqual(subjects(second), ["after"])
    })
  )

  it.effect("keeps what a listener needs for a day after it was last there, and knows since when", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { listen } = yield* Listeners
      const id = WorkspaceId.make(SecureRandom.uuidV7Unsafe())
      yield* sql`insert into workspaces (id, name, created_at) values (${id}, 'w', now())`
      const since = yield* listen(id)
      yield* store("heard")
      yield* TestClock.adjust("23 hours")
      assert.strictEqual(yield* listen(id), since)
      yield* TestClock.adjust("25 hours")
      assert.isAbove(yield* listen(id), since)
    })
  )
})

// Only there do several transactions run at once.
if (kind === "postgres")
  layer(Logs, { excludeTestServices: true })("the log of events beside other transactions", (it) => {
    it.effect("does not pass an event that is committed after a later one", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const log = yield* EventLog
        const start = yield* log.newest
        const [stored, commit] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const slow = yield* store("slow").pipe(
          Effect.andThen(Deferred.succeed(stored, undefined)),
          Effect.andThen(Deferred.await(commit)),
          sql.withTransaction,
          Effect.forkChild
        )
        yield* Deferred.await(stored)
        yield* store("quick")
        const next = log.next(start, [workspace])
        assert.isTrue(Option.isNone(yield* Effect.timeoutOption(next, "200 millis")))
        yield* Deferred.succeed(commit, undefined)
        yield* Fiber.join(slow)
        assert.deepStrictEqual(subjects(yield* next), ["slow", "quick"])
      })
    )

    it.effect("begins to listen when every change that tells nobody is over", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { listen } = yield* Listeners
        const id = WorkspaceId.make(SecureRandom.uuidV7Unsafe())
        yield* sql`insert into workspaces (id, name, created_at) values (${id}, 'w', now())`
        const [looked, commit] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const change = yield* sql`select from listeners`.pipe(
          Effect.andThen(Deferred.succeed(looked, undefined)),
          Effect.andThen(Deferred.await(commit)),
          sql.withTransaction,
          Effect.forkChild
        )
        yield* Deferred.await(looked)
        const listening = yield* Effect.forkChild(listen(id))
        yield* Effect.repeat(sql`select from listeners where workspace_id = ${id}`, {
          until: (rows) => rows.length > 0
        })
        assert.isUndefined(listening.pollUnsafe())
        yield* Deferred.succeed(commit, undefined)
        yield* Fiber.join(change)
        yield* Fiber.join(listening)
      })
    )
  })
