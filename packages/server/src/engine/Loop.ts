import { DateTime, Duration, Effect, Exit, Fiber, FiberMap, Latch, Option, Schedule } from "effect"
import { Database } from "../sql/Sql.ts"
import { type Signal, Wakeup } from "../sql/Wakeup.ts"
import { supervised } from "../Supervised.ts"
import { type Lease, monotonicMillis } from "./Lease.ts"

/** The pause before what is due and could not be taken is tried again. */
const shortestSleep = Duration.millis(20)
/** How often leases are checked, and how many are renewed in one statement. */
const heartbeatInterval = Duration.seconds(1)
const renewalSize = 200
/** Leases with less than this left are renewed; most items are over long before. */
const renewalReserve = Duration.seconds(10)

/** How many items this process holds, by their group. */
export type Held = ReadonlyMap<string, number>

export interface Claimed<Item> {
  readonly items: ReadonlyArray<Item>
  /** More may be due: it is claimed at once, while these are started. */
  readonly more: boolean
}

export interface LoopOptions<Item> {
  /** What an item is called in the log. */
  readonly name: string
  readonly signal: Signal
  /** A wake-up from another process may be lost; nothing waits longer than this for one. */
  readonly longestSleep: Duration.Duration
  /** How many items this process holds at most. */
  readonly capacity: number
  /** Nothing is claimed with less room than this. */
  readonly minRoom: number
  readonly lease: Duration.Duration
  readonly id: (item: Item) => string
  /** Whose item it is, for limits and turns. */
  readonly group: (item: Item) => string
  /** Takes what is due, at most `room` items. */
  readonly claim: (held: Held, room: number) => Effect.Effect<Claimed<Item>>
  /** When the next item is due. */
  readonly nextAt: (held: Held) => Effect.Effect<Option.Option<DateTime.Utc>>
  /** `nextAt` leaves out what has no room in its group, so the loop looks again when an item is over. */
  readonly looksAfterEach: boolean
  readonly run: (item: Item, lease: Lease) => Effect.Effect<void>
  /** Gives back an item that was interrupted. */
  readonly release: (item: Item) => Effect.Effect<void>
  /** Renews claims and gives the ids of the renewed ones; none where `run` is over before its lease. */
  readonly renew?: (items: ReadonlyArray<Item>, until: DateTime.Utc) => Effect.Effect<ReadonlyArray<string>>
  /** Frees what dead processes held. True: there was something. */
  readonly recover: Effect.Effect<boolean>
}

interface Hold<Item> {
  readonly item: Item
  readonly lease: Lease
}

/**
 * Sleeps until the next item is due, claims what is, and runs a fiber for each. Closing the scope stops the claiming,
 * lets what cannot be interrupted finish and gives the rest back.
 */
export const runLoop = Effect.fnUntraced(function* <Item>(options: LoopOptions<Item>) {
  const { name, id, group, longestSleep } = options
  const database = yield* Database
  const wakeup = yield* Wakeup
  const waiter = yield* options.signal.subscribe
  const processes = yield* wakeup.processes.subscribe
  const leaseMillis = Duration.toMillis(options.lease)
  const held = new Map<string, Hold<Item>>()
  const groups = new Map<string, number>()
  let room = options.capacity
  const hasRoom = () => room >= options.minRoom
  const over = Latch.makeUnsafe(false)
  const woken = Effect.raceFirst(waiter.await, over.await)
  const fibers = yield* FiberMap.make<string>()

  const take = (item: Item) => {
    room--
    groups.set(group(item), (groups.get(group(item)) ?? 0) + 1)
  }

  const drop = (hold: Hold<Item>) => {
    const { item } = hold
    // The same item may have been claimed again, after the lease of this claim.
    if (held.get(id(item)) === hold) held.delete(id(item))
    room++
    const left = groups.get(group(item))! - 1
    if (left > 0) groups.set(group(item), left)
    else groups.delete(group(item))
    if (options.looksAfterEach || room === options.minRoom) over.openUnsafe()
  }

  const start = (item: Item, until: number) => {
    const hold: Hold<Item> = { item, lease: { until } }
    held.set(id(item), hold)
    return FiberMap.run(
      fibers,
      id(item),
      Effect.onExit(options.run(item, hold.lease), (exit) => {
        const ended = Effect.sync(() => drop(hold))
        if (Exit.isSuccess(exit)) return ended
        const left = Exit.hasInterrupts(exit)
          ? options.release(item)
          : Effect.logError(`a ${name} failed unexpectedly; it is tried again after its lease`, exit.cause)
        return Effect.ensuring(left, ended)
      })
    )
  }

  const claim = Effect.gen(function* () {
    const until = (yield* monotonicMillis) + leaseMillis
    const { items, more } = yield* options.claim(groups, room)
    for (const item of items) take(item)
    return { items, until, more }
  })

  const startAll = ({ items, until }: Effect.Success<typeof claim>) =>
    Effect.forEach(items, (item) => start(item, until), { discard: true })

  /** Starts what was claimed while the next claim runs. */
  const claimAll = Effect.gen(function* () {
    let last = yield* claim
    while (last.more && hasRoom()) {
      const next = yield* Effect.forkChild(claim, { startImmediately: true })
      yield* startAll(last)
      last = yield* Fiber.join(next)
    }
    yield* startAll(last)
  })

  const loop = Effect.gen(function* () {
    while (true) {
      // Before the read, so that a commit or an end between the two is not lost.
      yield* waiter.arm
      over.closeUnsafe()
      const next = hasRoom() ? yield* options.nextAt(groups) : Option.none()
      const distance = Option.isNone(next)
        ? longestSleep
        : Duration.min(DateTime.distance(yield* DateTime.now, next.value), longestSleep)
      if (Duration.toMillis(distance) <= 0) {
        // The space that is left is for the outcomes of what is under way.
        if (yield* database.full) yield* Effect.sleep("1 second")
        else yield* claimAll
      }
      yield* Effect.timeoutOrElse(woken, {
        duration: Duration.max(distance, shortestSleep),
        orElse: () => Effect.void
      })
    }
  })

  const recovery = Effect.gen(function* () {
    yield* processes.await
    yield* processes.arm
    if (yield* options.recover) yield* options.signal.notify
  })

  yield* processes.arm
  yield* options.recover
  yield* supervised(`${name} loop`, loop)
  yield* supervised(`${name} recovery`, Effect.forever(recovery))

  const { renew } = options
  if (renew === undefined) return
  const renewDue = Effect.gen(function* () {
    const now = yield* monotonicMillis
    const until = now + leaseMillis
    const due = [...held.values()].filter(
      (hold) => hold.lease.until - now < Duration.toMillis(renewalReserve)
    )
    for (let from = 0; from < due.length; from += renewalSize) {
      const batch = due.slice(from, from + renewalSize)
      const kept = yield* renew(
        batch.map(({ item }) => item),
        DateTime.addDuration(yield* DateTime.now, options.lease)
      )
      const ids = new Set(kept)
      for (const hold of batch) if (ids.has(id(hold.item))) hold.lease.until = until
    }
  })
  yield* supervised(`${name} heartbeat`, Effect.repeat(renewDue, Schedule.spaced(heartbeatInterval)))
})
