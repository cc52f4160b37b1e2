import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { create, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
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
        const begun = yield* visit(body.authorize_url)
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

    it.effect("is linked to in the words of clients of similar services too, and goes back in the end", () =>
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
        const begun = yield* visit(body.url)
        const cookie = begun.headers.get("set-cookie")!.split(";", 1)[0]!
        const denied = yield* visit(begun.headers.get("location")!, {
          method: "POST",
          body: new URLSearchParams({ username: "nobody", decision: "deny" })
        })
        const ended = yield* visit(denied.headers.get("location")!, { headers: { cookie } })
        assert.match(ended.headers.get("location")!, /^http:\/\/127\.0\.0\.1:9\/back\?.*status=failed/)
      })
    )

    it.effect("connects nothing when the person says no", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const { body } = yield* service.call("POST", "/v1/social-accounts/connect", { platform: "sandbox" })
        const visit = (url: string, init: RequestInit = {}) =>
          Effect.promise(() => fetch(url, { redirect: "manual", ...init }))
        const begun = yield* visit(body.authorize_url)
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
