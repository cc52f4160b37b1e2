import { makeKnownDestinations } from "@carillon/server/accounts/KnownDestinations"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"

const ideas = [{ id: "1", name: "Ideas" }]
const both = [...ideas, { id: "2", name: "Recipes" }]

describe("the destinations of an account", () => {
  it.effect(
    "the destinations of an account are known for an hour, and asked for again where one is missing, every ten seconds at most",
    () =>
      Effect.gen(function* () {
        const answers: Array<typeof ideas | null> = [ideas, both, null, ideas]
        let asked = 0
        const { find } = yield* makeKnownDestinations(() => Effect.sync(() => answers[asked++]!))
        assert.deepStrictEqual([yield* find(7, ["ideas"]), asked], [ideas, 1])
        assert.deepStrictEqual([yield* find(7, ["Recipes"]), asked], [ideas, 1])
        yield* TestClock.adjust("11 seconds")
        assert.deepStrictEqual([yield* find(7, ["Recipes"]), asked], [both, 2])
        yield* TestClock.adjust("59 minutes")
        assert.deepStrictEqual([yield* find(7, ["1", "2"]), asked], [both, 2])
        // The list that is known decides where the platform says nothing, but no longer than an hour.
        assert.deepStrictEqual([yield* find(7, ["3"]), asked], [both, 3])
        yield* TestClock.adjust("2 minutes")
        assert.deepStrictEqual([yield* find(7, ["2"]), asked], [ideas, 4])
      })
  )

  it.effect(
    "the destinations of an account are waited for a few seconds, and an answer that comes later serves the next request",
    () =>
      Effect.gen(function* () {
        const late = yield* Deferred.make<typeof ideas>()
        const { find, forget } = yield* makeKnownDestinations(() =>
          Effect.uninterruptible(Deferred.await(late))
        )
        const waiting = yield* Effect.forkChild(find(7, ["1"]))
        yield* TestClock.adjust("5 seconds")
        assert.isNull(yield* Fiber.join(waiting))
        yield* Deferred.succeed(late, ideas)
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(yield* find(7, ["1"]), ideas)
        yield* forget(7)
        assert.deepStrictEqual(yield* find(7, ["1"]), ideas)
      })
  )
})
