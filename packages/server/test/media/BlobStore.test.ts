import { MediaId } from "@carillon/domain"
import { assert, layer } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import * as TestDirectory from "../../../../test/support/TestDirectory.ts"
import { BlobStore } from "@carillon/server/media/BlobStore"
import { atNoon, testConfig } from "./MediaServer.ts"

class Folder extends Context.Service<Folder, string>()("test/Folder") {}

/** As a process finds it after another one died an hour ago, and while a third one is uploading. */
const withLeftovers = Layer.effect(
  Folder,
  Effect.gen(function* () {
    const dataDir = yield* TestDirectory.make
    const staging = join(dataDir, "media/staging")
    const now = (yield* Clock.currentTimeMillis) / 1000
    yield* Effect.promise(async () => {
      await mkdir(staging, { recursive: true })
      for (const [name, age] of [
        ["abandoned", 3601],
        ["running", 3599]
      ] as const) {
        await writeFile(join(staging, name), "bytes")
        await utimes(join(staging, name), now - age, now - age)
      }
    })
    return dataDir
  })
)

const store = Layer.unwrap(
  Effect.map(Folder, (dataDir) =>
    BlobStore.layer.pipe(Layer.provide(testConfig(dataDir, "http://127.0.0.1")))
  )
).pipe(Layer.provideMerge(withLeftovers), Layer.provide(atNoon))

const id = MediaId.make("0190a000-0000-7000-8000-0123456789ab")

const stagedNames = Effect.flatMap(Folder, (dataDir) =>
  Effect.promise(() => readdir(join(dataDir, "media/staging")))
)

const bytesOf = (readable: Readable) => Effect.promise(async () => Buffer.concat(await readable.toArray()))

layer(store)("the blob store", (it) => {
  it.effect("clears away what a dead process left, and nothing younger than an hour", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* stagedNames, ["running"])
    })
  )

  it.effect("keeps nothing that was not published", () =>
    Effect.gen(function* () {
      const blobs = yield* BlobStore
      const path = yield* Effect.scoped(
        Effect.map(blobs.stage(Readable.from([Buffer.from("abc")]), 3), (staged) => {
          assert.isTrue(existsSync(staged.path))
          return staged.path
        })
      )
      assert.isFalse(existsSync(path))
      assert.strictEqual((yield* Effect.flip(Effect.scoped(blobs.open(id))))._tag, "BlobMissing")
      assert.strictEqual((yield* Effect.flip(Effect.scoped(blobs.file(id))))._tag, "BlobMissing")
    })
  )

  it.effect("puts bytes under their id, opens them in parts, and removes them", () =>
    Effect.gen(function* () {
      const blobs = yield* BlobStore
      const dataDir = yield* Folder
      yield* Effect.scoped(
        Effect.flatMap(
          blobs.stage(Readable.from([Buffer.from("hello "), Buffer.from("world")]), 11),
          (staged) => staged.publish(id)
        )
      )
      const path = join(dataDir, "media/ab/89", id)
      assert.strictEqual(yield* Effect.promise(() => readFile(path, "utf8")), "hello world")
      assert.strictEqual(yield* Effect.scoped(blobs.file(id)), path)
      const part = yield* Effect.scoped(Effect.flatMap(blobs.open(id, { start: 4, end: 6 }), bytesOf))
      assert.strictEqual(part.toString(), "o w")
      assert.deepStrictEqual(yield* stagedNames, ["running"])
      yield* blobs.remove(id)
      assert.isFalse(existsSync(path))
      yield* blobs.remove(id)
    })
  )

  for (const [what, source, size, reason] of [
    ["ends early", () => Readable.from([Buffer.from("ab")]), 3, "too_short"],
    ["is empty", () => Readable.from([]), 3, "too_short"],
    ["goes on", () => endless(), 100_000, "too_long"],
    ["breaks", () => broken(), 100_000, "interrupted"],
    ["was broken before", () => broken().destroy(), 3, "interrupted"]
  ] as const) {
    it.effect(`refuses a source that ${what}, and leaves nothing`, () =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore
        const refused = yield* Effect.flip(Effect.scoped(blobs.stage(source(), size)))
        assert.deepInclude(refused, { _tag: "BytesRefused", reason })
        assert.deepInclude(yield* Effect.flip(blobs.digest(source(), size)), { reason })
        assert.deepStrictEqual(yield* stagedNames, ["running"])
      })
    )
  }

  it.effect("leaves nothing of an upload that is interrupted", () =>
    Effect.gen(function* () {
      const blobs = yield* BlobStore
      const waiting = new Readable({ read() {} })
      waiting.push("some bytes")
      const begun = new Promise((resolve) => waiting.once("resume", resolve))
      yield* Effect.raceFirst(
        Effect.scoped(blobs.stage(waiting, 100)),
        Effect.promise(() => begun)
      )
      assert.deepStrictEqual(yield* stagedNames, ["running"])
    })
  )

  it.effect.prop(
    "hashes and keeps the same bytes in whatever pieces they come",
    [Schema.Array(Schema.Uint8Array)],
    ([pieces]) =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore
        const whole = Buffer.concat(pieces)
        const source = () =>
          Readable.from(pieces.filter((piece) => piece.byteLength > 0).map((piece) => Buffer.from(piece)))
        const expected = {
          size_bytes: whole.byteLength,
          sha256: createHash("sha256").update(whole).digest("hex")
        }
        assert.deepStrictEqual(yield* blobs.digest(source(), whole.byteLength), expected)
        const staged = yield* blobs.stage(source(), whole.byteLength)
        assert.deepInclude(staged, expected)
        assert.deepStrictEqual(yield* Effect.promise(() => readFile(staged.path)), whole)
      }).pipe(Effect.scoped, Effect.orDie)
  )
})

const endless = () =>
  new Readable({
    read() {
      this.push(Buffer.alloc(1024))
    }
  })

const broken = () => {
  let pieces = 0
  return new Readable({
    read() {
      pieces += 1
      this.push(Buffer.alloc(1024))
      if (pieces > 5) this.destroy(new Error("the line is dead"))
    }
  })
}
