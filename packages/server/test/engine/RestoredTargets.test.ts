import { type ResultError, statesBefore, transition, WorkspaceId } from "@carillon/domain"
import { RestoredTargets } from "@carillon/server/engine/RestoredTargets"
import * as TestSql from "@carillon/testing/TestSql"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"

const error: ResultError = {
  code: "restored",
  class: "ambiguous",
  message: "It may be live.",
  action: "check_account",
  retry_at: null
}
const data = { id: "75", url: null, username: "bells", warnings: ["No thumbnail."] }
const states = statesBefore("restore")

layer(RestoredTargets.layer.pipe(Layer.provideMerge(TestSql.layer)))("a target out of a backup", (it) => {
  it.effect("is left to a person, unless it is live already and waits for its comment alone", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const { unconfirm } = yield* RestoredTargets
      const instant = yield* DateTime.now
      const now = DateTime.toDateUtc(instant)
      const newId = () => SecureRandom.uuidV7Unsafe()
      const [workspace, post] = [WorkspaceId.make(newId()), newId()]
      yield* sql`insert into workspaces ${sql.insert({ id: workspace, name: "w", created_at: now })}`
      const [account] = yield* sql<{ id: bigint }>`
        insert into social_accounts (workspace_id, platform, remote_id, username, status, connected_at, created_at)
        values (${workspace}, 'instagram', '1', 'bells', 'connected', ${now}, ${now}) returning id`
      yield* sql`
        insert into posts (id, workspace_id, status, caption, social_accounts, media, processing_enabled, warnings,
          created_at, updated_at)
        values (${post}, ${workspace}, 'scheduled', 'Hello', ${[account!.id]}::bigint[], '{}', true, '{}', ${now}, ${now})`
      const live = yield* Effect.forEach([[], [data]], (items) =>
        Effect.forEach(states, (state) => {
          const id = newId()
          return Effect.as(
            sql`
              insert into targets (id, post_id, workspace_id, social_account_id, platform, state, due_at, next_step_at,
                lease_until, marked_at, items, platform_data, lead, created_at)
              values (${id}, ${post}, ${workspace}, ${account!.id}, 'instagram', ${state}, ${now}, ${now}, ${now}, ${now},
                ${sql.json(items)}::jsonb, ${items[0] ? sql.json(items[0]) : null}::jsonb, '0', ${now})`,
            { id, isLive: items.length > 0, state }
          )
        })
      ).pipe(Effect.map((all) => all.flat()))
      yield* unconfirm(DateTime.add(instant, { seconds: 1 }), error, "The comment may be missing.")
      for (const { id, isLive, state } of live) {
        const [row] = yield* sql<any>`
          select state, error, platform_data, (select outcome from attempts where target_id = id) as outcome
          from targets where id = ${id}`
        assert.deepStrictEqual(row, {
          state: transition(state, isLive ? "restore_published" : "restore"),
          error: isLive ? null : error,
          platform_data: isLive
            ? { ...data, warnings: ["No thumbnail.", "The comment may be missing."] }
            : null,
          outcome: state !== "committing" ? null : isLive ? "failed" : "unconfirmed"
        })
      }
    })
  )
})
