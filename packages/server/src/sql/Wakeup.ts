import { PgClient, type PgConnection } from "@effect/sql-pg"
import { Context, Deferred, Effect, Latch, Layer, Queue, Schedule, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import type { SqlError } from "effect/sql/SqlError"
import { takeNumber } from "./Alive.ts"
import { explainSqlError } from "./explainSqlError.ts"
import * as Postgres from "./Postgres.ts"
import { Database } from "./Sql.ts"

const CHANNEL = "carillon_due"

const RECONNECT = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")]).pipe(
  Schedule.jittered
)

/** One loop's own view: what another loop has seen is still news to this one. */
export interface Waiter {
  /** To be called before the loop reads: a wake-up from then on, even one during the read, ends the next `await`. */
  readonly arm: Effect.Effect<void>
  /** Until there was a wake-up since the last `arm`. */
  readonly await: Effect.Effect<void>
}

/** What the loops of one kind of row share. */
export interface Bell {
  /** Wakes after the surrounding transaction has committed, not at all if it rolls back; at once outside of one. */
  readonly notify: Effect.Effect<void>
  /** A waiter for as long as the scope lives. Starts woken, so the first `await` returns at once unless armed. */
  readonly subscribe: Effect.Effect<Waiter, never, Scope.Scope>
}

interface Bells extends Bell {
  readonly deliveries: Bell
  readonly imports: Bell
  readonly credentials: Bell
}

/**
 * Tells the loops of every process that a row may have become due sooner than they know. A hint, never the truth.
 * Its own bell is that of the targets. That of the credentials rings when one was deleted or its workspace has changed.
 */
export class Wakeup extends Context.Service<
  Wakeup,
  Bells & {
    /** Under which number the other processes see that this one lives; null while they cannot see it. */
    readonly alive: Effect.Effect<number | null>
  }
>()("@carillon/server/sql/Wakeup") {
  static readonly layer = Layer.effect(
    Wakeup,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const { kind, direct = sql.config } = yield* Database
      const targets = makeRope()
      const deliveries = makeRope()
      const imports = makeRope()
      const credentials = makeRope()

      if (kind === "embedded") {
        const bell = (rope: Rope): Bell => ({ notify: sql.afterCommit(rope.pull), subscribe: rope.subscribe })
        return Wakeup.of({
          ...bell(targets),
          deliveries: bell(deliveries),
          imports: bell(imports),
          credentials: bell(credentials),
          alive: Effect.succeed(null)
        })
      }

      // LISTEN on the embedded database would hold its only connection for ever.
      const self = SecureRandom.uuidV4Unsafe()
      const bell = Effect.fnUntraced(function* (name: RopeName, rope: Rope) {
        const pending = yield* Latch.make()
        yield* Effect.forkScoped(sendNotifications(sql, `${self} ${name}`, pending))
        return {
          notify: sql.afterCommit(Effect.andThen(rope.pull, Effect.asVoid(pending.open))),
          subscribe: rope.subscribe
        }
      })
      const bells = {
        ...(yield* bell("targets", targets)),
        deliveries: yield* bell("deliveries", deliveries),
        imports: yield* bell("imports", imports),
        credentials: yield* bell("credentials", credentials)
      }
      const tried = yield* Deferred.make<void>()
      const alive: Alive = { number: null }
      yield* Effect.forkScoped(
        keepSession(
          Postgres.ownSession(direct),
          self,
          { targets, deliveries, imports, credentials },
          alive,
          tried
        )
      )
      yield* Deferred.await(tried)
      return Wakeup.of({ ...bells, alive: Effect.sync(() => alive.number) })
    })
  )
}

type RopeName = "targets" | "deliveries" | "imports" | "credentials"

/** The loops of this process that wait for one kind of row. */
interface Rope {
  readonly pull: Effect.Effect<void>
  readonly subscribe: Bell["subscribe"]
}

const makeRope = (): Rope => {
  const latches = new Set<Latch.Latch>()
  const subscribe = Effect.acquireRelease(
    Effect.sync(() => {
      const latch = Latch.makeUnsafe(true)
      latches.add(latch)
      return latch
    }),
    (latch) => Effect.sync(() => latches.delete(latch))
  ).pipe(Effect.map((latch): Waiter => ({ arm: Effect.asVoid(latch.close), await: latch.await })))
  return { pull: Effect.sync(() => latches.forEach(Latch.openUnsafe)), subscribe }
}

/**
 * Sends after the commit and from one fiber, so that a burst of commits costs one notification. Within the
 * transaction, PostgreSQL would let no two notifying transactions of the whole server flush their commits together.
 * A process that dies in between is made up for by the loops' own look at the table.
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

/** Hears the notifications of others, and shows them that this process lives, over a connection that is used for nothing else. */
const keepSession = (
  connect: Effect.Effect<PgConnection.PgConnection, SqlError, Scope.Scope>,
  self: string,
  ropes: Readonly<Record<RopeName, Rope>>,
  alive: Alive,
  tried: Deferred.Deferred<void>
) => {
  let number: number | null = null
  const open = Effect.gen(function* () {
    const session = yield* Effect.flatMap(connect, ({ pin }) => pin)
    number = yield* takeNumber(session, number)
    const notifications = yield* session.listen(CHANNEL)
    // An other end that is gone without a word says as little as one that has nothing to tell.
    yield* session
      .query("select 1")
      .pipe(Effect.repeat(Schedule.spaced("5 seconds")), Effect.ignore, Effect.forkScoped)
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
    // Whatever was sent while nobody listened is lost.
    yield* Effect.forEach(Object.values(ropes), ({ pull }) => pull, { discard: true })
    return yield* Queue.take(notifications).pipe(
      Effect.flatMap(({ payload }) => {
        const [sender, name] = payload.split(" ")
        if (sender === self) return Effect.void
        return (ropes[name as RopeName] ?? ropes.targets).pull
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
