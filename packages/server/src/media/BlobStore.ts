import { MediaId } from "@carillon/domain"
import { Context, Data, Duration, Effect, Layer, type Scope } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { mkdir, open, readdir, rename, stat, unlink } from "node:fs/promises"
import { dirname, join } from "node:path"
import { type Readable, Transform, Writable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { AppConfig } from "../AppConfig.ts"

/** How many bytes a source must bring, or the most that are taken where nobody has said. */
export type ByteCount = number | { readonly at_most: number }

/** The source did not deliver the declared number of bytes. `too_long` is known at the first byte too many. */
export class BytesRefused extends Data.TaggedError("BytesRefused")<{
  readonly reason: "too_short" | "too_long" | "interrupted" | "too_slow"
  readonly received: number
}> {}

export class StorageFull extends Data.TaggedError("StorageFull")<{ readonly received: number }> {}

export class BlobMissing extends Data.TaggedError("BlobMissing")<{ readonly id: MediaId }> {}

export interface Digest {
  readonly size_bytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** Bytes that have arrived and are safe on disk but not yet in the store. Gone when the scope closes. */
export interface StagedBlob extends Digest {
  /** A local file, for looking at the content. */
  readonly path: string
  /** Puts the bytes into the store under this id, at once and durably. */
  readonly publish: (id: MediaId) => Effect.Effect<void, StorageFull>
}

/** First and last byte, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Where the bytes of media are kept, addressed by nothing but the media id. */
export class BlobStore extends Context.Service<
  BlobStore,
  {
    /** Takes that many bytes from a source, with flat memory. On failure nothing stays behind. */
    stage(
      source: Readable,
      size: ByteCount
    ): Effect.Effect<StagedBlob, BytesRefused | StorageFull, Scope.Scope>
    /** Reads a source under the same rules and keeps nothing. */
    digest(source: Readable, size: number): Effect.Effect<Digest, BytesRefused>
    open(id: MediaId, range?: ByteRange): Effect.Effect<Readable, BlobMissing, Scope.Scope>
    /** A local file with the bytes, for libraries that read files. */
    file(id: MediaId): Effect.Effect<string, BlobMissing, Scope.Scope>
    /** Removing what is not there is no failure. */
    remove(id: MediaId): Effect.Effect<void>
    /** Removes what uploads of processes that died have left; done at the start too. */
    readonly sweep: Effect.Effect<void>
  }
>()("@carillon/server/media/BlobStore") {
  /** On the file system, under `<DATA_DIR>/media`. */
  static readonly layer = Layer.effect(
    BlobStore,
    Effect.gen(function* () {
      const root = join((yield* AppConfig).dataDir, "media")
      const staging = join(root, "staging")
      const sweep = removeAbandoned(staging)
      yield* Effect.promise(() => mkdir(staging, { recursive: true, mode: 0o700 }))
      yield* sweep

      const pathOf = (id: MediaId) => {
        const name = MediaId.make(id).toLowerCase()
        // The tail of a UUID v7 is its random part; the head is the time and would fill one directory after another.
        return join(root, name.slice(-2), name.slice(-4, -2), name)
      }

      const publish = (temporary: string) =>
        Effect.fnUntraced(function* (id: MediaId) {
          const path = pathOf(id)
          yield* onDisk(async () => {
            await makeDirectories(root, dirname(path))
            await rename(temporary, path)
            await syncDirectory(dirname(path))
          })
        })

      const stage = Effect.fn("BlobStore.stage")(function* (source: Readable, size: ByteCount) {
        const path = join(staging, randomBytes(16).toString("hex"))
        yield* Effect.addFinalizer(() => Effect.promise(() => unlinkIfThere(path)))
        const file = yield* Effect.acquireRelease(
          onDisk(() => openForWriting(path)),
          (file) => Effect.sync(() => file.destroy())
        )
        return { ...(yield* take(source, size, file)), path, publish: publish(path) }
      })

      const digest = Effect.fn("BlobStore.digest")((source: Readable, size: number) =>
        take(source, size, new Writable({ write: (_chunk, _encoding, callback) => callback() })).pipe(
          Effect.catchTag("StorageFull", Effect.die)
        )
      )

      const openBlob = Effect.fn("BlobStore.open")(function* (id: MediaId, range?: ByteRange) {
        return yield* Effect.acquireRelease(
          existing(id, async () => (await open(pathOf(id))).createReadStream(range ?? {})),
          (stream) => Effect.sync(() => stream.destroy())
        )
      })

      const file = Effect.fn("BlobStore.file")(function* (id: MediaId) {
        const path = pathOf(id)
        yield* existing(id, () => stat(path))
        return path
      })

      const remove = Effect.fn("BlobStore.remove")((id: MediaId) =>
        Effect.promise(() => unlinkIfThere(pathOf(id)))
      )

      return BlobStore.of({ stage, digest, open: openBlob, file, remove, sweep })
    })
  )
}

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
          // The listener for errors stays: a connection that breaks later has nobody else to hear it.
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
    // Waiting for the disk is not the source's fault: the count begins anew.
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

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException | undefined)?.code

const isFull = (error: unknown) => ["ENOSPC", "EDQUOT"].includes(codeOf(error) ?? "")

const failure = (error: unknown, received: number): Effect.Effect<never, BytesRefused | StorageFull> => {
  if (error instanceof BytesRefused) return Effect.fail(error)
  if (isFull(error)) return new StorageFull({ received })
  return Effect.die(error)
}

const onDisk = <A>(run: () => Promise<A>): Effect.Effect<A, StorageFull> =>
  Effect.tryPromise(run).pipe(
    Effect.catch(({ cause }) => (isFull(cause) ? new StorageFull({ received: 0 }) : Effect.die(cause)))
  )

const existing = <A>(id: MediaId, run: () => Promise<A>): Effect.Effect<A, BlobMissing> =>
  Effect.tryPromise(run).pipe(
    Effect.catch(({ cause }) => (codeOf(cause) === "ENOENT" ? new BlobMissing({ id }) : Effect.die(cause)))
  )

const unlinkIfThere = (path: string): Promise<void> =>
  unlink(path).catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error
  })

/** A rename, or a new directory, survives a power cut only once the directory that names it is on disk. */
const syncDirectory = async (path: string) => {
  const directory = await open(path)
  await directory.sync().finally(() => directory.close())
}

const makeDirectories = async (root: string, path: string) => {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = path; made !== root; made = dirname(made)) await syncDirectory(dirname(made))
}

/** What a process that died left behind. Younger files may belong to a process that is still running. */
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
