import type { PGlite } from "@electric-sql/pglite"

/** The functions of PGlite's WebAssembly module that its statement loop calls; they have no types. */
interface StatementLoop {
  _PostgresMainLoopOnce?: () => void
  _PostgresSendReadyForQueryIfNecessary?: () => void
  _pgl_pq_flush?: () => void
  stackRestore?: (pointer: number) => void
}

/** PostgreSQL leaves a statement with an error by a jump, which looks like a process that exits. */
const isJump = (cause: unknown) =>
  typeof cause === "object" && cause !== null && "status" in cause && typeof cause.status === "number"

/**
 * Ends the server when it wants to end, as when the log cannot be flushed or written (PANIC). PGlite 0.5.16 ignores that
 * and calls it again, which spins for ever at best, and at worst acknowledges writes that were not stored. From then on
 * statements fail with the answer of `onEnd`.
 */
export const guard = (pglite: PGlite, onEnd: (cause: unknown) => unknown) => {
  const loop = pglite.Module as unknown as StatementLoop
  const { _PostgresMainLoopOnce, _PostgresSendReadyForQueryIfNecessary, _pgl_pq_flush, stackRestore } = loop
  if (
    _PostgresMainLoopOnce === undefined ||
    _PostgresSendReadyForQueryIfNecessary === undefined ||
    _pgl_pq_flush === undefined ||
    stackRestore === undefined
  ) {
    throw new Error("PGlite's statement loop is not the one this release knows how to guard")
  }

  let ended: { readonly cause: unknown } | undefined
  loop._PostgresMainLoopOnce = () => {
    if (ended !== undefined) throw ended.cause
    try {
      _PostgresMainLoopOnce()
    } catch (cause) {
      if (!isJump(cause)) {
        ended = { cause: onEnd(cause) }
        throw ended.cause
      }
      throw cause
    }
  }
  // The loop calls this first for any exception, so it is the way out.
  loop.stackRestore = (pointer) => {
    if (ended !== undefined) throw ended.cause
    stackRestore(pointer)
  }
  // The loop calls this last; nothing may be answered any more.
  loop._PostgresSendReadyForQueryIfNecessary = () => {
    if (ended === undefined) _PostgresSendReadyForQueryIfNecessary()
  }
  loop._pgl_pq_flush = () => {
    if (ended === undefined) _pgl_pq_flush()
  }
}
