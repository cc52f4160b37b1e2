import { PgClient, type PgConnection } from "@effect/sql-pg"
import { Context, Deferred, Effect, Latch, Layer, Queue, Record, Schedule, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import type { SqlError } from "effect/sql/SqlError"
import { acquireProcessLock, newProcessNumber, watchProcesses } from "./Liveness.ts"
import { explainSqlError } from "./explainSqlError.ts"
import * as Postgres from "./Postgres.ts"
import { Database } from "./Sql.ts"

const CHANNEL = "carillon_due"

const RECONNECT = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")]).pipe(
  Schedule.jittered
)

/** One loop's own view of a signal; other loops do not consume it. */
export interface Waiter {
  /**
   * Called before the loop reads: a wake-up from then on, even one during the read, ends the next `await`. True: there was one
   * since the last time.
   */
  readonly arm: Effect.Effect<boolean>
  /** Waits for a wake-up since the last `arm`. */
  readonly await: Effect.Effect<void>
}

/** Wakes the loops of one kind of row, in every process. */
export interface Signal {
  /** Wakes after the surrounding transaction has committed, not at all if it rolls back; at once outside of one. */
  readonly notify: Effect.Effect<void>
  /** A waiter for as long as the scope lives. Starts woken, so the first `await` returns at once unless armed. */
  readonly subscribe: Effect.Effect<Waiter, never, Scope.Scope>
}

const names = ["targets", "deliveries", "events", "imports", "credentials", "platformApps"] as const
type SignalName = (typeof names)[number]
type OfEach<A> = { readonly [name in SignalName]: A }

interface Signals extends Signal, Omit<OfEach<Signal>, "targets"> {
  /** Fires when a process is not seen to live any more. */
  readonly processes: Pick<Signal, "subscribe">
}

/**
 * Tells the loops of every process that a row may be due sooner than they know: a hint, never the truth. Its own
 * signal is that of the targets; `events` fires when one was stored for a listener, `credentials` when one was deleted or
 * its workspace has changed, `platformApps` when an app was set or removed.
 */
export class Wakeup extends Context.Service<
  Wakeup,
  Signals & {
    /**
     * The number by which other processes see that this one lives; null while they cannot see it. The embedded database
     * has one process, and each has a number of its own.
     */
    readonly alive: Effect.Effect<number | null>
  }
>()("@carillon/server/sql/Wakeup") {
  static readonly layer = Layer.effect(
    Wakeup,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const { kind, direct = sql.config } = yield* Database
      const locals = Object.fromEntries(names.map((name) => [name, makeLocalSignal()])) as OfEach<LocalSignal>
      const processes = makeLocalSignal()

      if (kind === "embedded") {
        const { targets, ...others } = Record.map(locals, ({ fire, subscribe }): Signal => ({
          notify: sql.afterCommit(fire),
          subscribe
        }))
        return Wakeup.of({
          ...targets,
          ...others,
          processes,
          alive: Effect.succeed(yield* newProcessNumber)
        })
      }

      // LISTEN on the embedded database would hold its only connection for ever.
      const self = SecureRandom.uuidV4Unsafe()
      const signal = Effect.fnUntraced(function* (local: LocalSignal, name: SignalName) {
        const pending = yield* Latch.make()
        yield* Effect.forkScoped(sendNotifications(sql, `${self} ${name}`, pending))
        return {
          notify: sql.afterCommit(Effect.andThen(local.fire, Effect.asVoid(pending.open))),
          subscribe: local.subscribe
        }
      })
      const { targets, ...others } = yield* Effect.all(Record.map(locals, signal))
      const tried = yield* Deferred.make<void>()
      const alive: Alive = { number: null }
      yield* Effect.forkScoped(
        keepSession(Postgres.ownSession(direct), self, locals, processes, alive, tried)
      )
      yield* Deferred.await(tried)
      return Wakeup.of({ ...targets, ...others, processes, alive: Effect.sync(() => alive.number) })
    })
  )
}

/** Wakes the loops of this process that wait for one kind of row. */
interface LocalSignal {
  readonly fire: Effect.Effect<void>
  readonly subscribe: Signal["subscribe"]
}

const makeLocalSignal = (): LocalSignal => {
  const latches = new Set<Latch.Latch>()
  const subscribe = Effect.acquireRelease(
    Effect.sync(() => {
      const latch = Latch.makeUnsafe(true)
      latches.add(latch)
      return latch
    }),
    (latch) => Effect.sync(() => latches.delete(latch))
  ).pipe(Effect.map((latch): Waiter => ({ arm: latch.close, await: latch.await })))
  return { fire: Effect.sync(() => latches.forEach(Latch.openUnsafe)), subscribe }
}

/**
 * Sends after the commit and from one fiber, so that a burst of commits costs one notification. Within the
 * transaction, PostgreSQL would let no two notifying transactions of the whole server flush their commits together.
 * If the process dies in between, the loops' own polling makes up for it.
 */
const sendNotifications = (sql: PgClient.PgClient, payload: string, pending: Latch.Latch) =>
  pending.await.pipe(
    Effect.andThen(pending.close),
    Effect.andThen(sql.notify(CHANNEL, payload)),
    Effect.catchTag("SqlError", (error) =>
      Effect.logWarning(`other processes could not be woken: ${explainSqlError(error)}`)
    ),
    Effect.forever,
    Effect.annotateLogs({ fiber: "wakeup-sender" })
  )

interface Alive {
  number: number | null
}

/** Holds a connection of its own that hears the notifications of other processes and shows them that this one lives. */
const keepSession = (
  connect: Effect.Effect<PgConnection.PgConnection, SqlError, Scope.Scope>,
  self: string,
  signals: OfEach<LocalSignal>,
  processes: LocalSignal,
  alive: Alive,
  tried: Deferred.Deferred<void>
) => {
  let number: number | null = null
  const watch = watchProcesses(processes.fire)
  const open = Effect.gen(function* () {
    const session = yield* Effect.flatMap(connect, ({ pin }) => pin)
    number = yield* acquireProcessLock(session, number)
    const notifications = yield* session.listen(CHANNEL)
    // Also because a dead connection looks like a silent one without traffic.
    yield* watch(session).pipe(Effect.ignore, Effect.forkScoped)
    alive.number = number
    return notifications
  })
  return Effect.gen(function* () {
    const notifications = yield* open.pipe(
      Effect.ensuring(Deferred.succeed(tried, undefined)),
      Effect.tapError((error) =>
        Effect.logWarning(`cannot listen for other processes, trying again: ${explainSqlError(error)}`)
      ),
      Effect.retry(RECONNECT)
    )
    // Notifications that were sent while nobody listened are lost.
    yield* Effect.forEach(Object.values(signals), ({ fire }) => fire, { discard: true })
    return yield* Queue.take(notifications).pipe(
      Effect.flatMap(({ payload }) => {
        const [sender, name] = payload.split(" ")
        if (sender === self) return Effect.void
        return (signals[name as SignalName] ?? signals.targets).fire
      }),
      Effect.forever
    )
  }).pipe(
    Effect.ensuring(Effect.sync(() => (alive.number = null))),
    Effect.scoped,
    Effect.catchTag("SqlError", (error) =>
      Effect.logWarning(`the connection that listens for other processes broke: ${explainSqlError(error)}`)
    ),
    Effect.andThen(Effect.sleep("100 millis")),
    Effect.forever,
    Effect.annotateLogs({ fiber: "session" })
  )
}
