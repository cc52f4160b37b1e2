import { Carillon, ConnectionError, type UploadReservation } from "@carillon/sdk"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startService } from "@carillon/testing/ServiceProcess"
import { stoppingProxy } from "@carillon/testing/StoppingProxy"
import { sixSeconds } from "@carillon/testing/Videos"

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

it.live("an upload whose connection is cut is sent again by itself, and arrives whole", () =>
  Effect.gen(function* () {
    const proxy = yield* stoppingProxy("cuts", 8 * mebibyte)
    const service = yield* startService({ env: { PUBLIC_URL: proxy.url } })
    proxy.leadTo(service.url)
    const { path, sha256 } = yield* film
    const carillon = new Carillon({ apiKey: service.key, baseUrl: service.url })
    const media = yield* Effect.promise(() => carillon.media.upload(path))
    assert.lengthOf(proxy.stopped, 1)
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
