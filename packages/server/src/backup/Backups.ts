import {
  type BadRequest,
  CurrentActor,
  type CreateBackup,
  type Forbidden,
  type InsufficientStorage,
  MediaId,
  problem
} from "@carillon/domain"
import { Context, DateTime, Effect, Exit, Layer, Option, Redacted, Scope, Semaphore } from "effect"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { type FileHandle, open, unlink } from "node:fs/promises"
import type { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { actingCredential, Audit, theInstance } from "../audit/Audit.ts"
import { guessable } from "../crypto/PasswordRules.ts"
import { Secrets } from "../crypto/Secrets.ts"
import { BlobStore, type StorageFull } from "../media/files/BlobStore.ts"
import { onDisk } from "../media/files/DiskErrors.ts"
import { Database } from "../sql/Sql.ts"
import { chunksOf, type NewPart, writeArchive } from "./Archive.ts"
import {
  backupFormat,
  backupKeyPurpose,
  type BackupManifest,
  partNames,
  secretCheck
} from "./BackupManifest.ts"
import { linesIn } from "./linesIn.ts"
import { sealSecret } from "./SealedSecret.ts"
import { SnapshotRepository } from "./SnapshotRepository.ts"

export interface BackupOptions {
  readonly media: boolean
  readonly passphrase: Option.Option<Redacted.Redacted>
}

/** A backup on its way: its bytes can be read as long as the scope is open. */
export interface Backup {
  readonly name: string
  readonly bytes: Readable
}

/** Rows in a file that nobody else sees, and where those of each table are. */
interface Spooled {
  readonly file: FileHandle
  readonly ranges: ReadonlyMap<string, { readonly start: number; readonly end: number }>
}

/** The whole instance in one file, made while it runs. */
export class Backups extends Context.Service<
  Backups,
  {
    /** For an admin of the default workspace. */
    create(
      asked: CreateBackup
    ): Effect.Effect<Backup, BadRequest | Forbidden | InsufficientStorage, CurrentActor | Scope.Scope>
    /** For the instance itself. */
    make(options: BackupOptions): Effect.Effect<Backup, StorageFull, Scope.Scope>
  }
>()("@carillon/server/backup/Backups") {
  static readonly layer = Layer.effect(
    Backups,
    Effect.gen(function* () {
      const repository = yield* SnapshotRepository
      const store = yield* BlobStore
      const secrets = yield* Secrets
      const audit = yield* Audit
      const { kind } = yield* Database
      const oneAtATime = yield* Semaphore.make(1)
      const run = Effect.runPromiseWith(yield* Effect.context<never>())

      /** A file without a name: gone with this process, whatever ends it. */
      const namelessFile = Effect.acquireRelease(
        Effect.flatMap(Effect.scoped(store.temporary), (path) =>
          onDisk(async () => {
            const file = await open(path, "wx+", 0o600)
            await unlink(path)
            return file
          })
        ),
        (file) => Effect.promise(() => file.close())
      )

      /** Copies all rows to the disk, as fast as that is: the transaction ends before anybody reads them. */
      const spool = Effect.gen(function* () {
        const file = yield* namelessFile
        const ranges = new Map<string, { start: number; end: number }>()
        let position = 0
        const taken = yield* repository
          .read((table, lines) =>
            onDisk(async () => {
              const start = position
              position += await write(file, Buffer.from(lines), position)
              ranges.set(table, { start: ranges.get(table)?.start ?? start, end: position })
            })
          )
          .pipe(Effect.catchTag("SqlError", Effect.die))
        return { ...taken, rows: { file, ranges } satisfies Spooled }
      })

      const compress = Effect.fnUntraced(function* ({ file: rows, ranges }: Spooled) {
        const file = yield* namelessFile
        const compressed = new Map<string, { start: number; end: number }>()
        yield* onDisk(async () => {
          let position = 0
          for (const [table, range] of ranges) {
            const start = position
            await pipeline(rangeOf(rows, range), createGzip({ level: 3 }), async (source) => {
              for await (const bytes of source) position += await write(file, bytes, position)
            })
            compressed.set(table, { start, end: position })
          }
        })
        return { file, ranges: compressed } satisfies Spooled
      })

      type LeftOut = BackupManifest["media"]["left_out"][number]

      const mediaParts = async function* (
        { file, ranges }: Spooled,
        leftOut: Array<LeftOut>
      ): AsyncGenerator<NewPart> {
        const range = ranges.get("media")
        if (range === undefined) return
        for await (const line of linesIn(rangeOf(file, range))) {
          const { id, sha256, size_bytes, status, deleted_at } = JSON.parse(line)
          if (status !== "ready" || deleted_at !== null || sha256 === null) continue
          const scope = Scope.makeUnsafe()
          try {
            const opened = await run(
              Effect.option(store.open({ id: MediaId.make(id), sha256 })).pipe(Scope.provide(scope))
            )
            if (Option.isNone(opened)) {
              leftOut.push({ id, reason: "missing" })
              continue
            }
            const content = async function* () {
              const hash = createHash("sha256")
              for await (const bytes of opened.value as AsyncIterable<Uint8Array>) {
                hash.update(bytes)
                yield bytes
              }
              if (hash.digest("hex") !== sha256) leftOut.push({ id, reason: "damaged" })
            }
            yield { name: partNames.media(id), size_bytes, content }
          } finally {
            await run(Scope.close(scope, Exit.void))
          }
        }
      }

      const make = Effect.fn("Backups.make")(function* ({ media, passphrase }: BackupOptions) {
        const madeAt = yield* DateTime.now
        const { rows, packed, migrations, tables } = yield* Effect.gen(function* () {
          const { rows, ...taken } = yield* spool
          return { ...taken, rows, packed: yield* compress(rows) }
        }).pipe(oneAtATime.withPermit)
        const sealed = Option.isNone(passphrase)
          ? undefined
          : yield* Effect.promise(() => sealSecret(secrets.root, passphrase.value))
        const leftOut: Array<LeftOut> = []

        const parts = async function* (): AsyncGenerator<NewPart> {
          for (const [table, range] of packed.ranges) {
            const size_bytes = range.end - range.start
            yield { name: partNames.table(table), size_bytes, content: () => rangeOf(packed.file, range) }
          }
          if (media) yield* mediaParts(rows, leftOut)
          if (sealed !== undefined) {
            const bytes = Buffer.from(`${JSON.stringify(sealed, null, 1)}\n`)
            yield { name: partNames.secret, size_bytes: bytes.length, content: () => chunksOf([bytes]) }
          }
        }
        const about = (): BackupManifest => ({
          kind: "carillon backup",
          format: backupFormat,
          made_at: DateTime.formatIso(madeAt),
          database: kind,
          migrations,
          tables,
          media: { included: media, left_out: leftOut },
          secret: { included: sealed !== undefined, check: secretCheck(secrets) }
        })
        return {
          name: `carillon-${DateTime.formatIso(madeAt).slice(0, 19).replace(/[-:]/g, "")}Z.tar`,
          bytes: yield* Effect.acquireRelease(
            Effect.sync(() => writeArchive(parts(), about, secrets.key(backupKeyPurpose))),
            (bytes) => Effect.promise(() => ended(bytes.destroy()))
          )
        }
      })

      const create = Effect.fn("Backups.create")(function* ({
        include_media: media = false,
        passphrase
      }: CreateBackup) {
        const flaw = passphrase == null ? null : guessable(passphrase, "passphrase")
        if (flaw !== null) {
          return yield* problem("invalid_request", [
            { path: "passphrase", code: "invalid_value", message: flaw }
          ])
        }
        yield* audit.record({
          workspace_id: null,
          actor: yield* actingCredential,
          action: "backup.created",
          subject: null
        })
        return yield* make({
          media,
          passphrase: Option.map(Option.fromNullishOr(passphrase), (text) => Redacted.make(text))
        }).pipe(
          Effect.catchTag("StorageFull", () =>
            problem(
              "storage_full",
              "The service has no space to write a backup. Free space on the disk of DATA_DIR."
            )
          )
        )
      })

      return Backups.of({
        create,
        make: (options) =>
          Effect.andThen(
            audit.record({ workspace_id: null, actor: theInstance, action: "backup.created", subject: null }),
            make(options)
          )
      })
    })
  ).pipe(Layer.provide(SnapshotRepository.layer))
}

async function* rangeOf(
  file: FileHandle,
  { start, end }: { readonly start: number; readonly end: number }
): AsyncGenerator<Uint8Array> {
  let position = start
  while (position < end) {
    const size = Math.min(end - position, 64 * 1024)
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(size), 0, size, position)
    if (bytesRead === 0) throw new Error("the spooled rows of a backup have become shorter")
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Writes all of the bytes; their number. */
const write = async (file: FileHandle, bytes: Uint8Array, position: number) => {
  let written = 0
  while (written < bytes.length) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written)
    written += bytesWritten
  }
  return written
}

const ended = async (bytes: Readable) => {
  if (!bytes.closed) await once(bytes, "close").catch(() => {})
}
