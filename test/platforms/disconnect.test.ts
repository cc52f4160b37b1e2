import { type PlatformId, SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { connectAccount } from "@carillon/testing/ConnectedAccount"
import { connectInBrowser } from "@carillon/testing/ConsentVisit"
import { create, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { anotherWorkspace, SharedService } from "@carillon/testing/SharedService"

const mp4 = readFileSync(join(import.meta.dirname, "../../packages/server/test/media/fixtures/video.mp4"))

/** What the platform was asked to take back of an account: the statuses of its answers. */
const taken = Effect.fnUntraced(function* (platform: PlatformId, username: string) {
  const requests = yield* (yield* SandboxProcess).on(platform).requests(username)
  return requests.filter(({ operation }) => operation === "revoke").map(({ status }) => status)
})

const soon = <A>(effect: Effect.Effect<A, never, SandboxProcess | Service>, wanted: (value: A) => boolean) =>
  effect.pipe(
    Effect.filterOrFail(wanted, (value) => new Error(`never so: ${JSON.stringify(value)}`)),
    Effect.retry({ schedule: Schedule.spaced("50 millis"), times: 2400 }),
    Effect.orDie
  )

const disconnect = Effect.fnUntraced(function* (account: number, headers: Record<string, string> = {}) {
  const service = yield* Service
  const { status, body } = yield* service.call("DELETE", `/v1/social-accounts/${account}`, undefined, headers)
  assert.deepStrictEqual([status, body], [200, { success: true, id: account }])
})

/** What the log has said of an account since. */
const said = (words: string) =>
  Effect.map(Service, (service) =>
    service
      .output()
      .split("\n")
      .filter((line) => line.includes(words))
  )

layer(SharedService, { excludeTestServices: true, timeout: "180 seconds" })(
  "an account that is disconnected",
  (it) => {
    it.effect.each([
      ["tiktok", {}],
      ["twitter", {}],
      ["youtube", {}],
      ["google_business", {}],
      ["instagram", { login: "facebook" }],
      ["facebook", {}],
      ["linkedin", { login: "linkedin_pages" }],
      ["mastodon", { fields: { server: "mastodon.sandbox" } }],
      ["bluesky", undefined]
    ] as const)("loses its access at the platform: %s", ([platform, login]) =>
      Effect.gen(function* () {
        const connect =
          login === undefined
            ? connectAccount(platform, "leaving")
            : Effect.map(connectInBrowser(platform, "leaving", login), ([id]) => id!)
        const account = yield* connect
        yield* disconnect(account)
        yield* soon(taken(platform, "leaving"), (statuses) => statuses.length > 0)
        assert.deepStrictEqual([...new Set(yield* taken(platform, "leaving"))], [200])
        assert.strictEqual(yield* connect, account)
      })
    )

    it.effect("keeps it where the same account is connected in another workspace, which goes on", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const theirs = { authorization: `Bearer ${(yield* anotherWorkspace).key}` }
        const [mine] = yield* connectInBrowser("youtube", "shared")
        const [other] = yield* connectInBrowser("youtube", "shared", { headers: theirs })
        yield* disconnect(other!, theirs)
        yield* soon(said(`the account ${other} keeps its access`), (lines) => lines.length === 1)
        assert.deepStrictEqual(yield* taken("youtube", "shared"), [])
        const { id } = yield* create({
          social_accounts: [mine],
          caption: "Still here",
          media: [yield* service.upload(mp4, "video/mp4", "film.mp4")]
        })
        assert.strictEqual((yield* settled(id)).status, "published")
        yield* disconnect(mine!)
        yield* soon(taken("youtube", "shared"), (statuses) => statuses.length === 1)
      })
    )

    it.effect("keeps it as long as another Page of the same person is connected", () =>
      Effect.gen(function* () {
        const [first, second] = yield* connectInBrowser("instagram", "pages-two", {
          login: "facebook",
          choose: [0, 1]
        })
        yield* disconnect(first!)
        yield* soon(said(`the account ${first} keeps its access`), (lines) => lines.length === 1)
        assert.deepStrictEqual(yield* taken("instagram", "pages-two"), [])
        yield* disconnect(second!)
        yield* soon(taken("instagram", "pages-two"), (statuses) => statuses.length === 1)
      })
    )

    it.effect(
      "an account is disconnected though the platform fails, which the log says without the token",
      () =>
        Effect.gen(function* () {
          const service = yield* Service
          const sandbox = yield* SandboxProcess
          const [account] = yield* connectInBrowser("tiktok", "unheard")
          yield* sandbox.on("tiktok").script("unheard", [{ on: "revoke", fault: "server_error_before" }])
          yield* disconnect(account!)
          const [line] = yield* soon(
            said(`TikTok was not told that the account ${account} is disconnected`),
            (lines) => lines.length === 1
          )
          assert.include(line, "TikTok failed with status 500.")
          // Tokens of the test network are 43 of these.
          assert.notMatch(line!, /[\w-]{43}/)
          const { body } = yield* service.call("GET", `/v1/social-accounts/${account}`)
          assert.strictEqual(body.status, "disconnected")
          assert.deepStrictEqual(yield* taken("tiktok", "unheard"), [500])
        })
    )
  }
)
