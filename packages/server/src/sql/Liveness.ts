import type { PgConnection } from "@effect/sql-pg"
import { Effect, Random } from "effect"
import type { SqlClient } from "effect/sql"

/** "aliv" in ASCII: the first half of the advisory locks that show which processes live. */
const LOCKS = 0x616c6976

const SETTINGS = {
  // PostgreSQL notices in ten seconds that a machine is cut off, not in the two hours of most systems.
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 1,
  tcp_keepalives_count: 5,
  // The session is idle and must stay open.
  idle_session_timeout: 0
}

const set = Object.entries(SETTINGS).map(
  ([name, value]) => `set_config('${name}', '${value}', false) is not null`
)

export const newProcessNumber = Random.nextIntBetween(1, 2 ** 31 - 1)

/**
 * Locks a number for as long as the session lives: the one it had, if that is free. Null behind a pooler, whose session
 * would keep the lock of a dead process.
 */
export const acquireProcessLock = Effect.fnUntraced(function* (
  session: PgConnection.PgConnection,
  before: number | null
) {
  let number = before
  while (true) {
    number ??= yield* newProcessNumber
    const { rows } = yield* session.query(
      `select case when pg_backend_pid() = $1
        then ${set.join(" and ")} and pg_try_advisory_lock(${LOCKS}, $2) end as taken`,
      [session.processId, number]
    )
    if (rows[0]?.["taken"] === null) return null
    if (rows[0]?.["taken"] === true) return number
    number = null
  }
})

const live = `
  array(select l.objid::int from pg_locks l
    where l.locktype = 'advisory' and l.classid = ${LOCKS} and l.objsubid = 2 and l.granted
      and l.database = (select oid from pg_database where datname = current_database()))`

/** The numbers of all processes that are seen to live. A statement reads them once, when it first needs them. */
export const liveProcesses = (sql: SqlClient.SqlClient) => sql.literal(live)

/**
 * Looks every second who lives, over one session after the other, and says when a process is gone, or may have gone
 * before the first look. The pause comes first: after a restart of the database the others need a moment too.
 */
export const watchProcesses = (gone: Effect.Effect<void>) => {
  let before: ReadonlyArray<number> | undefined
  return Effect.fnUntraced(function* (session: PgConnection.PgConnection) {
    while (true) {
      yield* Effect.sleep("1 second")
      const { rows } = yield* session.query(`select ${live} as live`)
      const seen = rows[0]!["live"] as ReadonlyArray<number>
      if (before?.every((number) => seen.includes(number)) !== true) yield* gone
      before = seen
    }
  })
}
