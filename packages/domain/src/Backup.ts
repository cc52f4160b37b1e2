import { Schema } from "effect"
import type { Finding } from "./Finding.ts"
import { Text } from "./Text.ts"
import { Timestamp } from "./Time.ts"

/** The passphrase that encrypts CARILLON_SECRET in a backup. */
export const BackupPassphrase = Text.check(Schema.isBetweenLength(12, 1024))

/** `POST /v1/backups` */
export const CreateBackup = Schema.Struct({
  include_media: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "With the bytes of all media. Default: false." })
  ),
  passphrase: Schema.optionalKey(
    Schema.NullOr(
      BackupPassphrase.annotate({
        description:
          "The backup then holds `CARILLON_SECRET`, encrypted under it. Without it, accounts have to be connected again " +
          "after a restore, unless the same secret is set there."
      })
    )
  )
}).annotate({ identifier: "CreateBackup" })
export interface CreateBackup extends Schema.Schema.Type<typeof CreateBackup> {}

/** `GET /v1/backups` */
export const BackupSchedule = Schema.Struct({
  every_seconds: Schema.NullOr(Schema.Int).annotate({
    description: "How often the service makes a backup by itself; null: never."
  }),
  last: Schema.NullOr(
    Schema.Struct({
      started_at: Timestamp,
      ended_at: Schema.NullOr(Timestamp).annotate({ description: "null: it is being made." }),
      error: Schema.NullOr(Schema.String).annotate({ description: "Why it could not be made." })
    })
  ).annotate({ description: "The last one that was begun; null: none was." }),
  succeeded_at: Schema.NullOr(Timestamp).annotate({ description: "When one was last made whole." })
}).annotate({ identifier: "BackupSchedule" })
export interface BackupSchedule extends Schema.Schema.Type<typeof BackupSchedule> {}

/** The finding about automatic backups. */
export const backupsFinding = (
  { every_seconds, last, succeeded_at }: (typeof BackupSchedule)["Encoded"],
  now: number
): Finding => {
  const check = "backups"
  const made = succeeded_at === null ? "none was made yet" : `the last was made at ${succeeded_at}`
  if (every_seconds === null) {
    return {
      check,
      level: "ok",
      found: `the service makes none by itself${succeeded_at === null ? "" : `; ${made}`}`,
      advice:
        "carillon backup FILE makes one; with BACKUP_EVERY and BACKUP_TO the service does (docs/backup.md)."
    }
  }
  const advice = "The service's log says more. Make one by hand until that is fixed: carillon backup FILE."
  const failed = last?.error ?? null
  if (failed !== null) {
    const found = `the one of ${last!.started_at} failed: ${failed}; ${made}`
    return { check, level: "warning", found, advice }
  }
  const since = succeeded_at ?? last?.started_at ?? null
  if (since !== null && now - Date.parse(since) > 2000 * every_seconds) {
    return { check, level: "warning", found: `${made}, though one was due more than a period ago`, advice }
  }
  return { check, level: "ok", found: made, advice: null }
}
