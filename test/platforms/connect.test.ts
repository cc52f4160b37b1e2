import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { connectAccount } from "@carillon/testing/ConnectedAccount"
import { create, settled } from "@carillon/testing/Publishing"
import { callsWith, Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"

layer(SharedService, { excludeTestServices: true, timeout: "180 seconds" })(
  "connecting on the test network's consent page",
  (it) => {
    it.effect("ends with an account that publishes", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const sandbox = yield* SandboxProcess
        const { status, body } = yield* service.call("POST", "/v1/social-accounts/connect", {
          platform: "sandbox",
          redirect_url: "http://127.0.0.1:9/done"
        })
        assert.strictEqual(status, 201)
        const visit = (url: string, init: RequestInit = {}) =>
          Effect.promise(() => fetch(url, { redirect: "manual", ...init }))
        const begun = yield* visit(body.authorize_url, { method: "POST" })
        const cookie = begun.headers.get("set-cookie")!.split(";", 1)[0]!
        const consent = begun.headers.get("location")!
        assert.isTrue(consent.startsWith(sandbox.url))
        const allowed = yield* visit(consent, {
          method: "POST",
          body: new URLSearchParams({ username: "in-the-browser", scope: "post", decision: "allow" })
        })
        const ended = yield* visit(allowed.headers.get("location")!, { headers: { cookie } })
        const end = new URL(ended.headers.get("location")!).searchParams
        assert.strictEqual(end.get("status"), "connected")
        const post = yield* create({
          social_accounts: [Number(end.get("social_account_id"))],
          caption: "From the browser"
        })
        assert.strictEqual((yield* settled(post.id)).status, "published")
        assert.lengthOf(yield* sandbox.publications("in-the-browser"), 1)
      })
    )

    it.effect(
      "connecting on the test network's consent page is linked to in the words of clients of similar services too, and goes back in the end",
      () =>
        Effect.gen(function* () {
          const service = yield* Service
          const { status, body } = yield* service.call("POST", "/v1/social-accounts/connect-link", {
            platform: "sandbox",
            return_url: "http://127.0.0.1:9/back"
          })
          assert.strictEqual(status, 201)
          assert.hasAllKeys(body, ["url", "expires_at"])
          const visit = (url: string, init: RequestInit = {}) =>
            Effect.promise(() => fetch(url, { redirect: "manual", ...init }))
          const begun = yield* visit(body.url, { method: "POST" })
          const cookie = begun.headers.get("set-cookie")!.split(";", 1)[0]!
          const denied = yield* visit(begun.headers.get("location")!, {
            method: "POST",
            body: new URLSearchParams({ username: "nobody", decision: "deny" })
          })
          const ended = yield* visit(denied.headers.get("location")!, { headers: { cookie } })
          assert.match(ended.headers.get("location")!, /^http:\/\/127\.0\.0\.1:9\/back\?.*status=failed/)
        })
    )

    it.effect("registers five times an hour at a server, and says when the next visit can begin", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const sandbox = yield* SandboxProcess
        // However the server is written, and whatever the case of its name.
        const written = ["snac.sandbox", "https://SNAC.sandbox/", "snac.sandbox:443", "@alice@snac.sandbox"]
        const answers = yield* Effect.forEach(
          Array.from({ length: 30 }, (_, index) => written[index % written.length]),
          (server) =>
            service.call("POST", "/v1/social-accounts/connect", { platform: "mastodon", fields: { server } }),
          { concurrency: "unbounded" }
        )
        const statuses = answers.map(({ status }) => status).sort()
        assert.deepStrictEqual(statuses, [...Array(5).fill(201), ...Array(25).fill(429)])
        const requests = yield* sandbox.on("mastodon").requests("snac.sandbox")
        assert.lengthOf(
          requests.filter(({ operation }) => operation === "register"),
          5
        )
        const { body, headers } = answers.find(({ status }) => status === 429)!
        assert.strictEqual(body.code, "rate_limited")
        assert.match(body.detail, /^Mastodon: .*snac\.sandbox.* again at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/)
        assert.isAbove(Number(headers.get("retry-after")), 3000)
        assert.isAtMost(Number(headers.get("retry-after")), 3600)
        // A token needs no app.
        const { status } = yield* service.call("POST", "/v1/social-accounts", {
          platform: "mastodon",
          credentials: { server: "snac.sandbox", access_token: "sixth-visitor.sandbox" }
        })
        assert.strictEqual(status, 201)
      })
    )

    it.effect("connects nothing when the person says no", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const { body } = yield* service.call("POST", "/v1/social-accounts/connect", { platform: "sandbox" })
        const visit = (url: string, init: RequestInit = {}) =>
          Effect.promise(() => fetch(url, { redirect: "manual", ...init }))
        const begun = yield* visit(body.authorize_url, { method: "POST" })
        const cookie = begun.headers.get("set-cookie")!.split(";", 1)[0]!
        const denied = yield* visit(begun.headers.get("location")!, {
          method: "POST",
          body: new URLSearchParams({ username: "nobody", decision: "deny" })
        })
        const ended = yield* visit(denied.headers.get("location")!, { headers: { cookie } })
        assert.strictEqual(ended.status, 400)
        assert.include(yield* Effect.promise(() => ended.text()), "nothing was connected")
      })
    )
  }
)

/** A server of the AT Protocol as far as connecting an account asks it: whoever comes gets this session. */
const strangersServer = (session: object) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const calls: Array<string> = []
      const server = createServer((request, response) => {
        calls.push(new URL(request.url!, "http://stranger").pathname.replace("/xrpc/com.atproto.", ""))
        response.writeHead(200, { "content-type": "application/json" })
        response.end(JSON.stringify({ accessJwt: "access", refreshJwt: "refresh", ...session }))
      })
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      return { calls, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
    }),
    ({ server }) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )

layer(SharedService, { excludeTestServices: true })("a server that a person names for Bluesky", (it) => {
  it.effect("a server that a person names for Bluesky is the test network by any of its addresses", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const { url } = yield* SandboxProcess
      for (const named of ["https://bsky.sandbox", "https://BSKY.sandbox:443/", url, `${url}/`]) {
        const { body, status } = yield* service.call("POST", "/v1/social-accounts", {
          platform: "bluesky",
          credentials: {
            identifier: "by-address.bsky.sandbox",
            app_password: "bell-bell-bell-bell",
            service: named
          }
        })
        assert.deepStrictEqual([status, body.username], [201, "by-address.bsky.sandbox"], named)
      }
    })
  )

  it.effect.each([
    ["a handle", "handle", "mallory.example"],
    ["an e-mail address", "mail", "mallory@example.com"],
    ["the DID that it claims", "did", "did:web:claimed-did.bsky.sandbox"]
  ])("gets no account but its own: signed in by %s", ([, name, identifier]) =>
    Effect.gen(function* () {
      const service = yield* Service
      const sandbox = (yield* SandboxProcess).on("bluesky")
      const victim = yield* connectAccount("bluesky", `claimed-${name}`)
      const own = yield* connectAccount("bluesky", `claiming-${name}`)
      const { body: made } = yield* service.call("POST", "/v1/api-keys", {
        name: "of one account",
        scopes: ["posts:write", "accounts:write"],
        social_accounts: [own]
      })
      const limited = callsWith(service.url, made.key)
      assert.strictEqual((yield* limited.call("GET", `/v1/social-accounts/${victim}`)).status, 404)

      const handle = `claimed-${name}.bsky.sandbox`
      const stranger = yield* strangersServer({ did: `did:web:${handle}`, handle })
      const { body, status } = yield* limited.call("POST", "/v1/social-accounts", {
        platform: "bluesky",
        credentials: { identifier, app_password: "anything", service: stranger.url }
      })
      assert.deepStrictEqual(
        [status, body.errors?.[0].code],
        [400, "account_elsewhere"],
        JSON.stringify(body)
      )
      assert.include(body.errors[0].message, "https://bsky.sandbox")

      const { id } = yield* create({ social_accounts: [victim], caption: "The secret plan" })
      assert.strictEqual((yield* settled(id)).status, "published")
      assert.lengthOf(yield* sandbox.publications(`claimed-${name}`), 1)
      assert.deepStrictEqual(stranger.calls, ["server.createSession", "server.deleteSession"])
    })
  )
})
