import { CredentialCipher } from "@carillon/server/crypto/CredentialCipher"
import { withSealedHandles } from "@carillon/server/accounts/SealedHandles"
import { Secrets } from "@carillon/server/crypto/Secrets"
import type { Handle } from "@carillon/server/engine/Handle"
import { Accepted, type Platform } from "@carillon/server/platforms/Platform"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer, Redacted } from "effect"
import { noneTaken, request } from "../platforms/TestRequest.ts"

const address = "https://upload.example/video?upload_id=whoever-has-this-can-upload"
const credentials = Redacted.make({})
const ask_after = Duration.seconds(1)

/** A platform whose every step gives the handle that it was given, one step further. */
const stepping = (seen: Array<Handle | null>) => {
  const next = (handle: Handle | null): Handle => {
    seen.push(handle)
    return { session: address, step: Number(handle?.["step"] ?? 0) + 1 }
  }
  return {
    id: "youtube",
    secret_handle_fields: ["session"],
    prepare: (_post, _credentials, saved, save) =>
      Effect.gen(function* () {
        const handle = next(saved)
        yield* save(handle)
        return { _tag: "ready", handle } as const
      }),
    poll: (_post, _credentials, handle) =>
      Effect.succeed({ _tag: "wait", handle: next(handle), poll_after: ask_after }),
    commit: (_post, _credentials, handle) =>
      Effect.succeed(new Accepted({ handle: next(handle), ask_after })),
    reconcile: (_post, _credentials, handle) =>
      Effect.succeed({ _tag: "working", handle: next(handle), ask_after }),
    confirm: (_post, _credentials, handle, data) => Effect.as(Effect.succeed(next(handle)), data)
  } as Partial<Platform> as Platform
}

const under = (present: number, ...former: ReadonlyArray<number>) =>
  Effect.provide(
    CredentialCipher,
    CredentialCipher.layer.pipe(
      Layer.provide(
        Layer.succeed(
          Secrets,
          Secrets.of({
            root: Redacted.make("not used here"),
            key: () => new Uint8Array(32).fill(present),
            formerKeys: () => former.map((byte) => new Uint8Array(32).fill(byte))
          })
        )
      )
    )
  )

const handleOf = (step: { readonly handle: Handle }) => step.handle

describe("what is secret in a handle", () => {
  it.effect(
    "what is secret in a handle is encrypted for the store and plain for the adapter, at every step",
    () =>
      Effect.gen(function* () {
        const seen: Array<Handle | null> = []
        const platform = withSealedHandles(yield* under(1), stepping(seen))
        const stored: Array<Handle> = []
        const keep = (handle: Handle) => Effect.sync(() => void stored.push(handle))
        const post = request()
        keepStep(stored, yield* platform.prepare(post, credentials, null, keep))
        keepStep(stored, yield* platform.poll(post, credentials, stored.at(-1)!))
        keepStep(stored, (yield* platform.commit(post, credentials, stored.at(-1)!)) as Accepted)
        const found = yield* platform.reconcile(post, credentials, stored.at(-1)!, noneTaken)
        keepStep(stored, found as typeof found & { readonly handle: Handle })
        const data = { id: "1", url: null, username: "demo" }
        yield* platform.confirm(post, credentials, stored.at(-1)!, data)

        assert.deepStrictEqual(seen, [null, ...[1, 2, 3, 4].map((step) => ({ session: address, step }))])
        assert.deepStrictEqual(
          stored.map(({ step }) => step),
          [1, 1, 2, 3, 4]
        )
        assert.notInclude(JSON.stringify(stored), "upload")
      })
  )

  it.effect("opens under a former CARILLON_SECRET, and neither without it nor for another target", () =>
    Effect.gen(function* () {
      const seen: Array<Handle | null> = []
      const post = request()
      const before = withSealedHandles(yield* under(1), stepping([]))
      const stored = handleOf(yield* before.poll(post, credentials, { step: 0 }))
      const poll = (cipher: CredentialCipher["Service"], of = post) =>
        withSealedHandles(cipher, stepping(seen)).poll(of, credentials, stored)
      yield* poll(yield* under(2, 1))
      yield* poll(yield* under(2))
      yield* poll(yield* under(1), request({ target_id: "01938f4a-0000-7000-8000-000000000002" }))
      assert.deepStrictEqual(seen, [{ session: address, step: 1 }, { step: 1 }, { step: 1 }])
    })
  )
})

const keepStep = (stored: Array<Handle>, step: { readonly handle: Handle }) => stored.push(handleOf(step))
