import { hashPassword, inLine, verifyNothing, verifyPassword } from "@carillon/server/auth/Passwords"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"

it.live("a flood of passwords waits in a line with an end, and the line empties", () =>
  Effect.gen(function* () {
    const flood = yield* Effect.forEach(Array.from({ length: 100 }), () =>
      Effect.forkChild(Effect.flip(inLine(verifyNothing("a guess"))), { startImmediately: true })
    )
    const refused = flood.filter((fiber) => fiber.pollUnsafe() !== undefined)
    assert.strictEqual(refused.length, 80)
    assert.strictEqual((yield* Fiber.join(refused[0]!))._tag, "Throttled")
    yield* Fiber.interruptAll(flood)
    assert.isTrue(yield* verifyPassword("the right one", yield* hashPassword("the right one")))
  })
)
