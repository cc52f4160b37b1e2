import { BackupPassphrase, type BackupSchedule } from "@carillon/domain"
import { Cause, Duration, Effect, Option, Redacted, Schema } from "effect"
import { SqlError } from "effect/sql"
import { createReadStream, createWriteStream } from "node:fs"
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { AppConfig, type BackupSettings } from "../AppConfig.ts"
import { guessable } from "../crypto/PasswordRules.ts"
import { makeS3Bucket } from "../media/files/S3Bucket.ts"
import { explainSqlError } from "../sql/explainSqlError.ts"
import type { Recurring } from "../Recurring.ts"
import { verifyArchive } from "./Archive.ts"
import { Backups } from "./Backups.ts"
import { type BackupRun, ScheduleRepository } from "./ScheduleRepository.ts"

/** How often a process looks whether it is its turn. */
const longestPause = Duration.minutes(1)

/** The names that `Backups` gives; others in the place are left alone. */
const isBackup = /^carillon-\d{8}T\d{6}Z\.tar$/

/** Where backups are put: a file appears there under its name when it is whole, and never before. */
interface Place {
  readonly put: (name: string, local: string) => Effect.Effect<void>
  readonly names: Effect.Effect<ReadonlyArray<string>>
  readonly remove: (name: string) => Effect.Effect<void>
  /** A local path for a backup that is being made. */
  readonly unfinished: (name: string) => string
}

const folder = (path: string): Place => ({
  unfinished: (name) => join(path, `${name}.unfinished`),
  put: (name, local) =>
    Effect.promise(async () => {
      await rename(local, join(path, name))
      const directory = await open(path)
      await directory.sync().finally(() => directory.close())
    }),
  names: Effect.promise(() => readdir(path)),
  remove: (name) => Effect.promise(() => rm(join(path, name), { force: true }))
})

const bucket = (
  { settings, prefix }: Extract<BackupSettings["to"], { readonly _tag: "bucket" }>,
  dataDir: string
): Place => {
  const s3 = makeS3Bucket(settings)
  return {
    unfinished: (name) => join(dataDir, `${name}.unfinished`),
    put: (name, local) =>
      Effect.andThen(
        s3.putFile(`${prefix}${name}`, local),
        Effect.promise(() => rm(local, { force: true }))
      ),
    names: Effect.map(s3.list(`${prefix}carillon-`), (keys) => keys.map((key) => key.slice(prefix.length))),
    remove: (name) => s3.remove(`${prefix}${name}`)
  }
}

/** What an admin, and the server's own doctor, are told of it. */
export const scheduleOf = (backup: BackupSettings | null, last: BackupRun | null): BackupSchedule => ({
  every_seconds: backup === null ? null : Math.round(Duration.toSeconds(backup.every)),
  last,
  succeeded_at: last?.succeeded_at ?? null
})

const isPassphrase: (text: string) => boolean = Schema.is(BackupPassphrase)

const reasonOf = (failure: unknown) =>
  SqlError.isSqlError(failure) ? explainSqlError(failure) : String(failure)

/** Makes backups by themselves: BACKUP_EVERY, BACKUP_TO. Of several processes one makes each. */
export const scheduledBackups = Effect.gen(function* () {
  const { backup, dataDir } = yield* AppConfig
  if (backup === null) return []
  const { every, to, keep, media, passphraseFile } = backup
  const backups = yield* Backups
  const repository = yield* ScheduleRepository
  const place = to._tag === "folder" ? folder(to.path) : bucket(to, dataDir)
  const local = to._tag === "folder" ? to.path : dataDir

  const passphrase = Option.match(passphraseFile, {
    onNone: () => Effect.succeedNone,
    onSome: (path) =>
      Effect.promise(async () => {
        const text = (await readFile(path, "utf8")).trim()
        const flaw = isPassphrase(text)
          ? guessable(text, "passphrase")
          : `The passphrase has ${text.length} characters. Choose one of 12 to 1024.`
        if (flaw !== null) throw new Error(`BACKUP_PASSPHRASE_FILE cannot be used. ${flaw}`)
        return Option.some(Redacted.make(text))
      })
  })

  /** What killed processes have left; only the one whose turn it is makes any. */
  const clear = Effect.promise(async () => {
    await mkdir(local, { recursive: true, mode: 0o700 })
    for (const name of await readdir(local)) {
      if (name.endsWith(".unfinished") && isBackup.test(name.slice(0, -".unfinished".length))) {
        await rm(join(local, name), { force: true })
      }
    }
  })

  const write = Effect.gen(function* () {
    yield* clear
    const { name, bytes } = yield* backups.make({ media, passphrase: yield* passphrase })
    const path = place.unfinished(name)
    return yield* Effect.gen(function* () {
      const size_bytes = yield* Effect.promise(async (signal) => {
        await pipeline(bytes, createWriteStream(path, { mode: 0o600, flush: true }), { signal })
        await verifyArchive(createReadStream(path))
        return (await stat(path)).size
      })
      yield* place.put(name, path)
      return { name, size_bytes }
    }).pipe(Effect.onError(() => Effect.promise(() => rm(path, { force: true }))))
  }).pipe(Effect.scoped)

  const removeOld = Effect.gen(function* () {
    const old = (yield* place.names)
      .filter((name) => isBackup.test(name))
      .toSorted()
      .slice(0, -keep)
    yield* Effect.forEach(old, place.remove, { discard: true })
  })

  const turn = Effect.gen(function* () {
    if (!(yield* repository.begin(every))) return
    const made = yield* write.pipe(
      Effect.tap(({ name, size_bytes }) =>
        Effect.logInfo(`the backup ${name} was made (${size_bytes} bytes)`)
      ),
      Effect.tap(() => removeOld),
      Effect.catchCause((cause) =>
        Effect.as(
          Effect.logError("the scheduled backup could not be made", cause),
          reasonOf(Cause.squash(cause)).slice(0, 500)
        )
      )
    )
    yield* repository.end(made)
  })

  return [
    { name: "scheduled backup", every: Duration.min(every, longestPause), run: turn } satisfies Recurring
  ]
})
