import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as TestSql from "@carillon/testing/TestSql"

const at = (text: string) => new Date(text)

layer(TestSql.layer)("a slot of the queue", (it) => {
  const insert = (workspace: string, status: string, slot: Date) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const id = SecureRandom.uuidV7Unsafe()
      yield* sql`
        insert into posts
          (id, workspace_id, status, scheduled_at, queue_slot, social_accounts, media, processing_enabled, warnings,
          created_at, updated_at)
        values (${id}, ${workspace}, ${status}, ${slot}, ${slot}, '{}', '{}', true, '{}', ${slot}, ${slot})`
    })

  const workspace = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const id = SecureRandom.uuidV7Unsafe()
    yield* sql`insert into workspaces (id, name, created_at) values (${id}, 'W', ${at("2026-01-01T00:00:00Z")})`
    return id
  })

  it.effect(
    "a slot of the queue is held by one post of the workspace, whoever writes it and whatever became of the first",
    () =>
      Effect.gen(function* () {
        const [mine, other] = [yield* workspace, yield* workspace]
        for (const [index, status] of ["scheduled", "published", "failed"].entries()) {
          const slot = at(`2026-11-2${index}T09:00:00Z`)
          yield* insert(mine, status, slot)
          const { reason } = yield* Effect.flip(insert(mine, "scheduled", slot))
          assert.strictEqual(reason._tag, "UniqueViolation")
          yield* insert(other, "scheduled", slot)
        }
      })
  )
})
