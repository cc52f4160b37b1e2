import { EngineLayer } from "@carillon/server/posts/EngineLayer"
import { type EventType, Post, type SocialAccount, SocialAccountId, WorkspaceId } from "@carillon/domain"
import { Events } from "@carillon/server/events/Events"
import type { ClaimedTarget } from "@carillon/server/engine/ClaimedTarget"
import type { Settlement } from "@carillon/server/engine/Settlements"
import { TargetQueue } from "@carillon/server/engine/TargetQueue"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import * as TestConfig from "@carillon/testing/TestConfig"
import * as TestSql from "@carillon/testing/TestSql"
import { PlainAccounts } from "../accounts/PlainAccounts.ts"

const AtNoon = Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-21T12:00:00Z")))

const Outbox = Layer.mergeAll(Events.layer, EngineLayer).pipe(
  Layer.provide(PlainAccounts),
  Layer.provideMerge(Wakeup.layer),
  Layer.provideMerge(TestSql.layer),
  Layer.provide(TestConfig.layer),
  Layer.provide(AtNoon)
)

const newId = () => SecureRandom.uuidV7Unsafe()

const workspace = Effect.fnUntraced(function* () {
  const sql = yield* PgClient.PgClient
  const id = WorkspaceId.make(newId())
  const now = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`insert into workspaces ${sql.insert({ id, name: "w", created_at: now })}`
  return id
})

const webhook = Effect.fnUntraced(function* (workspaceId: string, events: ReadonlyArray<EventType>) {
  const sql = yield* PgClient.PgClient
  const id = newId()
  const now = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`
    insert into webhooks (id, workspace_id, url, events, status, secrets, created_at, updated_at)
    values (${id}, ${workspaceId}, 'https://example.com/', ${events}::text[], 'active', '', ${now}, ${now})`
  return id
})

/** A scheduled post with this many targets, each on an account of its own. */
const post = Effect.fnUntraced(function* (workspaceId: string, accounts: number) {
  const sql = yield* PgClient.PgClient
  const id = newId()
  const now = DateTime.toDateUtc(yield* DateTime.now)
  const rows = yield* sql<{ id: bigint }>`
    insert into social_accounts (workspace_id, platform, remote_id, username, status, connected_at, created_at)
    select ${workspaceId}, 'sandbox', 'r' || n, 'u' || n, 'connected', ${now}, ${now}
    from generate_series(1, ${accounts}::int) n returning id`
  const ids = rows.map((row) => Number(row.id))
  yield* sql`
    insert into posts (id, workspace_id, status, caption, social_accounts, media, processing_enabled, warnings,
      created_at, updated_at)
    values (${id}, ${workspaceId}, 'scheduled', 'Hello', ${ids}::bigint[], '{}', true, '{}', ${now}, ${now})`
  for (const account of ids) {
    yield* sql`
      insert into targets
        (id, post_id, workspace_id, social_account_id, platform, state, due_at, next_step_at, lead, created_at)
      values (${newId()}, ${id}, ${workspaceId}, ${account}, 'sandbox', 'waiting', ${now}, ${now}, '0', ${now})`
  }
  return { id, accounts: ids }
})

const settle = Effect.fnUntraced(function* (
  held: ReadonlyArray<ClaimedTarget>,
  state: (index: number) => Settlement["state"]
) {
  const queue = yield* TargetQueue
  const now = yield* DateTime.now
  return yield* Effect.forEach(
    held,
    ({ id, post_id, fence }, index) =>
      Effect.andThen(
        queue.mark({ id, fence, handle: {} }),
        queue.settle({
          id,
          post_id,
          fence,
          state: state(index),
          next_step_at: state(index) === "waiting" ? DateTime.add(now, { hours: 1 }) : null,
          error: null,
          platform_data: null,
          live: [],
          published_at: null,
          looked_up_at: null,
          review_at: null,
          resumed: false,
          counted: true,
          prepared: "as_before"
        })
      ),
    { concurrency: "unbounded" }
  )
})

const told = Effect.fnUntraced(function* (workspaceId: string) {
  const sql = yield* PgClient.PgClient
  return yield* sql<{ type: string; subject: string; data: any; webhook_id: string }>`
    select e.type, e.subject, e.data, d.webhook_id from webhook_deliveries d
    join events e on e.sequence = d.event_sequence
    where e.workspace_id = ${workspaceId} order by e.sequence, d.webhook_id`
})

const account = (id: number): SocialAccount => ({
  id: SocialAccountId.make(id),
  platform: "sandbox",
  username: "demo",
  display_name: null,
  avatar_url: null,
  needs_reconnect: false,
  default_board_id: null,
  default_privacy_level: null,
  demo: null,
  limits: null,
  permissions: null,
  network: "test",
  status: "connected",
  status_reason: null,
  warning: null,
  connected_at: DateTime.makeUnsafe("2026-11-21T12:00:00Z"),
  token_expires_at: null,
  access_expires_at: null
})

const connected = (workspace_id: WorkspaceId, id: number) => ({
  workspace_id,
  subject: String(id),
  type: "account.connected" as const,
  data: account(id)
})

layer(Outbox)("the outbox", (it) => {
  it.effect("stores an event once and a delivery for each webhook that asks for it, in the order given", () =>
    Effect.gen(function* () {
      const events = yield* Events
      const [mine, other] = [yield* workspace(), yield* workspace()]
      const wanted: ReadonlyArray<EventType> = ["account.connected"]
      const webhooks = [yield* webhook(mine, wanted), yield* webhook(mine, wanted)]
      yield* webhook(mine, ["post.failed"])
      yield* webhook(other, wanted)
      yield* events.append(Array.from({ length: 12 }, (_, index) => connected(mine, index + 1)))
      const rows = yield* told(mine)
      assert.deepStrictEqual(
        rows.map(({ subject, webhook_id }) => [subject, webhook_id]),
        Array.from({ length: 12 }, (_, index) => webhooks.map((id) => [String(index + 1), id])).flat()
      )
      assert.strictEqual(rows[0]!.data.connected_at, "2026-11-21T12:00:00.000Z")
      assert.lengthOf(yield* told(other), 0)
    })
  )

  it.effect("stores nothing where nobody asks for it", () =>
    Effect.gen(function* () {
      const events = yield* Events
      const sql = yield* PgClient.PgClient
      const mine = yield* workspace()
      yield* webhook(mine, ["post.failed"])
      yield* events.append([connected(mine, 1)])
      assert.lengthOf(yield* sql`select 1 from events where workspace_id = ${mine}`, 0)
      assert.strictEqual((yield* events.wanted([mine], ["account.connected"])).size, 0)
      assert.deepStrictEqual([...(yield* events.wanted([mine], ["post.failed", "post.result"]))], [mine])
    })
  )

  it.effect("tells nothing of a change that is rolled back", () =>
    Effect.gen(function* () {
      const events = yield* Events
      const sql = yield* PgClient.PgClient
      const mine = yield* workspace()
      yield* webhook(mine, ["account.connected"])
      yield* events
        .append([connected(mine, 1)])
        .pipe(Effect.andThen(Effect.fail("rolled back")), sql.withTransaction, Effect.ignore)
      assert.lengthOf(yield* told(mine), 0)
    })
  )

  it.effect(
    "gets a result for every target that is over and the end of its post, as the API shows them",
    () =>
      Effect.gen(function* () {
        const queue = yield* TargetQueue
        const mine = yield* workspace()
        yield* webhook(mine, ["post.result", "post.published", "post.failed"])
        const { id } = yield* post(mine, 4)
        const held = (yield* queue.claim).toSorted((a, b) => (a.id < b.id ? -1 : 1))
        yield* settle(held.slice(0, 1), () => "waiting")
        assert.lengthOf(yield* told(mine), 0)
        yield* settle(held.slice(1, 3), (index) => (index === 0 ? "failed" : "unconfirmed"))
        assert.deepStrictEqual(
          (yield* told(mine)).map(({ type, data }) => [type, data.status]),
          [
            ["post.result", "failed"],
            ["post.result", "unconfirmed"]
          ]
        )
        const sql = yield* PgClient.PgClient
        yield* sql`update targets set next_step_at = '2026-11-21T12:00:00Z' where post_id = ${id} and state = 'waiting'`
        yield* settle([...held.slice(3), ...(yield* queue.claim)], () => "published")
        const rows = yield* told(mine)
        assert.deepStrictEqual(
          rows.map(({ type }) => type),
          ["post.result", "post.result", "post.result", "post.result", "post.published"]
        )
        const last = yield* Schema.decodeUnknownEffect(Post)(rows.at(-1)!.data)
        assert.strictEqual(last.status, "published")
        assert.deepStrictEqual(last.progress, {
          total: 4,
          waiting: 0,
          publishing: 0,
          published: 2,
          failed: 1,
          unconfirmed: 1
        })
        assert.lengthOf(last.results, 4)
        assert.isTrue(rows.every(({ subject }) => subject === id))
      })
  )

  it.effect("hears once that an account needs a reconnection", () =>
    Effect.gen(function* () {
      const queue = yield* TargetQueue
      const mine = yield* workspace()
      yield* webhook(mine, ["account.needs_reconnect"])
      const { accounts } = yield* post(mine, 1)
      yield* queue.accountNeedsReconnect(accounts[0]!, "The token was revoked.")
      yield* queue.accountNeedsReconnect(accounts[0]!, "The token was revoked again.")
      const rows = yield* told(mine)
      assert.lengthOf(rows, 1)
      assert.strictEqual(rows[0]!.data.status, "needs_reconnect")
      assert.strictEqual(rows[0]!.data.status_reason, "The token was revoked.")
    })
  )
})
