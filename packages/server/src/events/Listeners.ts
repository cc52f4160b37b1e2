import type { WorkspaceId } from "@carillon/domain"
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { transactionsWith } from "./transactionsWith.ts"

/** How long events go on being stored after the last stream of a workspace has ended. */
const kept = Duration.hours(24)

/** Longer than a transaction of ours lasts. A dump by an operator may hold every table for hours. */
const longestWait = "5 seconds"

/** The workspaces whose events someone listens to. */
export class Listeners extends Context.Service<Listeners>()("@carillon/server/events/Listeners", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const transactions = transactionsWith(sql, "listeners", "AccessShareLock")

    /**
     * From then on every event of the workspace is stored. Answers with the sequence after which none is missing. A change
     * that began before and stores no event has been committed.
     */
    const listen = Effect.fn("Listeners.listen")(function* (workspaceId: WorkspaceId) {
      const instant = yield* DateTime.now
      const now = DateTime.toDateUtc(instant)
      const until = DateTime.toDateUtc(DateTime.addDuration(instant, kept))
      const renewed = yield* sql<{ since: number }>`
        update listeners set until = greatest(until, ${until})
        where workspace_id = ${workspaceId} and until > ${now} returning since::float8 as since`
      if (renewed[0] !== undefined) return renewed[0].since
      const rows = yield* sql<{ since: number }>`
        insert into listeners as l (workspace_id, since, until)
        values (${workspaceId}, (select coalesce(max(sequence), 0) from events), ${until})
        on conflict (workspace_id) do update set until = excluded.until,
          since = case when l.until > ${now} then l.since else excluded.since end
        returning since::float8 as since`
      yield* Effect.timeoutOrElse(transactions.ended, { duration: longestWait, orElse: () => Effect.void })
      return rows[0]!.since
    })

    return { listen: (workspaceId: WorkspaceId) => Effect.orDie(listen(workspaceId)) }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
