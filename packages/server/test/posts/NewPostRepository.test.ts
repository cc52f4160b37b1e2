import { MediaId, PostId, type PostSummary, TargetId, WorkspaceId } from "@carillon/domain"
import type { SocialAccountRow } from "@carillon/server/accounts/SocialAccountRepository"
import { IdempotencyRepository } from "@carillon/server/http/IdempotencyRepository"
import { type NewPost, NewPostRepository } from "@carillon/server/posts/NewPostRepository"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import * as TestSql from "@carillon/testing/TestSql"

const Repositories = Layer.mergeAll(NewPostRepository.layer, IdempotencyRepository.layer).pipe(
  Layer.provideMerge(Wakeup.layer),
  Layer.provideMerge(TestSql.layer)
)

const newId = () => SecureRandom.uuidV7Unsafe()

/** A workspace with an account, a media item and a webhook that asks for scheduled posts. */
const home = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const workspaceId = WorkspaceId.make(newId())
  const mediaId = MediaId.make(newId())
  const now = yield* DateTime.now
  const at = DateTime.toDateUtc(now)
  yield* sql`insert into workspaces ${sql.insert({ id: workspaceId, name: "w", created_at: at })}`
  const accounts = yield* sql<{ id: bigint }>`
    insert into social_accounts (workspace_id, platform, remote_id, username, status, connected_at, created_at)
    values (${workspaceId}, 'sandbox', 'r', 'u', 'connected', ${at}, ${at}) returning id`
  yield* sql`
    insert into media (id, workspace_id, name, mime_type, kind, size_bytes, status, upload_expires_at, created_at)
    values (${mediaId}, ${workspaceId}, 'a.png', 'image/png', 'image', 1, 'ready', ${at}, ${at})`
  yield* sql`
    insert into webhooks (id, workspace_id, url, events, status, secrets, created_at, updated_at)
    values (${newId()}, ${workspaceId}, 'https://example.com/', '{post.scheduled}', 'active', '', ${at}, ${at})`
  const account: SocialAccountRow = {
    id: Number(accounts[0]!.id),
    workspace_id: workspaceId,
    platform: "sandbox",
    remote_id: "r",
    username: "u",
    display_name: null,
    avatar_version: null,
    status: "connected",
    status_reason: null,
    connected_at: now,
    token_expires_at: null,
    access_expires_at: null,
    default_board_id: null,
    default_privacy_level: null,
    demo: null,
    limits: null,
    granted_scopes: null
  }
  const newPost = (asked: { readonly key?: string; readonly account?: SocialAccountRow } = {}): NewPost => {
    const used = asked.account ?? account
    const status: PostSummary["status"] = "scheduled"
    const id = PostId.make(newId())
    return {
      workspace_id: workspaceId,
      row: {
        id,
        status,
        caption: "Hello",
        scheduled_at: now,
        queue_slot: null,
        social_accounts: [used.id],
        media: [mediaId],
        thread: null,
        thread_fallback: null,
        platform_configurations: { sandbox: {} },
        account_configurations: null,
        processing_enabled: true,
        warnings: [],
        approval: null,
        repairs: null,
        created_by: null,
        updated_by: null,
        version: 1,
        created_at: now,
        updated_at: now,
        published_at: null
      },
      targets: [
        {
          id: TargetId.make(newId()),
          social_account_id: used.id,
          platform: "sandbox",
          account_connected: true,
          board_id: null,
          state: "waiting",
          due_at: now,
          next_step_at: now,
          lead: 1500,
          cost: null,
          item_count: null
        }
      ],
      media: [mediaId],
      cachedAccounts: [used],
      record:
        asked.key === undefined
          ? null
          : {
              workspace_id: workspaceId,
              owner: "owner",
              key: asked.key,
              request_hash: new Uint8Array([0, 255]),
              answer: new TextEncoder().encode(id),
              expires_at: DateTime.add(now, { hours: 24 })
            },
      post: { id, caption: "Hello" }
    }
  }
  return { account, newPost }
})

/** How many rows there are of a post. */
const countsOf = Effect.fnUntraced(function* ({ row: { id } }: NewPost) {
  const sql = yield* PgClient.PgClient
  const [count] = yield* sql<Record<"posts" | "targets" | "media" | "events" | "deliveries", number>>`
    select
      (select count(*)::int from posts where id = ${id}) as posts,
      (select count(*)::int from targets where post_id = ${id}) as targets,
      (select count(*)::int from post_media where post_id = ${id}) as media,
      (select count(*)::int from events where subject = ${id}) as events,
      (select count(*)::int from webhook_deliveries where subject = ${id}) as deliveries`
  return count
})
const whole = { posts: 1, targets: 1, media: 1, events: 1, deliveries: 1 }
const nothing = { posts: 0, targets: 0, media: 0, events: 0, deliveries: 0 }

const together = Effect.fnUntraced(function* (posts: ReadonlyArray<NewPost>) {
  const repository = yield* NewPostRepository
  return yield* Effect.forEach(posts, (post) => Effect.exit(repository.insertTogether(post)), {
    concurrency: "unbounded"
  })
})
const outcomes = (exits: Effect.Success<ReturnType<typeof together>>) =>
  exits.map((exit) => (exit._tag === "Success" ? exit.value !== null : "failed"))

layer(Repositories)("new posts", (it) => {
  it.effect("new posts are written together, each with all that belongs to it", () =>
    Effect.gen(function* () {
      const { newPost } = yield* home
      const posts = Array.from({ length: 100 }, (_, at) => newPost(at % 2 === 0 ? { key: `key ${at}` } : {}))
      assert.deepStrictEqual(
        outcomes(yield* together(posts)),
        posts.map(() => true)
      )
      for (const post of posts) assert.deepStrictEqual(yield* countsOf(post), whole)
    })
  )

  it.effect("new posts are written once for one key, and the record of the key is that of the post", () =>
    Effect.gen(function* () {
      const { newPost } = yield* home
      const [first, again, other] = [newPost({ key: "a" }), newPost({ key: "a" }), newPost({ key: "b" })]
      const written = outcomes(yield* together([first, again, other]))
      assert.deepStrictEqual(written.toSorted(), [false, true, true])
      assert.isTrue(written[2])
      assert.deepStrictEqual(yield* countsOf(written[0] ? first : again), whole)
      assert.deepStrictEqual(yield* countsOf(written[0] ? again : first), nothing)
      assert.deepStrictEqual(yield* countsOf(other), whole)
      const { key, owner, workspace_id } = first.record!
      const record = yield* (yield* IdempotencyRepository).find(
        { key, owner, workspace_id },
        yield* DateTime.now
      )
      assert.strictEqual(new TextDecoder().decode(record!.answer!), (written[0] ? first : again).row.id)
      assert.deepStrictEqual([...record!.request_hash], [0, 255])
      assert.deepStrictEqual(outcomes(yield* together([newPost({ key: "b" })])), [false])
    })
  )

  it.effect("new posts without a key warn of the first post of the account that says the same", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const repository = yield* NewPostRepository
      const { account, newPost } = yield* home
      const other = (yield* home).newPost()
      const warnings = Effect.fnUntraced(function* (post: NewPost) {
        const written = yield* repository.insertTogether(post)
        const [stored] = yield* sql<{ warnings: ReadonlyArray<string> }>`
          select warnings from posts where id = ${post.row.id}`
        assert.deepStrictEqual(written?.warnings, stored?.warnings)
        return written!.warnings
      })
      const [first, again] = [newPost(), newPost()]
      assert.deepStrictEqual(yield* warnings(first), [])
      for (const post of [again, newPost()]) {
        const [warning, ...more] = yield* warnings(post)
        assert.deepStrictEqual(more, [])
        assert.include(
          warning,
          `Test network (account ${account.id}) got the same caption and media from the post ${first.row.id} `
        )
      }
      const differently = (changes: Partial<NewPost["row"]>): NewPost => {
        const post = newPost()
        return { ...post, row: { ...post.row, ...changes } }
      }
      for (const post of [
        other,
        newPost({ key: "meant" }),
        differently({ caption: "Other" }),
        differently({ caption: null }),
        differently({ media: [] }),
        differently({ platform_configurations: { sandbox: { title: "Other" } } })
      ]) {
        assert.deepStrictEqual(yield* warnings(post), [])
      }
      yield* sql`update posts set status = 'failed' where id = ${first.row.id}`
      assert.include((yield* warnings(newPost())).join(), again.row.id)
    })
  )

  it.effect(
    "new posts are not written, and nothing with them, where an account is not as it was cached",
    () =>
      Effect.gen(function* () {
        const sql = yield* PgClient.PgClient
        const { account, newPost } = yield* home
        const changes = [
          { status: "disconnected" },
          { username: "other" },
          { default_board_id: "board" },
          { default_privacy_level: "SELF_ONLY" },
          { workspace_id: WorkspaceId.make(newId()) }
        ] as const
        for (const change of changes) {
          const stale = newPost({ key: "stale", account: { ...account, ...change } })
          assert.deepStrictEqual(outcomes(yield* together([stale])), [false])
          assert.deepStrictEqual(yield* countsOf(stale), nothing)
        }
        const kept = yield* sql`select 1 from idempotency_keys where key = 'stale'`
        assert.strictEqual(kept.length, 0)
        const read = { ...newPost({ account: { ...account, status: "disconnected" } }), cachedAccounts: [] }
        assert.deepStrictEqual(outcomes(yield* together([read])), [true])
      })
  )

  it.effect("fail alone where one of them cannot be written", () =>
    Effect.gen(function* () {
      const { newPost } = yield* home
      const good = newPost()
      const bad = { ...newPost(), media: [newId()] }
      assert.deepStrictEqual(outcomes(yield* together([good, bad, newPost()])), [true, "failed", true])
      assert.deepStrictEqual(yield* countsOf(good), whole)
      assert.deepStrictEqual(yield* countsOf(bad), nothing)
    })
  )
})
