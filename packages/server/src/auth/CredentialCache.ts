import { Clock, Effect, Option, type Scope } from "effect"
import type { Signal } from "../sql/Wakeup.ts"

/** How long a change may go unnoticed where its signal was lost. */
const longestMillis = 1_000
const mostEntries = 10_000

/** Caches credentials for a second, and until the signal says that one has changed. */
export interface CredentialCache<A> {
  get(id: string, lookUp: Effect.Effect<Option.Option<A>>): Effect.Effect<Option.Option<A>>
  forget(id: string): void
}

export const makeCredentialCache = Effect.fnUntraced(function* <A>(
  changed: Signal
): Effect.fn.Return<CredentialCache<A>, never, Scope.Scope> {
  const entries = new Map<string, { readonly found: Option.Some<A>; readonly until: number }>()
  // A value that was read before a change must not be cached after it.
  let changes = 0

  const waiter = yield* changed.subscribe
  const followChanges = Effect.map(waiter.arm, (wasWoken) => {
    if (!wasWoken) return
    changes++
    entries.clear()
  })

  return {
    get: Effect.fnUntraced(function* (id, lookUp) {
      yield* followChanges
      const now = yield* Clock.currentTimeMillis
      const entry = entries.get(id)
      if (entry !== undefined && now < entry.until) return entry.found
      const before = changes
      const found = yield* lookUp
      yield* followChanges
      if (Option.isSome(found) && before === changes) {
        if (entries.size >= mostEntries) entries.clear()
        entries.set(id, { found, until: now + longestMillis })
      }
      return found
    }),
    forget: (id) => {
      changes++
      entries.delete(id)
    }
  }
})
