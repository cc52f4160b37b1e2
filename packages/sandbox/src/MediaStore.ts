import type { ByteRange } from "@carillon/domain"
import { Context, Effect, Layer, Option, Schema, type Scope, Stream } from "effect"
import { createHash, type Hash } from "node:crypto"
import { mkdir, open, readdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import { Journal } from "./Journal.ts"
import { SandboxConfig } from "./SandboxConfig.ts"

/** A file that was uploaded to any of the platforms. */
export interface StoredMedia extends Schema.Schema.Type<typeof StoredMedia> {}
export const StoredMedia = Schema.Struct({
  /** A number above 2^53, as a string. */
  id: Schema.String,
  /** Hexadecimal. */
  sha256: Schema.String,
  /** Bytes. */
  size: Schema.Int,
  content_type: Schema.String
})

/** A file that has arrived whole. It is dropped when the scope closes, unless it was kept. */
export interface ReceivedMedia {
  readonly sha256: string
  readonly size: number
  /** Its first bytes, at least a dozen if it has as many. */
  readonly beginning: Uint8Array
  readonly keep: Effect.Effect<StoredMedia>
  /** The same, for a sender whose word for the type is not taken. */
  readonly keepAs: (content_type: string) => Effect.Effect<StoredMedia>
}

const MediaEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("stored"), media: StoredMedia }),
  Schema.Struct({ type: Schema.Literal("reset") })
])
type MediaEvent = typeof MediaEvent.Type

/** The bytes of uploads: files under `SANDBOX_DIR/media` named by their id, or in memory. */
export class MediaStore extends Context.Service<
  MediaStore,
  {
    /** Takes a file as it comes, hashing it on the way; with a directory memory stays flat. */
    receive<E>(
      content_type: string,
      bytes: Stream.Stream<Uint8Array, E>
    ): Effect.Effect<ReceivedMedia, E, Scope.Scope>
    /**
     * Takes a part of a file under a name of the caller's, and overwrites it from `offset` on. Gives the file's length
     * so far. The part outlives the process.
     */
    append<E>(name: string, offset: number, bytes: Stream.Stream<Uint8Array, E>): Effect.Effect<number, E>
    /** Makes a stored file of `size` bytes out of the parts. */
    assemble(name: string, size: number, content_type: string): Effect.Effect<StoredMedia>
    find(id: string): StoredMedia | undefined
    open(id: string, range: ByteRange): Effect.Effect<Readable, never, Scope.Scope>
    /** The whole file. */
    read(media: StoredMedia): Stream.Stream<Uint8Array>
    /** Deletes every file. */
    readonly clear: Effect.Effect<void>
  }
>()("@carillon/sandbox/MediaStore") {
  static readonly layer = Layer.effect(
    MediaStore,
    Effect.gen(function* () {
      const { directory } = yield* SandboxConfig
      const storage = yield* Option.match(directory, { onNone: () => memoryStorage, onSome: folderStorage })
      let stored = new Map<string, StoredMedia>()
      let count = 0

      const apply = (event: MediaEvent) => {
        switch (event.type) {
          case "stored":
            count += 1
            stored.set(event.media.id, event.media)
            return
          case "reset":
            stored = new Map()
        }
      }
      const happen = yield* (yield* Journal).stream("media", MediaEvent, apply, { type: "reset" })

      // Counted here, because two uploads may be kept at the same time.
      let lastId = firstMediaId + BigInt(count) - 1n

      // Hashes of the parts that came in order since the start, so that the last one need not read all again.
      const hashes = new Map<string, { readonly hash: Hash; readonly size: number }>()

      const openFile = Effect.fn("MediaStore.open")((id: string, range: ByteRange) =>
        Effect.acquireRelease(
          Effect.promise(() => storage.open(id, range)),
          (bytes) => Effect.sync(() => bytes.destroy())
        )
      )

      return MediaStore.of({
        receive: Effect.fn("MediaStore.receive")(function* (content_type, bytes) {
          const slot = yield* Effect.acquireRelease(Effect.promise(storage.newSlot), (slot) =>
            Effect.promise(slot.discard)
          )
          const hash = createHash("sha256")
          let size = 0
          let beginning: Uint8Array = new Uint8Array()
          yield* Stream.runForEach(bytes, (chunk) =>
            Effect.promise(() => {
              hash.update(chunk)
              if (size < 12) beginning = Buffer.concat([beginning, chunk.subarray(0, 12)])
              size += chunk.length
              return slot.write(chunk)
            })
          )
          const sha256 = hash.digest("hex")
          const keepAs = Effect.fnUntraced(function* (content_type: string) {
            const media: StoredMedia = { id: String(++lastId), sha256, size, content_type }
            yield* Effect.promise(() => slot.keep(media.id))
            happen({ type: "stored", media })
            return media
          })
          return { sha256, size, beginning, keep: keepAs(content_type), keepAs }
        }),
        append: Effect.fn("MediaStore.append")(function* (name, offset, bytes) {
          const known = hashes.get(name)
          hashes.delete(name)
          const hash = offset === 0 ? createHash("sha256") : known?.size === offset ? known.hash : undefined
          const part = yield* Effect.acquireRelease(
            Effect.promise(() => storage.part(name, offset)),
            (part) => Effect.promise(part.close)
          )
          let size = offset
          yield* Stream.runForEach(bytes, (chunk) =>
            Effect.promise(() => {
              hash?.update(chunk)
              size += chunk.length
              return part.write(chunk)
            })
          )
          yield* Effect.promise(part.sync)
          if (hash !== undefined) hashes.set(name, { hash, size })
          return size
        }, Effect.scoped),
        assemble: Effect.fn("MediaStore.assemble")(function* (name, size, content_type) {
          const known = hashes.get(name)
          hashes.delete(name)
          const sha256 =
            known?.size === size
              ? known.hash.digest("hex")
              : yield* Effect.promise(async () => {
                  const hash = createHash("sha256")
                  for await (const chunk of await storage.readParts(name, size)) hash.update(chunk)
                  return hash.digest("hex")
                })
          const media: StoredMedia = { id: String(++lastId), sha256, size, content_type }
          yield* Effect.promise(() => storage.keepParts(name, size, media.id))
          happen({ type: "stored", media })
          return media
        }),
        find: (id) => stored.get(id),
        open: openFile,
        read: ({ id, size }) =>
          Stream.unwrap(
            Effect.map(openFile(id, { start: 0, end: size - 1 }), (readable) =>
              Stream.orDie(Stream.fromAsyncIterable<Uint8Array, unknown>(readable, (cause) => cause))
            )
          ),
        clear: Effect.promise(storage.clear)
      })
    })
  )
}

const firstMediaId = 7_600_000_000_000_000_001n

interface Slot {
  readonly write: (chunk: Uint8Array) => Promise<void>
  readonly keep: (id: string) => Promise<void>
  readonly discard: () => Promise<void>
}

interface Part {
  readonly write: (chunk: Uint8Array) => Promise<void>
  readonly sync: () => Promise<void>
  readonly close: () => Promise<void>
}

interface Storage {
  readonly newSlot: () => Promise<Slot>
  /** Continues a file at this offset and drops everything behind it. */
  readonly part: (name: string, offset: number) => Promise<Part>
  readonly readParts: (name: string, size: number) => Promise<Readable>
  readonly keepParts: (name: string, size: number, id: string) => Promise<void>
  readonly open: (id: string, range: ByteRange) => Promise<Readable>
  readonly clear: () => Promise<void>
}

const memoryStorage = Effect.sync((): Storage => {
  const files = new Map<string, Buffer>()
  const unfinished = new Map<string, Array<Uint8Array>>()
  const partsOf = (name: string, size: number) => Buffer.concat(unfinished.get(name) ?? []).subarray(0, size)
  return {
    part: async (name, offset) => {
      const chunks: Array<Uint8Array> = [partsOf(name, offset)]
      unfinished.set(name, chunks)
      return {
        write: async (chunk) => void chunks.push(chunk),
        sync: async () => undefined,
        close: async () => undefined
      }
    },
    readParts: async (name, size) => Readable.from([partsOf(name, size)]),
    keepParts: async (name, size, id) => {
      files.set(id, partsOf(name, size))
      unfinished.delete(name)
    },
    newSlot: async () => {
      const chunks: Array<Uint8Array> = []
      return {
        write: async (chunk) => void chunks.push(chunk),
        keep: async (id) => void files.set(id, Buffer.concat(chunks)),
        discard: async () => undefined
      }
    },
    open: async (id, { start, end }) => Readable.from([files.get(id)!.subarray(start, end + 1)]),
    clear: async () => {
      files.clear()
      unfinished.clear()
    }
  }
})

const folderStorage = Effect.fnUntraced(function* (directory: string) {
  const folder = join(directory, "media")
  const arriving = join(folder, "arriving")
  const unfinished = join(folder, "unfinished")
  const pathOf = (id: string) => join(folder, id)
  const partsOf = (name: string) => join(unfinished, name)
  let slots = 0

  yield* Effect.promise(async () => {
    await rm(arriving, { recursive: true, force: true })
    await mkdir(arriving, { recursive: true })
    await mkdir(unfinished, { recursive: true })
  })

  const storage: Storage = {
    newSlot: async () => {
      const path = join(arriving, String(++slots))
      const file = await open(path, "w", 0o600)
      return {
        write: (chunk) => file.writeFile(chunk),
        keep: async (id) => {
          await file.datasync()
          await rename(path, pathOf(id))
        },
        discard: async () => {
          await file.close()
          await rm(path, { force: true })
        }
      }
    },
    part: async (name, offset) => {
      const file = await open(partsOf(name), "a", 0o600)
      await file.truncate(offset)
      return {
        write: (chunk) => file.appendFile(chunk),
        sync: () => file.datasync(),
        close: () => file.close()
      }
    },
    readParts: async (name, size) => (await open(partsOf(name))).createReadStream({ end: size - 1 }),
    keepParts: (name, _size, id) => rename(partsOf(name), pathOf(id)),
    open: async (id, range) => (await open(pathOf(id))).createReadStream(range),
    clear: async () => {
      const names = await readdir(folder)
      const parts = await readdir(unfinished)
      await Promise.all([
        // Another reset may be under way.
        ...names.filter((name) => /^\d+$/.test(name)).map((name) => rm(pathOf(name), { force: true })),
        ...parts.map((name) => rm(partsOf(name), { force: true }))
      ])
    }
  }
  return storage
})
