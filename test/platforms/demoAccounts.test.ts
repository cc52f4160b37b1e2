import { SandboxProcess } from "@carillon/sandbox/testing"
import { connectAccount } from "@carillon/testing/ConnectedAccount"
import { files, networks, postOf, posts, upload } from "@carillon/testing/PostsEverywhere"
import { create, settled } from "@carillon/testing/Publishing"
import { freePort, Service, startService } from "@carillon/testing/ServiceProcess"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"

const names = (platform: string) =>
  platform === "sandbox" ? "demo" : platform === "telegram" ? "telegram_demo" : `${platform}-demo`

it.live(
  "a first start stores an account of every network without the test network, which takes their posts when it runs and knows them",
  () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const service = yield* startService({ env: { SANDBOX_URL: `http://127.0.0.1:${port}`, SANDBOX_SETTLE_WAIT: "1 second" } })
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
        const [film] = posts
        const { id } = yield* create({
          ...postOf(film!, yield* upload(directory, film!)),
          social_accounts: networks.map((network) => of.get(network).id)
        })
        const { results, status } = yield* settled(id)
        assert.strictEqual(status, "published", JSON.stringify(results))
        for (const network of networks)
          assert.lengthOf(yield* sandbox.on(network).publications(names(network)), 1, network)

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
  120_000
)
