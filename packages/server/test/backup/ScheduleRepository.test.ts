import { ScheduleRepository } from "@carillon/server/backup/ScheduleRepository"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import * as TestSql from "@carillon/testing/TestSql"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

const Tested = ScheduleRepository.layer.pipe(
  Layer.provideMerge(Wakeup.layer),
  Layer.provideMerge(TestSql.layer)
)
const every = Duration.hours(1)

layer(Tested, { excludeTestServices: true })("the schedule of backups", (it) => {
  it.effect("gives each turn to one, and the next when its time has come or its holder is gone", () =>
    Effect.gen(function* () {
      const repository = yield* ScheduleRepository
      const sql = yield* SqlClient.SqlClient
      assert.isNull(yield* repository.last)
      const turns = yield* Effect.forEach([1, 2, 3, 4], () => repository.begin(every), { concurrency: 4 })
      assert.lengthOf(turns.filter(Boolean), 1)
      yield* repository.end("The disk is full.")
      assert.strictEqual((yield* repository.last)?.error, "The disk is full.")
      assert.isFalse(yield* repository.begin(every))

      yield* sql`update backup_runs set started_at = started_at - interval '1 hour'`
      assert.isTrue(yield* repository.begin(every))
      yield* repository.end({ name: "carillon-20300101T000000Z.tar", size_bytes: 5_000_000_000 })
      const made = yield* repository.last
      assert.deepInclude(made, { error: null, size_bytes: 5_000_000_000 })

      yield* sql`update backup_runs set started_at = started_at - interval '1 hour'`
      assert.isTrue(yield* repository.begin(every))
      assert.isFalse(yield* repository.begin(every))
      // Nobody has this number.
      yield* sql`update backup_runs set holder = 1`
      assert.isTrue(yield* repository.begin(every))
      assert.strictEqual((yield* repository.last)?.name, made?.name)
    })
  )
})
