import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { connectAccount } from "@carillon/testing/ConnectedAccount"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"

layer(SharedService, { excludeTestServices: true, concurrent: true })("what the test network plays", (it) => {
  it.effect(
    "says so on every network, also after it was disconnected, and in the list of what can be connected",
    () =>
      Effect.gen(function* () {
        const { call } = yield* Service
        const { body: instance } = yield* call("GET", "/v1/instance")
        const networks: ReadonlyArray<string> = instance.connectable.map(
          ({ platform }: { platform: string }) => platform
        )
        assert.isAtLeast(networks.length, 11)
        for (const platform of networks) {
          const id = yield* connectAccount(platform as never, `played${platform.slice(0, 4)}`)
          const { body: account } = yield* call("GET", `/v1/social-accounts/${id}`)
          assert.strictEqual(account.network, "test", platform)
          const { body: list } = yield* call("GET", `/v1/social-accounts?platform=${platform}`)
          assert.deepStrictEqual(
            list.data.map(({ network }: { network: string }) => network),
            ["test"],
            platform
          )
        }
        const played = instance.connectable.flatMap(
          ({ network, platform }: { network: string; platform: string }) =>
            network === "test" ? [platform] : []
        )
        // People name the servers of the others, and the service of these tests has a Bot API of its own.
        assert.deepStrictEqual(played, [
          "tiktok",
          "instagram",
          "youtube",
          "pinterest",
          "twitter",
          "linkedin",
          "facebook",
          "threads",
          "telegram",
          "google_business",
          "sandbox"
        ])
        assert.match(instance.test_network_url, /^http:\/\//)

        const { body: mastodon } = yield* call("GET", "/v1/social-accounts?platform=mastodon")
        const [{ id }] = mastodon.data
        yield* call("DELETE", `/v1/social-accounts/${id}`)
        const { body: gone } = yield* call("GET", `/v1/social-accounts/${id}`)
        assert.deepInclude(gone, { status: "disconnected", network: "test" })
      })
  )
})
