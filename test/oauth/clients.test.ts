import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import {
  consentPage,
  followToApp,
  disconnectsApp,
  latestApp,
  PlainBrowser,
  promised,
  signedInBrowser,
  tickedOf
} from "@carillon/testing/OAuthBrowser"
import { type Kept, memory, sdkNames, sdks } from "@carillon/testing/SdkClients"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"

/** The person's part: the consent page, and where the app is sent. */
const consent = async (
  browser: PlainBrowser,
  kept: Kept,
  decision: "allow" | "deny",
  without: ReadonlyArray<string> = []
) => {
  const address = kept.address!
  const page = await consentPage(browser, address.pathname + address.search)
  const ticked = tickedOf(page.html).filter(([, value]) => !without.includes(value))
  return followToApp(browser, await browser.post(page.path, page.html, [...ticked, ["decision", decision]]))
}

layer(SharedService, { excludeTestServices: true, timeout: "180 seconds" })(
  "with the address alone",
  (it) => {
    for (const name of sdkNames) {
      it.effect(`${name} registers, is let in, calls tools, refreshes, and is put out`, () =>
        Effect.gen(function* () {
          const service = yield* Service
          yield* promised(async () => {
            const sdk = sdks(service.url)[name]
            const browser = await signedInBrowser(service)
            const { kept, provider } = memory()
            await refuses(() => sdk.connect(provider))
            assert.isDefined(kept.client.client_id)
            assert.strictEqual(kept.address!.searchParams.get("resource"), `${service.url}/mcp`)
            await sdk.finish(provider, await consent(browser, kept, "allow"))
            const session = await sdk.connect(provider)
            const { structuredContent } = await session.call("list_accounts", {})
            assert.isArray(structuredContent.accounts)
            // An access token that is no good any more: the SDK refreshes by itself.
            const before = kept.tokens.refresh_token
            kept.tokens = { ...kept.tokens, access_token: "A".repeat(43) }
            await session.call("list_posts", {})
            assert.notStrictEqual(kept.tokens.refresh_token, before)
            await disconnectsApp(browser, await latestApp(browser))
            await refuses(async () => {
              for (;;) await session.call("list_posts", {})
            })
            await session.close().catch(() => {})
            // From the start, as the app does when its tokens are no good: the person is asked again.
            delete kept.address
            delete kept.tokens
            await refuses(() => sdk.connect(provider))
            assert.isDefined(kept.address)
          })
        })
      )

      it.effect(
        `${name} is told on a tool call what it lacks, asks the person for all of it, and then may`,
        () =>
          Effect.gen(function* () {
            const service = yield* Service
            yield* promised(async () => {
              const sdk = sdks(service.url)[name]
              const browser = await signedInBrowser(service)
              // The first SDK asks a person again only where it has nothing to refresh.
              const { kept, provider } = memory({ keepsRefreshToken: name !== "the first SDK" })
              await refuses(() => sdk.connect(provider))
              // An app that began with little.
              kept.address!.searchParams.set("scope", "accounts:read posts:read")
              await sdk.finish(provider, await consent(browser, kept, "allow"))
              assert.strictEqual(kept.tokens.scope, "accounts:read posts:read")
              const session = await sdk.connect(provider)
              await session.call("list_posts", {})
              delete kept.address
              await refuses(() => session.call("list_media", {}))
              const asked = kept.address!.searchParams.get("scope")!.split(" ")
              // The second SDK asks for a refresh token by itself.
              assert.sameMembers(
                asked.filter((scope) => scope !== "offline_access"),
                ["accounts:read", "posts:read", "media:read"]
              )
              await sdk.finish(provider, await consent(browser, kept, "allow"))
              const { structuredContent } = await session.call("list_media", {})
              assert.isArray(structuredContent.media)
              assert.isArray((await session.call("list_posts", {})).structuredContent.posts)
              await session.close()
            })
          })
      )

      it.effect(`${name} hears that the person said no`, () =>
        Effect.gen(function* () {
          const service = yield* Service
          yield* promised(async () => {
            const sdk = sdks(service.url)[name]
            const browser = await signedInBrowser(service)
            const { kept, provider } = memory()
            await refuses(() => sdk.connect(provider))
            const back = await consent(browser, kept, "deny")
            assert.strictEqual(back.searchParams.get("error"), "access_denied")
            assert.isUndefined(kept.tokens)
          })
        })
      )
    }
  }
)

const refuses = async (attempt: () => Promise<unknown>) => {
  const failed = await attempt().then(
    () => false,
    () => true
  )
  assert.isTrue(failed)
}
