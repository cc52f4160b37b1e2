import { CurrentActor, WorkspaceId } from "@carillon/domain"
import { CredentialCipher } from "@carillon/server/crypto/CredentialCipher"
import { AppConfig } from "@carillon/server/AppConfig"
import { Audit } from "@carillon/server/audit/Audit"
import { Secrets } from "@carillon/server/crypto/Secrets"
import { RemoteFetch } from "@carillon/server/http/RemoteFetch"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import { Deliver } from "@carillon/server/webhooks/Deliver"
import { DeliveryQueue } from "@carillon/server/webhooks/DeliveryQueue"
import { WebhookRepository } from "@carillon/server/webhooks/WebhookRepository"
import { Webhooks } from "@carillon/server/webhooks/Webhooks"
import { WebhookSecrets } from "@carillon/server/webhooks/WebhookSecrets"
import { PgClient } from "@effect/sql-pg"
import { assert, layer, vi } from "@effect/vitest"
import { ConfigProvider, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Socket } from "node:net"
import { receiver } from "@carillon/testing/Receiver"
import * as TestSql from "@carillon/testing/TestSql"
import { hostileUrls } from "../http/HostileUrls.ts"
import { testDns } from "../http/TestDns.ts"

const publicAddress = "93.184.216.34"

/** The webhooks of a service that allows no private hosts; connections for the public address go to `port`. */
const withWebhooks = (addresses: () => ReadonlyArray<string>, port = 0) =>
  Effect.provide(
    Layer.mergeAll(Webhooks.layerNoDeps).pipe(
      Layer.provideMerge(Deliver.layerNoDeps),
      Layer.provide([WebhookRepository.layer, WebhookSecrets.layer, DeliveryQueue.layer, Audit.layer]),
      Layer.provide(
        RemoteFetch.layerWith({
          connectTo: (address) => (address === publicAddress ? { host: "127.0.0.1", port } : undefined)
        })
      ),
      Layer.provide(testDns(() => addresses())),
      Layer.provide(CredentialCipher.layer),
      Layer.provide(Secrets.layer),
      Layer.provide(AppConfig.layer),
      Layer.provide(
        ConfigProvider.layer(
          ConfigProvider.fromUnknown({
            CARILLON_SECRET: "a secret of the webhook tests, 32 characters and more"
          })
        )
      ),
      Layer.provideMerge(Wakeup.layer)
    ),
    { local: true }
  )

const workspace = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const id = WorkspaceId.make(SecureRandom.uuidV7Unsafe())
  const now = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`insert into workspaces ${sql.insert({ id, name: "w", created_at: now })}`
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

const endpoint = { url: "http://hooks.test/", events: ["post.failed" as const] }

layer(TestSql.layer, { excludeTestServices: true })("webhooks:", (it) => {
  it.effect(
    "a webhook is refused for every spelling of an address that is not public, when made and when changed",
    () =>
      Effect.gen(function* () {
        const service = yield* Webhooks
        const mine = as(yield* workspace)
        const { id } = yield* service.create(endpoint).pipe(mine)
        for (const { url } of hostileUrls) {
          const spelled = url.replaceAll("PORT", "80")
          for (const refused of [
            yield* Effect.flip(service.create({ ...endpoint, url: spelled }).pipe(mine)),
            yield* Effect.flip(service.update(id, { url: spelled }).pipe(mine))
          ]) {
            assert.strictEqual(refused.code, "webhook_url_not_allowed", spelled)
          }
        }
        assert.strictEqual((yield* service.get(id).pipe(mine)).url, endpoint.url)
      }).pipe(withWebhooks(() => []))
  )

  it.effect("a name that turns to a private address after the webhook was made is not connected to", () =>
    Effect.gen(function* () {
      const { url, received } = yield* receiver((_, response) => {
        response.setHeader("connection", "close")
        return 200
      })
      let addresses = [publicAddress]
      yield* Effect.gen(function* () {
        const service = yield* Webhooks
        const mine = as(yield* workspace)
        const { id } = yield* service.create(endpoint).pipe(mine)
        assert.strictEqual((yield* service.test(id).pipe(mine)).status, "delivered")
        const connect = vi.spyOn(Socket.prototype, "connect")
        for (const next of [
          ["127.0.0.1"],
          [publicAddress, "10.0.0.1"],
          ["169.254.169.254"],
          ["::ffff:127.0.0.1"]
        ]) {
          addresses = next
          const { status, error, response_status } = yield* service.test(id).pipe(mine)
          assert.deepStrictEqual([status, error, response_status], ["failed", "address_not_allowed", null])
        }
        assert.strictEqual(connect.mock.calls.length, 0)
        connect.mockRestore()
      }).pipe(withWebhooks(() => addresses, Number(new URL(url).port)))
      assert.lengthOf(received, 1)
    })
  )

  it.effect("another workspace's webhooks and deliveries answer like ones that do not exist", () =>
    Effect.gen(function* () {
      const { url, received } = yield* receiver()
      yield* Effect.gen(function* () {
        const service = yield* Webhooks
        const [mine, theirs] = [as(yield* workspace), as(yield* workspace)]
        const { id } = yield* service.create(endpoint).pipe(theirs)
        const delivery = yield* service.test(id).pipe(theirs)
        const unknown = SecureRandom.uuidV7Unsafe()
        for (const call of [
          (webhook: string) => Effect.asVoid(service.get(webhook)),
          (webhook: string) => Effect.asVoid(service.update(webhook, { status: "paused" })),
          (webhook: string) => Effect.asVoid(service.delete(webhook)),
          (webhook: string) => Effect.asVoid(service.rotateSecret(webhook)),
          (webhook: string) => Effect.asVoid(service.test(webhook)),
          (webhook: string) => Effect.asVoid(service.deliveries(webhook, {}, { limit: 50, offset: 0 }))
        ]) {
          const refused = yield* Effect.flip(call(id).pipe(mine))
          const missing = yield* Effect.flip(call(unknown).pipe(mine))
          assert.strictEqual(refused.detail.replace(id, unknown), missing.detail)
          assert.strictEqual(refused.code, "not_found")
        }
        const refused = yield* Effect.flip(service.redeliver(delivery.id).pipe(mine))
        assert.strictEqual(refused.code, "not_found")
        assert.strictEqual((yield* service.list({ limit: 50, offset: 0 }).pipe(mine)).total, 0)
        assert.strictEqual((yield* service.get(id).pipe(theirs)).status, "active")
      }).pipe(withWebhooks(() => [publicAddress], Number(new URL(url).port)))
      assert.lengthOf(received, 1)
    })
  )

  it.effect("the secrets are stored in no readable form", () =>
    Effect.gen(function* () {
      const service = yield* Webhooks
      const mine = as(yield* workspace)
      const { id, secret } = yield* service.create(endpoint).pipe(mine)
      const rotated = yield* service.rotateSecret(id).pipe(mine)
      const sql = yield* PgClient.PgClient
      const [row] = yield* sql<{ secrets: Uint8Array; whole: string }>`
      select secrets, w::text as whole from webhooks w where id = ${id}`
      for (const one of [secret, rotated.secret]) {
        assert.notInclude(row!.whole, one)
        assert.notInclude(Buffer.from(row!.secrets).toString("latin1"), one.slice(6))
      }
    }).pipe(withWebhooks(() => []))
  )
})
