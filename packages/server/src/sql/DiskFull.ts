import { Context } from "effect"
import { hasProperty } from "effect/Predicate"
import { isSqlError } from "effect/sql/SqlError"

/** PostgreSQL's code for a full disk; the embedded database uses it too. */
const DISK_FULL = "53100"

/** The embedded database has ended for want of space, and is opened again when there is some. */
export class DiskFull extends Error {
  readonly code = DISK_FULL
}

/** Whether the database refused because its disk is full. */
export const isDiskFull = (failure: unknown) =>
  isSqlError(failure) && hasProperty(failure.reason.cause, "code") && failure.reason.cause.code === DISK_FULL

/** When a request was last refused for it; nothing else tells how full a remote server's disk is. */
export const LastDiskFull = Context.Reference<{ at: number }>("@carillon/server/sql/LastDiskFull", {
  defaultValue: () => ({ at: -Infinity })
})
