import { type DateTime, Effect, Metric } from "effect"
import type { BackupRun } from "./ScheduleRepository.ts"

const success = Metric.gauge("carillon_backup_last_success_timestamp_seconds", {
  description: "When the last scheduled backup was made; 0: never."
})
const failed = Metric.gauge("carillon_backup_last_failed", {
  description: "1: the last scheduled backup could not be made."
})
const size = Metric.gauge("carillon_backup_last_size_bytes", {
  description: "The size of the last scheduled backup that was made."
})

const seconds = (at: DateTime.Utc | null) => (at === null ? 0 : at.epochMilliseconds / 1000)

/** Shows the last scheduled backup, whichever process made it; nothing where none was tried. */
export const showLastBackup = (last: BackupRun | null) =>
  last === null
    ? Effect.void
    : Effect.all([
        Metric.update(success, seconds(last.succeeded_at)),
        Metric.update(failed, last.error === null ? 0 : 1),
        Metric.update(size, last.size_bytes ?? 0)
      ])
