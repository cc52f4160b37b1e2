import { SandboxProcess } from "@carillon/sandbox/testing"
import type { PublishRequest } from "@carillon/server/platforms/Platform"
import { makeSandbox } from "@carillon/server/platforms/Sandbox"
import { SharedSandbox } from "@carillon/testing/SharedService"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Redacted, Stream } from "effect"
import { HttpClient } from "effect/http"
import { createHash } from "node:crypto"
import { closedPort } from "./ScriptedServer.ts"
import { image, live, request, savedHandles, video } from "./TestRequest.ts"

let accounts = 0
const newUsername = () => `account-${++accounts}`

const adapter = Effect.gen(function* () {
  const { url } = yield* SandboxProcess
  return makeSandbox(yield* HttpClient.HttpClient, url)
})

/** An account of its own with what is needed to publish for it. */
const connected = Effect.fn(function* (values: Partial<PublishRequest> = {}) {
  const sandbox = yield* SandboxProcess
  const platform = yield* adapter
  const username = newUsername()
  const { credentials } = yield* platform.connect!({ username, password: "sandbox" })
  const post = request({ username, target_id: `target-of-${username}`, ...values })
  const { save } = yield* savedHandles
  return {
    sandbox,
    platform,
    username,
    credentials,
    post,
    prepare: () => platform.prepare(post, credentials, null, save)
  }
})

const Network = Layer.merge(SharedSandbox, NodeHttpClient.layerUndici)

layer(Network)("what is the sandbox's own", (it) => {
  describe("connect and refresh", () => {
    it.effect("tells what the account is called", () =>
      Effect.gen(function* () {
        const platform = yield* adapter
        const username = newUsername()
        const account = yield* platform.connect!({ username, password: "sandbox" })
        assert.match(account.remote_id, /^74\d{17}$/)
        assert.isString(account.display_name)
        assert.isTrue(URL.canParse(account.avatar_url ?? ""))
        assert.deepStrictEqual(account.token_expires_at, DateTime.makeUnsafe(3_600_000))
        assert.notInclude(JSON.stringify(account), '"sandbox"')
      })
    )

    it.effect.each([
      ["password", { username: "alice", password: "hunter2-secret" }],
      ["username", { username: "not a name", password: "sandbox" }]
    ])("rejects a wrong %s without repeating the password", ([, signIn]) =>
      Effect.gen(function* () {
        const platform = yield* adapter
        const error = yield* Effect.flip(platform.connect!(signIn))
        assert.deepInclude(error, { class: "reconnect", code: "credentials_rejected" })
        assert.notInclude(JSON.stringify(error), "hunter2")
      })
    )

    it.effect("asks for a refresh when the token has run out, and works with the new one", () =>
      Effect.gen(function* () {
        const { sandbox, platform, username, post, prepare } = yield* connected()
        yield* sandbox.script(username, [{ on: "session", fault: "short_lived", seconds: 0 }])
        const { credentials } = yield* platform.connect!({ username, password: "sandbox" })
        const { handle } = yield* prepare()
        const error = yield* Effect.flip(platform.commit(post, credentials, handle))
        assert.deepInclude(error, { class: "reconnect", code: "token_expired", token_expired: true })
        const renewed = yield* platform.refresh(credentials)
        yield* platform.commit(post, renewed.credentials, handle)
        assert.lengthOf(yield* sandbox.publications(username), 1)
      })
    )

    it.effect("asks for a refresh when the sandbox has forgotten the token", () =>
      Effect.gen(function* () {
        const { platform, post } = yield* connected()
        const credentials = Redacted.make({
          username: post.username,
          password: "sandbox",
          token: "forgotten"
        })
        const error = yield* Effect.flip(platform.commit(post, credentials, { media: {} }))
        assert.deepInclude(error, { code: "token_invalid", token_expired: true })
      })
    )

    it.effect("wants a new connection when what is stored cannot be read", () =>
      Effect.gen(function* () {
        const platform = yield* adapter
        assert.strictEqual((yield* Effect.flip(platform.refresh(Redacted.make({})))).class, "reconnect")
      })
    )
  })

  describe("publishing", () => {
    it.effect("brings text, title, files and descriptions across", () =>
      Effect.gen(function* () {
        const bytes = Array.from({ length: 3 }, (_, index) => new Uint8Array(70_000).fill(index))
        const { sandbox, platform, username, credentials, post, prepare } = yield* connected({
          caption: "Grüße 🎉",
          media: [image("a", { alt_text: "its own" }), video("b", Stream.fromIterable(bytes), 210_000)],
          options: { title: "A title", alt_text: ["first", "second"] }
        })
        const { id, url } = live(yield* platform.commit(post, credentials, (yield* prepare()).handle))
        const [publication] = yield* sandbox.publications(username)
        assert.deepInclude(publication, {
          id,
          text: "Grüße 🎉",
          title: "A title",
          idempotency_key: post.target_id,
          client_reference: post.target_id
        })
        assert.deepStrictEqual(
          publication!.media.map(({ sha256, content_type, alt_text }) => [sha256, content_type, alt_text]),
          [
            [createHash("sha256").update("image a").digest("hex"), "image/jpeg", "its own"],
            [createHash("sha256").update(Buffer.concat(bytes)).digest("hex"), "video/mp4", "second"]
          ]
        )
        assert.isAbove(Number(id), Number.MAX_SAFE_INTEGER)
        assert.strictEqual(url, `${sandbox.url}/posts/${id}`)
      })
    )

    it.effect("gives one description to every file, and none where there is none", () =>
      Effect.gen(function* () {
        const descriptions = Effect.fn(function* (options: PublishRequest["options"]) {
          const { sandbox, platform, username, credentials, post, prepare } = yield* connected({
            media: [image("a"), image("b")],
            options
          })
          yield* platform.commit(post, credentials, (yield* prepare()).handle)
          return (yield* sandbox.publications(username)).flatMap(({ media }) =>
            media.map(({ alt_text }) => alt_text)
          )
        })
        assert.deepStrictEqual(yield* descriptions({ alt_text: "both" }), ["both", "both"])
        assert.deepStrictEqual(yield* descriptions({ alt_text: ["one"] }), ["one", null])
        assert.deepStrictEqual(yield* descriptions({}), [null, null])
      })
    )

    it.effect("uploads again what the sandbox has lost", () =>
      Effect.gen(function* () {
        const { sandbox, platform, username, credentials, post, prepare } = yield* connected({
          media: [image("a")]
        })
        const lost = { media: { a: { id: "1", status: "processing" } } }
        const whenPolled = yield* Effect.flip(platform.poll(post, credentials, lost))
        const whenCommitted = yield* Effect.flip(platform.commit(post, credentials, lost))
        assert.deepInclude(whenPolled, { class: "transient", code: "not_found", discard_handle: true })
        assert.deepInclude(whenCommitted, {
          class: "transient",
          code: "media_not_found",
          discard_handle: true
        })
        yield* platform.commit(post, credentials, (yield* prepare()).handle)
        assert.lengthOf(yield* sandbox.publications(username), 1)
      })
    )

    it.effect("prepares again when its handle cannot be read", () =>
      Effect.gen(function* () {
        const { platform, credentials, post } = yield* connected()
        const error = yield* Effect.flip(platform.commit(post, credentials, { uploads: [] }))
        assert.deepInclude(error, { class: "transient", discard_handle: true })
      })
    )

    it.effect("knows what the sandbox refuses by itself", () =>
      Effect.gen(function* () {
        const codeOf = Effect.fn(function* (values: Partial<PublishRequest>) {
          const { platform, credentials, post, prepare } = yield* connected(values)
          const error = yield* Effect.flip(
            Effect.flatMap(prepare(), ({ handle }) => platform.commit(post, credentials, handle))
          )
          return [error.class, error.code]
        })
        assert.deepStrictEqual(yield* codeOf({ caption: "" }), ["invalid", "empty_post"])
        assert.deepStrictEqual(yield* codeOf({ caption: "x".repeat(501) }), ["invalid", "text_too_long"])
        assert.deepStrictEqual(
          yield* codeOf({
            media: [{ ...video("a", Stream.succeed(new Uint8Array(1)), 1), mime_type: "application/pdf" }]
          }),
          ["media_rejected", "unsupported_media_type"]
        )
      })
    )

    it.effect("was never sent when nothing listens there", () =>
      Effect.gen(function* () {
        const { credentials, post } = yield* connected()
        const platform = makeSandbox(yield* HttpClient.HttpClient, yield* closedPort)
        const error = yield* Effect.flip(platform.commit(post, credentials, { media: {} }))
        assert.deepInclude(error, { class: "transient", code: "ECONNREFUSED" })
      })
    )
  })
})
