import { type PlatformId, SandboxProcess } from "@carillon/sandbox/testing"
import { connectAccount } from "@carillon/testing/ConnectedAccount"
import { readEvents } from "@carillon/testing/EventReader"
import { files, networks, postOf, posts, upload } from "@carillon/testing/PostsEverywhere"
import { create, inSeconds, settled } from "@carillon/testing/Publishing"
import { until } from "@carillon/testing/Receiver"
import { freePort, Service, type ServiceCalls, startService } from "@carillon/testing/ServiceProcess"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** The accounts of a service by their networks. */
const accountsOf = Effect.fnUntraced(function* ({ call }: ServiceCalls) {
  const { body } = yield* call("GET", "/v1/social-accounts?limit=100")
  return new Map<string, any>(body.data.map((account: any) => [account.platform, account]))
})

/** A server of the real network, as far as the service can tell: the stand-in at another address. */
const realServer = (standIn: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer(
        ({ headers, method = "GET", url = "" }, answer) =>
          void fetch(`${standIn}${url}`, {
            method,
            headers: { authorization: headers.authorization ?? "" }
          }).then(async (response) =>
            answer
              .writeHead(response.status, { "content-type": response.headers.get("content-type") ?? "" })
              .end(await response.text())
          )
      )
      await once(server.listen(0, "127.0.0.1"), "listening")
      return server
    }),
    (server) => Effect.sync(() => server.close())
  ).pipe(Effect.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`))

const names = (platform: string) =>
  platform === "sandbox" ? "demo" : platform === "telegram" ? "telegram_demo" : `${platform}-demo`

it.live(
  "a first start stores an account of every network without the test network, which takes their posts when it runs and knows them",
  () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const service = yield* startService({
        env: { SANDBOX_URL: `http://127.0.0.1:${port}`, SANDBOX_SETTLE_WAIT: "1 second" }
      })
      const listed = Effect.map(
        service.call("GET", "/v1/social-accounts?limit=100"),
        ({ body }) => body.data as ReadonlyArray<any>
      )
      const accounts = yield* listed
      const of = new Map(accounts.map((account) => [account.platform, account]))
      for (const network of networks)
        assert.deepInclude(of.get(network), { network: "test", status: "connected" }, network)
      assert.lengthOf(accounts, of.size)
      assert.deepStrictEqual(
        networks.map((network) => of.get(network).username.split(/\.|@/)[0]),
        networks.map(names)
      )
      yield* service.terminate
      yield* service.start
      assert.deepStrictEqual(yield* listed, accounts)

      const sandbox = yield* SandboxProcess.make({ port })
      yield* Effect.gen(function* () {
        const directory = yield* files
        const firstOf = (network: PlatformId) => posts.find(({ asked }) => network in asked)!
        for (const post of new Set(networks.map(firstOf))) {
          const takers = networks.filter((network) => firstOf(network) === post)
          const { id } = yield* create({
            ...postOf(post, yield* upload(directory, post)),
            social_accounts: takers.map((network) => of.get(network).id)
          })
          const { results, status } = yield* settled(id)
          assert.strictEqual(status, "published", JSON.stringify(results))
          for (const network of takers)
            assert.lengthOf(
              yield* sandbox.on(network).publications(names(network)),
              1,
              `${network}: ${JSON.stringify(results)}`
            )
        }

        for (const network of networks.filter((one) => one !== "discord"))
          assert.strictEqual(yield* connectAccount(network, names(network)), of.get(network).id, network)
        const { body: channel } = yield* service.call("POST", "/v1/social-accounts", {
          platform: "discord",
          credentials: { webhook_or_token: "discord-demo.sandbox", channel_id: "820000000000000002" }
        })
        assert.strictEqual(channel.id, of.get("discord").id)
        const shown = ({ display_name, id, network, username }: any) => ({
          display_name,
          id,
          network,
          username
        })
        assert.deepStrictEqual((yield* listed).map(shown), accounts.map(shown))
      }).pipe(Effect.provideService(Service, service))
    }),
  300_000
)

it.live(
  "where a network becomes real, its demo account stops without asking for anything, comes back with the test network, and goes when it is removed",
  () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess.make()
      const service = yield* startService({ env: { SANDBOX_URL: sandbox.url } })
      const { call } = service
      const demo = (yield* accountsOf(service)).get("tiktok")
      const { read } = yield* readEvents(service, { query: "?types=account.connected,account.disconnected" })
      const app = { client_id: "aw1b2c3d", client_secret: "a-very-s3cret-value" }
      const stopped = { demo: "replaced", network: "test", status: "disconnected", needs_reconnect: false }

      const { id } = (yield* accountsOf(service)).get("linkedin")
      const { body: post } = yield* call("POST", "/v1/posts", {
        caption: "Bells",
        social_accounts: [id],
        scheduled_at: inSeconds(10)
      })
      assert.strictEqual((yield* call("PUT", "/v1/platform-apps/linkedin", app)).status, 200)
      const { results } = yield* Effect.provideService(settled(post.id), Service, service)
      assert.deepInclude(results[0].error, { code: "account_disconnected", action: "contact_operator" })
      assert.include(results[0].error.message, "Send the post to an account of yours")

      assert.strictEqual((yield* call("PUT", "/v1/platform-apps/tiktok", app)).status, 200)
      const { body: gone } = yield* call("GET", `/v1/social-accounts/${demo.id}`)
      assert.deepInclude(gone, stopped)
      assert.include(gone.status_reason, "demo account of the test network")
      assert.strictEqual((yield* accountsOf(service)).get("youtube").demo, "active")
      yield* until(() => read.length === 2)
      assert.deepStrictEqual(
        read.map(({ event, type }) => [type, event.data.id, event.data.status]),
        [
          ["account.disconnected", id, "disconnected"],
          ["account.disconnected", demo.id, "disconnected"]
        ]
      )
      yield* service.terminate
      yield* service.start
      assert.deepInclude((yield* accountsOf(service)).get("tiktok"), { ...stopped, id: demo.id })

      const { read: again } = yield* readEvents(service)
      yield* call("DELETE", "/v1/platform-apps/tiktok")
      yield* until(() => again.length > 0)
      assert.deepInclude(again[0], { type: "account.connected" })
      assert.deepInclude((yield* accountsOf(service)).get("tiktok"), {
        demo: "active",
        status: "connected",
        status_reason: null
      })

      yield* call("PUT", "/v1/platform-apps/tiktok", app)
      yield* call("DELETE", `/v1/social-accounts/${demo.id}`)
      yield* call("DELETE", "/v1/platform-apps/tiktok")
      yield* service.terminate
      yield* service.start
      assert.deepInclude((yield* accountsOf(service)).get("tiktok"), {
        id: demo.id,
        demo: "removed",
        status: "disconnected"
      })
      assert.deepStrictEqual(yield* sandbox.on("tiktok").requests("tiktok-demo"), [])
    }),
  300_000
)

it.live(
  "a real account replaces the demo account of its network, which still publishes, and an instance with a real account gets no demo account",
  () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess.make()
      const server = yield* realServer(`${sandbox.url}/mastodon.sandbox`)
      const connectReal = ({ call }: ServiceCalls) =>
        call("POST", "/v1/social-accounts", {
          platform: "mastodon",
          credentials: { server, access_token: "realbells.sandbox" }
        })
      const env = { SANDBOX_URL: sandbox.url }
      const service = yield* startService({ env })
      const demo = (yield* accountsOf(service)).get("mastodon")
      assert.strictEqual(demo.demo, "active")
      const { body: real } = yield* connectReal(service)
      assert.deepInclude(real, { demo: null, network: "real" })
      const { body: replaced } = yield* service.call("GET", `/v1/social-accounts/${demo.id}`)
      assert.deepInclude(replaced, { demo: "replaced", network: "test", status: "connected" })
      yield* Effect.gen(function* () {
        const { id } = yield* create({ caption: "Still a demo", social_accounts: [demo.id] })
        assert.strictEqual((yield* settled(id)).status, "published")
      }).pipe(Effect.provideService(Service, service))

      const before = yield* startService()
      yield* connectReal(before)
      yield* before.terminate
      const { database, dataDir } = before
      const after = yield* startService({ env, database, dataDir })
      assert.deepStrictEqual([...(yield* accountsOf(after)).keys()], ["mastodon"])
    }),
  300_000
)
