import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { asciiName } from "@carillon/server/media/files/SignedUrls"
import { mediaServer, put, reserve, send, upload, call, storedFiles } from "../MediaServer.ts"
import { jpeg } from "../Pictures.ts"

const parts = (url: string) => {
  const { searchParams } = new URL(url)
  return { expires: searchParams.get("expires")!, signature: searchParams.get("signature")! }
}

/** Every text that differs from this one in one character. */
const spoiled = (text: string) =>
  Array.from(text, (char, index) => text.slice(0, index) + (char === "1" ? "2" : "1") + text.slice(index + 1))

layer(mediaServer)("a signed URL", (it) => {
  it.effect(
    "a signed URL for uploading is void when any character of its id, time or signature is another",
    () =>
      Effect.gen(function* () {
        const bytes = yield* jpeg()
        const { upload_url, media_id } = yield* reserve("image/jpeg", bytes.byteLength)
        const { expires, signature } = parts(upload_url)
        const changed = [
          ...spoiled(expires).map((other) => upload_url.replace(expires, other)),
          ...spoiled(signature).map((other) => upload_url.replace(signature, other)),
          ...spoiled(media_id).map((other) => upload_url.replace(media_id, other)),
          upload_url.replace(signature, ""),
          upload_url.replace(signature, signature.slice(1)),
          upload_url.replace(signature, `${signature}A`),
          upload_url.replace(media_id, "..%2f..%2fsecret"),
          upload_url.replace(expires, `0${expires}`),
          upload_url.replace(expires, `${expires}.0`)
        ]
        const answers = yield* Effect.forEach(changed, (url) => put(url, "image/jpeg", bytes), {
          concurrency: 8
        })
        assert.deepStrictEqual(
          answers.filter(({ status, body }) => status !== 403 || body.code !== "signature_invalid"),
          []
        )
        assert.notInclude(yield* storedFiles, media_id)
        assert.strictEqual((yield* put(upload_url, "image/jpeg", bytes)).status, 200)
      })
  )

  it.effect("a signed URL for uploading is good for the type and size that were reserved only", () =>
    Effect.gen(function* () {
      const bytes = yield* jpeg()
      const one = yield* reserve("image/jpeg", bytes.byteLength)
      const larger = yield* reserve("image/jpeg", bytes.byteLength + 1)
      const other = yield* reserve("image/png", bytes.byteLength)
      for (const { media_id } of [larger, other]) {
        const moved = one.upload_url.replace(one.media_id, media_id)
        const { status, body } = yield* put(moved, "image/jpeg", bytes)
        assert.strictEqual(status, 403)
        assert.strictEqual(body.code, "signature_invalid")
      }
    })
  )

  it.effect("a signed URL for uploading does not open the file, nor the other way round", () =>
    Effect.gen(function* () {
      const bytes = yield* jpeg()
      const { upload_url, media_id } = yield* reserve("image/jpeg", bytes.byteLength)
      const { url } = (yield* put(upload_url, "image/jpeg", bytes)).body
      const swapped = yield* send(url.replace(new URL(url).search, new URL(upload_url).search))
      assert.strictEqual(swapped.status, 403)
      const back = yield* put(
        upload_url.replace(new URL(upload_url).search, new URL(url).search),
        "image/jpeg",
        bytes
      )
      assert.strictEqual(back.status, 403)
      for (const method of ["GET", "POST", "DELETE", "PATCH"]) {
        const { status } = yield* send(upload_url, { method })
        assert.strictEqual(status, 405, method)
      }
      assert.strictEqual((yield* call("GET", `/v1/media/${media_id}`)).body.status, "ready")
    })
  )

  it.effect(
    "a signed URL for a file is void when any character of its id, time or signature is another",
    () =>
      Effect.gen(function* () {
        const { url, id } = yield* upload("image/jpeg", yield* jpeg())
        const { expires, signature } = parts(url!)
        const changed = [
          ...spoiled(expires).map((other) => url!.replace(expires, other)),
          ...spoiled(signature).map((other) => url!.replace(signature, other)),
          ...spoiled(id).map((other) => url!.replace(id, other)),
          url!.replace(/\?.*/, ""),
          url!.replace(/&.*/, "")
        ]
        const answers = yield* Effect.forEach(changed, (changedUrl) => send(changedUrl), { concurrency: 8 })
        assert.deepStrictEqual(
          answers.filter(({ status, body }) => status !== 403 || body.code !== "signature_invalid"),
          []
        )
      })
  )

  it.effect("a signed URL for uploading ends at its second", () =>
    Effect.gen(function* () {
      const bytes = yield* jpeg()
      const { upload_url, expires_at } = yield* reserve("image/jpeg", bytes.byteLength)
      yield* TestClock.setTime(Date.parse(String(expires_at)))
      const late = yield* put(upload_url, "image/jpeg", bytes)
      assert.strictEqual(late.status, 403)
      assert.strictEqual(late.body.code, "signature_expired")
      assert.include(late.body.detail, String(expires_at))
    })
  )

  it.effect("a signed URL for a file stays the same within the hour and is good for a day at least", () =>
    Effect.gen(function* () {
      const { id, url } = yield* upload("image/jpeg", yield* jpeg())
      const later = () => Effect.map(call("GET", `/v1/media/${id}`), ({ body }) => body.url)
      // The clock of this file stands at one o'clock by now.
      yield* TestClock.adjust("50 minutes")
      assert.strictEqual(yield* later(), url)
      yield* TestClock.adjust("10 minutes")
      assert.notStrictEqual(yield* later(), url)
      yield* TestClock.adjust("23 hours")
      assert.strictEqual((yield* send(url!)).status, 200)
      yield* TestClock.adjust("1 hour")
      const late = yield* send(url!)
      assert.strictEqual(late.status, 403)
      assert.strictEqual(late.body.code, "signature_expired")
    })
  )
})

layer(Layer.empty)("the name in a file's URL", (it) => {
  it.effect.prop(
    "the name in a file's URL is one harmless path segment whatever the file is called",
    [Schema.String],
    ([name]) =>
      Effect.sync(() => assert.match(asciiName(name), /^[A-Za-z0-9_]([A-Za-z0-9._-]{0,78}[A-Za-z0-9_])?$/))
  )
})
