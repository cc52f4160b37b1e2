import { SandboxProcess } from "@carillon/sandbox/testing"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import sharp from "sharp"

const connect = Effect.fnUntraced(function* (username: string) {
  const service = yield* Service
  const { body } = yield* service.call("POST", "/v1/social-accounts", {
    platform: "sandbox",
    credentials: { username, password: "sandbox" }
  })
  return body
})

const get = (url: string) => Effect.promise(() => fetch(url))

layer(SharedService, { excludeTestServices: true, concurrent: true, timeout: "180 seconds" })(
  "the picture of an account",
  (it) => {
    it.effect(
      "the picture of an account is a small copy at an address of this service, wherever the account is told",
      () =>
        Effect.gen(function* () {
          const service = yield* Service
          const sandbox = yield* SandboxProcess
          const account = yield* connect("avatar-kept")
          assert.isTrue(account.avatar_url.startsWith(`${service.url}/media/accounts/${account.id}/`))
          const read = yield* service.call("GET", `/v1/social-accounts/${account.id}`)
          assert.strictEqual(read.body.avatar_url, account.avatar_url)
          const list = yield* service.call("GET", "/v1/social-accounts?username=avatar-kept")
          assert.strictEqual(list.body.data[0].avatar_url, account.avatar_url)
          assert.notInclude(JSON.stringify([account, read.body, list.body]), sandbox.url)

          // No key: whoever has the address sees it, as with media.
          const answer = yield* get(account.avatar_url)
          assert.strictEqual(answer.status, 200)
          assert.strictEqual(answer.headers.get("content-type"), "image/webp")
          assert.strictEqual(answer.headers.get("x-content-type-options"), "nosniff")
          const bytes = Buffer.from(yield* Effect.promise(() => answer.arrayBuffer()))
          const { format, width, height } = yield* Effect.promise(() => sharp(bytes).metadata())
          assert.deepEqual({ format, width, height }, { format: "webp", width: 160, height: 160 })

          for (const wrong of [
            account.avatar_url.replace(`/accounts/${account.id}/`, `/accounts/${account.id + 1}/`),
            account.avatar_url.replace(/signature=.{4}/, "signature=AAAA"),
            account.avatar_url.split("?")[0]
          ]) {
            assert.strictEqual((yield* get(wrong)).status, 403, wrong)
          }
        })
    )

    it.effect("stays when the account is connected again, and goes with it", () =>
      Effect.gen(function* () {
        const service = yield* Service
        const { id, avatar_url } = yield* connect("avatar-gone")
        const again = yield* connect("avatar-gone")
        assert.strictEqual(again.id, id)
        assert.strictEqual(new URL(again.avatar_url).pathname, new URL(avatar_url).pathname)
        yield* service.call("DELETE", `/v1/social-accounts/${id}`)
        const { body } = yield* service.call("GET", `/v1/social-accounts/${id}`)
        assert.isNull(body.avatar_url)
        assert.strictEqual((yield* get(avatar_url)).status, 404)
      })
    )
  }
)
