import { Wakeup } from "@carillon/server/sql/Wakeup"
import { Workspaces } from "@carillon/server/workspaces/Workspaces"
import * as TestSql from "@carillon/testing/TestSql"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"

layer(Workspaces.layer.pipe(Layer.provide(Wakeup.layer), Layer.provideMerge(TestSql.layer)))(
  "the default workspace",
  (it) => {
    it.effect(
      "the default workspace is found within a transaction while a fiber outside waits for the session to look for it",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const workspaces = yield* Workspaces
          const begun = yield* Deferred.make<void>()
          const outside = yield* Effect.forkChild(Effect.andThen(Deferred.await(begun), workspaces.default), {
            startImmediately: true
          })
          const inside = yield* sql.withTransaction(
            Effect.gen(function* () {
              yield* Deferred.succeed(begun, undefined)
              // The fiber outside asks for the session while this statement runs.
              yield* sql`select 1`
              return yield* workspaces.default
            })
          )
          assert.strictEqual((yield* Fiber.join(outside)).id, inside.id)
        })
    )
  }
)
