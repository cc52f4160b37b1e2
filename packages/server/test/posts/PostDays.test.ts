import { PostId, type PostStatus, TargetId, WorkspaceId } from "@carillon/domain"
import { TargetQueue } from "@carillon/server/engine/TargetQueue"
import { CalendarRepository } from "@carillon/server/posts/CalendarRepository"
import { EngineLayer } from "@carillon/server/posts/EngineLayer"
import { NewPostRepository } from "@carillon/server/posts/NewPostRepository"
import type { NewTarget } from "@carillon/server/posts/NewTarget"
import { newPostId } from "@carillon/server/posts/PostIds"
import { PostListRepository } from "@carillon/server/posts/PostListRepository"
import type { PostRow } from "@carillon/server/posts/PostColumns"
import { PostRepository } from "@carillon/server/posts/PostRepository"
import type { TargetRow } from "@carillon/server/posts/TargetColumns"
import { statusOf } from "@carillon/server/posts/PostView"
import { storedTime, type When } from "@carillon/server/posts/PostTimes"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import * as TestConfig from "@carillon/testing/TestConfig"
import * as TestSql from "@carillon/testing/TestSql"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { PlainAccounts } from "../accounts/PlainAccounts.ts"

const newId = () => SecureRandom.uuidV7Unsafe()
const page = { limit: 200, offset: 0 }
const error = { code: "x", class: "ambiguous", message: "x", action: "none", retry_at: null } as const

// Below everything that sleeps in a loop: the test clock steps through every sleep on its way.
const AtNoon = Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-21T12:00:00Z")))

const Repositories = Layer.mergeAll(
  EngineLayer,
  PostRepository.layer,
  NewPostRepository.layer,
  PostListRepository.layer,
  CalendarRepository.layer
).pipe(
  Layer.provide(PlainAccounts),
  Layer.provideMerge(Wakeup.layer),
  Layer.provideMerge(TestSql.layer),
  Layer.provide(TestConfig.layer),
  Layer.provide(AtNoon)
)

/** A workspace of its own with two accounts of the test network. */
const home = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const workspace = WorkspaceId.make(newId())
  const at = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`insert into workspaces ${sql.insert({ id: workspace, name: "w", created_at: at })}`
  const accounts = yield* sql<{ id: bigint }>`
    insert into social_accounts (workspace_id, platform, remote_id, username, status, connected_at, created_at)
    select ${workspace}, 'sandbox', name || ${workspace}::text, name, 'connected', ${at}::timestamptz, ${at}::timestamptz
    from unnest('{one,other}'::text[]) name returning id`
  return { workspace, accounts: accounts.map(({ id }) => Number(id)) }
})

const targetsFor = (accounts: ReadonlyArray<number>, when: When, now: DateTime.Utc) =>
  accounts.map((social_account_id): NewTarget => {
    const due_at = when._tag === "draft" ? null : when._tag === "now" ? now : when.instant
    return {
      id: TargetId.make(newId()),
      social_account_id,
      platform: "sandbox",
      account_connected: true,
      board_id: null,
      state: when._tag === "draft" ? "draft" : "waiting",
      due_at,
      next_step_at: due_at,
      lead: 0,
      cost: null,
      item_count: null
    }
  })

/** Finds the post where the list and the calendar have it: at this very instant, or nowhere. */
const isDatedAt = Effect.fnUntraced(function* (
  workspace: WorkspaceId,
  post: string,
  at: DateTime.Utc | null,
  status: PostStatus
) {
  const lists = yield* PostListRepository
  const calendar = yield* CalendarRepository
  const has = (filter: Parameters<typeof lists.posts>[2]) =>
    Effect.map(lists.posts(workspace, null, filter, page), ({ data }) => data.some(({ id }) => id === post))
  assert.strictEqual(yield* has({ undated: true }), at === null)
  assert.strictEqual(yield* has({ dated: { stop: DateTime.makeUnsafe("2200-01-01") } }), at !== null)
  if (at === null) return
  const stop = DateTime.add(at, { milliseconds: 1 })
  assert.isTrue(yield* has({ dated: { start: at, stop } }))
  assert.isTrue(yield* has({ dated: { stop }, status: [status], platform: ["sandbox"] }))
  assert.isFalse(yield* has({ dated: { stop: at } }))
  const [day] = yield* calendar.days(workspace, null, {}, [{ date: "", start: at, stop }], 200)
  assert.deepStrictEqual(day!.rows.find(({ id }) => id === post)?.at, at)
})

const written = ["draft", "planned draft", "now", "at"] as const

const Step = Schema.Struct({
  minutes: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3_000 })),
  what: Schema.Literals([...written, "publish", "fail", "lose", "is live", "is not live", "retry"]),
  /** The second account alone. */
  half: Schema.Boolean
})

/** Has a post that is written so and then lives through the steps, and looks after each whether it is on its day. */
const live = Effect.fnUntraced(function* (
  first: (typeof written)[number],
  steps: ReadonlyArray<typeof Step.Type>
) {
  const posts = yield* PostRepository
  const newPosts = yield* NewPostRepository
  const queue = yield* TargetQueue
  const { workspace, accounts } = yield* home
  let post: PostId | null = null
  let sent: DateTime.Utc | null = null
  let published: DateTime.Utc | null = null

  const planned = (what: string, now: DateTime.Utc): When | null => {
    const instant = DateTime.add(now, { hours: 30 })
    if (what === "draft") return { _tag: "draft", instant: null }
    // The plan of a draft may have passed.
    if (what === "planned draft") return { _tag: "draft", instant: DateTime.subtract(now, { days: 40 }) }
    if (what === "now") return { _tag: "now" }
    return what === "at" ? { _tag: "at", instant, slot: null } : null
  }

  const write = Effect.fnUntraced(function* (when: When, now: DateTime.Utc) {
    const time = storedTime(when)
    const targets = targetsFor(accounts, when, now)
    if (post === null) {
      post = newPostId(now)
      const row: PostRow = {
        id: post,
        ...time,
        caption: "x",
        social_accounts: accounts,
        media: [],
        thread: null,
        thread_fallback: null,
        repairs: null,
        platform_configurations: null,
        account_configurations: null,
        processing_enabled: true,
        warnings: [],
        approval: null,
        created_by: null,
        updated_by: null,
        version: 1,
        created_at: now,
        updated_at: now,
        published_at: null
      }
      yield* newPosts.insert({
        workspace_id: workspace,
        row,
        targets,
        media: [],
        cachedAccounts: [],
        record: null,
        post: null
      })
      if (when._tag === "now") sent = now
      return
    }
    const [before] = yield* posts.withTargets([post])
    // What has begun to go out is not changed.
    if (!before!.targets.every(({ state }) => state === "draft" || state === "waiting")) return
    if (before!.targets.some(({ attempts }) => attempts > 0)) return
    const wasNow = before!.post.status === "scheduled" && before!.post.scheduled_at === null
    yield* posts.update(workspace, { ...before!.post, ...time, updated_at: now }, targets, [])
    if (when._tag === "now" && !wasNow) sent = now
  })

  const settle = Effect.fnUntraced(function* (what: string, half: boolean, now: DateTime.Utc) {
    for (const held of yield* queue.claim) {
      if (held.post_id !== post) continue
      const ref = { id: held.id, fence: held.fence }
      if (half && held.social_account_id === accounts[0]) {
        yield* queue.release(ref)
        continue
      }
      yield* queue.mark({ ...ref, handle: { key: held.id } })
      const state = what === "publish" ? "published" : what === "fail" ? "failed" : "unconfirmed"
      yield* queue.settle({
        ...ref,
        post_id: held.post_id,
        state,
        next_step_at: null,
        error: state === "published" ? null : error,
        platform_data: state === "published" ? { id: "1", url: null, username: null } : null,
        published_at: state === "published" ? now : null,
        looked_up_at: null,
        review_at: null,
        resumed: false,
        counted: true,
        live: [],
        prepared: "as_before"
      })
      if (state === "published") published ??= now
    }
  })

  const confirm = Effect.fnUntraced(function* (id: PostId, isLive: boolean, now: DateTime.Utc) {
    const doubted = (yield* posts.targetsOf(id)).find(({ state }) => state === "unconfirmed")
    if (doubted === undefined) return
    yield* posts.confirm(
      doubted.id,
      isLive
        ? { event: "confirm_published", url: null, atOnce: false, error: null, warning: null }
        : { event: "confirm_not_published", error },
      now
    )
    const targets: ReadonlyArray<TargetRow> = yield* posts.targetsOf(id)
    yield* posts.follow(id, statusOf(targets), now)
    const at = targets.find((one) => one.id === doubted.id)!.published_at
    if (at !== null) published = published === null ? at : DateTime.min(published, at)
  })

  for (const { minutes, what, half } of [{ minutes: 1, what: first, half: false }, ...steps]) {
    yield* TestClock.adjust(`${minutes} minutes`)
    const now = yield* DateTime.now
    const when = planned(what, now)
    if (when !== null) yield* write(when, now)
    else if (what === "is live" || what === "is not live") yield* confirm(post!, what === "is live", now)
    else if (what === "retry") {
      const failed = (yield* posts.targetsOf(post!)).filter(({ state }) => state === "failed")
      if (failed.length > 0)
        yield* posts.restart(
          post!,
          failed.map(({ id }) => id),
          ["retry"],
          now,
          now
        )
    } else yield* settle(what, half, now)

    const [found] = yield* posts.withTargets([post!])
    const { published_at, scheduled_at, status } = found!.post
    assert.deepStrictEqual(published_at, published)
    const of = published ?? scheduled_at ?? (status === "draft" ? null : sent)
    yield* isDatedAt(workspace, post!, of, status)
  }
})

const step = (what: (typeof Step.Type)["what"]) => ({ minutes: 2_000, what, half: false })

layer(Repositories)("the day of a post", (it) => {
  it.effect.prop(
    "is that of its publication, else of its plan, else of when it was sent, whatever happened to it",
    [Schema.Literals(written), Schema.Array(Step).check(Schema.isMinLength(3), Schema.isMaxLength(9))],
    ([first, steps]) => live(first, steps),
    { arbitrary: { runs: 10 } }
  )

  it.effect("is when it was sent, if it was sent by hand and is live nowhere", () =>
    Effect.gen(function* () {
      yield* live("draft", [step("now"), step("fail"), step("retry")])
      yield* live("at", [step("now"), step("lose"), step("is not live")])
      yield* live("now", [step("draft"), step("now"), step("now"), step("fail")])
    })
  )
})
