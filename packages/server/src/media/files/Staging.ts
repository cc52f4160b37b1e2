import { Duration, Effect, type Scope } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { mkdir, readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { type Readable, Transform, Writable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { type ByteCount, BytesRefused, type Digest, StorageFull } from "./BlobStore.ts"
import { isFull, onDisk, unlinkIfThere } from "./DiskErrors.ts"
import { gcNudge } from "./GcNudge.ts"

/** A file of this process that is gone when the scope closes. */
export interface StagedFile extends Digest {
  readonly path: string
}

/** The directory in which bytes arrive, whatever store they are for. */
export const makeStaging = Effect.fnUntraced(function* (directory: string) {
  const sweep = removeAbandoned(directory)
  yield* Effect.promise(() => mkdir(directory, { recursive: true, mode: 0o700 }))
  yield* sweep

  const temporary = Effect.acquireRelease(
    Effect.sync(() => join(directory, randomBytes(16).toString("hex"))),
    (path) => Effect.promise(() => unlinkIfThere(path))
  )

  const stage = Effect.fn("BlobStore.stage")(function* (
    source: Readable,
    size: ByteCount
  ): Effect.fn.Return<StagedFile, BytesRefused | StorageFull, Scope.Scope> {
    const path = yield* temporary
    const file = yield* Effect.acquireRelease(
      onDisk(() => openForWriting(path)),
      (file) => Effect.sync(() => file.destroy())
    )
    return { ...(yield* take(source, size, file)), path }
  })

  const digest = Effect.fn("BlobStore.digest")((source: Readable, size: number) =>
    take(source, size, new Writable({ write: (_chunk, _encoding, callback) => callback() })).pipe(
      Effect.catchTag("StorageFull", Effect.die)
    )
  )

  return { stage, temporary, digest, sweep }
})

/** A source that sends nothing for 30 seconds, or less than 8 KiB/s over a minute, is cut off. */
const watchStep = Duration.seconds(10)
const idleSteps = 3
const slowSteps = 6
const slowestMinute = 60 * 8 * 1024

/**
 * Counts and hashes a source on its way to `destination`. The source itself is not part of the pipeline: a pipeline
 * destroys all its streams when it fails, and with a request that would take the connection away from the answer.
 */
const take = (source: Readable, size: ByteCount, destination: Writable) =>
  Effect.suspend(() => {
    const [least, most] = typeof size === "number" ? [size, size] : [0, size.at_most]
    const hash = createHash("sha256")
    let received = 0
    const counter = new Transform({
      transform(chunk: Buffer, _encoding, callback) {
        received += chunk.length
        if (received > most) return callback(new BytesRefused({ reason: "too_long", received }))
        hash.update(chunk)
        gcNudge(chunk.length)
        callback(null, chunk)
      },
      flush: (callback) =>
        callback(received < least ? new BytesRefused({ reason: "too_short", received }) : null)
    })
    const cutOff = () => {
      if (!source.readableEnded) counter.destroy(new BytesRefused({ reason: "interrupted", received }))
    }

    const transfer = Effect.callback<void, BytesRefused | StorageFull>((resume, signal) => {
      const settled = pipeline(counter, destination, { signal }).then(
        () => resume(Effect.void),
        (error: unknown) => resume(failure(error, received))
      )
      source.on("error", cutOff).on("close", cutOff).pipe(counter)
      if (source.destroyed) cutOff()
      return Effect.promise(() => settled)
    }).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          // The listener for errors stays, because nothing else hears a connection that breaks later.
          source.off("close", cutOff).unpipe(counter)
        })
      )
    )

    const look = () => ({ received, ours: source.readableEnded || counter.writableNeedDrain })
    return Effect.raceFirst(transfer, watch(look)).pipe(
      Effect.map((): Digest => ({ size_bytes: received, sha256: hash.digest("hex") }))
    )
  })

/** Ends only by failing, when the source has stood still or trickled for too long. */
const watch = Effect.fnUntraced(function* (
  look: () => { readonly received: number; readonly ours: boolean }
) {
  let history = [0]
  while (true) {
    yield* Effect.sleep(watchStep)
    const { received, ours } = look()
    // Waiting for the disk is not the source's fault, so the count starts again.
    history = ours ? [received] : [...history, received].slice(-1 - slowSteps)
    const idle = received === history.at(-1 - idleSteps)
    const slow = history.length > slowSteps && received - history[0]! < slowestMinute
    if (idle || slow) return yield* new BytesRefused({ reason: "too_slow", received })
  }
})

const openForWriting = async (path: string) => {
  const file = createWriteStream(path, { flags: "wx", mode: 0o600, flush: true })
  // Opened before anything can fail, so that no file appears after it was removed.
  await once(file, "open")
  return file
}

const failure = (error: unknown, received: number): Effect.Effect<never, BytesRefused | StorageFull> => {
  if (error instanceof BytesRefused) return Effect.fail(error)
  if (isFull(error)) return new StorageFull({ received })
  return Effect.die(error)
}

/** The files that a dead process left. Younger files may belong to a running process. */
const removeAbandoned = Effect.fnUntraced(function* (staging: string) {
  const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
  yield* Effect.promise(async () => {
    for (const name of await readdir(staging)) {
      const path = join(staging, name)
      const file = await stat(path).catch(() => null)
      if (file !== null && file.mtimeMs < now - Duration.toMillis("1 hour")) await unlinkIfThere(path)
    }
  })
})
