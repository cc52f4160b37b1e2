import { statesBefore, TargetState } from "@carillon/domain"
import { TargetQueue } from "@carillon/server/engine/TargetQueue"
import { EngineLayer } from "@carillon/server/posts/EngineLayer"
import { PostRepository } from "@carillon/server/posts/PostRepository"
import { toPost } from "@carillon/server/posts/PostView"
import { migrations } from "@carillon/server/sql/Migrations"
import { migrate } from "@carillon/server/sql/Sql"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import * as TestConfig from "@carillon/testing/TestConfig"
import * as TestSql from "@carillon/testing/TestSql"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { PlainAccounts } from "../accounts/PlainAccounts.ts"

const newId = () => SecureRandom.uuidV7Unsafe()

const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0044"))

const ReleaseBefore = Layer.mergeAll(EngineLayer, PostRepository.layer).pipe(
  Layer.provide(PlainAccounts),
  Layer.provideMerge(Wakeup.layer),
  Layer.provideMerge(TestSql.layerWith(before)),
  Layer.provide(TestConfig.layer)
)

/** Posts of a release without chains, one in each state; each says its state. */
const seed = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const workspace = newId()
  const instant = yield* DateTime.now
  const now = DateTime.toDateUtc(instant)
  yield* sql`insert into workspaces ${sql.insert({ id: workspace, name: "w", created_at: now })}`
  const [account] = yield* sql<{ id: bigint }>`
    insert into social_accounts (workspace_id, platform, remote_id, username, status, connected_at, created_at)
    values (${workspace}, 'sandbox', 'r', 'demo', 'connected', ${now}, ${now}) returning id`
  return yield* Effect.forEach(TargetState.literals, (state) =>
    Effect.gen(function* () {
      const post = newId()
      const isOpen = statesBefore("claim").includes(state)
      const status = state === "draft" ? "draft" : isOpen ? "scheduled" : "failed"
      // A draft keeps options that cannot be carried out: this was one of X.
      const drafted = JSON.stringify({ twitter: { thread: ["B", "C"] } })
      yield* sql`
        insert into posts (id, workspace_id, status, caption, social_accounts, media, processing_enabled, warnings,
          platform_configurations, created_at, updated_at)
        values (${post}, ${workspace}, ${state === "published" ? state : status}, ${state},
          ${[account!.id]}::bigint[], '{}', true, '{}', ${state === "draft" ? drafted : null}::text::jsonb, ${now}, ${now})`
      yield* sql`
        insert into targets (id, post_id, workspace_id, social_account_id, platform, state, due_at, next_step_at, lead,
          platform_data, published_at, created_at)
        values (${newId()}, ${post}, ${workspace}, ${account!.id}, 'sandbox', ${state}, ${state === "draft" ? null : now}::timestamptz,
          ${isOpen ? now : null}::timestamptz, '0', ${state === "published" ? '{"id":"1","url":null,"username":null}' : null}::text::jsonb,
          ${state === "published" ? now : null}::timestamptz, ${now})`
      return post
    })
  )
})

layer(ReleaseBefore)("an upgrade to chains", (it) => {
  it.effect("leaves posts in every state as they are, and what is under way goes on", () =>
    Effect.gen(function* () {
      const repository = yield* PostRepository
      const queue = yield* TargetQueue
      const ids = yield* seed
      yield* migrate(migrations)

      const posts = (yield* repository.withTargets(ids)).map(({ post, targets }) => toPost(post, targets))
      assert.lengthOf(posts, TargetState.literals.length)
      for (const { caption, thread, progress, results } of posts) {
        assert.isNull(thread)
        assert.notProperty(progress, "failed_items")
        assert.notProperty(results[0], "items", caption ?? "")
        assert.strictEqual(results[0]!.platform_data?.id, caption === "published" ? "1" : undefined)
      }
      const draft = posts.find(({ status }) => status === "draft")
      assert.deepStrictEqual(draft!.platform_configurations?.twitter?.thread, [
        { caption: "B", media: [] },
        { caption: "C", media: [] }
      ])

      const claimed = yield* queue.claim
      assert.deepStrictEqual(
        claimed
          .map(({ caption, item_count, items, state }) => [caption, state, item_count, items])
          .toSorted(),
        [
          ["claimed", "claimed", null, []],
          ["committing", "unknown", null, []],
          ["unknown", "unknown", null, []],
          ["waiting", "claimed", null, []]
        ]
      )
    })
  )
})
