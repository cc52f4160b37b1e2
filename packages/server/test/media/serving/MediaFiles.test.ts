import { parseRange } from "@carillon/domain"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { createHash } from "node:crypto"
import { connect } from "node:net"
import { contentDisposition } from "@carillon/server/media/serving/ContentDisposition"
import { call, mediaServer, MediaServer, send, upload } from "../MediaServer.ts"
import { jpegOf } from "../Pictures.ts"

const get = (url: string, headers: Record<string, string> = {}, method = "GET") =>
  Effect.promise(async () => {
    const response = await fetch(url, { method, headers })
    const bytes = new Uint8Array(await response.arrayBuffer())
    return { status: response.status, header: (name: string) => response.headers.get(name), bytes }
  })

layer(mediaServer)("a file", (it) => {
  it.effect("a file is served whole, with what a browser must know", () =>
    Effect.gen(function* () {
      const bytes = yield* jpegOf(300_000)
      const { url } = yield* upload("image/jpeg", bytes, "photo.jpg")
      const served = yield* get(url!)
      assert.strictEqual(served.status, 200)
      assert.deepStrictEqual(served.bytes, bytes)
      assert.strictEqual(served.header("content-type"), "image/jpeg")
      assert.strictEqual(served.header("content-length"), "300000")
      assert.strictEqual(served.header("x-content-type-options"), "nosniff")
      assert.strictEqual(served.header("content-disposition"), `inline; filename="photo.jpg"`)
      assert.strictEqual(served.header("accept-ranges"), "bytes")
      assert.match(served.header("cache-control")!, /^private/)
      assert.strictEqual(served.header("etag"), `"${createHash("sha256").update(bytes).digest("hex")}"`)
      const head = yield* get(url!, { range: "bytes=0-9" }, "HEAD")
      assert.strictEqual(head.status, 200)
      assert.strictEqual(head.header("content-length"), "300000")
      assert.strictEqual(head.bytes.byteLength, 0)
    })
  )

  it.effect("a file that is a document is saved, not shown", () =>
    Effect.gen(function* () {
      const pdf = new TextEncoder().encode("%PDF-1.7\n%%EOF\n")
      const { url } = yield* upload("application/pdf", pdf, "Übersicht 2026.pdf")
      const served = yield* get(url!)
      assert.strictEqual(
        served.header("content-disposition"),
        `attachment; filename="_bersicht 2026.pdf"; filename*=UTF-8''%C3%9Cbersicht%202026.pdf`
      )
    })
  )

  it.effect("a file is served in parts", () =>
    Effect.gen(function* () {
      const bytes = yield* jpegOf(1000)
      const { url } = yield* upload("image/jpeg", bytes)
      for (const [range, start, end] of [
        ["bytes=0-0", 0, 0],
        ["bytes=0-99", 0, 99],
        ["bytes=999-", 999, 999],
        ["bytes=500-5000", 500, 999],
        ["bytes=-1", 999, 999],
        ["bytes=-5000", 0, 999],
        ["Bytes= 10 - 20", 10, 20]
      ] as const) {
        const part = yield* get(url!, { range })
        assert.strictEqual(part.status, 206, range)
        assert.strictEqual(part.header("content-range"), `bytes ${start}-${end}/1000`)
        assert.strictEqual(part.header("content-length"), String(end - start + 1))
        assert.deepStrictEqual(part.bytes, bytes.slice(start, end + 1), range)
      }
      for (const range of ["bytes=0-1,5-6", "bytes=5-2", "bytes=a-b", "bytes=-", "items=0-1"]) {
        assert.strictEqual((yield* get(url!, { range })).status, 200, range)
      }
      for (const range of ["bytes=1000-", "bytes=1000-2000", "bytes=-0"]) {
        const refused = yield* send(url!, { headers: { range } })
        assert.strictEqual(refused.status, 416, range)
        assert.strictEqual(refused.headers.get("content-range"), "bytes */1000")
        assert.strictEqual(refused.body.code, "range_not_satisfiable")
      }
    })
  )

  it.effect("a file that has not changed is not sent again", () =>
    Effect.gen(function* () {
      const { url } = yield* upload("image/jpeg", yield* jpegOf(1000))
      const etag = (yield* get(url!)).header("etag")!
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const unchanged = yield* get(url!, { "if-none-match": known })
        assert.strictEqual(unchanged.status, 304, known)
        assert.strictEqual(unchanged.bytes.byteLength, 0)
      }
      assert.strictEqual((yield* get(url!, { "if-none-match": `"other"` })).status, 200)
      assert.strictEqual((yield* get(url!, { range: "bytes=0-1", "if-range": etag })).status, 206)
      assert.strictEqual((yield* get(url!, { range: "bytes=0-1", "if-range": `"other"` })).status, 200)
    })
  )

  it.effect("a file that was deleted is gone, and so is one that never was", () =>
    Effect.gen(function* () {
      const { url, id } = yield* upload("image/jpeg", yield* jpegOf(1000))
      yield* call("DELETE", `/v1/media/${id}`)
      const gone = yield* send(url!)
      assert.strictEqual(gone.status, 404)
      assert.strictEqual(gone.body.code, "not_found")
    })
  )

  it.effect("a file can be fetched by many who stop half way", () =>
    Effect.gen(function* () {
      const { port } = yield* MediaServer
      const bytes = yield* jpegOf(5_000_000)
      const { url } = yield* upload("image/jpeg", bytes)
      const { pathname, search } = new URL(url!)
      yield* Effect.forEach(
        Array.from({ length: 30 }),
        () =>
          Effect.callback<void>((resume) => {
            const socket = connect(port, "127.0.0.1")
            socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: x\r\n\r\n`)
            socket.once("data", () => socket.destroy())
            socket.once("close", () => resume(Effect.void))
          }),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual((yield* get(url!)).bytes, bytes)
    })
  )

  it.effect.prop(
    "a file has every range inside itself",
    [Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5000 })), Schema.Int, Schema.Int],
    ([size, first, last]) =>
      Effect.sync(() => {
        const range = parseRange(`bytes=${Math.abs(first)}-${Math.abs(last)}`, size)
        const { start, end } = typeof range === "string" ? { start: 0, end: size - 1 } : range
        assert.isTrue(start >= 0 && start <= end && end < size)
      })
  )

  it.effect.prop("a file has a name that breaks no header", [Schema.String], ([name]) =>
    Effect.sync(() => {
      assert.match(
        contentDisposition("inline", name),
        /^inline; filename="[\x20\x21\x23-\x5b\x5d-\x7e]*"(; filename\*=UTF-8''[\w.~!%-]*)?$/
      )
    })
  )
})
