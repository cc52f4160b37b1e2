import { type Claimed, type LoopOptions, runLoop } from "@carillon/server/engine/Loop"
import { Database } from "@carillon/server/sql/Sql"
import { type Signal, Wakeup } from "@carillon/server/sql/Wakeup"
import { assert, it } from "@effect/vitest"
import { DateTime, Deferred, Duration, Effect, Exit, Latch, Layer, Option, References, Scope } from "effect"
import { TestClock } from "effect/testing"

interface Job {
  readonly id: string
  readonly group: string
  readonly due: number
}

/** A signal of this process alone. */
const makeSignal = (): Signal => {
  const latch = Latch.makeUnsafe(true)
  return {
    notify: Effect.asVoid(latch.open),
    subscribe: Effect.succeed({ arm: latch.close, await: latch.await })
  }
}

/** Jobs in memory, and a loop over them in a scope of its own; each runs until it is told to end. */
const makeJobs = Effect.fnUntraced(function* (options: Partial<LoopOptions<Job>> = {}, full = false) {
  const due: Array<Job> = []
  const running = new Map<string, Deferred.Deferred<void>>()
  const log: Array<string> = []
  const signal = makeSignal()
  const processes = makeSignal()
  const scope = yield* Scope.make()
  const take = (count: number, now: number): Claimed<Job> => {
    const items = due.filter((job) => job.due <= now).slice(0, count)
    for (const job of items) due.splice(due.indexOf(job), 1)
    return { items, more: items.length === count }
  }
  yield* runLoop<Job>({
    name: "job",
    signal,
    longestSleep: Duration.seconds(30),
    capacity: 2,
    minRoom: 1,
    lease: Duration.seconds(15),
    id: ({ id }) => id,
    group: ({ group }) => group,
    claim: (_, room) => Effect.map(DateTime.now, (now) => take(room, DateTime.toEpochMillis(now))),
    nextAt: () =>
      Effect.sync(() =>
        due.length === 0
          ? Option.none()
          : Option.some(DateTime.makeUnsafe(Math.min(...due.map((job) => job.due))))
      ),
    looksAfterEach: false,
    run: ({ id }) =>
      Effect.gen(function* () {
        log.push(`start ${id}`)
        const end = yield* Deferred.make<void>()
        running.set(id, end)
        yield* Deferred.await(end)
        log.push(`end ${id}`)
      }),
    release: ({ id }) => Effect.sync(() => void log.push(`release ${id}`)),
    recover: Effect.succeed(false),
    ...options
  }).pipe(
    Effect.provideService(Scope.Scope, scope),
    Effect.provide(
      Layer.merge(
        Layer.mock(Wakeup, {
          processes,
          deliveries: signal,
          events: signal,
          imports: signal,
          credentials: signal,
          platformApps: signal,
          ...signal
        }),
        Layer.succeed(Database, {
          kind: "embedded",
          full: Effect.sync(() => full),
          stopped: Effect.never
        })
      )
    ),
    Effect.provideService(References.MinimumLogLevel, "None")
  )
  return {
    log,
    scope,
    processes,
    setFull: (value: boolean) => Effect.sync(() => (full = value)),
    add: (...jobs: ReadonlyArray<Job>) =>
      Effect.andThen(
        Effect.sync(() => due.push(...jobs)),
        signal.notify
      ),
    end: (id: string) => Deferred.succeed(running.get(id)!, undefined),
    fail: (id: string) => Deferred.die(running.get(id)!, new Error("a mistake"))
  }
})

const job = (id: string, seconds = 0, group = "one"): Job => ({ id, group, due: seconds * 1000 })

it.effect("a loop starts each item when it is due, and sleeps until then", () =>
  Effect.gen(function* () {
    let looks = 0
    const jobs = yield* makeJobs()
    const counted = yield* makeJobs({ nextAt: () => Effect.sync(() => (looks++, Option.none())) })
    yield* jobs.add(job("now"), job("later", 20))
    yield* TestClock.adjust("19 seconds")
    assert.deepStrictEqual(jobs.log, ["start now"])
    assert.strictEqual(looks, 1)
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(jobs.log, ["start now", "start later"])
    yield* Scope.close(jobs.scope, Exit.void)
    yield* Scope.close(counted.scope, Exit.void)
  })
)

it.effect("a loop claims nothing while it is full, and at once when there is room", () =>
  Effect.gen(function* () {
    const jobs = yield* makeJobs()
    yield* jobs.add(job("a"), job("b"), job("c"), job("d"))
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(jobs.log, ["start a", "start b"])
    yield* jobs.end("a")
    yield* TestClock.adjust("20 millis")
    assert.deepStrictEqual(jobs.log.slice(2), ["end a", "start c"])
    yield* Scope.close(jobs.scope, Exit.void)
  })
)

it.effect("a loop tells a claim how many items of each group it holds, the failed ones left out", () =>
  Effect.gen(function* () {
    const seen: Array<Record<string, number>> = []
    const items = [job("a"), job("b", 0, "two"), job("c")]
    const jobs = yield* makeJobs({
      capacity: 10,
      looksAfterEach: true,
      nextAt: () => Effect.succeedSome(DateTime.makeUnsafe(0)),
      claim: (held) =>
        Effect.sync(() => {
          seen.push(Object.fromEntries(held))
          return { items: items.splice(0, 1), more: items.length > 0 }
        })
    })
    yield* TestClock.adjust("1 milli")
    assert.deepStrictEqual(seen, [{}, { one: 1 }, { one: 1, two: 1 }])
    yield* jobs.fail("b")
    yield* TestClock.adjust("20 millis")
    assert.deepStrictEqual(seen.at(-1), { one: 2 })
    yield* Scope.close(jobs.scope, Exit.void)
  })
)

it.effect("a loop starts what was claimed while the next claim runs", () =>
  Effect.gen(function* () {
    const second = yield* Deferred.make<void>()
    let claims = 0
    const jobs = yield* makeJobs({
      nextAt: () => Effect.succeedSome(DateTime.makeUnsafe(0)),
      claim: () =>
        ++claims === 1
          ? Effect.succeed({ items: [job("a")], more: true })
          : Effect.as(Deferred.await(second), { items: [], more: false })
    })
    yield* TestClock.adjust("1 milli")
    assert.deepStrictEqual(jobs.log, ["start a"])
    assert.strictEqual(claims, 2)
    yield* Deferred.succeed(second, undefined)
    yield* Scope.close(jobs.scope, Exit.void)
  })
)

it.effect("a loop that ends gives back what it holds", () =>
  Effect.gen(function* () {
    const jobs = yield* makeJobs()
    yield* jobs.add(job("a"), job("b"))
    yield* TestClock.adjust("1 milli")
    yield* jobs.end("a")
    yield* Scope.close(jobs.scope, Exit.void)
    assert.deepStrictEqual(jobs.log.slice(2), ["end a", "release b"])
  })
)

it.effect("a loop renews leases before they end, and tells the runs of those that it still has", () =>
  Effect.gen(function* () {
    const renewed: Array<string> = []
    const leases = new Map<string, { readonly until: number }>()
    const jobs = yield* makeJobs({
      run: ({ id }, lease) => {
        leases.set(id, lease)
        return Effect.never
      },
      renew: (items) =>
        Effect.sync(() => {
          renewed.push(...items.map(({ id }) => id))
          return ["kept"]
        })
    })
    yield* jobs.add(job("kept"), job("lost"))
    yield* TestClock.adjust("4 seconds")
    assert.deepStrictEqual(renewed, [])
    const before = leases.get("lost")!.until
    yield* TestClock.adjust("3 seconds")
    assert.includeMembers(renewed, ["kept", "lost"])
    assert.strictEqual(leases.get("lost")!.until, before)
    assert.isAbove(leases.get("kept")!.until, before)
    yield* Scope.close(jobs.scope, Exit.void)
  })
)

it.effect("a loop recovers what dead processes held at its start, and again when one is gone", () =>
  Effect.gen(function* () {
    const abandoned = ["a", "b"]
    const freed: Array<Job> = []
    const jobs = yield* makeJobs({
      nextAt: () => Effect.sync(() => Option.fromUndefinedOr(freed[0] && DateTime.makeUnsafe(0))),
      claim: () => Effect.sync(() => ({ items: freed.splice(0), more: false })),
      recover: Effect.sync(() => {
        const id = abandoned.shift()
        if (id !== undefined) freed.push(job(id))
        return id !== undefined
      })
    })
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(jobs.log, ["start a"])
    yield* jobs.processes.notify
    yield* Effect.repeat(Effect.yieldNow, { until: () => jobs.log.length === 2 })
    assert.deepStrictEqual(jobs.log, ["start a", "start b"])
    yield* Scope.close(jobs.scope, Exit.void)
  })
)

it.effect("a loop claims nothing while the disk of the database is full, and goes on with room", () =>
  Effect.gen(function* () {
    const jobs = yield* makeJobs({}, true)
    yield* jobs.add(job("a"))
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(jobs.log, [])
    yield* jobs.setFull(false)
    yield* TestClock.adjust("2 seconds")
    assert.deepStrictEqual(jobs.log, ["start a"])
    yield* Scope.close(jobs.scope, Exit.void)
  })
)

it.effect("a loop restarts after a failure", () =>
  Effect.gen(function* () {
    let claims = 0
    const jobs = yield* makeJobs({
      claim: () =>
        ++claims === 1
          ? Effect.die(new Error("no database"))
          : Effect.succeed({ items: claims === 2 ? [job("a")] : [], more: false })
    })
    yield* jobs.add(job("a"))
    yield* TestClock.adjust("2 seconds")
    assert.deepStrictEqual(jobs.log, ["start a"])
    yield* Scope.close(jobs.scope, Exit.void)
  })
)
