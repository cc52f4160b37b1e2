import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** The transactions of others that have locked the table so: every one that has read or written it, until it ends. */
export const transactionsWith = (
  sql: SqlClient.SqlClient,
  table: "events" | "listeners",
  mode: "AccessShareLock" | "RowExclusiveLock"
) => {
  const running = Effect.map(
    sql<{ id: string }>`
      select virtualtransaction as id from pg_locks
      where locktype = 'relation' and relation = ${table}::regclass and mode = ${mode} and granted
        and database = (select oid from pg_database where datname = current_database()) and pid <> pg_backend_pid()`,
    (rows) => new Set(rows.map(({ id }) => id))
  )
  /** Waits for those that are running now, and not for later ones. */
  const ended = Effect.gen(function* () {
    let left = yield* running
    while (left.size > 0) {
      yield* Effect.sleep("20 millis")
      const still = yield* running
      left = new Set([...left].filter((id) => still.has(id)))
    }
  })
  return { ended }
}
