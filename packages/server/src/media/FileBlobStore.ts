import { MediaId } from "@carillon/domain"
import { Effect, Layer } from "effect"
import { constants } from "node:fs"
import { access, mkdir, open, rename, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Readable } from "node:stream"
import { AppConfig } from "../AppConfig.ts"
import { BlobMissing, type BlobRef, BlobStore, type ByteCount, type ByteRange } from "./BlobStore.ts"
import { codeOf, onDisk, unlinkIfThere } from "./DiskErrors.ts"
import { makeStaging } from "./Staging.ts"

/** The store on the file system, under `<DATA_DIR>/media`. */
export const FileBlobStoreLayer = Layer.effect(
  BlobStore,
  Effect.gen(function* () {
    const root = join((yield* AppConfig).dataDir, "media")
    const staging = yield* makeStaging(join(root, "staging"))

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

    const stage = Effect.fnUntraced(function* (source: Readable, size: ByteCount) {
      const staged = yield* staging.stage(source, size)
      const nothing = () => Effect.void
      return { ...staged, send: nothing, publish: publish(staged.path), discard: nothing }
    })

    const openBlob = Effect.fn("BlobStore.open")(function* ({ id }: BlobRef, range?: ByteRange) {
      return yield* Effect.acquireRelease(
        existing(id, async () => (await open(pathOf(id))).createReadStream(range ?? {})),
        (stream) => Effect.sync(() => stream.destroy())
      )
    })

    const file = Effect.fn("BlobStore.file")(function* ({ id }: BlobRef) {
      const path = pathOf(id)
      yield* existing(id, () => stat(path))
      return path
    })

    const remove = Effect.fn("BlobStore.remove")((id: MediaId) =>
      Effect.promise(() => unlinkIfThere(pathOf(id)))
    )

    const check = Effect.promise(() => access(root, constants.W_OK))

    return BlobStore.of({ ...staging, stage, open: openBlob, file, remove, check })
  })
)

const existing = <A>(id: MediaId, run: () => Promise<A>): Effect.Effect<A, BlobMissing> =>
  Effect.tryPromise(run).pipe(
    Effect.catch(({ cause }) => (codeOf(cause) === "ENOENT" ? new BlobMissing({ id }) : Effect.die(cause)))
  )

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
