import { Schema } from "effect"
import type { Finding } from "./Finding.ts"
import { Text } from "./Text.ts"
import { Timestamp } from "./Time.ts"
import { field } from "./Field.ts"

/** The passphrase that encrypts CARILLON_SECRET in a backup. */
export const BackupPassphrase = Text.check(Schema.isBetweenLength(12, 1024))

/** `POST /v1/backups` */
export const CreateBackup = Schema.Struct({
  include_media: field(
    "true: the backup also contains all media files and may be large. Default: false.",
    Schema.optionalKey(Schema.Boolean)
  ),
  passphrase: field(
    "Encrypts a copy of `CARILLON_SECRET` into the backup. 12 to 1,024 characters, not easy to guess. null or absent: the secret is left out, and accounts must be reconnected after a restore unless that instance has the same secret.",
    Schema.optionalKey(Schema.NullOr(BackupPassphrase))
  )
}).annotate({ identifier: "CreateBackup" })
export interface CreateBackup extends Schema.Schema.Type<typeof CreateBackup> {}

/** `GET /v1/backups` */
export const BackupSchedule = Schema.Struct({
  every_seconds: field(
    "Seconds between the starts of scheduled backups, as the operator set `BACKUP_EVERY`; null: none are scheduled.",
    Schema.NullOr(Schema.Int)
  ),
  last: field(
    "The most recent scheduled backup, whether completed, failed or still being made; null: none has begun yet.",
    Schema.NullOr(
      Schema.Struct({
        started_at: field(
          "When the service began this backup, in UTC; the next is due `every_seconds` after that.",
          Timestamp
        ),
        ended_at: field(
          "When this backup was completed or failed, in UTC; null: it is still being made.",
          Schema.NullOr(Timestamp)
        ),
        error: field(
          "Why this backup failed, for people; null: it was completed, or is still being made.",
          Schema.NullOr(Schema.String)
        )
      })
    )
  ),
  succeeded_at: field(
    "When a scheduled backup was last completed, in UTC; later failures leave it. null: never.",
    Schema.NullOr(Timestamp)
  )
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
