import type { PGlite } from "@electric-sql/pglite"

/** The functions of PGlite's WebAssembly module that its statement loop calls, and no type describes. */
interface StatementLoop {
  _PostgresMainLoopOnce?: () => void
  _PostgresSendReadyForQueryIfNecessary?: () => void
  _pgl_pq_flush?: () => void
  stackRestore?: (pointer: number) => void
}

/** PostgreSQL's way to leave a statement with an error: a jump, dressed as a process that exits. */
const isJump = (cause: unknown) =>
  typeof cause === "object" && cause !== null && "status" in cause && typeof cause.status === "number"

/**
 * Ends the server when it ends itself, as it does when the log cannot be flushed or written (PANIC). PGlite 0.5.16
 * ignores that and calls it again, which spins for ever at best, and at worst acknowledges what was not stored. What
 * `onEnd` answers is what statements fail with from then on.
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
  // What the loop does first with any exception: here it gets out.
  loop.stackRestore = (pointer) => {
    if (ended !== undefined) throw ended.cause
    stackRestore(pointer)
  }
  // And what it does last: nothing may be answered any more.
  loop._PostgresSendReadyForQueryIfNecessary = () => {
    if (ended === undefined) _PostgresSendReadyForQueryIfNecessary()
  }
  loop._pgl_pq_flush = () => {
    if (ended === undefined) _pgl_pq_flush()
  }
}
