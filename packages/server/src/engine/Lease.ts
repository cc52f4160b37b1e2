import { Clock, Effect } from "effect"

/** When a claim runs out, in milliseconds of the monotonic clock; a renewal moves it. */
export interface Lease {
  until: number
}

export const millisOf = (clock: Clock.Clock) => Number(clock.monotonicTimeNanosUnsafe()) / 1e6

/** The clock of leases; it moves on while a process is frozen. */
export const monotonicMillis = Clock.clockWith((clock) => Effect.sync(() => millisOf(clock)))
