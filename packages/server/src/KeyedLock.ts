import { Effect, RcMap, type Scope, Semaphore } from "effect"

/** A lock per key; a lock exists only while somebody uses it. */
export type KeyedLock<K> = (key: K) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

export const makeKeyedLock = <K>(): Effect.Effect<KeyedLock<K>, never, Scope.Scope> =>
  Effect.map(
    RcMap.make({ lookup: (_key: K) => Semaphore.make(1) }),
    (locks): KeyedLock<K> =>
      (key) =>
      (effect) =>
        Effect.scoped(Effect.flatMap(RcMap.get(locks, key), (lock) => Semaphore.withPermit(lock, effect)))
  )
