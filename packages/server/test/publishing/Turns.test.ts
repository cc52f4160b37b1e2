import { AccountQueue } from "@carillon/server/publishing/AccountQueue"
import { FairSemaphore } from "@carillon/server/publishing/FairSemaphore"
import { makeWriteBatcher } from "@carillon/server/engine/WriteBatcher"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber } from "effect"
import { DeadlockError, SqlError, type SqlErrorReason, UnknownError } from "effect/sql/SqlError"
import { TestClock } from "effect/testing"

const work = (workspace: string, platform = "sandbox", platformLimit = 10) => ({
  workspace,
  platform,
  platformLimit
})

describe("the limit on what runs at once", () => {
  it.effect("lets workspaces take turns when it is reached", () =>
    Effect.gen(function* () {
      const limit = new FairSemaphore(1)
      const order: Array<string> = []
      const first = yield* Deferred.make<void>()
      const start = (workspace: string, effect: Effect.Effect<void>) =>
        limit
          .run(work(workspace))(
            Effect.andThen(
              Effect.sync(() => order.push(workspace)),
              effect
            )
          )
          .pipe(Effect.forkChild({ startImmediately: true }))
      const fibers = [yield* start("big", Deferred.await(first))]
      for (const workspace of ["big", "big", "big", "small"])
        fibers.push(yield* start(workspace, Effect.void))
      yield* Deferred.succeed(first, undefined)
      yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(order, ["big", "big", "small", "big", "big"])
    })
  )

  it.effect("keeps one platform's limit from holding up another, and no place for who was interrupted", () =>
    Effect.gen(function* () {
      const limit = new FairSemaphore(2)
      yield* limit.acquire(work("one", "slow", 1))
      const waiting = yield* Effect.forkChild(limit.acquire(work("one", "slow", 1)), {
        startImmediately: true
      })
      yield* limit.acquire(work("one", "quick", 1))
      yield* Fiber.interrupt(waiting)
      limit.release(work("one", "slow", 1))
      yield* limit.acquire(work("two", "slow", 1))
    })
  )
})

describe("the queue of an account", () => {
  it.effect(
    "the queue of an account has one turn at a time, in the order of due times, whoever asks first",
    () =>
      Effect.gen(function* () {
        const queue = new AccountQueue()
        const at = (second: number) => DateTime.makeUnsafe(second * 1000)
        const tickets = [3, 1, 2].map((second) => ({
          second,
          ticket: queue.join(1, at(second), `t${second}`)
        }))
        const order: Array<number> = []
        yield* Effect.forEach(
          tickets,
          ({ second, ticket }) =>
            Effect.andThen(
              ticket.turn,
              Effect.sync(() => {
                order.push(second)
                ticket.leave()
              })
            ),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(order, [1, 2, 3])
      })
  )

  it.effect("the queue of an account does not begin an earlier one beside one that has begun", () =>
    Effect.gen(function* () {
      const queue = new AccountQueue()
      const late = queue.join(1, DateTime.makeUnsafe(2000), "late")
      yield* late.turn
      const early = queue.join(1, DateTime.makeUnsafe(1000), "early")
      const turn = yield* Effect.forkChild(early.turn, { startImmediately: true })
      assert.isUndefined(turn.pollUnsafe())
      late.leave()
      yield* Fiber.join(turn)
    })
  )
})

describe("a write batcher", () => {
  const passing: Record<string, SqlErrorReason> = {
    "it met another one": new DeadlockError({ cause: new Error("deadlock detected") }),
    ...Object.fromEntries(
      Object.entries({
        "the server stops": "57P01",
        "the server starts": "57P03",
        "the server has no connection left": "53300",
        "the server still follows another one": "25006"
      }).map(([words, code]) => [
        words,
        new UnknownError({ cause: Object.assign(new Error(words), { code }) })
      ])
    )
  }
  it.effect.each(Object.keys(passing))(
    "a batch is written again when %s, and everybody is answered in their order",
    (words) =>
      Effect.gen(function* () {
        let runs = 0
        const double = yield* makeWriteBatcher({
          run: (items: ReadonlyArray<number>) =>
            Effect.suspend(() =>
              ++runs === 1
                ? Effect.fail(new SqlError({ reason: passing[words]! }))
                : Effect.succeed(items.map((item) => item * 2))
            ),
          max: 10,
          concurrency: 1,
          minParallel: 1
        })
        const answers = yield* Effect.forkChild(
          Effect.forEach([1, 2, 3], double, { concurrency: "unbounded" }),
          { startImmediately: true }
        )
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(yield* Fiber.join(answers), [2, 4, 6])
        assert.strictEqual(runs, 2)
      })
  )

  it.effect("gathers while another is under way, and leaves beside it only when it is large", () =>
    Effect.gen(function* () {
      const left: Array<number> = []
      const write = yield* makeWriteBatcher({
        run: (items: ReadonlyArray<number>) =>
          Effect.as(
            Effect.andThen(
              Effect.sync(() => left.push(items.length)),
              Effect.sleep("1 second")
            ),
            items
          ),
        max: 10,
        concurrency: 2,
        minParallel: 5
      })
      const ask = (items: ReadonlyArray<number>) =>
        Effect.andThen(
          Effect.forkScoped(Effect.forEach(items, write, { concurrency: "unbounded" })),
          TestClock.adjust("100 millis")
        )
      yield* ask([1])
      yield* ask([2, 3])
      assert.deepStrictEqual(left, [1])
      yield* ask([4, 5, 6])
      assert.deepStrictEqual(left, [1, 5])
      yield* ask([7, 8, 9, 10, 11, 12])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(left, [1, 5, 6])
    })
  )
})
