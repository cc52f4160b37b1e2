import { problem } from "@carillon/domain"
import { problemResponse } from "@carillon/server/http/Problems"
import { refusalLog, Refusals } from "@carillon/server/http/RefusalLog"
import { runRecurring } from "@carillon/server/Recurring"
import * as TestConfig from "@carillon/testing/TestConfig"
import { assert, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"

/** What is logged while the effect runs, and at its end. A slow machine has the clock of the tests warn, too. */
const logged = Effect.fnUntraced(function* <E, R>(effect: Effect.Effect<void, E, R>) {
  const lines: Array<unknown> = []
  yield* refusalLog.pipe(
    Effect.flatMap((piece) => runRecurring([piece])),
    // The first look finds nothing.
    Effect.andThen(TestClock.adjust("1 second")),
    Effect.andThen(effect),
    Effect.scoped,
    Effect.provideService(Refusals, new Map()),
    Effect.provide([
      Logger.layer([Logger.make(({ logLevel, message }) => logLevel === "Info" && lines.push(message))]),
      TestConfig.layer
    ])
  )
  return lines
})

const answers = (code: Parameters<typeof problem>[0], times: number) =>
  Effect.forEach(Array.from({ length: times }), () => problemResponse(problem(code, "It is so.")), {
    discard: true
  })

const line = (refused: Record<string, number>) => ["API requests were refused", { refused }]

it.effect(
  "refused requests are one line a minute with a count for each reason, and nothing else is in it",
  () =>
    Effect.gen(function* () {
      const lines = yield* logged(
        Effect.gen(function* () {
          yield* answers("unauthorized", 5000)
          yield* answers("missing_scope", 2)
          yield* answers("confirm_password", 1)
          for (const other of ["not_found", "rate_limited", "invalid_request"] as const)
            yield* answers(other, 3)
          yield* TestClock.adjust("1 minute")
          yield* TestClock.adjust("1 hour")
          yield* answers("foreign_request", 1)
          yield* TestClock.adjust("1 minute")
          // The process ends within the minute.
          yield* answers("unauthorized", 3)
        })
      )
      assert.deepStrictEqual(lines, [
        line({ unauthorized: 5000, missing_scope: 2, confirm_password: 1 }),
        line({ foreign_request: 1 }),
        line({ unauthorized: 3 })
      ])
    })
)
