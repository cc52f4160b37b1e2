import { MediaId, PostId, SocialAccountId, TargetId, WorkspaceId } from "@carillon/domain"
import { EngineLayer } from "@carillon/server/posts/EngineLayer"
import { TargetQueue } from "@carillon/server/engine/TargetQueue"
import { type NewPost, NewPostRepository } from "@carillon/server/posts/NewPostRepository"
import { PostListRepository } from "@carillon/server/posts/PostListRepository"
import { PostRepository } from "@carillon/server/posts/PostRepository"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import * as TestConfig from "@carillon/testing/TestConfig"
import * as TestSql from "@carillon/testing/TestSql"
import { PgClient } from "@effect/sql-pg"
import { layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Tracer } from "effect"
import { SecureRandom } from "effect/crypto"
import { expect } from "vitest"
import { PlainAccounts } from "../accounts/PlainAccounts.ts"

const Posts = Layer.mergeAll(
  NewPostRepository.layer,
  PostRepository.layer,
  PostListRepository.layer,
  EngineLayer.pipe(Layer.provide(PlainAccounts))
).pipe(Layer.provideMerge(Wakeup.layer), Layer.provideMerge(TestSql.layer), Layer.provide(TestConfig.layer))

const newId = () => SecureRandom.uuidV7Unsafe()

/** A post with a target that is due. */
const fullPost = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const workspace_id = WorkspaceId.make(newId())
  const media = MediaId.make(newId())
  const now = yield* DateTime.now
  const at = DateTime.toDateUtc(now)
  yield* sql`insert into workspaces ${sql.insert({ id: workspace_id, name: "w", created_at: at })}`
  const [account] = yield* sql<{ id: bigint }>`
    insert into social_accounts (workspace_id, platform, remote_id, username, status, connected_at, created_at)
    values (${workspace_id}, 'sandbox', 'r', 'u', 'connected', ${at}, ${at}) returning id`
  yield* sql`
    insert into media (id, workspace_id, name, mime_type, kind, size_bytes, status, upload_expires_at, created_at)
    values (${media}, ${workspace_id}, 'a.png', 'image/png', 'image', 1, 'ready', ${at}, ${at})`
  const id = SocialAccountId.make(Number(account!.id))
  const post: NewPost = {
    workspace_id,
    row: {
      id: PostId.make(newId()),
      status: "scheduled",
      caption: "Hello",
      scheduled_at: now,
      queue_slot: now,
      social_accounts: [id],
      media: [media],
      thread: [{ caption: "And more", media: [media] }],
      thread_fallback: "join",
      platform_configurations: { sandbox: { caption: "Sand" } },
      account_configurations: [{ account_id: id, caption: "Mine" }],
      processing_enabled: false,
      warnings: ["Mind the gap."],
      approval: null,
      repairs: null,
      created_by: { type: "key", name: "a" },
      updated_by: { type: "member", name: "b", at: now },
      version: 1,
      created_at: now,
      updated_at: now,
      published_at: null
    },
    targets: [
      {
        id: TargetId.make(newId()),
        social_account_id: id,
        platform: "sandbox",
        account_connected: true,
        board_id: null,
        state: "waiting",
        due_at: now,
        next_step_at: now,
        lead: 0,
        cost: null,
        item_count: 2
      }
    ],
    media: [media],
    cachedAccounts: [],
    record: null,
    post: null
  }
  return post
})

/** The texts of what an effect asks of the table `posts`, without their line breaks. */
const asked = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const spans: Array<Tracer.NativeSpan> = []
  const seen = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      if (options.kind === "client") spans.push(span)
      return span
    }
  })
  yield* Effect.provideService(effect, Tracer.Tracer, seen)
  return spans
    .map((span) => String(span.attributes.get("db.query.text")))
    .filter((text) => /\bposts\b/.test(text))
    .map((text) => text.replaceAll(/\s+/g, " ").trim())
})

// A plan depends on the text: each word that changes here was meant to, and has been tried on many rows.
layer(Posts)("the statements of posts", (it) => {
  it.effect("the statements of posts are as they were planned and measured", () =>
    Effect.gen(function* () {
      const posts = yield* PostRepository
      const post = yield* fullPost
      const { row, targets, media, workspace_id } = post
      const texts = {
        create: yield* asked((yield* NewPostRepository).insert(post)),
        get: yield* asked(posts.byId(workspace_id, row.id)),
        lock: yield* asked(posts.lock(workspace_id, row.id)),
        whole: yield* asked(posts.withTargets([row.id])),
        contents: yield* asked(posts.contents(workspace_id, [row.id])),
        list: yield* asked(
          (yield* PostListRepository).posts(workspace_id, null, {}, { limit: 1, offset: 0 })
        ),
        update: yield* asked(posts.update(workspace_id, row, targets, media)),
        decide: yield* asked(posts.decide(row)),
        remove: yield* asked(posts.remove(row.id, row.updated_at)),
        claim: yield* asked((yield* TargetQueue).claim)
      }
      const lines = Object.entries(texts).flatMap(([name, of]) => [`-- ${name}`, ...of, ""])
      yield* Effect.promise(() => expect(lines.join("\n")).toMatchFileSnapshot("PostStatements.sql"))
    })
  )
})
