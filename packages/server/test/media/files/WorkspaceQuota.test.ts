import { FetchMedia } from "@carillon/server/media/imports/FetchMedia"
import { ImportRepository } from "@carillon/server/media/imports/ImportRepository"
import { MediaLibrary } from "@carillon/server/media/MediaLibrary"
import { ReservationRepository } from "@carillon/server/media/files/ReservationRepository"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { createServer } from "node:http"
import { listening } from "../../http/TestServer.ts"
import { call, elsewhere, home, mediaServerWith, put } from "../MediaServer.ts"
import { jpegOf } from "../Pictures.ts"

const limit = 100_000

const emptied = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from media`
})

const asked = (size_bytes: number, workspace = home) =>
  call("POST", "/v1/media/create-upload-url", { mime_type: "image/jpeg", size_bytes }, workspace)

/** More than twice as much as the limit. */
const askedAtOnce = Effect.forEach(
  Array.from({ length: 25 }, () => 10_000),
  (size) => asked(size),
  { concurrency: "unbounded" }
)

const held = Effect.gen(function* () {
  return yield* (yield* ReservationRepository).bytesHeld(home)
})

const file = Effect.fnUntraced(function* (bytes: number) {
  const picture = yield* jpegOf(bytes)
  const { port } = yield* listening(createServer((_, response) => response.end(picture)))
  return `http://127.0.0.1:${port}/picture.jpg`
})

layer(mediaServerWith({ MAX_RESERVED_BYTES: String(limit) }))("one credential", (it) => {
  it.effect("reserves no more than it can be trusted to send, and goes on once something has come", () =>
    Effect.gen(function* () {
      yield* emptied
      const { body: first } = yield* asked(60_000)
      const refused = yield* asked(50_000)
      assert.deepStrictEqual([refused.status, refused.body.code], [413, "reservations_full"])
      assert.include(refused.body.detail, "reserved 60000 bytes")
      assert.strictEqual(yield* held, 60_000)
      assert.strictEqual((yield* asked(50_000, elsewhere)).status, 201)
      assert.strictEqual((yield* put(first.upload_url, "image/jpeg", yield* jpegOf(60_000))).status, 200)
      const { body: second } = yield* asked(50_000)
      assert.strictEqual((yield* asked(60_000)).status, 413)
      yield* call("DELETE", `/v1/media/${second.media_id}`)
      assert.strictEqual((yield* asked(60_000)).status, 201)
    })
  )

  it.effect(
    "one credential can always reserve one upload, however large, and forgets what cannot come any more",
    () =>
      Effect.gen(function* () {
        yield* emptied
        assert.strictEqual((yield* asked(limit * 3)).status, 201)
        assert.strictEqual((yield* asked(1)).status, 413)
        yield* TestClock.adjust("61 minutes")
        assert.strictEqual((yield* asked(limit)).status, 201)
      })
  )

  it.effect("reserves no more by asking for many at once", () =>
    Effect.gen(function* () {
      yield* emptied
      const answers = yield* askedAtOnce
      assert.strictEqual(answers.filter(({ status }) => status === 201).length, 10)
      assert.strictEqual(yield* held, limit)
    })
  )
})

layer(mediaServerWith({ MAX_WORKSPACE_BYTES: String(limit) }))("a workspace with a limit", (it) => {
  it.effect("takes what fits, reservations counted, and says what it holds when no more does", () =>
    Effect.gen(function* () {
      yield* emptied
      const { body: first } = yield* asked(60_000)
      const refused = yield* asked(50_000)
      assert.strictEqual(refused.status, 413)
      assert.strictEqual(refused.body.code, "workspace_full")
      assert.include(refused.body.detail, "uses 60000 of its 100000 bytes")
      assert.include(refused.body.detail, "the file has 50000")
      assert.include(refused.body.detail, "MAX_WORKSPACE_BYTES")
      assert.strictEqual(yield* held, 60_000)
      assert.strictEqual((yield* asked(50_000, elsewhere)).status, 201)
      const { status } = yield* put(first.upload_url, "image/jpeg", yield* jpegOf(60_000))
      assert.strictEqual(status, 200)
      assert.strictEqual(yield* held, 60_000)
      assert.strictEqual((yield* asked(40_000)).status, 201)
      yield* call("DELETE", `/v1/media/${first.media_id}`)
      assert.strictEqual((yield* asked(60_000)).status, 201)
      assert.strictEqual(yield* held, limit)
    })
  )

  it.effect("never holds more, however many ask at once", () =>
    Effect.gen(function* () {
      yield* emptied
      const answers = yield* askedAtOnce
      assert.strictEqual(answers.filter(({ status }) => status === 201).length, 10)
      assert.strictEqual(answers.filter(({ body }) => body.code === "workspace_full").length, 15)
      assert.strictEqual(yield* held, limit)
    })
  )

  it.effect("fetches nothing while it is full, and keeps nothing that would make it so", () =>
    Effect.gen(function* () {
      yield* emptied
      const url = yield* file(50_000)
      yield* asked(60_000)
      const { status, body } = yield* call("POST", "/v1/media/import", { url })
      assert.strictEqual(status, 201)
      const claim = yield* Effect.flatMap((yield* ImportRepository).claim([]), Effect.fromOption)
      yield* (yield* FetchMedia).fetch(claim)
      const { body: item } = yield* call("GET", `/v1/media/${body.id}`)
      assert.strictEqual(item.status, "failed")
      assert.strictEqual(item.error.code, "workspace_full")
      assert.include(item.error.message, "uses 60000 of its 100000 bytes")
      assert.strictEqual(yield* held, 60_000)
      yield* asked(40_000)
      const refused = yield* call("POST", "/v1/media/import", { url })
      assert.strictEqual(refused.status, 413)
      assert.strictEqual(refused.body.code, "workspace_full")
      assert.include(refused.body.detail, "uses 100000 of its 100000 bytes")
    })
  )

  const Step = Schema.Union([
    Schema.Struct({
      reserve: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: limit }))
    }),
    Schema.Struct({ delete: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 })) }),
    Schema.Struct({ fill: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 })) }),
    Schema.Struct({ wait: Schema.Literal("two days") })
  ])

  it.effect.prop(
    "holds the sum of its items, whatever happened to them",
    [Schema.Array(Step).check(Schema.isMaxLength(30))],
    ([steps]) =>
      Effect.gen(function* () {
        yield* emptied
        let items: Array<{ id: string; url: string; size: number; filled: boolean }> = []
        const sum = () => items.reduce((total, { size }) => total + size, 0)
        for (const step of steps) {
          if ("reserve" in step) {
            const { status, body } = yield* asked(step.reserve)
            assert.strictEqual(status, sum() + step.reserve <= limit ? 201 : 413)
            if (status === 201)
              items.push({ id: body.media_id, url: body.upload_url, size: step.reserve, filled: false })
          } else if ("delete" in step) {
            const [item] = items.splice(step.delete, 1)
            if (item !== undefined) yield* call("DELETE", `/v1/media/${item.id}`)
          } else if ("fill" in step) {
            const item = items[step.fill]
            // A picture has some bytes at least, and other bytes do not replace it.
            if (item === undefined || item.filled || item.size < 2000) continue
            const { status } = yield* put(item.url, "image/jpeg", yield* jpegOf(item.size))
            assert.strictEqual(status, 200)
            item.filled = true
          } else {
            yield* TestClock.adjust("2 days")
            yield* (yield* MediaLibrary).collect
            items = items.filter(({ filled }) => filled)
          }
          assert.strictEqual(yield* held, sum())
        }
      }),
    { arbitrary: { runs: 30 } }
  )
})
