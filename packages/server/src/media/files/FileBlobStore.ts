import { MediaId, type ByteRange } from "@carillon/domain"
import { Effect, Layer } from "effect"
import { constants } from "node:fs"
import { access, mkdir, open, readdir, rename, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import type { Readable } from "node:stream"
import { AppConfig } from "../../AppConfig.ts"
import { BlobMissing, type BlobRef, BlobStore, type ByteCount } from "./BlobStore.ts"
import { codeOf, onDisk, unlinkIfThere } from "./DiskErrors.ts"
import { makeStaging } from "./Staging.ts"

/** The store in the file system, under `<DATA_DIR>/media`. */
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

    const fileOf = ({ id, variant }: Pick<BlobRef, "id" | "variant">) =>
      variant === undefined ? pathOf(id) : `${pathOf(id)}.${variant}`

    const publish = (temporary: string) =>
      Effect.fnUntraced(function* (id: MediaId, variant?: string) {
        const path = fileOf(variant === undefined ? { id } : { id, variant })
        yield* onDisk(async () => {
          await makeDirectories(root, dirname(path))
          await rename(temporary, path)
          await syncDirectory(dirname(path))
        })
      })

    const stage = Effect.fnUntraced(function* (source: Readable, size: ByteCount) {
      const staged = yield* staging.stage(source, size)
      const nothing = () => Effect.void
      const kept = publish(staged.path)
      return { ...staged, send: nothing, publish: kept, keepVariant: kept, discard: nothing }
    })

    const openBlob = Effect.fn("BlobStore.open")(function* (blob: BlobRef, range?: ByteRange) {
      return yield* Effect.acquireRelease(
        existing(blob.id, async () => (await open(fileOf(blob))).createReadStream(range ?? {})),
        (stream) => Effect.sync(() => stream.destroy())
      )
    })

    const file = Effect.fn("BlobStore.file")(function* (blob: BlobRef) {
      const path = fileOf(blob)
      yield* existing(blob.id, () => stat(path))
      return path
    })

    const variants = Effect.fn("BlobStore.variants")((id: MediaId) =>
      Effect.promise(() => variantsOf(pathOf(id)))
    )

    const remove = Effect.fn("BlobStore.remove")((id: MediaId) =>
      Effect.promise(async () => {
        const path = pathOf(id)
        for (const name of await variantsOf(path)) await unlinkIfThere(`${path}.${name}`)
        await unlinkIfThere(path)
      })
    )

    const check = Effect.promise(() => access(root, constants.W_OK))

    return BlobStore.of({ ...staging, stage, open: openBlob, file, variants, remove, check })
  })
)

const existing = <A>(id: MediaId, run: () => Promise<A>): Effect.Effect<A, BlobMissing> =>
  Effect.tryPromise(run).pipe(
    Effect.catch(({ cause }) => (codeOf(cause) === "ENOENT" ? new BlobMissing({ id }) : Effect.die(cause)))
  )

const variantsOf = async (path: string): Promise<ReadonlyArray<string>> => {
  const beginning = `${basename(path)}.`
  const names = await readdir(dirname(path)).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return []
    throw error
  })
  return names.flatMap((name) => (name.startsWith(beginning) ? [name.slice(beginning.length)] : []))
}

/** A rename or a new directory survives a power cut only once its parent directory is on disk. */
const syncDirectory = async (path: string) => {
  const directory = await open(path)
  await directory.sync().finally(() => directory.close())
}

const makeDirectories = async (root: string, path: string) => {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = path; made !== root; made = dirname(made)) await syncDirectory(dirname(made))
}
