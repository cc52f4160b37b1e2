import { MediaId } from "@carillon/domain"
import { PgClient } from "@effect/sql-pg"
import { Effect, Option, Redacted, Schema } from "effect"
import { SqlError } from "effect/sql"
import { createReadStream } from "node:fs"
import { mkdir, open, readFile, rename, stat } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { createGunzip } from "node:zlib"
import { AppConfig } from "../AppConfig.ts"
import { derive } from "../crypto/Secrets.ts"
import { BlobStore } from "../media/files/BlobStore.ts"
import { BlobStoreLayer } from "../media/files/BlobStoreLayer.ts"
import { RestoredPosts } from "../posts/RestoredPosts.ts"
import { adviceOn, explainSqlError, sqlState } from "../sql/explainSqlError.ts"
import { migrations } from "../sql/Migrations.ts"
import { migrate, numberOf, wayFromBefore } from "../sql/Sql.ts"
import { ArchiveInvalid, type FoundPart, isSignedWith, partsOf, verifyArchive } from "./Archive.ts"
import { backupFormat, backupKeyPurpose, BackupManifest, partNames, secretCheck } from "./BackupManifest.ts"
import { linesIn } from "./linesIn.ts"
import { RestoreRepository } from "./RestoreRepository.ts"
import { openSecret, SealedSecret } from "./SealedSecret.ts"
import { SnapshotRepository } from "./SnapshotRepository.ts"

/** Nothing was restored. The message is for the person who restores, and holds no secret. */
export class RestoreRefused extends Schema.TaggedError<RestoreRefused>()("RestoreRefused", {
  message: Schema.String
}) {}

export interface RestoreOptions {
  readonly file: string
  readonly passphraseFile: string | undefined
  /** Restores a backup with a secret although it cannot be opened. */
  readonly withoutSecret: boolean
}

const refuse = (message: string) => new RestoreRefused({ message })

/** Restores a backup into an empty instance: all of it, or nothing. Gives what a person should know. */
export const restore = Effect.fn("restore")(
  function* (options: RestoreOptions) {
    const sql = yield* PgClient.PgClient
    const repository = yield* SnapshotRepository
    const { file } = options
    if (yield* databaseRefuses("Cannot tell whether the database is empty")(repository.used)) {
      const { databaseUrl, dataDir } = yield* AppConfig
      return yield* refuse(
        Option.isSome(databaseUrl)
          ? "The database of DATABASE_URL is in use by an instance; a backup can only be restored into an empty database. Create one with CREATE DATABASE, and set DATABASE_URL to it."
          : `${join(dataDir, "database")} contains an instance; a backup can only be restored into an empty database. Stop the service and move that folder away, or set another DATA_DIR.`
      )
    }
    const { found, manifest } = yield* checked(file)
    const secret = yield* secretOf(options, manifest)
    if (
      secret._tag !== "lost" &&
      !isSignedWith(derive(Redacted.value(secret.secret), backupKeyPurpose), found)
    ) {
      return yield* refuse(
        `${file} was changed after it was made, or somebody else made it: its signature is not that of the instance with this CARILLON_SECRET. Use a copy that nobody else could write to.`
      )
    }

    const given = manifest.media.included ? yield* restoreMedia(file, manifest) : 0
    if (secret._tag === "opened") yield* keepSecret(secret.secret)

    const doubtful = yield* Effect.gen(function* () {
      const known = new Set(manifest.migrations.map(({ migration_id }) => migration_id))
      const then = Object.entries(migrations).filter(([key]) => known.has(numberOf(key)))
      yield* migrate(Object.fromEntries(then))
      yield* restoreRows(file, manifest)
      yield* migrate(migrations)
      if (secret._tag === "lost") yield* (yield* RestoreRepository).forgetSecrets
      return yield* (yield* RestoredPosts).leaveToAPerson(manifest.made_at)
    }).pipe(sql.withTransaction, databaseRefuses(`${file} cannot be restored`))
    // The rows are there; statistics come by themselves with time.
    yield* Effect.catchTag(repository.analyze, "SqlError", (error) =>
      Effect.logWarning(`the tables could not be analyzed: ${explainSqlError(error)}`)
    )

    return { manifest, media: given, doubtful, secret: secret._tag }
  },
  Effect.provide([SnapshotRepository.layer, RestoreRepository.layer, RestoredPosts.layer, BlobStoreLayer])
)

/** What the database says without the values of rows, which may be secret, and what to do. */
const databaseRefuses = (what: string) =>
  Effect.catchIf(SqlError.isSqlError, (error) => {
    const code = sqlState(error)
    const words = explainSqlError(error)
    // Only the messages of class 22, of data that a type does not take, quote values.
    const said = code.startsWith("22") ? words.replace(/".*"/s, '"…"') : words
    return refuse(
      `${what}: the database says: ${said}${code === "" ? "" : ` (${code})`}. ` +
        (adviceOn(error) ?? "Restore it with the release that made it, and report this.")
    )
  })

/** Reads the whole file once, before anything is changed. */
const checked = Effect.fnUntraced(function* (file: string) {
  const found = yield* reading(file, () => verifyArchive(createReadStream(file)))
  const { kind, format, made_at } = found
  if (kind !== "carillon backup") return yield* refuse(`${file} is not a backup of a Carillon instance.`)
  if (format !== backupFormat) {
    return yield* refuse(
      `${file} was written by another release of Carillon (format ${String(format)}, this one reads ${backupFormat}). Restore it with that release.`
    )
  }
  const manifest = yield* Schema.decodeUnknownEffect(BackupManifest)(found).pipe(
    Effect.mapError(() => refuse(`${file} is damaged: its manifest is not one that this release writes.`))
  )
  const oldest = Math.min(...Object.keys(migrations).map(numberOf))
  if (manifest.migrations.every(({ migration_id }) => migration_id < oldest)) {
    return yield* refuse(
      `${file} was made ${String(made_at)} by a Carillon before 0.1.0. Restore it with the version that made it, ${wayFromBefore}.`
    )
  }
  const newer = manifest.migrations.filter(
    ({ migration_id, name }) => !(`${String(migration_id).padStart(4, "0")}_${name}` in migrations)
  )
  if (newer.length > 0) {
    return yield* refuse(
      `${file} was made ${String(made_at)} by a newer release of Carillon, with migrations that this one does not have (${newer.map(({ name }) => name).join(", ")}). Restore it with that release or a newer one.`
    )
  }
  return { found, manifest }
})

const reading = <A>(file: string, read: () => Promise<A>) =>
  Effect.tryPromise(read).pipe(
    Effect.mapError(({ cause }) =>
      refuse(
        cause instanceof ArchiveInvalid
          ? `${file} cannot be restored. ${cause.message}`
          : `${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`
      )
    )
  )

type FoundSecret =
  /** The instance has the backup's secret already. */
  | { readonly _tag: "same"; readonly secret: Redacted.Redacted }
  | { readonly _tag: "opened"; readonly secret: Redacted.Redacted }
  | { readonly _tag: "lost" }

const secretOf = Effect.fnUntraced(function* (
  { file, passphraseFile, withoutSecret }: RestoreOptions,
  { secret }: BackupManifest
): Effect.fn.Return<FoundSecret, RestoreRefused, AppConfig> {
  const config = yield* AppConfig
  const present = Option.isSome(config.secret)
    ? Redacted.value(config.secret.value)
    : yield* Effect.promise(() =>
        readFile(join(config.dataDir, "secret"), "utf8").then(
          (text) => text.trim(),
          () => ""
        )
      )
  if (secretCheck({ key: (purpose) => derive(present, purpose) }) === secret.check) {
    return { _tag: "same", secret: Redacted.make(present) }
  }
  if (withoutSecret) return { _tag: "lost" }
  if (!secret.included) {
    return yield* refuse(
      `${file} does not contain the CARILLON_SECRET under which it was signed, and this instance has another one or none, so nobody can tell whether it was changed. Set CARILLON_SECRET to the one of the instance that made it. To restore it unchecked, and reconnect all accounts: --without-secret.`
    )
  }
  if (passphraseFile === undefined) {
    return yield* refuse(
      "The backup's CARILLON_SECRET is encrypted with a passphrase. Give the file with the passphrase: --passphrase-file FILE. To restore without the secret, and reconnect all accounts: --without-secret."
    )
  }
  const passphrase = yield* reading(passphraseFile, () => readFile(passphraseFile, "utf8"))
  const sealed = yield* reading(file, () => partOf(file, partNames.secret)).pipe(
    Effect.flatMap((found) =>
      Effect.mapError(Schema.decodeEffect(Schema.fromJsonString(SealedSecret))(found), () =>
        refuse(`${file} cannot be restored: this release does not know the format of its secret.`)
      )
    )
  )
  const opened = yield* Effect.promise(() => openSecret(sealed, Redacted.make(passphrase.trim())))
  return opened === undefined
    ? yield* refuse(`The passphrase in ${passphraseFile} is not the passphrase of this backup.`)
    : { _tag: "opened", secret: opened }
})

const partOf = async (file: string, wanted: string) => {
  for await (const { name, content } of partsOf(createReadStream(file))) {
    if (name === wanted) return await text(Readable.from(content))
  }
  throw new ArchiveInvalid({ message: `It is incomplete: ${wanted} is missing.` })
}

/** Where the service looks for its secret. A former one is kept beside it. */
const keepSecret = Effect.fnUntraced(function* (secret: Redacted.Redacted) {
  const { dataDir } = yield* AppConfig
  yield* Effect.promise(async () => {
    const path = join(dataDir, "secret")
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    const there = await stat(path).then(
      () => true,
      () => false
    )
    if (there) await rename(path, `${path}.before-restore`)
    const written = await open(path, "wx", 0o600)
    await written.writeFile(Redacted.value(secret))
    await written.sync()
    await written.close()
  })
})

/** Puts the bytes into the store before their rows are there; a second try overwrites them. */
const restoreMedia = Effect.fnUntraced(function* (file: string, manifest: BackupManifest) {
  const store = yield* BlobStore
  const damaged = new Set(manifest.media.left_out.map(({ id }) => id))
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const put = Effect.fnUntraced(function* (id: MediaId, { size_bytes, content }: FoundPart) {
    const staged = yield* store.stage(Readable.from(content), size_bytes)
    yield* staged.send(id)
    yield* staged.publish(id)
  }, Effect.scoped)
  return yield* reading(file, async () => {
    let count = 0
    for await (const part of partsOf(createReadStream(file))) {
      const [folder, id] = part.name.split("/")
      if (folder !== "media" || damaged.has(id!)) continue
      await run(put(MediaId.make(id!), part))
      count += 1
    }
    return count
  })
})

const restoreRows = Effect.fnUntraced(function* (file: string, manifest: BackupManifest) {
  const repository = yield* SnapshotRepository
  const unknown = yield* repository.unknown(manifest.tables)
  if (unknown.length > 0) {
    return yield* refuse(
      `${file} cannot be restored: its manifest names ${unknown.slice(0, 5).join(", ")}, which no release of Carillon had then.`
    )
  }
  const tables = yield* repository.inOrder(manifest.tables)
  for (const table of tables) {
    const rows = yield* repository
      .write(table, linesOf(file, partNames.table(table.name), table.rows), (cause) =>
        refuse(`${file} cannot be restored: the rows of ${table.name} cannot be read (${String(cause)}).`)
      )
      .pipe(databaseRefuses(`${file} cannot be restored: the table ${table.name} cannot be filled`))
    if (rows !== table.rows) {
      return yield* refuse(
        `${file} cannot be restored: it has ${rows} rows of ${table.name}, and its manifest says ${table.rows}.`
      )
    }
  }
})

async function* linesOf(file: string, wanted: string, rows: number): AsyncGenerator<string> {
  if (rows === 0) return
  for await (const { name, content } of partsOf(createReadStream(file))) {
    if (name !== wanted) continue
    const unpacked = createGunzip()
    Readable.from(content)
      .once("error", (error) => unpacked.destroy(error))
      .pipe(unpacked)
    yield* linesIn(unpacked)
    return
  }
}

export type Restored = Effect.Success<ReturnType<typeof restore>>
