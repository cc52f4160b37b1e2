import { CurrentActor, WorkspaceId } from "@carillon/domain"
import { Audit } from "@carillon/server/audit/Audit"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as TestSql from "@carillon/testing/TestSql"

const workspace = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const id = WorkspaceId.make(SecureRandom.uuidV7Unsafe())
  const created_at = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`insert into workspaces ${sql.insert({ id, name: "w", created_at })}`
  return id
})

const act = (workspace_id: WorkspaceId, name: string) =>
  ({
    workspace_id,
    actor: null,
    action: "webhook.deleted",
    subject: { type: "webhook", id: "1", name }
  }) as const

const namesOf = (workspace_id: WorkspaceId) =>
  Effect.flatMap(Audit, (audit) => audit.list({}, { limit: 50, offset: 0 })).pipe(
    Effect.provideService(CurrentActor, {
      workspace_id,
      timezone: "UTC",
      key_id: null,
      key_name: null,
      member: null,
      member_id: null,
      instance: true,
      grant: null,
      scopes: ["admin"],
      social_accounts: null
    }),
    Effect.map(({ data }) => data.map(({ subject }) => subject?.name))
  )

layer(Audit.layer.pipe(Layer.provide(Wakeup.layer), Layer.provideMerge(TestSql.layer)))("the trail", (it) => {
  /** On a clock of its own: nothing else lives through the year, hour by hour. */
  const onDay = <A, E, R>(day: number, effect: Effect.Effect<A, E, R>) =>
    Effect.andThen(TestClock.setTime(day * 86_400_000), effect).pipe(
      Effect.provide(TestClock.layer(), { local: true })
    )

  it.effect("the trail is kept for a year", () =>
    Effect.gen(function* () {
      const audit = yield* Audit
      const id = yield* workspace
      yield* onDay(0, audit.record(act(id, "first")))
      yield* onDay(364, audit.record(act(id, "second")))
      yield* onDay(364, audit.collect)
      assert.deepStrictEqual(yield* namesOf(id), ["second", "first"])
      yield* onDay(366, audit.collect)
      assert.deepStrictEqual(yield* namesOf(id), ["second"])
    })
  )

  it.effect("tells of no act that was taken back with its transaction", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* Audit
      const id = yield* workspace
      yield* Effect.flip(
        sql.withTransaction(Effect.andThen(audit.record(act(id, "undone")), Effect.fail("undone")))
      )
      assert.deepStrictEqual(yield* namesOf(id), [])
    })
  )
})
