import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import fs from "node:fs"
import { Agent, request } from "node:http"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { vi } from "vitest"
import {
  call,
  home,
  elsewhere,
  mediaServer,
  openPut,
  put,
  reserve,
  send,
  stagedFiles,
  storedFiles,
  upload
} from "../MediaServer.ts"
import { encoded, grainy, jpeg, jpegOf } from "../Pictures.ts"

layer(mediaServer)("an upload", (it) => {
  it.effect("an upload is reserved, sent, confirmed and served back byte for byte", () =>
    Effect.gen(function* () {
      const bytes = yield* jpeg(30, 20)
      const reserved = yield* call("POST", "/v1/media/create-upload-url", {
        mime_type: "image/jpeg",
        size_bytes: bytes.byteLength,
        name: "photo.jpg"
      })
      assert.strictEqual(reserved.status, 201)
      assert.strictEqual(reserved.body.name, "photo.jpg")
      assert.strictEqual(reserved.body.expires_at, "2026-11-21T13:00:01.000Z")

      const sent = yield* put(reserved.body.upload_url, "image/jpeg", bytes)
      assert.strictEqual(sent.status, 200)
      assert.deepInclude(sent.body, {
        id: reserved.body.media_id,
        media_id: reserved.body.media_id,
        status: "ready",
        mime_type: "image/jpeg",
        size_bytes: bytes.byteLength,
        width: 30,
        height: 20,
        duration_ms: null,
        sha256: createHash("sha256").update(bytes).digest("hex"),
        used_by: []
      })
      assert.deepStrictEqual(sent.body.object, {
        isDeleted: false,
        url: sent.body.url,
        size_bytes: bytes.byteLength,
        name: "photo.jpg"
      })

      const complete = () =>
        send(reserved.body.complete_url, { method: "POST", headers: { authorization: `Bearer ${home}` } })
      const confirmed = yield* complete()
      assert.strictEqual(confirmed.status, 200)
      assert.deepStrictEqual(confirmed.body, sent.body)
      assert.deepStrictEqual((yield* complete()).body, confirmed.body)

      const served = yield* Effect.promise(
        async () => new Uint8Array(await (await fetch(sent.body.url)).arrayBuffer())
      )
      assert.deepStrictEqual(served, bytes)
    })
  )

  it.effect("an upload cannot be confirmed before its bytes have arrived, nor by another workspace", () =>
    Effect.gen(function* () {
      const { media_id } = yield* reserve("image/jpeg", 100)
      const early = yield* call("POST", `/v1/media/${media_id}/complete`)
      assert.strictEqual(early.status, 409)
      assert.strictEqual(early.body.code, "upload_incomplete")
      const foreign = yield* call("POST", `/v1/media/${media_id}/complete`, undefined, elsewhere)
      assert.strictEqual(foreign.status, 404)
    })
  )

  for (const [mime_type, size_bytes, status, code] of [
    ["image/jpeg", 50 * 1024 * 1024 + 1, 413, "upload_too_large"],
    ["application/pdf", 100 * 1024 * 1024 + 1, 413, "upload_too_large"],
    ["image/jpeg", 0, 400, "invalid_request"],
    ["image/jpeg", -1, 400, "invalid_request"],
    ["image/jpeg", 1.5, 400, "invalid_request"],
    ["image/svg+xml", 10, 400, "invalid_request"],
    ["text/html", 10, 400, "invalid_request"]
  ] as const) {
    it.effect(`an upload of ${size_bytes} bytes of ${mime_type} is refused when it is reserved`, () =>
      Effect.gen(function* () {
        const refused = yield* call("POST", "/v1/media/create-upload-url", { mime_type, size_bytes })
        assert.strictEqual(refused.status, status)
        assert.strictEqual(refused.body.code, code)
      })
    )
  }

  it.effect("needs the reserved Content-Type, in any spelling", () =>
    Effect.gen(function* () {
      const bytes = yield* jpeg()
      const { upload_url } = yield* reserve("image/jpeg", bytes.byteLength)
      const wrong = yield* put(upload_url, "image/png", bytes)
      assert.strictEqual(wrong.status, 415)
      assert.strictEqual(wrong.body.code, "unsupported_media_type")
      const right = yield* put(upload_url, "IMAGE/JPEG; charset=binary", bytes)
      assert.strictEqual(right.status, 200)
    })
  )

  it.effect(
    "an upload with another declared length is refused before a byte is read, and its connection goes on",
    () =>
      Effect.gen(function* () {
        const bytes = yield* jpeg()
        const { upload_url } = yield* reserve("image/jpeg", bytes.byteLength)
        const agent = yield* Effect.acquireRelease(
          Effect.sync(() => new Agent({ keepAlive: true, maxSockets: 1 })),
          (agent) => Effect.sync(() => agent.destroy())
        )
        const putOver = (body: Uint8Array) =>
          Effect.promise(
            () =>
              new Promise<{ status: number; code: string; reused: boolean }>((resolve, reject) => {
                const sent = request(upload_url, {
                  method: "PUT",
                  agent,
                  headers: { "content-type": "image/jpeg", "content-length": body.byteLength }
                })
                sent.once("error", reject)
                sent.once("response", async (response) => {
                  const { code } = JSON.parse(Buffer.concat(await response.toArray()).toString())
                  resolve({ status: response.statusCode!, code, reused: sent.reusedSocket })
                })
                sent.end(body)
              })
          )
        const shorter = yield* putOver(bytes.subarray(1))
        assert.deepStrictEqual(shorter, { status: 422, code: "upload_size_mismatch", reused: false })
        const longer = yield* putOver(new Uint8Array([...bytes, 0]))
        assert.deepStrictEqual(longer, { status: 422, code: "upload_size_mismatch", reused: true })
        const exact = yield* putOver(bytes)
        assert.deepInclude(exact, { status: 200, reused: true })
      })
  )

  it.effect("an upload that declares far too much is answered without asking for its body", () =>
    Effect.gen(function* () {
      const { upload_url } = yield* reserve("image/jpeg", 1000)
      const { answered } = yield* openPut(upload_url, { "content-type": "image/jpeg", "content-length": 1e9 })
      const { status, body, headers } = yield* answered
      assert.strictEqual(status, 422)
      assert.strictEqual(body.code, "upload_size_mismatch")
      assert.strictEqual(headers.connection, "close")
    })
  )

  for (const difference of [-1, 1, -1000, 100_000]) {
    it.effect(
      `an upload without a declared length and ${difference} bytes off leaves nothing and may be sent again`,
      () =>
        Effect.gen(function* () {
          const bytes = yield* jpegOf(200_000)
          const { upload_url } = yield* reserve("image/jpeg", bytes.byteLength)
          const { put: sending, answered } = yield* openPut(upload_url, { "content-type": "image/jpeg" })
          sending.end(yield* jpegOf(200_000 + difference))
          const { status, body } = yield* answered
          assert.strictEqual(status, 422)
          assert.strictEqual(body.code, "upload_size_mismatch")
          assert.deepStrictEqual(yield* stagedFiles, [])
          const again = yield* put(upload_url, "image/jpeg", bytes)
          assert.strictEqual(again.status, 200)
        })
    )
  }

  it.effect("an upload of an empty body is too short", () =>
    Effect.gen(function* () {
      const { upload_url } = yield* reserve("image/jpeg", 5)
      const empty = yield* put(upload_url, "image/jpeg", new Uint8Array())
      assert.strictEqual(empty.status, 422)
      assert.strictEqual(empty.body.code, "upload_size_mismatch")
    })
  )

  it.effect("an upload whose connection breaks leaves nothing and may be sent again", () =>
    Effect.gen(function* () {
      const bytes = yield* jpegOf(500_000)
      const { upload_url, media_id } = yield* reserve("image/jpeg", bytes.byteLength)
      const headers = { "content-type": "image/jpeg", "content-length": bytes.byteLength }
      const { put: sending, begun } = yield* openPut(upload_url, headers)
      yield* begun
      yield* Effect.promise(
        () => new Promise((resolve) => sending.write(bytes.subarray(0, 300_000), resolve))
      )
      sending.destroy()
      // Refused for as long as the server has not noticed.
      const again = yield* put(upload_url, "image/jpeg", bytes).pipe(
        Effect.repeat({ until: ({ status }) => status !== 409 })
      )
      assert.strictEqual(again.status, 200)
      assert.deepStrictEqual(yield* stagedFiles, [])
      assert.include(yield* storedFiles, media_id)
    })
  )

  it.effect("excludes a second one to the same URL while it runs", () =>
    Effect.gen(function* () {
      const bytes = yield* jpegOf(300_000)
      const { upload_url } = yield* reserve("image/jpeg", bytes.byteLength)
      const headers = { "content-type": "image/jpeg", "content-length": bytes.byteLength }
      const first = yield* openPut(upload_url, headers)
      yield* first.begun
      const second = yield* openPut(upload_url, headers)
      const refused = yield* second.answered
      assert.strictEqual(refused.status, 409)
      assert.strictEqual(refused.body.code, "upload_in_progress")
      first.put.end(bytes)
      assert.strictEqual((yield* first.answered).status, 200)
    })
  )

  it.effect("an upload that ten send at once succeeds for one, and the others are told why not", () =>
    Effect.gen(function* () {
      const bytes = yield* jpegOf(300_000)
      const { upload_url } = yield* reserve("image/jpeg", bytes.byteLength)
      const answers = yield* Effect.forEach(
        Array.from({ length: 10 }, (_, index) => index),
        (index) => {
          const own = bytes.slice()
          own[299_999] = index
          return put(upload_url, "image/jpeg", own)
        },
        { concurrency: "unbounded" }
      )
      const codes = answers.map(({ status, body }) => (status === 200 ? "stored" : body.code))
      assert.strictEqual(codes.filter((code) => code === "stored").length, 1)
      assert.deepStrictEqual(
        codes.filter((code) => !["stored", "upload_in_progress", "upload_already_complete"].includes(code)),
        []
      )
    })
  )

  it.effect(
    "an upload that is repeated after success is fine with the same bytes and refused with others",
    () =>
      Effect.gen(function* () {
        const bytes = yield* jpegOf(20_000)
        const { upload_url } = yield* reserve("image/jpeg", bytes.byteLength)
        const first = yield* put(upload_url, "image/jpeg", bytes)
        const again = yield* put(upload_url, "image/jpeg", bytes)
        assert.strictEqual(again.status, 200)
        assert.deepStrictEqual(again.body, first.body)
        const other = bytes.slice()
        other[19_999] = 1
        const refused = yield* put(upload_url, "image/jpeg", other)
        assert.strictEqual(refused.status, 409)
        assert.strictEqual(refused.body.code, "upload_already_complete")
        const longer = yield* put(upload_url, "image/jpeg", yield* jpegOf(20_001))
        assert.strictEqual(longer.body.code, "upload_already_complete")
        const kept = yield* call("GET", `/v1/media/${first.body.id}`)
        assert.strictEqual(kept.body.sha256, first.body.sha256)
      })
  )

  it.effect("an upload of something else than was declared leaves nothing and may be sent again", () =>
    Effect.gen(function* () {
      const bytes = yield* jpegOf(5000)
      const png = new Uint8Array(5000)
      png.set(yield* encoded(grainy(20, 20).png()))
      const { upload_url, media_id } = yield* reserve("image/jpeg", 5000)
      const mistaken = yield* put(upload_url, "image/jpeg", png)
      assert.strictEqual(mistaken.status, 422)
      assert.strictEqual(mistaken.body.code, "media_type_mismatch")
      assert.include(mistaken.body.detail, "image/png")
      assert.deepStrictEqual(yield* stagedFiles, [])
      assert.notInclude(yield* storedFiles, media_id)
      assert.strictEqual((yield* put(upload_url, "image/jpeg", bytes)).status, 200)
    })
  )

  it.effect("an upload that stands still for 30 seconds is cut off", () =>
    Effect.gen(function* () {
      const { upload_url } = yield* reserve("image/jpeg", 100_000)
      const {
        put: sending,
        begun,
        answered
      } = yield* openPut(upload_url, {
        "content-type": "image/jpeg",
        "content-length": 100_000
      })
      yield* begun
      sending.write(yield* jpegOf(50_000))
      const { status, body, headers } = yield* passingTime(answered)
      assert.strictEqual(status, 422)
      assert.include(body.detail, "cut off after")
      assert.strictEqual(headers.connection, "close")
      assert.deepStrictEqual(yield* stagedFiles, [])
    })
  )

  it.effect("an upload that trickles below 8 KiB/s is cut off after a minute", () =>
    Effect.gen(function* () {
      const { upload_url } = yield* reserve("image/jpeg", 1_000_000)
      const {
        put: sending,
        begun,
        answered
      } = yield* openPut(upload_url, {
        "content-type": "image/jpeg",
        "content-length": 1_000_000
      })
      yield* begun
      const trickle = Effect.promise(
        () => new Promise<void>((resolve) => sending.write("drop", () => resolve()))
      )
      const { status, body } = yield* passingTime(answered, trickle)
      assert.strictEqual(status, 422)
      assert.include(body.detail, "cut off after")
    })
  )

  it.effect("an upload that has come in full may wait for a slow disk as long as it takes", () =>
    Effect.gen(function* () {
      const bytes = yield* jpegOf(200_000)
      const { upload_url } = yield* reserve("image/jpeg", bytes.byteLength)
      const { fsync } = fs
      const flushing = new Promise<() => void>((resolve) => {
        vi.spyOn(fs, "fsync").mockImplementationOnce((file, done) => resolve(() => fsync(file, done)))
      })
      const {
        put: sending,
        begun,
        answered
      } = yield* openPut(upload_url, {
        "content-type": "image/jpeg",
        "content-length": bytes.byteLength
      })
      yield* begun
      sending.end(bytes)
      const flush = yield* Effect.promise(() => flushing)
      yield* TestClock.adjust("5 minutes")
      flush()
      assert.strictEqual((yield* answered).status, 200)
    })
  )

  it.effect("an upload to a full disk answers 507, leaves nothing and works again when there is room", () =>
    Effect.gen(function* () {
      const bytes = yield* jpegOf(2_000_000)
      const { upload_url, media_id } = yield* reserve("image/jpeg", bytes.byteLength)
      const noRoom = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" })
      const fail = (...args: ReadonlyArray<unknown>) => (args.at(-1) as (error: Error) => void)(noRoom)
      const write = vi.spyOn(fs, "write").mockImplementation(fail as never)
      const writev = vi.spyOn(fs, "writev").mockImplementation(fail as never)
      const refused = yield* put(upload_url, "image/jpeg", bytes).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            write.mockRestore()
            writev.mockRestore()
          })
        )
      )
      assert.strictEqual(refused.status, 507)
      assert.strictEqual(refused.body.code, "storage_full")
      assert.deepStrictEqual(yield* stagedFiles, [])
      assert.strictEqual((yield* call("GET", `/v1/media/${media_id}`)).body.status, "reserved")
      assert.strictEqual((yield* put(upload_url, "image/jpeg", bytes)).status, 200)
    })
  )

  it.effect("an upload of 64 MiB goes through without being held in memory", () =>
    Effect.gen(function* () {
      const size = 64 * 1024 * 1024
      const { upload_url } = yield* reserve("application/pdf", size, "big.pdf")
      const {
        put: sending,
        begun,
        answered
      } = yield* openPut(upload_url, {
        "content-type": "application/pdf",
        "content-length": size
      })
      yield* begun
      const chunk = Buffer.alloc(4 * 1024 * 1024, "%PDF-1.7\n")
      const before = bytesHeld()
      let most = 0
      for (let sent = 0; sent < size; sent += chunk.byteLength) {
        yield* Effect.promise(() => new Promise((resolve) => sending.write(chunk, resolve)))
        most = Math.max(most, bytesHeld() - before)
      }
      sending.end()
      const { status, body } = yield* answered
      assert.strictEqual(status, 200)
      assert.strictEqual(body.size_bytes, size)
      assert.isBelow(most, 8 * 1024 * 1024)
    })
  )

  it.effect("keeps a hostile name as data only", () =>
    Effect.gen(function* () {
      const bytes = yield* jpeg()
      const names = {
        "../../etc/passwd": "passwd",
        "/absolute/path.jpg": "path.jpg",
        "C:\\Windows\\photo.jpg": "photo.jpg",
        "nul\0byte.jpg": "nulbyte.jpg",
        "line\r\nbreak.jpg": "linebreak.jpg",
        "\u202egpj.exe": "gpj.exe",
        "..": "..",
        CON: "CON",
        "": "image.jpg",
        "📷 sömmer.jpg": "📷 sömmer.jpg",
        '"quoted"; x=y.jpg': '"quoted"; x=y.jpg',
        ["n".repeat(300) + ".jpg"]: "n".repeat(255)
      }
      const stored = yield* Effect.forEach(Object.keys(names), (name) => upload("image/jpeg", bytes, name))
      assert.deepStrictEqual(
        stored.map(({ name }) => name),
        Object.values(names)
      )
      for (const { id, url } of stored) {
        assert.match(new URL(url!).pathname, new RegExp(`^/media/${id}/[A-Za-z0-9_][A-Za-z0-9._-]{0,79}$`))
        const served = yield* send(url!)
        assert.strictEqual(served.status, 200)
        assert.match(
          served.headers.get("content-disposition")!,
          /^inline; filename="[^"\\\r\n]*"(; filename\*=UTF-8''[\w%.~!#$&+^`|-]+)?$/
        )
      }
      assert.includeMembers(
        yield* storedFiles,
        stored.map(({ id }) => id)
      )
    })
  )
})

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

const bytesHeld = () => {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

/** Lets the clock run in steps of ten seconds until something has happened. */
const passingTime = <A>(happened: Effect.Effect<A>, meanwhile: Effect.Effect<void> = Effect.void) =>
  Effect.raceFirst(
    happened,
    Effect.forever(
      Effect.andThen(
        Effect.andThen(meanwhile, TestClock.adjust("10 seconds")),
        Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      )
    )
  )
