import { Clock, Effect, Option, type Scope } from "effect"
import type { Bell } from "../sql/Wakeup.ts"

/** How long something that has changed may still be used where the bell was not heard. */
const longestMillis = 1_000
const mostEntries = 10_000

/** What is asked for with every request and hardly ever changes: kept for a second, and until the bell rings. */
export interface KeptForAMoment<A> {
  get(id: string, lookUp: Effect.Effect<Option.Option<A>>): Effect.Effect<Option.Option<A>>
  forget(id: string): void
}

export const makeKeptForAMoment = Effect.fnUntraced(function* <A>(
  changed: Bell
): Effect.fn.Return<KeptForAMoment<A>, never, Scope.Scope> {
  const entries = new Map<string, { readonly found: Option.Some<A>; readonly until: number }>()
  // What was read before a change must not be kept after it.
  let changes = 0

  const waiter = yield* changed.subscribe
  yield* waiter.await.pipe(
    Effect.andThen(waiter.arm),
    Effect.andThen(
      Effect.sync(() => {
        changes++
        entries.clear()
      })
    ),
    Effect.forever,
    Effect.annotateLogs({ fiber: "kept credentials" }),
    Effect.forkScoped
  )

  return {
    get: Effect.fnUntraced(function* (id, lookUp) {
      const now = yield* Clock.currentTimeMillis
      const entry = entries.get(id)
      if (entry !== undefined && now < entry.until) return entry.found
      const before = changes
      const found = yield* lookUp
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
