import { MediaId, PostId, TargetId, WorkspaceId } from "@carillon/domain"
import { Events } from "@carillon/server/events/Events"
import { PostEvents } from "@carillon/server/posts/PostEvents"
import { type NewTarget, PostRepository, type PostRow } from "@carillon/server/posts/PostRepository"
import { toPost } from "@carillon/server/posts/PostView"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import * as TestSql from "../../../../test/support/TestSql.ts"

const Repositories = Layer.mergeAll(PostRepository.layer, PostEvents.layer).pipe(
  Layer.provideMerge(Events.layer),
  Layer.provideMerge(Wakeup.layer),
  Layer.provideMerge(TestSql.layer)
)

const newId = () => SecureRandom.uuidV7Unsafe()

/** A workspace with an account, a media item and a webhook that asks for scheduled posts. */
const home = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const workspaceId = WorkspaceId.make(newId())
  const mediaId = MediaId.make(newId())
  const now = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`insert into workspaces ${sql.insert({ id: workspaceId, name: "w", created_at: now })}`
  const accounts = yield* sql<{ id: bigint }>`
    insert into social_accounts (workspace_id, platform, remote_id, username, status, connected_at, created_at)
    values (${workspaceId}, 'sandbox', 'r', 'u', 'connected', ${now}, ${now}) returning id`
  yield* sql`
    insert into media (id, workspace_id, name, mime_type, kind, size_bytes, status, upload_expires_at, created_at)
    values (${mediaId}, ${workspaceId}, 'a.png', 'image/png', 'image', 1, 'ready', ${now}, ${now})`
  yield* sql`
    insert into webhooks (id, workspace_id, url, events, status, secrets, created_at, updated_at)
    values (${newId()}, ${workspaceId}, 'https://example.com/', '{post.scheduled}', 'active', '', ${now}, ${now})`
  return { workspaceId, accountId: Number(accounts[0]!.id), mediaId }
})

/** Inserts a post with a record that returns as many rows, and counts what is there then. */
const insertWith = Effect.fnUntraced(function* (recordRows: number) {
  const sql = yield* PgClient.PgClient
  const repository = yield* PostRepository
  const events = yield* PostEvents
  const { workspaceId, accountId, mediaId } = yield* home
  const now = yield* DateTime.now
  const row: PostRow = {
    id: PostId.make(newId()),
    status: "scheduled",
    caption: "Hello",
    scheduled_at: now,
    queue_slot: null,
    social_accounts: [accountId],
    media: [mediaId],
    platform_configurations: { sandbox: {} },
    account_configurations: null,
    processing_enabled: true,
    warnings: [],
    approval: null,
    version: 1,
    created_at: now,
    updated_at: now,
    published_at: null
  }
  const target: NewTarget = {
    id: TargetId.make(newId()),
    social_account_id: accountId,
    platform: "sandbox",
    board_id: null,
    state: "waiting",
    due_at: now,
    next_step_at: now,
    lead: 1500
  }
  const inserted = yield* repository.insert(workspaceId, row, [target], [mediaId], {
    condition: sql`true`,
    record: sql`select 1 from generate_series(1, ${recordRows}::int)`,
    events: events.scheduling(workspaceId, toPost(row, []), sql`exists (select 1 from post)`)
  })
  const [count] = yield* sql<Record<"posts" | "targets" | "media" | "events" | "deliveries", number>>`
    select
      (select count(*)::int from posts where id = ${row.id}) as posts,
      (select count(*)::int from targets where post_id = ${row.id}) as targets,
      (select count(*)::int from post_media where post_id = ${row.id}) as media,
      (select count(*)::int from events where subject = ${row.id}) as events,
      (select count(*)::int from webhook_deliveries where subject = ${row.id}) as deliveries`
  return { ...inserted, ...count }
})

layer(Repositories)("a new post", (it) => {
  it.effect("is written with all that belongs to it in one statement", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* insertWith(1), {
        written: true,
        told: true,
        posts: 1,
        targets: 1,
        media: 1,
        events: 1,
        deliveries: 1
      })
    })
  )

  it.effect("is not written, and nothing with it, where its record is not", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* insertWith(0), {
        written: false,
        told: false,
        posts: 0,
        targets: 0,
        media: 0,
        events: 0,
        deliveries: 0
      })
    })
  )
})
