import { Carillon, ConnectionError, type UploadReservation } from "@carillon/sdk"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { type AddressInfo, connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startService } from "./support/ServiceProcess.ts"
import { sixSeconds } from "./support/Videos.ts"

const mebibyte = 1024 * 1024

const film = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "carillon-film-"))),
    (made) => Effect.sync(() => rmSync(made, { recursive: true }))
  )
  const bytes = yield* sixSeconds(48 * mebibyte)
  const path = join(folder, "film.mp4")
  writeFileSync(path, bytes)
  return { path, sha256: createHash("sha256").update(bytes).digest("hex") }
})

/** Leads to a port, and cuts the first connection on which this much of an upload has come. */
const cuttingOnce = Effect.fnUntraced(function* (cutAfter: number) {
  let to = 0
  const cuts: Array<number> = []
  const proxy = createServer((incoming) => {
    const outgoing = connect(to, "127.0.0.1")
    let uploaded: number | undefined
    const end = () => {
      incoming.destroy()
      outgoing.destroy()
    }
    incoming.on("data", (chunk: Buffer) => {
      if (chunk.subarray(0, 4).toString("latin1") === "PUT ") uploaded = 0
      if (uploaded === undefined || cuts.length > 0) return
      uploaded += chunk.length
      if (uploaded < cutAfter) return
      cuts.push(uploaded)
      end()
    })
    for (const [from, into] of [
      [incoming, outgoing],
      [outgoing, incoming]
    ] as const) {
      from.on("error", end).on("close", end).pipe(into)
    }
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => once(proxy.listen(0, "127.0.0.1"), "listening")),
    () => Effect.sync(() => proxy.close())
  )
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cuts,
    leadTo: (url: string) => (to = Number(new URL(url).port))
  }
})

it.live("an upload whose connection is cut is sent again by itself, and arrives whole", () =>
  Effect.gen(function* () {
    const proxy = yield* cuttingOnce(8 * mebibyte)
    const service = yield* startService({ env: { PUBLIC_URL: proxy.url } })
    proxy.leadTo(service.url)
    const { path, sha256 } = yield* film
    const carillon = new Carillon({ apiKey: service.key, baseUrl: service.url })
    const media = yield* Effect.promise(() => carillon.media.upload(path))
    assert.lengthOf(proxy.cuts, 1)
    assert.deepInclude(media, { status: "ready", sha256 })
  }).pipe(Effect.scoped)
)

it.live("an upload is taken up again after the service was killed in the middle of it", () =>
  Effect.gen(function* () {
    const service = yield* startService()
    const { path, sha256 } = yield* film
    const carillon = new Carillon({ apiKey: service.key, baseUrl: service.url, maxRetries: 0 })
    const inTheMiddle = Promise.withResolvers<void>()
    let reservation: UploadReservation | undefined
    const broken = carillon.media
      .upload(path, {
        onReserved: (made) => (reservation = made),
        onProgress: ({ sent }) => void (sent > 4 * mebibyte && inTheMiddle.resolve())
      })
      .catch((error: unknown) => error)
    yield* Effect.promise(() => inTheMiddle.promise)
    yield* service.kill
    assert.instanceOf(yield* Effect.promise(() => broken), ConnectionError)
    yield* service.start
    const media = yield* Effect.promise(() => carillon.media.upload(path, { reservation }))
    assert.deepInclude(media, { id: reservation!.media_id, status: "ready", sha256 })
    const all = yield* Effect.promise(async () => carillon.media.list())
    assert.lengthOf(all.data, 1)
  }).pipe(Effect.scoped)
)
