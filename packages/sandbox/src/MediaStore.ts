import { Context, Effect, Layer, Option, Schema, type Scope, Stream } from "effect"
import { createHash } from "node:crypto"
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

/** First and last byte, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** A file that has arrived whole. It is dropped when the scope closes, unless it was kept. */
export interface ReceivedMedia {
  readonly sha256: string
  readonly size: number
  readonly keep: Effect.Effect<StoredMedia>
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
    find(id: string): StoredMedia | undefined
    open(id: string, range: ByteRange): Effect.Effect<Readable, never, Scope.Scope>
    readonly reset: Effect.Effect<void>
  }
>()("@carillon/sandbox/MediaStore") {
  static readonly layer = Layer.effect(
    MediaStore,
    Effect.gen(function* () {
      const journal = yield* (yield* Journal).room("media", MediaEvent)
      const { directory } = yield* SandboxConfig
      const shelf = yield* Option.match(directory, { onNone: () => memoryShelf, onSome: folderShelf })
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
      const happen = (event: MediaEvent) => {
        journal.write(event)
        apply(event)
      }
      journal.past.forEach(apply)

      // Counted when it is given: two uploads may be kept at the same time.
      let lastId = firstMediaId + BigInt(count) - 1n

      return MediaStore.of({
        receive: Effect.fn("MediaStore.receive")(function* (content_type, bytes) {
          const slot = yield* Effect.acquireRelease(Effect.promise(shelf.newSlot), (slot) =>
            Effect.promise(slot.discard)
          )
          const hash = createHash("sha256")
          let size = 0
          yield* Stream.runForEach(bytes, (chunk) =>
            Effect.promise(() => {
              hash.update(chunk)
              size += chunk.length
              return slot.write(chunk)
            })
          )
          const sha256 = hash.digest("hex")
          const keep = Effect.gen(function* () {
            const media: StoredMedia = { id: String(++lastId), sha256, size, content_type }
            yield* Effect.promise(() => slot.keep(media.id))
            happen({ type: "stored", media })
            return media
          })
          return { sha256, size, keep }
        }),
        find: (id) => stored.get(id),
        open: Effect.fn("MediaStore.open")((id, range) =>
          Effect.acquireRelease(
            Effect.promise(() => shelf.open(id, range)),
            (bytes) => Effect.sync(() => bytes.destroy())
          )
        ),
        reset: Effect.suspend(() => {
          happen({ type: "reset" })
          return Effect.promise(shelf.clear)
        })
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

interface Shelf {
  readonly newSlot: () => Promise<Slot>
  readonly open: (id: string, range: ByteRange) => Promise<Readable>
  readonly clear: () => Promise<void>
}

const memoryShelf = Effect.sync((): Shelf => {
  const files = new Map<string, Buffer>()
  return {
    newSlot: async () => {
      const chunks: Array<Uint8Array> = []
      return {
        write: async (chunk) => void chunks.push(chunk),
        keep: async (id) => void files.set(id, Buffer.concat(chunks)),
        discard: async () => undefined
      }
    },
    open: async (id, { start, end }) => Readable.from([files.get(id)!.subarray(start, end + 1)]),
    clear: async () => files.clear()
  }
})

const folderShelf = Effect.fnUntraced(function* (directory: string) {
  const folder = join(directory, "media")
  const arriving = join(folder, "arriving")
  const pathOf = (id: string) => join(folder, id)
  let slots = 0

  yield* Effect.promise(async () => {
    await rm(arriving, { recursive: true, force: true })
    await mkdir(arriving, { recursive: true })
  })

  const shelf: Shelf = {
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
    open: async (id, range) => (await open(pathOf(id))).createReadStream(range),
    clear: async () => {
      const names = await readdir(folder)
      await Promise.all(names.filter((name) => /^\d+$/.test(name)).map((name) => rm(pathOf(name))))
    }
  }
  return shelf
})
