import { Schema } from "effect"
import type { Finding } from "./Finding.ts"
import { Text } from "./Text.ts"
import { Timestamp } from "./Time.ts"

/** The passphrase that encrypts CARILLON_SECRET in a backup. */
export const BackupPassphrase = Text.check(Schema.isBetweenLength(12, 1024))

/** `POST /v1/backups` */
export const CreateBackup = Schema.Struct({
  include_media: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "Include all media files. Default: false." })
  ),
  passphrase: Schema.optionalKey(
    Schema.NullOr(
      BackupPassphrase.annotate({
        description:
          "The backup then contains `CARILLON_SECRET`, encrypted with it. Without it, accounts must be reconnected " +
          "after a restore, unless the same secret is set there."
      })
    )
  )
}).annotate({ identifier: "CreateBackup" })
export interface CreateBackup extends Schema.Schema.Type<typeof CreateBackup> {}

/** `GET /v1/backups` */
export const BackupSchedule = Schema.Struct({
  every_seconds: Schema.NullOr(Schema.Int).annotate({
    description: "How often the service makes a scheduled backup; null: never."
  }),
  last: Schema.NullOr(
    Schema.Struct({
      started_at: Timestamp,
      ended_at: Schema.NullOr(Timestamp).annotate({ description: "null: it is still being made." }),
      error: Schema.NullOr(Schema.String).annotate({ description: "Why it could not be made." })
    })
  ).annotate({ description: "The last scheduled backup that was started; null: none was." }),
  succeeded_at: Schema.NullOr(Timestamp).annotate({ description: "When the last one was completed." })
}).annotate({ identifier: "BackupSchedule" })
export interface BackupSchedule extends Schema.Schema.Type<typeof BackupSchedule> {}

/** The finding about automatic backups. */
export const backupsFinding = (
  { every_seconds, last, succeeded_at }: (typeof BackupSchedule)["Encoded"],
  now: number
): Finding => {
  const check = "backups"
  const made = succeeded_at === null ? "none has been made yet" : `the last was made at ${succeeded_at}`
  if (every_seconds === null) {
    return {
      check,
      level: "ok",
      found: `the service makes no scheduled backups${succeeded_at === null ? "" : `; ${made}`}`,
      advice: "Make one with carillon backup FILE, or set BACKUP_EVERY and BACKUP_TO (docs/backup.md)."
    }
  }
  const advice = "See the service's log. Until that is fixed, make one manually: carillon backup FILE."
  const failed = last?.error ?? null
  if (failed !== null) {
    const found = `the backup of ${last!.started_at} failed: ${failed}; ${made}`
    return { check, level: "warning", found, advice }
  }
  const since = succeeded_at ?? last?.started_at ?? null
  if (since !== null && now - Date.parse(since) > 2000 * every_seconds) {
    return {
      check,
      level: "warning",
      found: `${made}, although the next was due more than one interval ago`,
      advice
    }
  }
  return { check, level: "ok", found: made, advice: null }
}
