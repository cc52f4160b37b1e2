import { Effect } from "effect"
import { DatabaseSync } from "node:sqlite"
import { DatabaseStartError } from "./DatabaseStartError.ts"

const SQLITE_BUSY = 5

const isBusy = (cause: unknown) =>
  cause instanceof Error && "errcode" in cause && cause.errcode === SQLITE_BUSY

/**
 * Holds `<directory>.lock` until the scope closes; the kernel frees it at once when the process dies.
 * An exclusive SQLite transaction, because Node has no file lock of its own: unlike a socket or a file with a
 * process id in it there is no stale state to recognise, so no race between two processes that both clean up.
 */
export const acquire = (directory: string) =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        const lock = new DatabaseSync(`${directory}.lock`)
        try {
          lock.exec("PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        } catch (cause) {
          lock.close()
          throw cause
        }
        return lock
      },
      catch: (cause) =>
        isBusy(cause)
          ? new DatabaseStartError({
              reason: "directory_in_use",
              message:
                `The embedded database in ${directory} is in use by another Carillon process. ` +
                "Stop that process, or give this one a DATA_DIR of its own. " +
                "Several processes on the same data need PostgreSQL: set DATABASE_URL."
            })
          : new DatabaseStartError({
              reason: "directory_unusable",
              message:
                `The lock file ${directory}.lock of the embedded database cannot be opened or locked: ` +
                `${cause instanceof Error ? cause.message : String(cause)}. ` +
                "Make sure DATA_DIR is on a local disk and that this user may write to it."
            })
    }),
    (lock) => Effect.sync(() => lock.close())
  )
