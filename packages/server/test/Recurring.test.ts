import { type Recurring, runRecurring } from "@carillon/server/Recurring"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Latch, Logger, References } from "effect"
import { TestClock } from "effect/testing"

/** What ran and what was logged as an error: the messages, and the fibers by which they are found. */
const running = Effect.fnUntraced(function* (
  pieces: (ran: (name: string) => Effect.Effect<void>) => ReadonlyArray<Recurring>
) {
  const ran: Array<string> = []
  const errors: Array<unknown> = []
  const fibers: Array<unknown> = []
  const logger = Logger.make(({ logLevel, message, fiber }) => {
    if (logLevel !== "Error") return
    errors.push(Array.isArray(message) ? message[0] : message)
    fibers.push(fiber.getRef(References.CurrentLogAnnotations)["fiber"])
  })
  yield* runRecurring(pieces((name) => Effect.sync(() => void ran.push(name)))).pipe(
    Effect.provide(Logger.layer([logger]))
  )
  return { ran, errors, fibers }
})

describe("recurring work", () => {
  it.effect(
    "recurring work that fails is logged once with its name, keeps its rhythm and stops no other",
    () =>
      Effect.gen(function* () {
        const { ran, errors, fibers } = yield* running((ran) => [
          {
            name: "broken",
            every: "10 minutes",
            run: Effect.andThen(ran("broken"), Effect.die(new Error("no database")))
          },
          { name: "whole", every: "5 minutes", run: ran("whole") }
        ])
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual([ran, errors, fibers], [["broken", "whole"], ["broken failed"], ["broken"]])
        yield* TestClock.adjust("10 minutes")
        assert.deepStrictEqual(ran.toSorted(), ["broken", "broken", "whole", "whole", "whole"])
        assert.deepStrictEqual(
          [errors, fibers],
          [
            ["broken failed", "broken failed"],
            ["broken", "broken"]
          ]
        )
      }).pipe(Effect.scoped)
  )

  it.effect("recurring work that takes longer than its rhythm delays itself only", () =>
    Effect.gen(function* () {
      const { ran } = yield* running((ran) => [
        { name: "slow", every: "1 minute", run: Effect.andThen(ran("slow"), Effect.sleep("1 hour")) },
        { name: "quick", every: "20 minutes", run: ran("quick") }
      ])
      yield* TestClock.adjust("61 minutes")
      assert.deepStrictEqual(ran.toSorted(), ["quick", "quick", "quick", "quick", "slow", "slow"])
    }).pipe(Effect.scoped)
  )

  it.effect("runs again when what it waits for has come, also after a failure of the wait", () =>
    Effect.gen(function* () {
      const due = yield* Latch.make()
      let isReachable = true
      const wait = Effect.suspend(() => (isReachable ? due.await : Effect.die(new Error("no database"))))
      const { ran, errors } = yield* running((ran) => [
        { name: "woken", every: wait, run: Effect.andThen(due.close, ran("woken")) }
      ])
      yield* TestClock.adjust("1 day")
      assert.strictEqual(ran.length, 1)
      isReachable = false
      yield* due.open
      yield* TestClock.adjust("4 seconds")
      assert.deepStrictEqual([ran.length, errors], [2, ["woken failed"]])
      isReachable = true
      yield* TestClock.adjust("1 second")
      assert.strictEqual(ran.length, 3)
      yield* TestClock.adjust("1 day")
      assert.deepStrictEqual([ran.length, errors.length], [3, 1])
    }).pipe(Effect.scoped)
  )

  it.effect("ends with its scope, and says nothing of that", () =>
    Effect.gen(function* () {
      const { ran, errors } = yield* Effect.scoped(
        Effect.tap(
          running((ran) => [{ name: "daily", every: "1 day", run: ran("daily") }]),
          TestClock.adjust("1 hour")
        )
      )
      yield* TestClock.adjust("3 days")
      assert.deepStrictEqual([ran, errors], [["daily"], []])
    })
  )
})
