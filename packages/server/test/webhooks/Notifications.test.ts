import {
  CurrentActor,
  type NotificationFormat,
  SocialAccountId,
  type SocialAccount,
  WorkspaceId
} from "@carillon/domain"
import { AppConfig } from "@carillon/server/AppConfig"
import { Audit } from "@carillon/server/audit/Audit"
import { CredentialCipher } from "@carillon/server/crypto/CredentialCipher"
import { Secrets } from "@carillon/server/crypto/Secrets"
import { Events } from "@carillon/server/events/Events"
import { RemoteFetch } from "@carillon/server/http/RemoteFetch"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import { Deliver } from "@carillon/server/webhooks/Deliver"
import { judge } from "@carillon/server/webhooks/DeliveryPolicy"
import { type ClaimedDelivery, DeliveryQueue } from "@carillon/server/webhooks/DeliveryQueue"
import { NotificationRepository } from "@carillon/server/webhooks/NotificationRepository"
import { Notifications } from "@carillon/server/webhooks/Notifications"
import { Notify } from "@carillon/server/webhooks/Notify"
import { WebhookRepository } from "@carillon/server/webhooks/WebhookRepository"
import { Webhooks } from "@carillon/server/webhooks/Webhooks"
import { WebhookSecrets } from "@carillon/server/webhooks/WebhookSecrets"
import { receiver } from "@carillon/testing/Receiver"
import * as TestSql from "@carillon/testing/TestSql"
import * as NodeDns from "@effect/platform-node/NodeDns"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Dns } from "effect/net"
import { TestClock } from "effect/testing"

const AtNoon = Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-21T12:00:00Z")))

const Service = Layer.mergeAll(Notifications.layerNoDeps, Webhooks.layerNoDeps).pipe(
  Layer.provideMerge(Notify.layerNoDeps),
  Layer.provideMerge(Deliver.layerNoDeps),
  Layer.provideMerge(
    Layer.mergeAll(NotificationRepository.layer, WebhookRepository.layer, WebhookSecrets.layer, Audit.layer)
  ),
  Layer.provideMerge(Layer.merge(DeliveryQueue.layer, Events.layer)),
  Layer.provide(RemoteFetch.layerWith({ allowPrivateHosts: true })),
  Layer.provide(Layer.effect(Dns.Dns, Effect.orDie(NodeDns.make()))),
  Layer.provide(CredentialCipher.layer),
  Layer.provide(Secrets.layer),
  Layer.provide(AppConfig.layer),
  Layer.provide(
    ConfigProvider.layer(
      ConfigProvider.fromUnknown({
        PUBLIC_URL: "https://carillon.example",
        CARILLON_SECRET: "a secret of the notifications' tests, 32 characters"
      })
    )
  ),
  Layer.provideMerge(Wakeup.layer),
  Layer.provideMerge(TestSql.layer),
  Layer.provide(AtNoon)
)

const nobody = new Map<string, number>()

const workspace = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  yield* sql`delete from events`
  yield* sql`delete from workspaces`
  const id = WorkspaceId.make(SecureRandom.uuidV7Unsafe())
  const now = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`insert into workspaces ${sql.insert({ id, name: "Newsroom", created_at: now })}`
  return id
})

const as = (workspace_id: WorkspaceId) =>
  Effect.provideService(CurrentActor, {
    workspace_id,
    timezone: "UTC",
    key_id: null,
    key_name: null,
    member: null,
    member_id: null,
    instance: true,
    grant: null,
    scopes: ["admin"],
    social_accounts: null
  })

const account = (id: number): SocialAccount => ({
  id: SocialAccountId.make(id),
  platform: "sandbox",
  username: `u${id}`,
  display_name: null,
  avatar_url: null,
  needs_reconnect: true,
  default_board_id: null,
  default_privacy_level: null,
  demo: null,
  limits: null,
  permissions: null,
  status: "needs_reconnect",
  status_reason: "Its access has ended.",
  warning: null,
  network: "test",
  connected_at: DateTime.makeUnsafe(0),
  token_expires_at: null,
  access_expires_at: null
})

const trouble = (workspace_id: WorkspaceId, id: number) =>
  Effect.flatMap(Events, (events) =>
    events.append([
      { workspace_id, subject: `account:${id}`, type: "account.needs_reconnect", data: account(id) }
    ])
  )

/** All that is due, over as many claims as that takes. */
const claimAll = Effect.gen(function* () {
  const queue = yield* DeliveryQueue
  const all: Array<ClaimedDelivery> = []
  while (true) {
    const { items, more } = yield* queue.claim(nobody, 100)
    all.push(...items)
    if (!more) return all
  }
})

/** What the loop does with a claim. */
const send = Effect.fnUntraced(function* (delivery: ClaimedDelivery) {
  const { also, attempts, event_id, fence, id, secrets, sequence, webhook_id } = delivery
  const receiver = { id: webhook_id, format: delivery.format!, secrets }
  const { retry_at, ...answer } = yield* (yield* Notify).tell(receiver, event_id, [sequence, ...also])
  const verdict = judge({ ...answer, retry_at }, attempts + 1, yield* DateTime.now, 0.5)
  return yield* (yield* DeliveryQueue).settle({
    id,
    fence,
    ...answer,
    status: verdict._tag === "delivered" ? "delivered" : verdict._tag === "again" ? "pending" : "failed",
    next_attempt_at: verdict._tag === "again" ? verdict.at : null,
    pausing: null
  })
})

const open = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const [row] = yield* sql<{ count: number }>`
    select count(*)::int from webhook_deliveries where status in ('pending', 'sending')`
  return row!.count
})

const whole = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const rows = yield* sql<{ text: string }>`
    select w::text as text from webhooks w union all select d::text from webhook_deliveries d
    union all select a::text from audit_entries a`
  return rows.map(({ text }) => text).join("\n")
})

layer(Service)("notifications:", (it) => {
  it.effect.prop(
    "what happens within a minute is one message, nothing waits longer than that, and nothing is told twice",
    [
      Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 90 }))).check(
        Schema.isBetweenLength(1, 25)
      )
    ],
    ([pauses]) =>
      Effect.gen(function* () {
        const mine = yield* workspace
        const service = yield* Notifications
        yield* service.set({ url: "http://127.0.0.1:9/x", format: "json" }).pipe(as(mine))
        const told: Array<{ readonly at: number; readonly events: ReadonlyArray<number> }> = []
        const happened: Array<number> = []
        let now = 0
        const happen = Effect.gen(function* () {
          happened.push(now)
          yield* trouble(mine, happened.length)
        })
        const pass = Effect.fnUntraced(function* (seconds: number) {
          for (let second = 0; second < seconds; second++) {
            yield* TestClock.adjust("1 second")
            now++
            const due = yield* claimAll
            for (const { also, fence, id, sequence } of due) {
              told.push({ at: now, events: [sequence, ...also] })
              // While a message is on its way.
              if (told.length % 3 === 1) yield* happen
              yield* (yield* DeliveryQueue).settle({
                id,
                fence,
                status: "delivered",
                next_attempt_at: null,
                response_status: 200,
                response_excerpt: null,
                error: null,
                pausing: null
              })
            }
          }
        })
        for (const pause of pauses) {
          yield* pass(pause)
          yield* happen
        }
        yield* pass(121)
        assert.strictEqual(yield* open, 0)
        const sql = yield* PgClient.PgClient
        const rows = yield* sql<{
          sequence: number
        }>`select sequence::float8 as sequence from events order by 1`
        const sequences = rows.map(({ sequence }) => sequence)
        const events = told.flatMap((message) => message.events)
        assert.deepStrictEqual(
          events.toSorted((a, b) => a - b),
          sequences
        )
        for (const [index, { at, events: some }] of told.entries()) {
          const times = some.map((sequence) => happened[sequences.indexOf(sequence)]!)
          assert.strictEqual(at - Math.min(...times), 60)
          if (index > 0) assert.isAtLeast(at - told[index - 1]!.at, 60)
        }
      }),
    { arbitrary: { runs: 10 } }
  )

  it.effect(
    "a dead receiver has one delivery open, and is told everything in one message when it is back",
    () =>
      Effect.gen(function* () {
        const mine = yield* workspace
        const service = yield* Notifications
        const { answerWith, received, url } = yield* receiver(() => 500)
        yield* service.set({ url, format: "json" }).pipe(as(mine))
        for (let id = 1; id <= 30; id++) {
          yield* trouble(mine, id)
          yield* TestClock.adjust("20 seconds")
          for (const delivery of yield* claimAll) yield* send(delivery)
        }
        // The first minute, and after 5 seconds and 5 minutes.
        assert.isAtMost(received.length, 4)
        const state = yield* service.get.pipe(as(mine))
        assert.isNotNull(state.failing_since)
        assert.deepInclude(state.last_attempt, { response_status: 500, error: "bad_status" })
        answerWith(() => 200)
        yield* TestClock.adjust("1 hour")
        for (const delivery of yield* claimAll) yield* send(delivery)
        assert.strictEqual(yield* open, 0)
        assert.deepStrictEqual(JSON.parse(received.at(-1)!.body).counts, { needs_reconnect: 30 })
        assert.isNull((yield* service.get.pipe(as(mine))).failing_since)
      })
  )

  it.effect("two claims at one moment send a message once, and one of a lost process is sent again", () =>
    Effect.gen(function* () {
      const mine = yield* workspace
      const service = yield* Notifications
      const queue = yield* DeliveryQueue
      yield* service.set({ url: "http://127.0.0.1:9/x", format: "json" }).pipe(as(mine))
      for (let id = 1; id <= 5; id++) yield* trouble(mine, id)
      yield* TestClock.adjust("1 minute")
      const claims = yield* Effect.forEach(Array.from({ length: 5 }), () => queue.claim(nobody, 10), {
        concurrency: "unbounded"
      })
      const items = claims.flatMap((claim) => claim.items)
      assert.lengthOf(items, 1)
      assert.lengthOf(items[0]!.also, 4)
      yield* trouble(mine, 6)
      // Its lease runs out.
      yield* TestClock.adjust("1 minute")
      const [again, ...rest] = yield* claimAll
      assert.lengthOf(rest, 0)
      assert.strictEqual(again!.event_id, items[0]!.event_id)
      assert.lengthOf(again!.also, 5)
      assert.isFalse(yield* send(items[0]!))
      assert.isTrue(yield* send(again!))
    })
  )

  it.effect("each format reaches a receiver, and the address is in nothing that is stored or answered", () =>
    Effect.gen(function* () {
      const mine = yield* workspace
      const service = yield* Notifications
      for (const format of [
        "slack",
        "discord",
        "mattermost",
        "ntfy",
        "json"
      ] satisfies Array<NotificationFormat>) {
        // As servers do that know no such path.
        const { received, url } = yield* receiver((_, response) => {
          response.writeHead(404).end(`Cannot POST /hook/s3cret-token?auth=s3cret-query`)
        })
        const address = `${url}/s3cret-token?auth=s3cret-query`
        const set = yield* service
          .set({ url: address, format, events: ["account.needs_reconnect"] })
          .pipe(as(mine))
        assert.strictEqual(set.url, `${new URL(url).origin}/…`)
        const test = yield* service.test.pipe(as(mine))
        assert.strictEqual(test.response_status, 404)
        yield* trouble(mine, 1)
        yield* TestClock.adjust("1 minute")
        for (const delivery of yield* claimAll) yield* send(delivery)
        assert.lengthOf(received, 2)
        assert.include(received[0]!.body, "This is a test.")
        assert.include(received[1]!.body, "accounts?reconnect=1")
        assert.strictEqual(received[1]!.headers["user-agent"], "Carillon-Webhooks/1")
        const answers = JSON.stringify([set, test, yield* service.get.pipe(as(mine))])
        for (const text of [answers, yield* whole]) assert.notInclude(text, "s3cret")
        yield* service.delete.pipe(as(mine))
      }
      assert.isNull((yield* service.get.pipe(as(mine))).url)
      assert.strictEqual((yield* Effect.flip(service.test.pipe(as(mine)))).code, "not_found")
    })
  )

  it.effect("a part of it can be set, and a wrong one is refused without the address", () =>
    Effect.gen(function* () {
      const mine = yield* workspace
      const service = yield* Notifications
      const refused = (request: Parameters<typeof service.set>[0]) =>
        Effect.map(Effect.flip(service.set(request).pipe(as(mine))), (problem) => {
          assert.notInclude(JSON.stringify(problem), "s3cret")
          return problem.code
        })
      assert.strictEqual(yield* refused({ format: "json" }), "invalid_request")
      assert.strictEqual(yield* refused({ url: "http://127.0.0.1:9/s3cret" }), "invalid_request")
      assert.strictEqual(
        yield* refused({ url: "https://hooks.slack.com/services/s3cret", format: "json" }),
        "invalid_request"
      )
      assert.strictEqual(
        yield* refused({ url: "ftp://chat.example/s3cret", format: "json" }),
        "webhook_url_not_allowed"
      )
      assert.strictEqual(
        yield* refused({ url: "chat.example/s3cret", format: "json" }),
        "webhook_url_not_allowed"
      )
      const url = "https://hooks.slack.com/services/s3cret"
      assert.strictEqual((yield* service.set({ url }).pipe(as(mine))).format, "slack")
      const { events, format } = yield* service.set({ events: ["post.result"] }).pipe(as(mine))
      assert.deepStrictEqual([format, events], ["slack", ["post.result"]])
      yield* trouble(mine, 1)
      assert.strictEqual(yield* open, 0)
    })
  )

  it.effect("they are no webhook, and leave room for all of those", () =>
    Effect.gen(function* () {
      const mine = yield* workspace
      const notifications = yield* Notifications
      const webhooks = yield* Webhooks
      yield* notifications.set({ url: "http://127.0.0.1:9/x", format: "json" }).pipe(as(mine))
      const page = { limit: 50, offset: 0 }
      assert.strictEqual((yield* webhooks.list(page).pipe(as(mine))).total, 0)
      const sql = yield* PgClient.PgClient
      const [row] = yield* sql<{ id: string }>`select id from webhooks`
      for (const call of [
        Effect.asVoid(webhooks.get(row!.id)),
        Effect.asVoid(webhooks.update(row!.id, { status: "paused" })),
        Effect.asVoid(webhooks.delete(row!.id)),
        Effect.asVoid(webhooks.deliveries(row!.id, {}, page))
      ]) {
        assert.strictEqual((yield* Effect.flip(call.pipe(as(mine)))).code, "not_found")
      }
      assert.isTrue(Option.isSome(yield* (yield* NotificationRepository).get(mine)))
    })
  )
})
