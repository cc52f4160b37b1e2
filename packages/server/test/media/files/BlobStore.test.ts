import { MediaId, type ByteRange } from "@carillon/domain"
import { assert, layer } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Schema, type Scope } from "effect"
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import * as TestDirectory from "@carillon/testing/TestDirectory"
import { BlobStore } from "@carillon/server/media/files/BlobStore"
import { BlobStoreLayer } from "@carillon/server/media/files/BlobStoreLayer"
import { atNoon, testConfig } from "../MediaServer.ts"
import { s3Server } from "./S3Server.ts"

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

const storeWith = <E>(environment: Effect.Effect<Record<string, string>, E, Scope.Scope>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const dataDir = yield* Folder
      const env = yield* environment
      return BlobStoreLayer.pipe(Layer.provide(testConfig(dataDir, "http://127.0.0.1", env)))
    })
  ).pipe(Layer.provideMerge(withLeftovers), Layer.provide(atNoon))

const stores = {
  "the blob store on disk": Effect.succeed({}),
  "the blob store in S3": s3Server
}

const id = MediaId.make("0190a000-0000-7000-8000-0123456789ab")

const published = Effect.fnUntraced(function* (pieces: ReadonlyArray<string | Buffer>) {
  const blobs = yield* BlobStore
  const size = Buffer.concat(pieces.map((piece) => Buffer.from(piece))).length
  const staged = yield* blobs.stage(Readable.from(pieces.map((piece) => Buffer.from(piece))), size)
  yield* staged.send(id)
  yield* staged.publish(id)
  return { id, sha256: staged.sha256 }
}, Effect.scoped)

const stagedNames = Effect.flatMap(Folder, (dataDir) =>
  Effect.promise(() => readdir(join(dataDir, "media/staging")))
)

const bytesOf = (readable: Readable) => Effect.promise(async () => Buffer.concat(await readable.toArray()))

for (const [name, environment] of Object.entries(stores))
  layer(storeWith(environment))(name, (it) => {
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
        assert.strictEqual(
          (yield* Effect.flip(Effect.scoped(blobs.open({ id, sha256: "0" }))))._tag,
          "BlobMissing"
        )
        assert.strictEqual(
          (yield* Effect.flip(Effect.scoped(blobs.file({ id, sha256: "0" }))))._tag,
          "BlobMissing"
        )
      })
    )

    it.effect("keeps what was published, opens it in parts, and removes it", () =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore
        const blob = yield* published(["hello ", "world"])
        const opened = (range?: ByteRange) => Effect.scoped(Effect.flatMap(blobs.open(blob, range), bytesOf))
        assert.strictEqual(String(yield* opened()), "hello world")
        assert.strictEqual(String(yield* opened({ start: 4, end: 6 })), "o w")
        const local = yield* Effect.scoped(
          Effect.flatMap(blobs.file(blob), (path) => Effect.promise(() => readFile(path, "utf8")))
        )
        assert.strictEqual(local, "hello world")
        assert.deepStrictEqual(yield* stagedNames, ["running"])
        yield* blobs.remove(id)
        assert.strictEqual((yield* Effect.flip(opened()))._tag, "BlobMissing")
        yield* blobs.remove(id)
      })
    )

    it.effect("keeps what was made of an item beside it, and removes both together", () =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore
        const blob = yield* published(["hello"])
        assert.deepStrictEqual(yield* blobs.variants(id), [])
        yield* Effect.scoped(
          Effect.flatMap(blobs.stage(Readable.from([Buffer.from("smaller")]), 7), (staged) =>
            staged.keepVariant(id, "shape-1.mp4")
          )
        )
        assert.deepStrictEqual(yield* blobs.variants(id), ["shape-1.mp4"])
        const opened = (variant: object) =>
          Effect.scoped(Effect.flatMap(blobs.open({ ...blob, ...variant }), bytesOf))
        assert.strictEqual(String(yield* opened({ variant: "shape-1.mp4" })), "smaller")
        assert.strictEqual(String(yield* opened({})), "hello")
        assert.deepStrictEqual(yield* stagedNames, ["running"])
        yield* blobs.remove(id)
        assert.deepStrictEqual(yield* blobs.variants(id), [])
        assert.strictEqual((yield* Effect.flip(opened({ variant: "shape-1.mp4" })))._tag, "BlobMissing")
      })
    )

    it.effect("keeps a file that is too large to be sent at once", () =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore
        const pieces = Array.from({ length: 35 }, (_, index) => Buffer.alloc(1024 * 1024, index))
        const blob = yield* published(pieces)
        const whole = yield* Effect.scoped(Effect.flatMap(blobs.open(blob), bytesOf))
        assert.isTrue(whole.equals(Buffer.concat(pieces)))
        const range = { start: 17 * 1024 * 1024 - 1, end: 17 * 1024 * 1024 }
        const part = yield* Effect.scoped(Effect.flatMap(blobs.open(blob, range), bytesOf))
        assert.deepStrictEqual([...part], [16, 17])
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

layer(storeWith(stores["the blob store on disk"]))("on disk a blob", (it) => {
  it.effect("lies under its id alone", () =>
    Effect.gen(function* () {
      const path = join(yield* Folder, "media/ab/89", id)
      yield* published(["bytes"])
      assert.strictEqual(yield* Effect.promise(() => readFile(path, "utf8")), "bytes")
    })
  )
})

layer(storeWith(stores["the blob store in S3"]))("in S3 a blob", (it) => {
  it.effect(
    "in S3 a blob that lost against another of the same item can be taken back without harm to that one",
    () =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore
        const winner = yield* published(["first"])
        yield* Effect.scoped(
          Effect.gen(function* () {
            const loser = yield* blobs.stage(Readable.from([Buffer.from("second")]), 6)
            yield* loser.send(id)
            yield* loser.discard(id)
            const { sha256 } = loser
            assert.strictEqual((yield* Effect.flip(blobs.open({ id, sha256 })))._tag, "BlobMissing")
          })
        )
        assert.strictEqual(String(yield* Effect.scoped(Effect.flatMap(blobs.open(winner), bytesOf))), "first")
      })
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
