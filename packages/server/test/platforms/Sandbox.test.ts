import type { PublishRequest } from "@carillon/server/platforms/Platform"
import { typedAt } from "@carillon/testing/ConnectedAccount"
import { SharedSandbox } from "@carillon/testing/SharedService"
import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Redacted, Stream } from "effect"
import { createHash } from "node:crypto"
import { adapters } from "./Adapters.ts"
import { publisher, somebody } from "./Publisher.ts"
import { image, live, video } from "./TestRequest.ts"

const sandbox = { ...adapters.sandbox, typed: typedAt.sandbox }
/** An account of its own with what is needed to publish for it. */
const connected = (values?: Partial<PublishRequest>) => publisher(sandbox, values)

const Network = Layer.merge(SharedSandbox, NodeHttpClient.layerUndici)

layer(Network)("what is the sandbox's own", (it) => {
  describe("connect and refresh", () => {
    it.effect("tells what the account is called", () =>
      Effect.gen(function* () {
        const { account } = yield* connected()
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
        const { platform } = yield* somebody(sandbox)
        const error = yield* Effect.flip(platform.connect!(signIn))
        assert.deepInclude(error, { class: "reconnect", code: "credentials_rejected" })
        assert.notInclude(JSON.stringify(error), "hunter2")
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
        const { platform } = yield* somebody(sandbox)
        assert.strictEqual((yield* Effect.flip(platform.refresh(Redacted.make({})))).class, "reconnect")
      })
    )
  })

  describe("publishing", () => {
    it.effect("brings text, title, files and descriptions across", () =>
      Effect.gen(function* () {
        const bytes = Array.from({ length: 3 }, (_, index) => new Uint8Array(70_000).fill(index))
        const { url, publications, platform, credentials, post, prepare } = yield* connected({
          caption: "Grüße 🎉",
          media: [image("a", { alt_text: "its own" }), video("b", Stream.fromIterable(bytes), 210_000)],
          options: { title: "A title", alt_text: ["first", "second"] }
        })
        const { id, url: address } = live(
          yield* platform.commit(post, credentials, (yield* prepare()).handle)
        )
        const [publication] = yield* publications
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
        assert.strictEqual(address, `${url}/posts/${id}`)
      })
    )

    it.effect("gives one description to every file, and none where there is none", () =>
      Effect.gen(function* () {
        const descriptions = Effect.fn(function* (options: PublishRequest["options"]) {
          const { publications, platform, credentials, post, prepare } = yield* connected({
            media: [image("a"), image("b")],
            options
          })
          yield* platform.commit(post, credentials, (yield* prepare()).handle)
          return (yield* publications).flatMap(({ media }) => media.map(({ alt_text }) => alt_text))
        })
        assert.deepStrictEqual(yield* descriptions({ alt_text: "both" }), ["both", "both"])
        assert.deepStrictEqual(yield* descriptions({ alt_text: ["one"] }), ["one", null])
        assert.deepStrictEqual(yield* descriptions({}), [null, null])
      })
    )

    it.effect("uploads again what the sandbox has lost", () =>
      Effect.gen(function* () {
        const { publications, platform, credentials, post, prepare } = yield* connected({
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
        assert.lengthOf(yield* publications, 1)
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
  })
})
